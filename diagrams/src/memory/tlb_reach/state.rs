//! What the reader chose, and what follows from it in words.

use super::chips::Chip;
use super::model::{Pattern, Setup};
use super::own::OwnChase;
use crate::kit::units::{bytes, duration_ns, number};
use crate::kit::{Counter, DataTable, FigureModel, LogScale, Query};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Sizes of pages that can be chosen.
pub const PAGES: [u64; 5] = [4 * KIB, 16 * KIB, 64 * KIB, 2 * MIB, 512 * MIB];
/// Numbers of entries that can be chosen: those of real second-level TLBs, and powers of two around them.
pub const ENTRIES: [u32; 10] = [64, 96, 256, 512, 1_024, 1_536, 2_048, 3_072, 4_096, 8_192];
/// Working sets as powers of two: 1 MiB to 1 TiB.
pub const WORKING_SETS: (u32, u32) = (20, 40);
/// Table reads of a walk: 24 is the most in a virtual machine with four levels on four.
pub const READS: (u32, u32) = (1, 24);
/// Reads from memory, in nanoseconds.
pub const MEMORY_NS: LogScale = LogScale { min: 60.0, max: 600.0, steps: 40 };

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct TlbReach {
    /// Memory system.
    pub chip: Chip,
    /// Entries of the TLB.
    pub entries: u32,
    /// Bytes of a page.
    pub page_bytes: u64,
    /// Working set as a power of two.
    pub exponent: u32,
    /// Which bytes are read.
    pub pattern: Pattern,
    /// Table reads of a walk.
    pub reads: u32,
    /// A read from memory in nanoseconds.
    pub memory_ns: f64,
    /// Measured on the reader's machine.
    pub yours: Vec<OwnChase>,
}

impl Default for TlbReach {
    fn default() -> Self {
        Self::on(Chip::default())
    }
}

impl TlbReach {
    /// Random reads over 64 GiB in 4 KiB pages.
    pub fn on(chip: Chip) -> Self {
        Self {
            chip,
            entries: chip.entries(),
            page_bytes: 4 * KIB,
            exponent: 36,
            pattern: Pattern::AnyLine,
            reads: 1,
            memory_ns: chip.memory_ns(),
            yours: Vec::new(),
        }
    }

    /// Changes the memory system with its own numbers.
    pub fn choose(&mut self, chip: Chip) {
        (self.chip, self.entries, self.memory_ns) = (chip, chip.entries(), chip.memory_ns());
    }

    /// The model's input with this page and working set.
    pub fn setup(&self, page_bytes: u64, working_set_bytes: f64) -> Setup {
        Setup {
            chip: self.chip,
            entries: f64::from(self.entries),
            page_bytes: page_bytes as f64,
            working_set_bytes,
            pattern: self.pattern,
            reads: self.reads,
            memory_ns: self.memory_ns,
        }
    }

    /// The model's input now.
    pub fn now(&self) -> Setup {
        self.setup(self.page_bytes, self.working_set_bytes())
    }

    /// Bytes that are read at random.
    pub fn working_set_bytes(&self) -> f64 {
        f64::from(self.exponent).exp2()
    }
}

/// A miss rate, with as many digits as tell it from 100 %.
pub fn miss_text(rate: f64) -> String {
    let percent = rate * 100.0;
    if percent > 99.5 && percent < 99.995 {
        format!("{percent:.2}\u{a0}%")
    } else {
        format!("{}\u{a0}%", number(percent))
    }
}

/// A number of entries, every digit of it.
pub fn entries_text(entries: u32) -> String {
    if entries < 1_000 { entries.to_string() } else { format!("{},{:03}", entries / 1_000, entries % 1_000) }
}

/// A size of a page as people say it.
pub fn page_text(page_bytes: u64) -> String {
    bytes(page_bytes as f64)
}

impl FigureModel for TlbReach {
    fn to_query(&self) -> Query {
        let chip = Chip::default();
        Query::new()
            .set("chip", self.chip.id(), chip.id())
            .set("entries", self.entries, self.chip.entries())
            .set("page", self.page_bytes / KIB, 4)
            .set("set", self.exponent, 36)
            .set("lines", if self.pattern == Pattern::AnyLine { "any" } else { "page" }, "any")
            .set("reads", self.reads, 1)
            .set("memory", self.memory_ns, self.chip.memory_ns())
    }

    fn from_query(query: &Query) -> Self {
        let chip = Chip::ALL.into_iter().find(|c| Some(c.id()) == query.get("chip")).unwrap_or_default();
        let default = Self::on(chip);
        let entries = query.parse("entries", default.entries);
        let page_bytes = query.parse("page", 4u64).saturating_mul(KIB);
        let exponent = query.parse("set", default.exponent);
        let reads = query.parse("reads", default.reads);
        Self {
            entries: if ENTRIES.contains(&entries) { entries } else { default.entries },
            page_bytes: if PAGES.contains(&page_bytes) { page_bytes } else { default.page_bytes },
            exponent: exponent.clamp(WORKING_SETS.0, WORKING_SETS.1),
            pattern: if query.get("lines") == Some("page") { Pattern::LinePerPage } else { Pattern::AnyLine },
            reads: reads.clamp(READS.0, READS.1),
            memory_ns: query.number("memory", default.memory_ns, MEMORY_NS.min..=MEMORY_NS.max),
            ..default
        }
    }

