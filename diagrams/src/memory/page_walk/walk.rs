//! The walk: from register to byte, table by table.

use super::machine::{ENTRY_BYTES, Machine};
use super::space::{Mapping, Region, region_of, regions};

/// What a program wants to do, in user mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Load.
    #[default]
    Read,
    /// Store.
    Write,
    /// Fetch an instruction.
    Execute,
}

impl Access {
    /// All, in the order of the control.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Execute];

    /// As a verb, and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Execute => "execute",
        }
    }
}

/// What an entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The next table lies at this physical address.
    Table(u64),
    /// A page of `bytes` lies at this physical address.
    Page {
        /// Physical address.
        base: u64,
        /// Size.
        bytes: u64,
    },
    /// Nothing: the present bit is clear.
    Nothing,
}

/// One read of a table entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// Level, 0 is the root.
    pub level: usize,
    /// Physical address of the table.
    pub table: u64,
    /// Index in it.
    pub index: u64,
    /// Physical address that is read.
    pub entry: u64,
    /// What is there.
    pub finding: Finding,
}

/// How it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The byte lies at this physical address, in a page of this size.
    Reached {
        /// Physical address of the byte.
        physical: u64,
        /// Size of the page.
        bytes: u64,
    },
    /// The untranslated bits are wrong; no table is read.
    NotCanonical,
    /// An entry is not present.
    NotPresent(Option<Region>),
    /// The entry forbids the access.
    Forbidden(Option<Region>),
}

/// A walk with its reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// The reads in their order.
    pub reads: Vec<Read>,
    /// How it ends.
    pub outcome: Outcome,
}

impl Walk {
    /// Reads that go to memory, or to a data cache. With warm page-walk caches (paging-structure caches
    /// in Intel's manual) the walker starts at the last table.
    pub fn from_memory(&self, warm: bool) -> usize {
        if warm { self.reads.len().min(1) } else { self.reads.len() }
    }
}

/// Walks the tables of `mapping` for a user-mode access.
pub fn walk(machine: Machine, mapping: Mapping, address: u64, access: Access) -> Walk {
    if !machine.is_canonical(address) {
        return Walk { reads: Vec::new(), outcome: Outcome::NotCanonical };
    }
    let address = machine.untagged(address);
    let levels = machine.levels();
    let last = levels.len() - 1;
    let high = machine.is_high(address);
    let region = if mapping == Mapping::Process { region_of(machine, address) } else { None };
    let leaf_level = leaf_level(machine, mapping, region);
    let mut table = invented(machine, u64::from(high) + 1, 0, machine.page_bytes());
    let mut reads = Vec::new();
    for (level, shape) in levels.iter().enumerate() {
        let index = shape.index(address);
        let entry = table + index * ENTRY_BYTES;
        let prefix = address & !(shape.span() - 1);
        let finding = if !is_present(machine, mapping, prefix, shape.span()) {
            Finding::Nothing
        } else if level == leaf_level.unwrap_or(last) {
            Finding::Page { base: frame(machine, region, prefix, shape.span()), bytes: shape.span() }
        } else {
            Finding::Table(invented(machine, level as u64 + 3, prefix, machine.page_bytes()))
        };
        reads.push(Read { level, table, index, entry, finding });
        match finding {
            Finding::Table(next) => table = next,
            Finding::Nothing => return Walk { reads, outcome: Outcome::NotPresent(region) },
            Finding::Page { base, bytes } => {
                let outcome = if forbids(region, high, access) {
                    Outcome::Forbidden(region)
                } else {
                    Outcome::Reached { physical: base + (address & (bytes - 1)), bytes }
                };
                return Walk { reads, outcome };
            }
        }
    }
    Walk { reads, outcome: Outcome::NotPresent(region) }
}

/// Level whose entries map the pages here; none where nothing is mapped.
fn leaf_level(machine: Machine, mapping: Mapping, region: Option<Region>) -> Option<usize> {
    let page = match mapping {
        Mapping::Process => region?.page,
        Mapping::Base => 0,
        Mapping::Large => 1,
        Mapping::Largest => 2,
    };
    Some(machine.levels().len() - 1 - page.min(machine.page_sizes().len() - 1))
}

/// Whether anything that has been touched lies in this range.
fn is_present(machine: Machine, mapping: Mapping, start: u64, bytes: u64) -> bool {
    let end = start.saturating_add(bytes - 1);
    mapping != Mapping::Process || regions(machine).any(|r| r.start <= end && start < r.touched)
}

/// Whether the entry stops this access. Elsewhere than in the process, user space may do anything.
fn forbids(region: Option<Region>, high: bool, access: Access) -> bool {
    let Some(region) = region else { return high };
    region.kernel
        || match access {
            Access::Read => false,
            Access::Write => !region.entry_writable,
            Access::Execute => !region.executable,
        }
}

/// Where a page lies. The kernel's map is linear; all others lie where the kernel found room.
fn frame(machine: Machine, region: Option<Region>, prefix: u64, bytes: u64) -> u64 {
    match region {
        Some(kernel) if kernel.kernel => prefix - kernel.start,
        _ => invented(machine, 0, prefix, bytes),
    }
}

