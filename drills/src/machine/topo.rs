//! `drills machine topo`: the wiring as the kernel and the driver tell it.

use drills_results::keys;
use drills_results::topology::{Cache, DeviceClass, Link, NodeClass, PathCode, PciDevice, Topology};
use drills_results::{Measurement, Reason};

use crate::gpu::{self, GpuInfo};
use crate::host::{self, Root, lists, names, pci};
use crate::run::{Context, GpuChoice, Sink};

const METHOD: &str = "topo.sysfs";

/// The wiring, with names and NVLinks from the driver where it can be asked.
pub fn read(ctx: &Context, sink: &Sink) -> Topology {
    let mut topology = host::topology(&ctx.root);
    if ctx.is_live() && ctx.gpu != GpuChoice::None && may_have_nvidia(&ctx.root, &topology) {
        sink.step("asking the NVIDIA driver for its GPUs");
        match gpu::inventory() {
            Ok(gpus) => merge(&mut topology, &gpus),
            Err(reason) => sink.warn(format!("The NVIDIA driver named no GPUs: {}.", reason.text)),
        }
    }
    topology
}

/// Pushes the facts of the wiring as measurements.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_else(|| read(ctx, sink));
    cpu_facts(&topology, sink);
    cache_facts(&topology, sink);
    push_known(sink, "topo.page", host::system::page_bytes(&ctx.root));
    node_facts(&topology, sink);
    device_facts(&topology, sink);
    sink.topology(topology);
}

fn may_have_nvidia(root: &Root, topology: &Topology) -> bool {
    topology.devices.iter().any(|device| device.id.starts_with("10de:"))
        || ["dev/nvidiactl", "dev/dxg", "proc/driver/nvidia"].iter().any(|path| root.exists(path))
}

/// Puts what the driver knows better into the kernel's picture: names, GPUs that sysfs hides, NVLinks.
fn merge(topology: &mut Topology, gpus: &[GpuInfo]) {
    for gpu in gpus {
        match topology.devices.iter_mut().find(|device| device.address == gpu.address) {
            Some(device) => gpu.name.clone_into(&mut device.name),
            None => topology.devices.push(hidden(gpu)),
        }
    }
    topology.devices.sort_by_key(|device| pci::Address::parse(&device.address));
    topology.distances = host::distance::all(&topology.devices, host::distance::cpu_nodes(topology));
    for distance in &mut topology.distances {
        let find = |address: &str| gpus.iter().find(|gpu| gpu.address == address);
        if let (Some(a), Some(b)) = (find(&distance.from), find(&distance.to)) {
            let links = nvlinks(a, b);
            if links > 0 {
                distance.code = PathCode::Nv;
                distance.nvlinks = Some(links);
            }
        }
    }
}

/// A GPU that only the driver shows: sandboxes have no PCI devices in sysfs.
fn hidden(gpu: &GpuInfo) -> PciDevice {
    let coherent = names::is_coherent_name(&gpu.name);
    PciDevice {
        address: gpu.address.clone(),
        class: DeviceClass::Gpu,
        name: gpu.name.clone(),
        id: String::new(),
        parents: Vec::new(),
        numa_node: None,
        local_cpus: String::new(),
        link: gpu.link.filter(|_| !coherent),
        coherent,
        interfaces: Vec::new(),
        port_gbit_per_s: None,
        unknown: Default::default(),
    }
}

/// NVLinks from `a` to `b`: direct ones, else as many as both have to switches.
fn nvlinks(a: &GpuInfo, b: &GpuInfo) -> u32 {
    let direct = a.nvlinks.iter().filter(|peer| peer.address.as_ref() == Some(&b.address));
    let direct: u32 = direct.map(|peer| peer.links).sum();
    let to_switches = |gpu: &GpuInfo| -> u32 {
        gpu.nvlinks.iter().filter(|peer| peer.is_switch).map(|peer| peer.links).sum()
    };
    if direct > 0 { direct } else { to_switches(a).min(to_switches(b)) }
}

/// A fact with the unit that the list of keys gives it.
fn fact(key: &str, value: f64) -> Option<Measurement> {
    Some(Measurement::ok(key, keys::find(key)?.unit, value, METHOD))
}

fn push(sink: &Sink, key: &str, value: impl Into<f64>) {
    if let Some(measurement) = fact(key, value.into()) {
        sink.push(measurement);
    }
}

