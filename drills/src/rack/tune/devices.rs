//! Clocks, address translation for devices, and the driver.

use std::collections::BTreeMap;

use drills_results::topology::DeviceClass;

use super::line::{Host, Line, Title};

/// Translation of DMA addresses of GPUs and NICs.
pub(super) fn iommu(host: &Host<'_>) -> Line {
    let title = Title("iommu", "pass-through is an option: measure it");
    let groups = domains(host);
    let found = words(&groups);
    if groups.is_empty() {
        return title.not_here("", "No GPU or NIC here is behind an IOMMU that the kernel shows.");
    }
    let is_direct = groups.keys().all(|kind| kind == "identity");
    if !is_direct && host.is_arm && host.is_coherent() {
        // Reported for GH200: CUDA failed with pass-through on kernels without a patch for it.
        let why = "Optional: iommu.passthrough=1 saves translations of DMA, gives up isolation, and has broken \
                   CUDA on Grace with some kernels.";
        return title.not_here(found, why);
    }
    let fix = "Boot with iommu=pt (iommu.passthrough=1 on Arm) and measure: DMA then goes untranslated. The price \
               is that devices are no longer isolated.";
    title.judged(is_direct, found, fix)
}

/// Devices by the kind of domain that their group has, such as "DMA-FQ" or "identity".
fn domains(host: &Host<'_>) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let is_fast = |class| matches!(class, DeviceClass::Gpu | DeviceClass::Nic);
    for device in host.topology.devices.iter().filter(|device| is_fast(device.class)) {
        let path = format!("sys/bus/pci/devices/{}/iommu_group/type", device.address);
        if let Some(kind) = host.root.line(&path) {
            *found.entry(kind).or_default() += 1;
        }
    }
    found
}

/// The governor of each clock.
pub(super) fn governor(host: &Host<'_>) -> Line {
    let title = Title("governor", "performance");
    const POLICIES: &str = "sys/devices/system/cpu/cpufreq";
    let mut found = BTreeMap::<String, u32>::new();
    let policies: Vec<String> =
        host.root.list(POLICIES).into_iter().filter(|name| name.starts_with("policy")).collect();
    for policy in &policies {
        if let Some(name) = host.root.line(&format!("{POLICIES}/{policy}/scaling_governor")) {
            *found.entry(name).or_default() += 1;
        }
    }
    if found.is_empty() {
        return title.not_here("", "This kernel does not set clocks: a virtual machine, or firmware does.");
    }
    let driver = policies.first().and_then(|p| host.root.line(&format!("{POLICIES}/{p}/scaling_driver")));
    let state = driver.map_or_else(|| words(&found), |driver| format!("{}; {driver}", words(&found)));
    let fix = "cpupower frequency-set -g performance: threads that launch kernels work in bursts too short for \
               a governor. Ubuntu's cpufrequtils may put the old one back at boot.";
    title.judged(found.keys().all(|name| name == "performance"), state, fix)
}

/// Whether the driver keeps the GPU ready without a client.
pub(super) fn persistence(host: &Host<'_>) -> Line {
    let title = Title("persistence", "on");
    if !host.root.exists("proc/driver/nvidia") && host.persistent.is_none() {
        return title.not_here("", "This machine has no NVIDIA driver.");
    }
    let daemon = host.root.exists("run/nvidia-persistenced/socket");
    let fix = "systemctl enable --now nvidia-persistenced: without a client the driver lets the GPU go and starts \
               it anew for the next one, which takes seconds.";
    match (host.persistent, daemon) {
        (Some(true), _) => title.judged(true, "on", fix),
        (_, true) => title.judged(true, "nvidia-persistenced runs", fix),
        (Some(false), false) => title.judged(false, "off", fix),
        (None, false) => title.not_told("Neither NVML nor a socket of nvidia-persistenced was seen."),
    }
}

/// Power saving of PCIe links.
pub(super) fn pcie_aspm(host: &Host<'_>) -> Line {
    let title = Title("pcie_aspm", "default or performance");
    let text = host.root.read("sys/module/pcie_aspm/parameters/policy").unwrap_or_default();
    let Some(policy) = text.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0)) else {
        return title.not_here("", "This kernel does not manage the power of PCIe links.");
    };
    if !host.has_gpu() {
        return title.not_here(policy, "No GPU is on PCIe here.");
    }
    let fix = "Boot with pcie_aspm.policy=performance: a link that sleeps takes microseconds to wake.";
    title.judged(!policy.starts_with("powersave") && !policy.starts_with("powersupersave"), policy, fix)
}

/// Whether users can see where their time goes.
pub(super) fn perf(host: &Host<'_>) -> Line {
    let title = Title("perf_event_paranoid", "2 or less");
    let Some(level) = host.root.number::<i32>("proc/sys/kernel/perf_event_paranoid") else {
        return title.not_here("", "This kernel has no perf events.");
    };
    let fix = "sysctl kernel.perf_event_paranoid=2: users may then profile programs of their own (1: the kernel's \
               part too, such as clear_page).";
    title.judged(level <= 2, level.to_string(), fix)
}

/// "performance", or "performance (140), schedutil (4)" where there are several.
fn words(counts: &BTreeMap<String, u32>) -> String {
    match counts.keys().collect::<Vec<_>>().as_slice() {
        [one] => (*one).clone(),
        _ => counts.iter().map(|(name, n)| format!("{name} ({n})")).collect::<Vec<_>>().join(", "),
    }
}