/// A physical address below 256 GiB that stays the same for the same question: splitmix64 (S. Vigna).
fn invented(machine: Machine, kind: u64, prefix: u64, align: u64) -> u64 {
    let seed = prefix ^ (kind << 4) ^ u64::from(machine.page_shift());
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    // Above 1 GiB, so that all addresses have about as many digits.
    (((z ^ (z >> 31)) & 0x3f_ffff_ffff) | (1 << 37)) & !(align - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: u64 = 0x7f3a_5c2d_e6b8;

    fn reads(machine: Machine, mapping: Mapping, address: u64) -> usize {
        walk(machine, mapping, address, Access::Read).reads.len()
    }

    #[test]
    fn reads_per_walk_as_in_the_text() {
        let counts: Vec<usize> = Machine::ALL.iter().map(|&m| reads(m, Mapping::Base, EXAMPLE)).collect();
        assert_eq!(counts, [4, 5, 4, 4, 3]);
        let large: Vec<usize> = Machine::ALL.iter().map(|&m| reads(m, Mapping::Large, EXAMPLE)).collect();
        assert_eq!(large, [3, 4, 3, 3, 2]);
        assert_eq!(reads(Machine::X86Four, Mapping::Largest, EXAMPLE), 2, "a 1 GiB page saves two");
        assert_eq!(reads(Machine::Arm64K, Mapping::Largest, EXAMPLE), 2, "512 MiB is the largest");
    }

    #[test]
    fn each_entry_is_table_plus_index_times_eight() {
        for machine in Machine::ALL {
            for mapping in Mapping::ALL {
                let walk = walk(machine, mapping, EXAMPLE, Access::Read);
                for pair in walk.reads.windows(2) {
                    assert_eq!(pair[0].finding, Finding::Table(pair[1].table));
                }
                for read in &walk.reads {
                    assert_eq!(read.entry, read.table + read.index * 8);
                    assert!(read.table.is_multiple_of(machine.page_bytes()));
                    assert!(read.entry < read.table + machine.page_bytes(), "a table is one page");
                }
            }
        }
    }

    #[test]
    fn the_offset_survives_translation() {
        for machine in Machine::ALL {
            for mapping in Mapping::ALL {
                let outcome = walk(machine, mapping, EXAMPLE, Access::Read).outcome;
                let Outcome::Reached { physical, bytes } = outcome else { panic!("{machine:?} {outcome:?}") };
                assert_eq!(physical & (bytes - 1), EXAMPLE & (bytes - 1));
            }
        }
    }

    #[test]
    fn neighbours_share_tables_and_page() {
        let at = |address| walk(Machine::X86Four, Mapping::Process, address, Access::Read);
        let (a, b, c) = (at(EXAMPLE), at(EXAMPLE + 8), at(EXAMPLE + 4_096));
        assert_eq!(a.reads, b.reads);
        assert_eq!(a.reads[..3], c.reads[..3]);
        assert_ne!(a.reads[3].finding, c.reads[3].finding);
    }

    #[test]
    fn invalid_addresses_end_where_the_tree_ends() {
        let at = |address| walk(Machine::X86Four, Mapping::Process, address, Access::Read);
        assert_eq!(at(0x5a5a_0000_1000).reads.len(), 1, "an empty root entry");
        assert_eq!(at(0x10).reads.len(), 3, "null plus sixteen");
        let untouched = at(0x7f3b_4000_0000);
        assert_eq!(untouched.reads.len(), 2);
        assert!(matches!(untouched.outcome, Outcome::NotPresent(Some(_))));
        assert_eq!(at(0x8000_0000_0000), Walk { reads: vec![], outcome: Outcome::NotCanonical });
        assert_eq!(at(0x7f00_4012_3456).reads.len(), 2, "a 1 GiB page");
    }

    #[test]
    fn permissions_are_checked_at_the_leaf() {
        let at = |address, access| walk(Machine::X86Four, Mapping::Process, address, access).outcome;
        let forbidden = |outcome| matches!(outcome, Outcome::Forbidden(Some(_)));
        let checkpoint = 0x7f3c_6000_0000;
        assert!(!forbidden(at(checkpoint, Access::Read)) && forbidden(at(checkpoint, Access::Write)));
        assert!(forbidden(at(EXAMPLE, Access::Execute)) && !forbidden(at(0x40_1000, Access::Execute)));
        assert!(forbidden(at(0x7f30_0000_1000, Access::Write)), "still shared with the child");
        assert!(forbidden(at(0xffff_8880_0000_1000, Access::Read)), "the kernel's");
    }

    #[test]
    fn a_warm_walker_reads_once() {
        let walk = walk(Machine::X86Five, Mapping::Base, EXAMPLE, Access::Read);
        assert_eq!((walk.from_memory(false), walk.from_memory(true)), (5, 1));
    }

    #[test]
    fn the_kernels_map_is_linear() {
        let region = super::super::space::kernel_region(Machine::X86Four);
        assert_eq!(frame(Machine::X86Four, Some(region), region.start + (3 << 30), 1 << 30), 3 << 30);
    }
}