fn skip(sink: &Sink, key: &str, reason: Reason) {
    if let Some(info) = keys::find(key) {
        sink.push(Measurement::skipped(key, info.unit, METHOD, reason));
    }
}

fn not_told() -> Reason {
    Reason::new("not-told", "the kernel of this machine does not tell it", "")
}

/// 0 stands for "not told".
fn push_known(sink: &Sink, key: &str, value: u64) {
    if value > 0 { push(sink, key, value as f64) } else { skip(sink, key, not_told()) }
}

fn cpu_facts(topology: &Topology, sink: &Sink) {
    push_known(sink, "topo.cpu.count", topology.cpus);
    push_known(sink, "topo.cpu.cores", topology.cores.unwrap_or(0));
    push_known(sink, "topo.cpu.packages", topology.packages.unwrap_or(0));
    push_known(sink, "topo.cpu.kinds", topology.core_kinds.len() as u64);
}

/// Caches of the fastest kind of core; the other kinds' sizes become parameters.
fn cache_facts(topology: &Topology, sink: &Sink) {
    let lines: Vec<u64> = topology.caches.iter().filter_map(|cache| cache.line_bytes).collect();
    push_known(sink, "topo.cache.line", lines.iter().copied().max().unwrap_or(0));
    for (key, level, kinds) in [
        ("topo.cache.l1d", 1, ["data", "unified"]),
        ("topo.cache.l2", 2, ["unified", "data"]),
        ("topo.cache.l3", 3, ["unified", "data"]),
    ] {
        let caches: Vec<&Cache> =
            topology.caches.iter().filter(|c| c.level == level && kinds.contains(&c.kind.as_str())).collect();
        let mut by_kind = topology
            .core_kinds
            .iter()
            .filter_map(|kind| Some((kind.name.as_str(), reached(&caches, &lists::parse(&kind.cpus))?)));
        match by_kind.next() {
            Some((first, bytes)) if bytes > 0 => {
                let Some(mut measurement) = fact(key, bytes as f64) else { continue };
                if topology.core_kinds.len() > 1 {
                    measurement = measurement.param("kind", first);
                }
                for (kind, bytes) in by_kind.filter(|&(_, other)| other != bytes) {
                    measurement = measurement.param(&format!("{kind}_bytes"), bytes);
                }
                sink.push(measurement);
            }
            _ if caches.is_empty() && !topology.caches.is_empty() => {
                skip(sink, key, Reason::new("no-such-cache", format!("this machine has no L{level}"), ""));
            }
            _ => skip(sink, key, not_told()),
        }
    }
}

/// Size of the cache that the first of `cpus` reaches.
fn reached(caches: &[&Cache], cpus: &[u32]) -> Option<u64> {
    let first = cpus.first()?;
    let reaches = |list: &String| lists::parse(list).contains(first);
    caches.iter().find(|cache| cache.shared_by.iter().any(reaches)).map(|cache| cache.bytes)
}

/// Numbers of NUMA nodes by kind.
pub(crate) fn node_facts(topology: &Topology, sink: &Sink) {
    let keys = ["topo.numa.cpu_nodes", "topo.numa.memory_only_nodes"];
    if topology.nodes.is_empty() {
        keys.iter().for_each(|key| skip(sink, key, not_told()));
        return;
    }
    push(sink, keys[0], host::distance::cpu_nodes(topology) as f64);
    let memory_only = topology.nodes.iter().filter(|node| node.class == NodeClass::MemoryOnly).count();
    push(sink, keys[1], memory_only as f64);
}

fn device_facts(topology: &Topology, sink: &Sink) {
    let count = |class| topology.devices.iter().filter(|device| device.class == class).count() as f64;
    push(sink, "topo.gpu.count", count(DeviceClass::Gpu));
    link_facts(topology, sink);
    push(sink, "topo.nic.count", count(DeviceClass::Nic));
}

