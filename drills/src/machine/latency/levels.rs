//! Which buffer size shows which cache level.

use drills_results::topology::{Cache, Topology};

use crate::host::lists;

/// A buffer is called memory, not cache, from this many times the last-level cache on.
const TIMES_CACHE: u64 = 4;

/// Cache sizes that one CPU sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Levels {
    /// First-level data cache, in bytes.
    pub(super) l1: Option<u64>,
    /// Second level.
    pub(super) l2: Option<u64>,
    /// Third level.
    pub(super) l3: Option<u64>,
    /// Line, in bytes.
    pub(super) line: u64,
}

impl Levels {
    /// As the kernel tells them for `cpu`.
    pub(super) fn of(topology: &Topology, cpu: u32) -> Self {
        let seen: Vec<&Cache> = topology.caches.iter().filter(|cache| serves(cache, cpu)).collect();
        let level = |level: u32| seen.iter().find(|cache| cache.level == level).map(|cache| cache.bytes);
        let line = seen.iter().filter_map(|cache| cache.line_bytes).max().unwrap_or(64).max(64);
        Self { l1: level(1), l2: level(2), l3: level(3), line }
    }

    /// Buffer on a level's plateau: well above what the level below holds, well below what this one holds.
    /// Absent when the level is, or when it is hardly larger than the one below.
    ///
    /// Four times the level below is enough for an endless lap to miss it every time. Going further
    /// would trust the size of a cache that neighbours, or other guests of the host, use as well.
    pub(super) fn plateau(&self, level: u32) -> Option<u64> {
        let (below, this) = match level {
            1 => (Some(1024), self.l1),
            2 => (self.l1, self.l2),
            _ => (self.l2.or(self.l1), self.l3),
        };
        let (low, high) = (2 * below?, this? / 2);
        let middle = ((low as f64) * (high as f64)).sqrt() as u64;
        (low < high).then_some(middle.min(2 * low).max(4096) / self.line * self.line)
    }

    /// Largest cache.
    pub(super) fn last(&self) -> u64 {
        self.l3.or(self.l2).or(self.l1).unwrap_or(0)
    }

    /// Largest buffer to walk: four times the last cache and at least `at_least`, within a quarter of
    /// free memory.
    pub(super) fn largest(&self, at_least: u64, free_bytes: u64) -> u64 {
        let huge_page = 2 << 20;
        (TIMES_CACHE * self.last()).max(at_least).min(free_bytes / 4) / huge_page * huge_page
    }

    /// Whether a buffer is large enough to show memory.
    pub(super) fn shows_memory(&self, bytes: u64) -> bool {
        bytes >= TIMES_CACHE * self.last()
    }
}

fn serves(cache: &Cache, cpu: u32) -> bool {
    cache.kind != "instruction" && cache.shared_by.iter().any(|cpus| lists::parse(cpus).contains(&cpu))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: Levels = Levels { l1: Some(48 << 10), l2: Some(2 << 20), l3: Some(300 << 20), line: 64 };

    #[test]
    fn plateaus_lie_between_the_levels() {
        for (level, below, this) in [(1, 0, 48 << 10), (2, 48 << 10, 2 << 20), (3, 2 << 20, 300 << 20)] {
            let size = SERVER.plateau(level).expect("this machine has all three");
            assert!(size > 2 * below && size < this / 2 + 1, "level {level}: {size}");
            assert_eq!(size % 64, 0);
        }
    }

    #[test]
    fn a_missing_level_has_no_plateau() {
        assert_eq!(SERVER.plateau(3), Some(8 << 20), "four times the L2, however large the L3");
        assert_eq!(SERVER.plateau(1), Some(4096));
        let no_l3 = Levels { l3: None, ..SERVER };
        assert_eq!(no_l3.plateau(3), None);
        assert_eq!(no_l3.last(), 2 << 20);
        let slim = Levels { l3: Some(4 << 20), ..SERVER };
        assert_eq!(slim.plateau(3), None, "an L3 twice the L2 has no plateau of its own");
    }

    #[test]
    fn memory_begins_at_four_times_the_last_cache() {
        assert_eq!(SERVER.largest(1 << 30, 64 << 30), 1200 << 20);
        assert!(SERVER.shows_memory(1200 << 20));
        let tight = SERVER.largest(1 << 30, 2 << 30);
        assert_eq!(tight, 512 << 20);
        assert!(!SERVER.shows_memory(tight));
    }
}
