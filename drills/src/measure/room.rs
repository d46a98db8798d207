//! How much memory may be used.

use crate::host::{self, Root};

/// Bytes of memory that are free for this process: what the kernel calls available, within the control
/// group's limit. A lower bound in guests whose memory grows as it is used. The environment variable
/// `DRILLS_MEMORY_MIB` lowers it, for machines that others need.
pub fn free_bytes() -> u64 {
    let root = Root::new(std::path::Path::new("/"));
    let available = root.read("proc/meminfo").as_deref().and_then(available).unwrap_or(1 << 30);
    // What the group uses already is not known here; half of the limit leaves room for it.
    let limit = host::environment(&root).memory_limit_bytes.map_or(u64::MAX, |limit| limit / 2);
    let wanted = std::env::var("DRILLS_MEMORY_MIB").ok().and_then(|text| text.parse::<u64>().ok());
    available.min(limit).min(wanted.map_or(u64::MAX, |mib| mib.saturating_mul(1 << 20)))
}

/// `MemAvailable` in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.trim().strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_in_bytes() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert!(free_bytes() > 1 << 20);
    }
}
