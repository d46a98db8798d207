//! NUMA nodes and what each of them holds.

use std::collections::BTreeMap;

use drills_results::topology::{NodeClass, NumaNode};

use super::root::Root;
use super::{lists, memory_mode, pci};

const NODE: &str = "sys/devices/system/node";

/// The online nodes, ascending. Node 0 need not be among them; a sandbox may have none at all.
pub fn read(root: &Root, online_cpus: &[u32]) -> Vec<NumaNode> {
    let owners = gpu_nodes(root);
    let added = memory_mode::driver_added_memory(root);
    ids(root)
        .into_iter()
        .map(|id| {
            let cpus = root.read(&format!("{NODE}/node{id}/cpulist")).unwrap_or_default();
            let cpus = lists::within(&lists::parse(&cpus), online_cpus);
            let memory_bytes = memory_bytes(root, id).unwrap_or(0);
            let gpu = owners.get(&id).cloned();
            // Containers often lack the driver's files, and the memory map names no node: on a machine
            // whose driver added memory, memory without CPUs is taken for that.
            let is_gpu = gpu.is_some() || (added && cpus.is_empty() && memory_bytes > 0);
            NumaNode {
                id,
                class: class(!cpus.is_empty(), memory_bytes > 0, is_gpu),
                cpus: lists::format(&cpus),
                memory_bytes,
                distances: distances(root, id),
                gpu,
            }
        })
        .collect()
}

fn ids(root: &Root) -> Vec<u32> {
    let online = root.read(&format!("{NODE}/online")).map(|list| lists::parse(&list)).unwrap_or_default();
    if !online.is_empty() {
        return online;
    }
    let mut ids: Vec<u32> =
        root.list(NODE).iter().filter_map(|name| name.strip_prefix("node")?.parse().ok()).collect();
    ids.sort_unstable();
    ids
}

fn class(has_cpus: bool, has_memory: bool, has_gpu: bool) -> NodeClass {
    match (has_cpus, has_memory) {
        _ if has_gpu => NodeClass::Gpu,
        (true, true) => NodeClass::CpuAndMemory,
        (true, false) => NodeClass::CpuOnly,
        (false, true) => NodeClass::MemoryOnly,
        (false, false) => NodeClass::Empty,
    }
}

fn memory_bytes(root: &Root, id: u32) -> Option<u64> {
    field(&root.read(&format!("{NODE}/node{id}/meminfo"))?, "MemTotal:")
}

/// `Node 0 MemTotal:  131072 kB`
fn field(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find(|line| line.split_whitespace().nth(2) == Some(name))?;
    let kib: u64 = line.split_whitespace().rev().nth(1)?.parse().ok()?;
    kib.checked_mul(1024)
}

/// What a node's memory is used for, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Nobody's.
    pub free: u64,
    /// Page cache and shared memory.
    pub file: u64,
    /// Anonymous pages of processes.
    pub anon: u64,
}

/// Reads what a node is used for; absent where the kernel does not tell.
pub fn usage(root: &Root, id: u32) -> Option<Use> {
    let text = root.read(&format!("{NODE}/node{id}/meminfo"))?;
    let of = |name| field(&text, name);
    Some(Use {
        free: of("MemFree:")?,
        file: of("FilePages:").unwrap_or(0),
        anon: of("AnonPages:").unwrap_or(0),
    })
}

/// Nodes that this process may take memory from; empty where the kernel does not tell.
pub fn allowed(root: &Root) -> Vec<u32> {
    let status = root.read("proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Mems_allowed_list:"));
    lists::parse(list.unwrap_or_default())
}

fn distances(root: &Root, id: u32) -> Vec<u32> {
    let text = root.read(&format!("{NODE}/node{id}/distance")).unwrap_or_default();
    text.split_whitespace().filter_map(|d| d.parse().ok()).collect()
}

/// Node to the PCI address of the GPU whose memory it is: the driver tells it for coherent machines.
fn gpu_nodes(root: &Root) -> BTreeMap<u32, String> {
    let base = "proc/driver/nvidia/gpus";
    let one = |name: &String| {
        let text = root.read(&format!("{base}/{name}/numa_status"))?;
        let node = text.lines().find_map(|line| line.trim().strip_prefix("Node:"))?;
        // -1: the driver keeps this GPU's memory to itself.
        Some((node.trim().parse().ok()?, pci::Address::parse(name)?.to_string()))
    };
    root.list(base).iter().filter_map(one).collect()
}
