//! How an address is cut on each kind of machine.

/// Bytes of a table entry, on all of them.
pub const ENTRY_BYTES: u64 = 8;

/// Which tables: instruction set, width of addresses, base page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Machine {
    /// x86-64, 48 bits, 4 KiB.
    #[default]
    X86Four,
    /// x86-64, 57 bits, 4 KiB.
    X86Five,
    /// arm64, 48 bits, 4 KiB.
    Arm4K,
    /// arm64, 48 bits, 16 KiB.
    Arm16K,
    /// arm64, 48 bits, 64 KiB.
    Arm64K,
}

/// One level of the tree, root first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What Linux calls it.
    pub name: &'static str,
    /// What the architecture's manual calls it.
    pub manual: &'static str,
    /// Lowest bit of the index.
    pub low: u32,
    /// Bits of the index.
    pub bits: u32,
    /// Whether an entry of this level may map a page.
    pub leaf: bool,
}

impl Level {
    /// Bytes that one entry covers.
    pub fn span(&self) -> u64 {
        1 << self.low
    }

    /// Entries of a table.
    pub fn entries(&self) -> u64 {
        1 << self.bits
    }

    /// The index of an address at this level.
    pub fn index(&self, address: u64) -> u64 {
        (address >> self.low) & (self.entries() - 1)
    }

    /// The address with another index at this level.
    pub fn with_index(&self, address: u64, index: u64) -> u64 {
        let mask = (self.entries() - 1) << self.low;
        (address & !mask) | ((index << self.low) & mask)
    }
}

impl Machine {
    /// All, in the order of the control.
    pub const ALL: [Self; 5] = [Self::X86Four, Self::X86Five, Self::Arm4K, Self::Arm16K, Self::Arm64K];

