//! What people call a PCI device, and how fast its port is.

use drills_results::topology::DeviceClass;

use super::root::{Root, one_line};

/// PCI ids of GPUs that reach the CPU's memory by NVLink-C2C or share its memory: GB10, GH200, GB200,
/// GB300. Their PCIe link is a control path and says nothing about copies.
const COHERENT_IDS: [&str; 6] =
    ["10de:2e12", "10de:2342", "10de:2345", "10de:2348", "10de:2941", "10de:31c2"];
const COHERENT_NAMES: [&str; 4] = ["GB10", "GH200", "GB200", "GB300"];

/// Name for people: the driver's model of a GPU, the RDMA or network device, the disk; else the id.
pub fn device(root: &Root, dir: &str, address: &str, class: DeviceClass, id: &str) -> String {
    let name = match class {
        DeviceClass::Gpu => gpu_model(root, address),
        DeviceClass::Nic => interfaces(root, dir).into_iter().next(),
        DeviceClass::Storage => disks(root, dir).into_iter().next(),
        DeviceClass::NvSwitch => Some("NVSwitch".to_owned()),
        DeviceClass::Bridge => None,
    };
    name.unwrap_or_else(|| id.to_owned())
}

/// Whether the GPU is attached to the CPU by something other than PCIe.
pub fn coherent(root: &Root, address: &str, id: &str) -> bool {
    let node = format!("proc/driver/nvidia/gpus/{address}/numa_status");
    let has_node = root.read(&node).is_some_and(|text| {
        let node = text.lines().find_map(|line| line.trim().strip_prefix("Node:"));
        node.is_some_and(|node| node.trim().parse::<u32>().is_ok())
    });
    has_node || COHERENT_IDS.contains(&id) || gpu_model(root, address).is_some_and(|m| is_coherent_name(&m))
}

/// Whether a GPU of this name is attached by something other than PCIe.
pub fn is_coherent_name(model: &str) -> bool {
    model.split_whitespace().any(|word| COHERENT_NAMES.contains(&word))
}

/// Whether a GPU of this name has no memory of its own: the host's is its memory.
pub fn shares_host_memory(model: &str) -> bool {
    model.split_whitespace().any(|word| word == "GB10")
}

/// `Model:  NVIDIA H200`, of the driver's own file.
fn gpu_model(root: &Root, address: &str) -> Option<String> {
    let text = root.read(&format!("proc/driver/nvidia/gpus/{address}/information"))?;
    let model = text.lines().find_map(|line| line.strip_prefix("Model:"))?.trim();
    // A driver that has not started the GPU yet writes "Unknown".
    (!model.is_empty() && model != "Unknown").then(|| one_line(model))
}

/// RDMA devices first, then network interfaces, of the device itself or of virtio below it.
pub fn interfaces(root: &Root, dir: &str) -> Vec<String> {
    let mut names = root.list(&format!("{dir}/infiniband"));
    names.extend(below(root, dir, "net").iter().map(|name| without_mac(name)));
    names
}

fn disks(root: &Root, dir: &str) -> Vec<String> {
    let mut names = root.list(&format!("{dir}/nvme"));
    names.extend(below(root, dir, "block"));
    names
}

fn below(root: &Root, dir: &str, kind: &str) -> Vec<String> {
    let mut names = root.list(&format!("{dir}/{kind}"));
    for virtio in root.list(dir).iter().filter(|name| name.starts_with("virtio")) {
        names.extend(root.list(&format!("{dir}/{virtio}/{kind}")));
    }
    names
}

/// systemd names an interface after its MAC address when nothing better is known (`enx0a1b2c3d4e5f`).
/// A MAC address names one machine, so it stays out of results.
fn without_mac(name: &str) -> String {
    let is_mac = |tail: &str| tail.len() == 12 && tail.bytes().all(|b| b.is_ascii_hexdigit());
    match name.char_indices().find(|&(at, c)| c == 'x' && is_mac(&name[at + 1..])) {
        Some((at, _)) => format!("{}x…", &name[..at]),
        None => name.to_owned(),
    }
}

/// Speed of the fastest port in Gbit/s. Ports that are down say nothing useful.
pub fn port_gbit_per_s(root: &Root, dir: &str) -> Option<f64> {
    let mut speeds: Vec<f64> = Vec::new();
    for device in root.list(&format!("{dir}/infiniband")) {
        let ports = format!("{dir}/infiniband/{device}/ports");
        for port in root.list(&ports) {
            // `400 Gb/sec (4X NDR)`
            let rate = root.read(&format!("{ports}/{port}/rate")).unwrap_or_default();
            let rate: Option<f64> = rate.split_whitespace().next().and_then(|word| word.parse().ok());
            let active = root.read(&format!("{ports}/{port}/state")).is_none_or(|s| s.contains("ACTIVE"));
            speeds.extend(rate.filter(|_| active));
        }
    }
    for interface in root.list(&format!("{dir}/net")) {
        // Mbit/s; -1 when the link is down.
        let speed: Option<f64> = root.number(&format!("{dir}/net/{interface}/speed"));
        speeds.extend(speed.filter(|&mbit| mbit > 0.0 && mbit < 1e8).map(|mbit| mbit / 1000.0));
    }
    speeds.into_iter().filter(|gbit| gbit.is_finite() && *gbit > 0.0).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interface_names_lose_their_mac() {
        assert_eq!(without_mac("enx0a1b2c3d4e5f"), "enx…");
        assert_eq!(without_mac("wlx0a1b2c3d4e5f"), "wlx…");
        assert_eq!(without_mac("enp1s0f0np0"), "enp1s0f0np0");
        assert_eq!(without_mac("vxlan0"), "vxlan0");
    }
}
