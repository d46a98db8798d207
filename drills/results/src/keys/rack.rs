//! Keys of `drills rack`.

use super::{Better, KeyInfo, key};
use crate::Unit;

const PLATFORM: &str = "drills rack platform";
const NUMA: &str = "drills rack numa";
const TUNE: &str = "drills rack tune";
const FABRIC: &str = "drills rack fabric";
const BW: &str = "drills rack bw";
const PLACE: &str = "drills rack place";
const ALLREDUCE: &str = "drills rack allreduce";

const fn fact(name: &'static str, label: &'static str, command: &'static str) -> KeyInfo {
    key(name, label, Unit::Count, Better::Neither, command)
}
const fn rate(name: &'static str, label: &'static str, command: &'static str) -> KeyInfo {
    key(name, label, Unit::BytesPerS, Better::Higher, command)
}

/// In the order tables show them. Those that name a state are numbers, so that files can be compared; the
/// word stands in `params.state`.
pub(super) const KEYS: &[KeyInfo] = &[
    fact("coherence.class", "Class, tried: 0 CUDA's memory only, 1 managed, 2 HMM, 3 ATS", PLATFORM),
    fact("coherence.memory_mode", "GPU memory: 0 not coherent, 1 NUMA nodes, 2 the driver's", PLATFORM),
    fact("gpu.direct_managed", "CPU reads managed memory on the GPU in place (attribute)", PLATFORM),
    key("c2c.links", "NVLink-C2C links of one GPU", Unit::Count, Better::Higher, PLATFORM),
    rate("c2c.link_rate", "One C2C link at most, one direction", PLATFORM),
    fact("gpu.mig", "GPU cut into instances (MIG)", PLATFORM),
    fact("gpu.virtualisation", "GPU: 0 bare metal, 1 passed through, 2 vGPU, 3 or 4 host of vGPUs", PLATFORM),
    fact("numa.gpu_nodes", "NUMA nodes that are GPU memory", NUMA),
    key("numa.gpu_bytes", "GPU memory that Linux hands out", Unit::Bytes, Better::Neither, NUMA),
    key("numa.gpu_spill", "Files and anonymous pages on GPU nodes", Unit::Bytes, Better::Lower, NUMA),
    fact("numa.distance.cpu", "Distance to the nearest other node with CPUs", NUMA),
    fact("numa.distance.gpu", "Distance to the nearest GPU node", NUMA),
    fact("tune.line.*", "Setting", TUNE),
    key("tune.warnings", "Settings worth a look", Unit::Count, Better::Lower, TUNE),
    fact("fabric.state", "Fabric: 0 none, 1 not started, 2 in progress, 3 completed", FABRIC),
    fact("fabric.clique_gpus", "GPUs of this host in one clique", FABRIC),
    fact("fabric.imex_daemon", "IMEX daemon runs", FABRIC),
    fact("fabric.imex_channels", "IMEX channels that this process may use", FABRIC),
    fact("fabric.attribute", "Fabric handles known to the driver (attribute)", FABRIC),
    fact("fabric.create", "Fabric handle: create", FABRIC),
    fact("fabric.export", "Fabric handle: export", FABRIC),
    fact("fabric.import_own", "Fabric handle: import of its own export", FABRIC),
    rate("sm.read.managed", "Read by SMs, managed memory on the host", BW),
    rate("sm.write.managed", "Written by SMs, managed memory on the host", BW),
    rate("sm.read.malloc", "Read by SMs, memory from malloc", BW),
    rate("sm.write.malloc", "Written by SMs, memory from malloc", BW),
    rate("sm.read.device", "Read by SMs, device memory", BW),
    rate("sm.write.device", "Written by SMs, device memory", BW),
    rate("sm.copy.device", "Copied by SMs, device memory, bytes read plus written", BW),
    rate("node.h2d.*", "Host to device, pinned, memory on", PLACE),
    rate("node.d2h.*", "Device to host, pinned, memory on", PLACE),
    rate("node.sm_read.*", "Read by SMs, memory on", PLACE),
    fact("allreduce.ranks", "All-reduce: GPUs", ALLREDUCE),
    fact("allreduce.hosts", "All-reduce: hosts", ALLREDUCE),
    rate("allreduce.rate", "All-reduce, largest size: bytes of the array per second", ALLREDUCE),
    rate("allreduce.bus", "All-reduce, largest size: bus bandwidth", ALLREDUCE),
    key("allreduce.small", "All-reduce, smallest size: time", Unit::Ns, Better::Lower, ALLREDUCE),
];
