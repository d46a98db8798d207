//! Kernel, distribution, memory, driver.

use super::cpus::cpuinfo_values;
use super::root::{Root, one_line};

/// Kernel release, as `uname -r` prints it.
pub fn kernel(root: &Root) -> String {
    root.line("proc/sys/kernel/osrelease").unwrap_or_else(|| {
        // "Linux version 6.8.0-60-generic (…"
        let version = root.read("proc/version").unwrap_or_default();
        one_line(version.split_whitespace().nth(2).unwrap_or_default())
    })
}

/// `PRETTY_NAME` of os-release.
pub fn os(root: &Root) -> String {
    let text = ["etc/os-release", "usr/lib/os-release"].iter().find_map(|file| root.read(file));
    let text = text.unwrap_or_default();
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or_default();
    one_line(value.trim_matches(['"', '\'']))
}

/// `x86_64`, `aarch64`, …; empty when a recorded machine does not tell.
pub fn arch(root: &Root) -> String {
    if root.is_live() {
        return std::env::consts::ARCH.to_owned();
    }
    if let Some(arch) = root.line("proc/sys/kernel/arch") {
        return arch;
    }
    let told_by = |field: &str| !cpuinfo_values(root, field).is_empty();
    let first = super::cpus::online(root).first().copied().unwrap_or(0);
    let has_midr = root.exists(&format!("sys/devices/system/cpu/cpu{first}/regs/identification"));
    let arch = if told_by("vendor_id") {
        "x86_64"
    } else if has_midr || told_by("CPU implementer") {
        "aarch64"
    } else {
        ""
    };
    arch.to_owned()
}

/// Base page in bytes; 0 when a recorded machine does not tell.
pub fn page_bytes(root: &Root) -> u64 {
    if root.is_live() {
        return rustix::param::page_size() as u64;
    }
    let smaps = root.read("proc/self/smaps").unwrap_or_default();
    kib_of(&smaps, "MMUPageSize:").or_else(|| (arch(root) == "x86_64").then_some(4096)).unwrap_or(0)
}

/// `MemTotal` in bytes. Guests whose memory grows as it is used report less than they may get.
pub fn memory_bytes(root: &Root) -> u64 {
    kib_of(&root.read("proc/meminfo").unwrap_or_default(), "MemTotal:").unwrap_or(0)
}

fn kib_of(text: &str, field: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix(field))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Version of the NVIDIA kernel module: the first word with a digit in front after "Module".
pub fn nvidia_driver(root: &Root) -> Option<String> {
    if let Some(version) = root.line("sys/module/nvidia/version") {
        return Some(version);
    }
    let text = root.read("proc/driver/nvidia/version")?;
    let line = text.lines().find(|line| line.contains("NVRM"))?;
    let version = line
        .split_whitespace()
        .find(|word| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.'))?;
    Some(one_line(version))
}

/// One-minute load average.
pub fn load_1min(root: &Root) -> Option<f64> {
    root.read("proc/loadavg")?.split_whitespace().next()?.parse().ok()
}

/// CPU time so far, in ticks: (stolen by the hypervisor, all).
pub fn steal_ticks(root: &Root) -> Option<(u64, u64)> {
    let text = root.read("proc/stat")?;
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = line.split_whitespace().map_while(|t| t.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal; guest time is already in user.
    let steal = *ticks.get(7)?;
    Some((steal, ticks.iter().take(8).sum()))
}

/// The host's own name. Only ever written where the user asked for it.
pub fn host_name(root: &Root) -> String {
    let name = root.read("proc/sys/kernel/hostname").filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "unknown-host".to_owned())
}
