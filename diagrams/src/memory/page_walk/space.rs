//! What is mapped: one process, or one size of page everywhere.

use super::machine::Machine;

/// What the tables map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mapping {
    /// The regions of [`PROCESS`].
    #[default]
    Process,
    /// Every address, in base pages.
    Base,
    /// Every address, in the next larger pages.
    Large,
    /// Every address, in the largest pages.
    Largest,
}

impl Mapping {
    /// All, in the order of the control.
    pub const ALL: [Self; 4] = [Self::Process, Self::Base, Self::Large, Self::Largest];

    /// Short name for addresses.
    pub fn id(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Base => "base",
            Self::Large => "large",
            Self::Largest => "largest",
        }
    }
}

/// A range of addresses with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub name: &'static str,
    /// First address.
    pub start: u64,
    /// First address behind it.
    pub end: u64,
    /// Where the part ends that has been touched: behind it no entry is present.
    pub touched: u64,
    /// Whether the process may write here.
    pub writable: bool,
    /// Whether the entries allow writing; not where a page is still shared with a forked child.
    pub entry_writable: bool,
    /// Whether code may run here.
    pub executable: bool,
    /// Whether only the kernel may come here.
    pub kernel: bool,
    /// Its pages: 0 base, 1 larger, 2 largest.
    pub page: usize,
}

const GIB: u64 = 1 << 30;

const fn region(name: &'static str, start: u64, bytes: u64) -> Region {
    Region {
        name,
        start,
        end: start + bytes,
        touched: start + bytes,
        writable: true,
        entry_writable: true,
        executable: false,
        kernel: false,
        page: 0,
    }
}

/// A small process, laid out as Linux does it. Ranges are multiples of the largest page that they use.
pub const PROCESS: [Region; 8] = [
    Region {
        writable: false,
        entry_writable: false,
        executable: true,
        ..region("the program's code", 0x40_0000, 4 << 20)
    },
    region("the heap", 0x200_0000, 64 << 20),
    Region { page: 2, ..region("a pool of hugetlb pages", 0x7f00_0000_0000, 64 * GIB) },
    Region { page: 1, ..region("memory with transparent huge pages", 0x7f20_0000_0000, 8 * GIB) },
    Region { entry_writable: false, ..region("memory shared with a forked child", 0x7f30_0000_0000, GIB) },
    Region {
        touched: 0x7f3a_4000_0000 + 4 * GIB,
        ..region("an 8 GiB buffer, half of it touched", 0x7f3a_4000_0000, 8 * GIB)
    },
    Region {
        writable: false,
        entry_writable: false,
        ..region("a mapped checkpoint, read only", 0x7f3c_5e00_0000, 2 * GIB)
    },
    region("the stack", 0x7ffd_1c2a_0000, 192 << 10),
];

/// Memory as the kernel sees it, 64 GiB: without KASLR it starts here (kernel documentation, memory
/// layout of x86-64 and of arm64).
pub fn kernel_region(machine: Machine) -> Region {
    let start = match machine {
        Machine::X86Four => 0xffff_8880_0000_0000,
        Machine::X86Five => 0xff11_0000_0000_0000,
        _ => 0xffff_0000_0000_0000,
    };
    let page = if machine.is_x86() { 2 } else { 0 };
    Region { kernel: true, page, ..region("the kernel's map of all memory", start, 64 * GIB) }
}

/// The regions of the process and the kernel's.
pub fn regions(machine: Machine) -> impl Iterator<Item = Region> {
    PROCESS.into_iter().chain([kernel_region(machine)])
}

/// The region that holds an address.
pub fn region_of(machine: Machine, address: u64) -> Option<Region> {
    regions(machine).find(|r| (r.start..r.end).contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_whole_pages_and_apart() {
        for machine in Machine::ALL {
            let sizes = machine.page_sizes();
            let all: Vec<Region> = regions(machine).collect();
            for region in &all {
                let page = sizes[region.page.min(sizes.len() - 1)];
                assert!(region.start.is_multiple_of(page) && region.touched.is_multiple_of(page));
                assert!(machine.is_canonical(region.start) && machine.is_canonical(region.end - 1));
                assert_eq!(machine.is_high(region.start), region.kernel, "{machine:?} {}", region.name);
            }
            assert!(all.windows(2).all(|w| w[0].end <= w[1].start), "sorted and apart");
        }
    }
}
