//! How far two PCI devices are from each other, in the words of `nvidia-smi topo -m`.

use drills_results::topology::{DeviceClass, Distance, NodeClass, PathCode, PciDevice, Topology};

use super::pci::Address;

/// The distance of every GPU-GPU and GPU-NIC pair, once per pair. A pair whose nodes are not told on a
/// machine with several nodes is left out: nothing says whether it crosses the sockets.
pub fn all(devices: &[PciDevice], cpu_nodes: usize) -> Vec<Distance> {
    let of = |class| devices.iter().filter(move |d| d.class == class);
    let gpus: Vec<&PciDevice> = of(DeviceClass::Gpu).collect();
    let mut found = Vec::new();
    for (i, gpu) in gpus.iter().enumerate() {
        for other in gpus[i + 1..].iter().copied().chain(of(DeviceClass::Nic)) {
            if let Some(code) = between(gpu, other, cpu_nodes) {
                found.push(Distance {
                    from: gpu.address.clone(),
                    to: other.address.clone(),
                    code,
                    nvlinks: None,
                });
            }
        }
    }
    found
}

/// Distance of two devices by their ancestors and nodes; absent when it cannot be told.
pub fn between(a: &PciDevice, b: &PciDevice, cpu_nodes: usize) -> Option<PathCode> {
    let common = a.parents.iter().enumerate().find_map(|(bridges_a, parent)| {
        let bridges_b = b.parents.iter().position(|p| p == parent)?;
        Some((bridges_a, bridges_b))
    });
    if let Some((bridges_a, bridges_b)) = common {
        // Between a device and the upstream port of its own switch lies one bridge: the downstream
        // port. More than one means another switch.
        let one_switch = bridges_a <= 1 && bridges_b <= 1;
        return Some(if one_switch { PathCode::Pix } else { PathCode::Pxb });
    }
    if host_bridge(a) == host_bridge(b) {
        return Some(PathCode::Phb);
    }
    match (a.numa_node, b.numa_node) {
        (Some(a), Some(b)) if a == b => Some(PathCode::Node),
        (Some(_), Some(_)) => Some(PathCode::Sys),
        _ if cpu_nodes <= 1 => Some(PathCode::Node),
        _ => None,
    }
}

/// Domain and bus of the topmost device: one for each host bridge.
pub fn host_bridge(device: &PciDevice) -> Option<(u32, u8)> {
    let top = device.parents.last().unwrap_or(&device.address);
    Address::parse(top).map(|address| (address.domain, address.bus))
}

/// Number of nodes that have CPUs.
pub fn cpu_nodes(topology: &Topology) -> usize {
    let has_cpus = |class| matches!(class, NodeClass::CpuAndMemory | NodeClass::CpuOnly);
    topology.nodes.iter().filter(|node| has_cpus(node.class)).count()
}
