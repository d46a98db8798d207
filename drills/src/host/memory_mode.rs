//! Who hands out the memory of coherent GPUs: Linux or the driver.

use drills_results::topology::{DeviceClass, NodeClass, Topology};

use super::names;
use super::root::Root;

/// Name of the memory that NVIDIA's driver has added to the kernel, in the kernel's memory map.
const ADDED: &str = "System RAM (NVIDIA)";
const PARAMS: &str = "proc/driver/nvidia/params";

/// What became of GPU memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// No GPU here whose memory the CPU reaches coherently.
    NotCoherent,
    /// The GPU has no memory of its own, so that nobody has to choose.
    OneMemory,
    /// NUMA nodes of Linux.
    Numa,
    /// Kept by the driver: coherent driver-based memory management.
    Driver,
}

impl Mode {
    /// A phrase for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::NotCoherent => "no coherent GPU",
            Self::OneMemory => "CPU and GPU have one memory",
            Self::Numa => "NUMA nodes of Linux",
            Self::Driver => "kept by the driver (CDMM)",
        }
    }
}

/// Decided by what the kernel has, not by what an administrator asked for. Absent for a coherent GPU where
/// neither the nodes nor the memory map decide it.
pub fn read(root: &Root, topology: &Topology) -> Option<Mode> {
    let has_gpu_node = topology.nodes.iter().any(|n| n.class == NodeClass::Gpu && n.memory_bytes > 0);
    if has_gpu_node || driver_added_memory(root) {
        return Some(Mode::Numa);
    }
    let mut coherent = topology.devices.iter().filter(|d| d.class == DeviceClass::Gpu && d.coherent);
    let Some(first) = coherent.next() else { return Some(Mode::NotCoherent) };
    if names::shares_host_memory(&first.name) {
        return Some(Mode::OneMemory);
    }
    let hidden = root.read("proc/iomem").is_none();
    let may_be_gpu = topology.nodes.iter().any(|node| node.class == NodeClass::MemoryOnly);
    (!hidden || !(topology.nodes.is_empty() || may_be_gpu)).then_some(Mode::Driver)
}

/// Whether NVIDIA's driver has given memory to the kernel. The map hides addresses from users, not names.
pub fn driver_added_memory(root: &Root) -> bool {
    root.read("proc/iomem").is_some_and(|map| map.lines().any(|line| line.ends_with(ADDED)))
}

/// A parameter of the driver's module, such as `CoherentGPUMemoryMode`, without quotes.
pub fn parameter(root: &Root, name: &str) -> Option<String> {
    let text = root.read(PARAMS)?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(value.trim().trim_matches('"').to_owned())
}
