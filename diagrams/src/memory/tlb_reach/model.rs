//! Reach, misses and what they cost, for random reads that wait for one another.

use super::chips::Chip;

/// Bytes of a page-table entry.
const ENTRY: f64 = 8.0;
/// Bytes of a cache line.
const LINE: f64 = 64.0;
/// What a walk costs besides its reads, in nanoseconds: about ten cycles at 3 GHz (ballpark).
pub const WALKER_NS: f64 = 3.0;
/// Part of each cache that tables and data get each: they share it.
const SHARE: f64 = 0.5;

/// Which bytes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// Any line of the working set.
    #[default]
    AnyLine,
    /// One line in each page, as the drill does: the data stay in the caches for longer.
    LinePerPage,
}

/// What is read, and by whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Memory system.
    pub chip: Chip,
    /// Entries of the TLB.
    pub entries: f64,
    /// Bytes of a page.
    pub page_bytes: f64,
    /// Bytes that are read at random.
    pub working_set_bytes: f64,
    /// Which of them.
    pub pattern: Pattern,
    /// Table reads of a walk.
    pub reads: u32,
    /// A read from memory in nanoseconds.
    pub memory_ns: f64,
}

/// Price of one read, on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Part of the reads that miss the TLB.
    pub miss_rate: f64,
    /// One walk in nanoseconds.
    pub walk_ns: f64,
    /// The data in nanoseconds.
    pub data_ns: f64,
}

impl Cost {
    /// Walking, per read, in nanoseconds.
    pub fn walking_ns(self) -> f64 {
        self.miss_rate * self.walk_ns
    }

    /// Everything, per read, in nanoseconds.
    pub fn total_ns(self) -> f64 {
        self.data_ns + self.walking_ns()
    }
}

impl Setup {
    /// Bytes that the TLB can translate.
    pub fn reach_bytes(&self) -> f64 {
        self.entries * self.page_bytes
    }

    /// Bytes of the last-level tables that map the working set.
    pub fn table_bytes(&self) -> f64 {
        (self.working_set_bytes / self.page_bytes).max(1.0) * ENTRY
    }

    /// What a read costs on average.
    pub fn cost(&self) -> Cost {
        let hits = (self.reach_bytes() / self.working_set_bytes).min(1.0);
        let pages = (self.working_set_bytes / self.page_bytes).max(1.0);
        let data = match self.pattern {
            Pattern::AnyLine => self.working_set_bytes,
            Pattern::LinePerPage => pages * LINE,
        };
        Cost { miss_rate: 1.0 - hits, walk_ns: self.walk_ns(), data_ns: self.fetch_ns(data, true) }
    }

    /// One walk: its reads in turn from the last level, the level above it and so on. A table above is as
    /// many times smaller as a table has entries.
    fn walk_ns(&self) -> f64 {
        let fan_out = if self.page_bytes > 16_384.0 && self.page_bytes < 1e6 { 8_192.0 } else { 512.0 };
        let read = |number: u32| {
            let above = f64::from(number % 4);
            let bytes = (self.table_bytes() / f64::powf(fan_out, above)).max(ENTRY);
            self.fetch_ns(bytes, self.chip.walks_through_near_cache())
        };
        WALKER_NS + (0..self.reads).map(read).sum::<f64>()
    }

    /// A random read among so many bytes: each cache holds what fits.
    fn fetch_ns(&self, bytes: f64, near: bool) -> f64 {
        let parts = self.residence(bytes, near);
        let [first, second] = self.chip.caches();
        let [from_first, from_second, from_memory] = parts;
        // Memory is behind the caches, whatever the slider says.
        let memory_ns = self.memory_ns.max(second.hit_ns);
        from_first * first.hit_ns + from_second * second.hit_ns + from_memory * memory_ns
    }

    /// Where so many bytes live: parts in the nearer cache, the farther one, and memory.
    pub fn residence(&self, bytes: f64, near: bool) -> [f64; 3] {
        let [first, second] = self.chip.caches().map(|c| (c.bytes * SHARE / bytes).min(1.0));
        let first = if near { first } else { 0.0 };
        let second = (second - first).max(0.0);
        [first, second, 1.0 - first - second]
    }