/// Link of the worst-linked GPU: the narrowest hop between it and the CPU counts, not its own slot only.
fn link_facts(topology: &Topology, sink: &Sink) {
    let gpus: Vec<&PciDevice> = topology.devices.iter().filter(|d| d.class == DeviceClass::Gpu).collect();
    let at_most = gpus.iter().filter_map(|gpu| narrowest(topology, gpu, max_rate));
    let now = gpus.iter().filter_map(|gpu| narrowest(topology, gpu, rate));
    let worst_at_most = at_most.min_by(|a, b| max_rate(a.1).total_cmp(&max_rate(b.1)));
    let worst_now = now.min_by(|a, b| rate(a.1).total_cmp(&rate(b.1)));
    let keys = [
        "topo.gpu.link.speed_max",
        "topo.gpu.link.width_max",
        "topo.gpu.link.speed_idle",
        "topo.gpu.link.width_idle",
    ];
    let (Some(at_most), Some(now)) = (worst_at_most, worst_now) else {
        let reason = if gpus.is_empty() {
            Reason::new("no-gpu", "this machine shows no GPU", "")
        } else if gpus.iter().any(|gpu| gpu.coherent) {
            Reason::new(
                "coherent-gpu",
                "the GPU is attached by NVLink-C2C: its PCIe link carries control only",
                "",
            )
        } else {
            not_told()
        };
        keys.iter().for_each(|key| skip(sink, key, reason.clone()));
        return;
    };
    let values = [
        (at_most.0, at_most.1.max_gt_per_s),
        (at_most.0, f64::from(at_most.1.max_width)),
        (now.0, now.1.gt_per_s),
        (now.0, f64::from(now.1.width)),
    ];
    for (key, (hop, value)) in keys.into_iter().zip(values) {
        if let Some(measurement) = fact(key, value) {
            sink.push(measurement.param("hop", hop.address.as_str()));
        }
    }
}

/// The slowest link between a device and the CPU by `rate`, and the device whose link it is: the device
/// itself or a bridge above it.
pub fn narrowest<'t>(
    topology: &'t Topology,
    device: &'t PciDevice,
    rate: fn(Link) -> f64,
) -> Option<(&'t PciDevice, Link)> {
    let own = device.link.map(|link| (device, link))?;
    let above = device.parents.iter().filter_map(|address| {
        let bridge = topology.devices.iter().find(|d| &d.address == address)?;
        Some((bridge, bridge.link?))
    });
    // Equal links go to the device itself: its slot is what people look at first.
    Some(above.fold(own, |least, hop| if rate(hop.1) < rate(least.1) { hop } else { least }))
}

/// Bytes per second of a link as it is now.
pub fn rate(link: Link) -> f64 {
    pci::link_bytes_per_s(link.gt_per_s, link.width)
}

/// Bytes per second of a link at most.
pub fn max_rate(link: Link) -> f64 {
    pci::link_bytes_per_s(link.max_gt_per_s, link.max_width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::NvLinkPeer;

    fn gpu(address: &str, peers: &[(Option<&str>, bool, u32)]) -> GpuInfo {
        GpuInfo {
            index: 0,
            name: "NVIDIA H200".into(),
            address: address.into(),
            uuid: None,
            driver_version: None,
            link: None,
            memory_bytes: None,
            nvlinks: peers
                .iter()
                .map(|&(address, is_switch, links)| NvLinkPeer {
                    address: address.map(Into::into),
                    is_switch,
                    links,
                })
                .collect(),
            mig: None,
        }
    }

    #[test]
    fn nvlinks_count_direct_ones_or_the_fewer_to_switches() {
        let (a, b) = ("0000:17:00.0", "0000:3d:00.0");
        let direct = nvlinks(&gpu(a, &[(Some(b), false, 4)]), &gpu(b, &[(Some(a), false, 4)]));
        assert_eq!(direct, 4);
        let switched = nvlinks(&gpu(a, &[(None, true, 18)]), &gpu(b, &[(None, true, 16)]));
        assert_eq!(switched, 16);
        assert_eq!(nvlinks(&gpu(a, &[(Some(b), false, 0)]), &gpu(b, &[])), 0);
    }

    #[test]
    fn gpus_that_only_the_driver_shows_are_added() {
        let mut topology = Topology::default();
        merge(
            &mut topology,
            &[gpu("0000:17:00.0", &[(None, true, 18)]), gpu("0000:3d:00.0", &[(None, true, 18)])],
        );
        assert_eq!(topology.devices.len(), 2);
        assert_eq!(topology.distances.len(), 1);
        assert_eq!((topology.distances[0].code, topology.distances[0].nvlinks), (PathCode::Nv, Some(18)));
    }
}
