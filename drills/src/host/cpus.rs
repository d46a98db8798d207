//! Which CPUs there are, which may be used, and how they are packaged.

use std::collections::BTreeSet;

use super::lists;
use super::root::Root;

const CPU: &str = "sys/devices/system/cpu";

/// Logical CPUs of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cpus {
    /// Online, ascending.
    pub online: Vec<u32>,
    /// Physical cores, where siblings are told.
    pub cores: Option<u64>,
    /// Packages (sockets), where they are told.
    pub packages: Option<u64>,
    /// Most CPUs that one core has, where siblings are told.
    pub threads_per_core: Option<u64>,
}

/// Reads the CPUs. `online` falls back to `present`, then to what `/proc/cpuinfo` lists.
pub fn read(root: &Root) -> Cpus {
    let online = online(root);
    let siblings: Option<BTreeSet<Vec<u32>>> = online
        .iter()
        .map(|&cpu| siblings(root, cpu).map(|all| lists::within(&all, &online)).filter(|s| !s.is_empty()))
        .collect();
    let siblings = siblings.filter(|sets| !sets.is_empty());
    Cpus {
        cores: siblings.as_ref().map(|sets| sets.len() as u64),
        threads_per_core: siblings.as_ref().and_then(|sets| sets.iter().map(|s| s.len() as u64).max()),
        packages: packages(root, &online),
        online,
    }
}

/// Online CPUs, ascending. CPU 0 need not be among them.
pub fn online(root: &Root) -> Vec<u32> {
    for file in ["online", "present"] {
        let ids = root.read(&format!("{CPU}/{file}")).map(|list| lists::parse(&list)).unwrap_or_default();
        if !ids.is_empty() {
            return ids;
        }
    }
    let mut ids: Vec<u32> = cpuinfo_values(root, "processor").iter().filter_map(|v| v.parse().ok()).collect();
    ids.sort_unstable();
    ids
}

/// Online CPUs that this process may run on, ascending: affinity and cpuset are both in the
/// `Cpus_allowed_list` of `/proc/self/status`.
pub fn allowed(root: &Root) -> Vec<u32> {
    let online = online(root);
    let status = root.read("proc/self/status").unwrap_or_default();
    match status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")) {
        Some(list) => {
            let allowed = lists::within(&lists::parse(list), &online);
            if allowed.is_empty() { online } else { allowed }
        }
        None => online,
    }
}

/// CPUs of the same core, `cpu` among them.
pub fn siblings(root: &Root, cpu: u32) -> Option<Vec<u32>> {
    ["core_cpus_list", "thread_siblings_list"]
        .iter()
        .find_map(|file| root.read(&format!("{CPU}/cpu{cpu}/topology/{file}")))
        .map(|list| lists::parse(&list))
}

/// The package that a CPU is in; absent when not told (the kernel says -1 then).
pub fn package(root: &Root, cpu: u32) -> Option<u32> {
    root.number(&format!("{CPU}/cpu{cpu}/topology/physical_package_id"))
}

fn packages(root: &Root, online: &[u32]) -> Option<u64> {
    let ids: Option<BTreeSet<u32>> = online.iter().map(|&cpu| package(root, cpu)).collect();
    ids.map(|ids| ids.len() as u64).filter(|&n| n > 0)
}

/// Every value of one field of `/proc/cpuinfo`, in file order.
pub fn cpuinfo_values(root: &Root, field: &str) -> Vec<String> {
    let text = root.read("proc/cpuinfo").unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.trim() == field)
        .map(|(_, value)| value.trim().to_owned())
        .collect()
}