    /// Where most of the last-level tables live.
    pub fn tables_live_in(&self) -> &'static str {
        let parts = self.residence(self.table_bytes(), self.chip.walks_through_near_cache());
        let [near, far] = self.chip.caches().map(|c| c.name);
        let names = [near, far, self.chip.memory()];
        let most = (0..3).max_by(|&a, &b| parts[a].total_cmp(&parts[b])).unwrap_or(2);
        names[most]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: f64 = 1024.0;
    const MIB: f64 = KIB * KIB;
    const GIB: f64 = KIB * MIB;

    fn setup(page_bytes: f64, working_set_bytes: f64) -> Setup {
        Setup {
            chip: Chip::GoldenCove,
            entries: 2_048.0,
            page_bytes,
            working_set_bytes,
            pattern: Pattern::AnyLine,
            reads: 1,
            memory_ns: 120.0,
        }
    }

    #[test]
    fn reach_is_that_of_the_texts_table() {
        let reach = |page: f64| setup(page, GIB).reach_bytes();
        assert_eq!(reach(4.0 * KIB), 8.0 * MIB);
        assert_eq!(reach(16.0 * KIB), 32.0 * MIB);
        assert_eq!(reach(64.0 * KIB), 128.0 * MIB);
        assert_eq!(reach(2.0 * MIB), 4.0 * GIB);
        assert_eq!(reach(512.0 * MIB), 1024.0 * GIB);
        assert_eq!(reach(64.0 * KIB) / reach(4.0 * KIB), 16.0);
        assert_eq!(reach(2.0 * MIB) / reach(4.0 * KIB), 512.0);
    }

    #[test]
    fn miss_rates_and_tables_over_64_gib_are_those_of_the_text() {
        let expected = [
            (4.0 * KIB, 0.9999, 128.0 * MIB, "DRAM"),
            (64.0 * KIB, 0.998, 8.0 * MIB, "L3"),
            (2.0 * MIB, 0.9375, 256.0 * KIB, "L2"),
        ];
        for (page, miss, tables, home) in expected {
            let setup = setup(page, 64.0 * GIB);
            assert!((setup.cost().miss_rate - miss).abs() < 1e-4, "{page}");
            assert_eq!((setup.table_bytes(), setup.tables_live_in()), (tables, home));
        }
    }

    #[test]
    fn large_pages_keep_the_miss_rate_and_save_most_of_the_walking() {
        let (small, large) = (setup(4.0 * KIB, 64.0 * GIB).cost(), setup(2.0 * MIB, 64.0 * GIB).cost());
        assert!(large.miss_rate / small.miss_rate > 0.9);
        assert!(large.walking_ns() / small.walking_ns() < 0.15, "{large:?} {small:?}");
    }

    #[test]
    fn within_reach_nothing_misses_and_the_cliff_only_moves() {
        for page in [4.0 * KIB, 64.0 * KIB, 2.0 * MIB] {
            let reach = setup(page, GIB).reach_bytes();
            assert_eq!(setup(page, reach).cost().miss_rate, 0.0);
            assert_eq!(setup(page, 2.0 * reach).cost().miss_rate, 0.5);
        }
    }

    #[test]
    fn more_never_costs_less() {
        for pattern in [Pattern::AnyLine, Pattern::LinePerPage] {
            for chip in Chip::ALL {
                let cost = |exponent: i32, reads: u32| {
                    let base = setup(4.0 * KIB, 2f64.powi(exponent));
                    Setup { chip, pattern, reads, ..base }.cost().total_ns()
                };
                let curve: Vec<f64> = (20..=40).map(|e| cost(e, 1)).collect();
                assert!(curve.is_sorted(), "{chip:?} {curve:?}");
                let by_reads: Vec<f64> = (1..=24).map(|r| cost(36, r)).collect();
                assert!(by_reads.is_sorted());
            }
        }
    }

    #[test]
    fn parts_of_a_residence_make_one() {
        for exponent in 10..40 {
            for near in [true, false] {
                let parts = setup(4.0 * KIB, GIB).residence(2f64.powi(exponent), near);
                assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(parts.iter().all(|p| *p >= 0.0));
            }
        }
    }

    #[test]
    fn a_walk_costs_what_the_h200_host_measured() {
        // 4 KiB against 2 MiB pages, one line each: 81 ns apart. Only the size of the effect is asked for.
        let one = |page| Setup { pattern: Pattern::LinePerPage, ..setup(page, 8.0 * GIB) }.cost();
        let apart = one(4.0 * KIB).walking_ns() - one(2.0 * MIB).walking_ns();
        assert!((20.0..160.0).contains(&apart), "{apart}");
    }
}