    /// Short name for addresses.
    pub fn id(self) -> &'static str {
        match self {
            Self::X86Four => "x86-4",
            Self::X86Five => "x86-5",
            Self::Arm4K => "arm-4k",
            Self::Arm16K => "arm-16k",
            Self::Arm64K => "arm-64k",
        }
    }

    /// Name on the control.
    pub fn name(self) -> &'static str {
        match self {
            Self::X86Four => "x86-64, 4 levels",
            Self::X86Five => "x86-64, 5 levels",
            Self::Arm4K => "arm64, 4 KiB",
            Self::Arm16K => "arm64, 16 KiB",
            Self::Arm64K => "arm64, 64 KiB",
        }
    }

    /// Whether it is an x86-64.
    pub fn is_x86(self) -> bool {
        matches!(self, Self::X86Four | Self::X86Five)
    }

    /// Bits of the offset in a base page.
    pub fn page_shift(self) -> u32 {
        match self {
            Self::Arm16K => 14,
            Self::Arm64K => 16,
            _ => 12,
        }
    }

    /// Bytes of a base page, and of a table.
    pub fn page_bytes(self) -> u64 {
        1 << self.page_shift()
    }

    /// Bits that the tables translate.
    pub fn address_bits(self) -> u32 {
        if self == Self::X86Five { 57 } else { 48 }
    }

    /// The levels, root first. A table fills one base page, so an index has three bits less than the
    /// offset; the root takes what is left. Blocks per granule: Intel SDM volume 3, chapter 5; Arm ARM
    /// D8.3 (without 52-bit addresses).
    pub fn levels(self) -> Vec<Level> {
        const LINUX: [&str; 5] = ["PTE", "PMD", "PUD", "P4D", "PGD"];
        const INTEL: [&str; 5] = ["PT", "PD", "PDPT", "PML4", "PML5"];
        const ARM: [&str; 4] = ["L3", "L2", "L1", "L0"];
        let full = self.page_shift() - 3;
        let mut levels = Vec::new();
        let (mut low, mut height) = (self.page_shift(), 0);
        while low < self.address_bits() {
            let bits = full.min(self.address_bits() - low);
            let leaf = height <= self.largest_leaf();
            let is_root = low + bits == self.address_bits();
            let name = if is_root { "PGD" } else { LINUX[height] };
            let manual = if self.is_x86() { INTEL[height] } else { ARM[height] };
            levels.push(Level { name, manual, low, bits, leaf });
            (low, height) = (low + bits, height + 1);
        }
        levels.reverse();
        levels
    }

    /// Height above the last level up to which entries may map pages.
    fn largest_leaf(self) -> usize {
        if self.page_shift() == 12 { 2 } else { 1 }
    }

    /// Sizes of pages that it can map, base page first.
    pub fn page_sizes(self) -> Vec<u64> {
        self.levels().iter().rev().filter(|l| l.leaf).map(Level::span).collect()
    }

    /// Offset in a base page.
    pub fn offset(self, address: u64) -> u64 {
        address & (self.page_bytes() - 1)
    }

    /// Whether an address belongs to the upper half, the kernel's.
    pub fn is_high(self, address: u64) -> bool {
        let select = if self.is_x86() { self.address_bits() - 1 } else { 55 };
        address >> select & 1 == 1
    }

    /// Whether the bits that no table translates are as they have to be. On x86-64 they repeat the
    /// highest translated bit. On arm64 bits 55 to 48 agree; Linux lets user space put a tag into
    /// bits 63 to 56 (top byte ignore), and kernel addresses have ones there.
    pub fn is_canonical(self, address: u64) -> bool {
        if self.is_x86() {
            let unused = 64 - self.address_bits();
            return ((address << unused) as i64 >> unused) as u64 == address;
        }
        if self.is_high(address) { address >> 48 == 0xffff } else { address >> 48 & 0xff == 0 }
    }

    /// The address with its untranslated bits repaired: sign extension on x86-64, unchanged on arm64.
    pub fn extended(self, address: u64) -> u64 {
        let unused = 64 - self.address_bits();
        if self.is_x86() { ((address << unused) as i64 >> unused) as u64 } else { address }
    }

    /// The address of what is left when a tag is taken off.
    pub fn untagged(self, address: u64) -> u64 {
        if self.is_x86() || self.is_high(address) { address } else { address & 0x00ff_ffff_ffff_ffff }
    }

    /// Register that holds the physical address of the root.
    pub fn root_register(self, high: bool) -> &'static str {
        match (self.is_x86(), high) {
            (true, _) => "CR3",
            (false, false) => "TTBR0_EL1",
            (false, true) => "TTBR1_EL1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Index widths from the architecture manuals, written down once more by hand.
    const SPLITS: [(Machine, &[usize], usize); 5] = [
        (Machine::X86Four, &[9, 9, 9, 9], 12),
        (Machine::X86Five, &[9, 9, 9, 9, 9], 12),
        (Machine::Arm4K, &[9, 9, 9, 9], 12),
        (Machine::Arm16K, &[1, 11, 11, 11], 14),
        (Machine::Arm64K, &[6, 13, 13], 16),
    ];

    /// Addresses that look random: splitmix64 (S. Vigna).
    fn addresses() -> impl Iterator<Item = u64> {
        (1..=20_000u64).map(|i| {
            let mut z = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        })
    }

    #[test]
    fn bits_are_cut_as_the_manuals_say() {
        for (machine, widths, offset_bits) in SPLITS {
            let levels = machine.levels();
            assert_eq!(levels.len(), widths.len(), "{machine:?}");
            for address in addresses() {
                // An independent way: the address as a string of bits, cut from the right.
                let text = format!("{address:064b}");
                let mut end = 64 - offset_bits;
                let number = |bits: &str| u64::from_str_radix(bits, 2).expect("is binary");
                assert_eq!(machine.offset(address), number(&text[end..]));
                for (level, width) in levels.iter().zip(widths).rev() {
                    assert_eq!(level.index(address), number(&text[end - width..end]), "{address:#x}");
                    end -= width;
                }
            }
        }
    }

    #[test]
    fn indices_and_offset_make_the_address_again() {
        for machine in Machine::ALL {
            for address in addresses() {
                let from_parts = machine
                    .levels()
                    .iter()
                    .fold(machine.offset(address), |sum, level| sum + level.index(address) * level.span());
                let translated = address & (u64::MAX >> (64 - machine.address_bits()));
                assert_eq!(from_parts, translated, "{machine:?} {address:#x}");
                let rebuilt = machine.levels().iter().fold(address, |a, l| l.with_index(a, l.index(address)));
                assert_eq!(rebuilt, address);
            }
        }
    }

    #[test]
    fn the_worked_example_of_the_text() {
        let cut = |machine: Machine| -> Vec<u64> {
            machine.levels().iter().map(|l| l.index(0x7f3a_5c2d_e6b8)).collect()
        };
        assert_eq!(cut(Machine::X86Four), [254, 233, 225, 222]);
        assert_eq!(cut(Machine::Arm64K), [31, 6_610, 7_213]);
        assert_eq!(Machine::X86Four.offset(0x7f3a_5c2d_e6b8), 0x6b8);
        assert_eq!(Machine::Arm64K.offset(0x7f3a_5c2d_e6b8), 0xe6b8);
    }

    #[test]
    fn page_sizes_are_those_of_the_manuals() {
        const MIB: u64 = 1 << 20;
        assert_eq!(Machine::X86Five.page_sizes(), [4 << 10, 2 * MIB, 1 << 30]);
        assert_eq!(Machine::Arm4K.page_sizes(), [4 << 10, 2 * MIB, 1 << 30]);
        assert_eq!(Machine::Arm16K.page_sizes(), [16 << 10, 32 * MIB]);
        assert_eq!(Machine::Arm64K.page_sizes(), [64 << 10, 512 * MIB]);
    }

    #[test]
    fn canonical_is_what_the_manuals_say() {
        let four = Machine::X86Four;
        assert!(four.is_canonical(0x0000_7fff_ffff_ffff) && four.is_canonical(0xffff_8000_0000_0000));
        assert!(!four.is_canonical(0x0000_8000_0000_0000) && !four.is_canonical(0xffff_7fff_ffff_ffff));
        assert!(Machine::X86Five.is_canonical(0x0000_8000_0000_0000));
        assert!(!Machine::X86Five.is_canonical(0x0100_0000_0000_0000));
        for arm in [Machine::Arm4K, Machine::Arm16K, Machine::Arm64K] {
            assert!(arm.is_canonical(0x0000_ffff_ffff_ffff), "user space has all 48 bits");
            assert!(arm.is_canonical(0x2a00_7f3a_5c2d_e6b8), "a tag is ignored");
            assert!(arm.is_canonical(0xffff_0000_0000_0000));
            assert!(!arm.is_canonical(0x0001_0000_0000_0000) && !arm.is_canonical(0x00ff_0000_0000_0000));
        }
        for machine in [Machine::X86Four, Machine::X86Five] {
            assert!(addresses().all(|a| machine.is_canonical(machine.extended(a))));
        }
    }
}