    fn sentence(&self) -> String {
        let (setup, cost) = (self.now(), self.now().cost());
        let reach = format!(
            "{} entries of {} reach {}.",
            entries_text(self.entries),
            page_text(self.page_bytes),
            bytes(setup.reach_bytes())
        );
        let set = bytes(self.working_set_bytes());
        if cost.miss_rate == 0.0 {
            return format!(
                "{reach} {set} fit, so no read misses the TLB: {} each, all for the data.",
                duration_ns(cost.total_ns())
            );
        }
        format!(
            "{reach} Over {set} {} of the random reads miss. A walk takes {}, since its tables lie mostly in {}; that makes {} per read, {} of it walking.",
            miss_text(cost.miss_rate),
            duration_ns(cost.walk_ns),
            setup.tables_live_in(),
            duration_ns(cost.total_ns()),
            duration_ns(cost.walking_ns()),
        )
    }

    fn note(&self) -> Option<String> {
        let source = match self.chip {
            Chip::GoldenCove => "Latencies of the H200 host's CPU, measured.",
            Chip::NeoverseV2 => "Latencies are ballpark.",
            Chip::Gpu => {
                "NVIDIA publishes no TLB sizes: 4,096 entries give the 8 GiB found on a V100. Latencies measured on the H200."
            }
        };
        let small = self.setup(PAGES[0], self.working_set_bytes());
        let (now, then) = (self.now().cost(), small.cost());
        let against = if self.page_bytes == PAGES[0] {
            let large = self.setup(2 * MIB, self.working_set_bytes()).cost();
            format!(
                "On 2 MiB pages: {} misses, {} of walking per read.",
                miss_text(large.miss_rate),
                duration_ns(large.walking_ns())
            )
        } else {
            format!(
                "Against 4 KiB pages: {} times the reach, {} misses instead of {}, {} of walking instead of {}.",
                number((self.page_bytes / PAGES[0]) as f64),
                miss_text(now.miss_rate),
                miss_text(then.miss_rate),
                duration_ns(now.walking_ns()),
                duration_ns(then.walking_ns()),
            )
        };
        Some(format!(
            "{against} Reads wait for one another; independent ones would overlap their walks. {source}"
        ))
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&[
            "page",
            "reach",
            "miss rate",
            "last-level tables",
            "mostly in",
            "walk",
            "walking per read",
            "data",
            "per read",
        ]);
        for page in PAGES {
            let setup = self.setup(page, self.working_set_bytes());
            let cost = setup.cost();
            table.row([
                page_text(page),
                bytes(setup.reach_bytes()),
                miss_text(cost.miss_rate),
                bytes(setup.table_bytes()),
                setup.tables_live_in().into(),
                duration_ns(cost.walk_ns),
                duration_ns(cost.walking_ns()),
                duration_ns(cost.data_ns),
                duration_ns(cost.total_ns()),
            ]);
        }
        for chase in &self.yours {
            for (x, y) in &chase.points {
                let mut row = vec![format!("{}, {}", chase.name, bytes(*x))];
                row.resize(8, String::new());
                row.push(duration_ns(*y));
                table.row(row);
            }
        }
        table
    }

    fn counters(&self) -> Vec<Counter> {
        let (setup, cost) = (self.now(), self.now().cost());
        vec![
            Counter::new("Reach", bytes(setup.reach_bytes())),
            Counter::new("Miss rate", miss_text(cost.miss_rate)),
            Counter::new("Last-level tables", bytes(setup.table_bytes())),
            Counter::new("One walk", duration_ns(cost.walk_ns)),
            Counter::new("Per read", duration_ns(cost.total_ns())),
        ]
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_its_address() {
        let state = TlbReach {
            entries: 3_072,
            page_bytes: 64 * KIB,
            exponent: 29,
            pattern: Pattern::LinePerPage,
            reads: 24,
            memory_ns: 200.0,
            ..TlbReach::on(Chip::NeoverseV2)
        };
        assert_eq!(TlbReach::from_query(&state.to_query()), state);
        assert!(TlbReach::default().to_query().is_empty());
    }

    #[test]
    fn nonsense_in_an_address_is_harmless() {
        let hash = "#fig-x?chip=z80&entries=7&page=99999999999999999&set=4000&reads=0&memory=NaN";
        let state = TlbReach::from_query(&Query::from_hash("x", hash).expect("is ours"));
        assert_eq!(state, TlbReach { exponent: 40, ..TlbReach::default() });
    }

    #[test]
    fn a_rate_just_below_all_is_not_all() {
        assert_eq!(miss_text(0.999_878).replace('\u{a0}', " "), "99.99 %");
        assert_eq!(miss_text(0.9375).replace('\u{a0}', " "), "93.8 %");
        assert_eq!((entries_text(96), entries_text(2_048)), ("96".to_owned(), "2,048".to_owned()));
        assert_eq!(miss_text(0.0).replace('\u{a0}', " "), "0 %");
    }

    #[test]
    fn every_chips_own_numbers_can_be_chosen() {
        for chip in Chip::ALL {
            assert!(ENTRIES.contains(&chip.entries()));
            assert!((MEMORY_NS.min..=MEMORY_NS.max).contains(&chip.memory_ns()));
        }
    }

    #[test]
    fn readings_outlive_a_preset() {
        let chase = OwnChase { name: "yours", points: vec![(1e6, 5.0)] };
        let mine = TlbReach { yours: vec![chase], ..TlbReach::default() };
        assert_eq!(TlbReach::on(Chip::Gpu).carry_over(&mine).yours, mine.yours);
        assert_eq!(mine.table().rows.len(), PAGES.len() + 1);
        assert!(mine.table().rows.iter().all(|r| r.len() == mine.table().columns.len()));
    }
}
