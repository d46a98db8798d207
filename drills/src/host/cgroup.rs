//! Limits of the control groups this process is in: v1, v2 or both at once.
//!
//! A limit anywhere above counts, so every ancestor is read and the least wins. Which version rules a
//! resource is told by what is mounted for it, not by `/proc/self/cgroup`: that file has a `0::/` line
//! on v1 machines too.

use super::lists;
use super::root::Root;

/// Limits that apply, each the least over the group and its ancestors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// CPU time in CPUs.
    pub cpu_quota_cpus: Option<f64>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// CPUs of the cpuset, ascending.
    pub cpus: Option<Vec<u32>>,
}

/// Reads the limits.
pub fn read(root: &Root) -> Limits {
    let groups = root.read("proc/self/cgroup").unwrap_or_default();
    let mounts = mounts(&root.read("proc/self/mountinfo").unwrap_or_default());
    let dirs = |controller: &str| chain(&groups, &mounts, controller);
    Limits {
        cpu_quota_cpus: least(dirs("cpu").iter().filter_map(|dir| quota(root, dir)), f64::min),
        memory_bytes: least(dirs("memory").iter().filter_map(|dir| memory(root, dir)), u64::min),
        cpus: dirs("cpuset").iter().find_map(|dir| cpuset(root, dir)),
    }
}

fn least<T>(values: impl Iterator<Item = T>, min: fn(T, T) -> T) -> Option<T> {
    values.reduce(min)
}

/// One mounted hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    /// Part of the hierarchy that is mounted, "/" outside a container.
    shows: String,
    /// Where.
    at: String,
    /// Controllers of a v1 hierarchy; none for v2.
    v1: Option<Vec<String>>,
}

/// `31 23 0:28 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct`
fn mounts(mountinfo: &str) -> Vec<Mount> {
    let one = |line: &str| {
        let (left, right) = line.split_once(" - ")?;
        let (mut left, mut right) = (left.split(' ').skip(3), right.split(' '));
        let (shows, at) = (left.next()?.to_owned(), left.next()?.to_owned());
        let v1 = match right.next()? {
            "cgroup2" => None,
            "cgroup" => Some(right.nth(1)?.split(',').map(str::to_owned).collect()),
            _ => return None,
        };
        Some(Mount { shows, at, v1 })
    };
    mountinfo.lines().filter_map(one).collect()
}

/// Directories of the group that rules `controller` and of its ancestors, nearest first.
fn chain(groups: &str, mounts: &[Mount], controller: &str) -> Vec<String> {
    let has = |mount: &&Mount| mount.v1.as_ref().is_some_and(|list| list.iter().any(|c| c == controller));
    let v1 = mounts.iter().find(has);
    let Some(mount) = v1.or_else(|| mounts.iter().find(|mount| mount.v1.is_none())) else {
        return Vec::new();
    };
    let group = groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let ours = match v1 {
            Some(_) => controllers.split(',').any(|c| c == controller),
            None => controllers.is_empty(),
        };
        ours.then_some(path)
    });
    let group = group.unwrap_or("/");
    // Inside a container the path may be the host's while only a part of the tree is mounted.
    let below = group.strip_prefix(mount.shows.trim_end_matches('/')).unwrap_or("");
    let mut dirs = Vec::new();
    let mut rest = below.trim_matches('/');
    if rest.split('/').any(|part| part == "..") {
        // A group outside the namespace: only the mounted top can be read.
        rest = "";
    }
    loop {
        dirs.push(format!("{}/{rest}", mount.at.trim_end_matches('/')));
        if rest.is_empty() {
            return dirs;
        }
        rest = rest.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
}

/// `250000 100000` or `max 100000` (v2); two files with -1 for none (v1).
fn quota(root: &Root, dir: &str) -> Option<f64> {
    let (quota, period): (f64, f64) = match root.read(&format!("{dir}/cpu.max")) {
        Some(text) => {
            let (quota, period) = text.split_once(' ')?;
            (quota.parse().ok()?, period.parse().ok()?)
        }
        None => (
            root.number(&format!("{dir}/cpu.cfs_quota_us"))?,
            root.number(&format!("{dir}/cpu.cfs_period_us"))?,
        ),
    };
    (quota > 0.0 && period > 0.0).then_some(quota / period).filter(|cpus| cpus.is_finite())
}

/// Bytes. v1 writes its "no limit" as the largest multiple of a page below 2^63.
fn memory(root: &Root, dir: &str) -> Option<u64> {
    const NO_LIMIT: u64 = 1 << 62;
    ["memory.max", "memory.high", "memory.limit_in_bytes"]
        .iter()
        .filter_map(|file| root.number::<u64>(&format!("{dir}/{file}")))
        .filter(|&bytes| bytes < NO_LIMIT)
        .min()
}

fn cpuset(root: &Root, dir: &str) -> Option<Vec<u32>> {
    ["cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"]
        .iter()
        .find_map(|file| root.read(&format!("{dir}/{file}")))
        .map(|list| lists::parse(&list))
        .filter(|cpus| !cpus.is_empty())
}
