//! What is touched, and on which machine.

/// What is behind the address that faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// First write to anonymous memory.
    #[default]
    FirstTouch,
    /// First read of anonymous memory.
    ReadUntouched,
    /// A mapped file, its page in the page cache.
    PageCache,
    /// A mapped file, its page on the drive.
    Drive,
    /// A write to a page that is shared since a fork.
    Cow,
    /// The same, after the other side has gone.
    LastSharer,
    /// First write to an aligned range where huge pages are allowed.
    Huge,
    /// An address in no area.
    NoArea,
    /// A store into a read-only area.
    NoPermission,
    /// A page behind the end of a mapped file.
    Truncated,
}

impl Case {
    /// In the order of the control.
    pub const ALL: [Self; 10] = [
        Self::FirstTouch,
        Self::ReadUntouched,
        Self::PageCache,
        Self::Drive,
        Self::Cow,
        Self::LastSharer,
        Self::Huge,
        Self::NoArea,
        Self::NoPermission,
        Self::Truncated,
    ];

    /// On the control.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstTouch => "first touch",
            Self::ReadUntouched => "read of nothing",
            Self::PageCache => "page cache",
            Self::Drive => "disk",
            Self::Cow => "copy on write",
            Self::LastSharer => "last sharer",
            Self::Huge => "huge page",
            Self::NoArea => "no area",
            Self::NoPermission => "read-only area",
            Self::Truncated => "file too short",
        }
    }

    /// What the thread does, as the beginning of a sentence.
    pub fn deed(self) -> &'static str {
        match self {
            Self::FirstTouch => "A store into memory from malloc that nobody has touched",
            Self::ReadUntouched => "A load from memory from malloc that nobody has written",
            Self::PageCache => "A load from a mapped file whose page is in the page cache",
            Self::Drive => "A load from a mapped file whose page is on the drive only",
            Self::Cow => "A store into a page that parent and child share since a fork",
            Self::LastSharer => "A store into such a page after the child has gone",
            Self::Huge => "A store into an aligned, untouched range with MADV_HUGEPAGE",
            Self::NoArea => "A load from an address that belongs to nothing",
            Self::NoPermission => "A store into a mapping that may only be read",
            Self::Truncated => "A load from a mapped file that has become shorter",
        }
    }

    /// The class that counters file it under.
    pub fn class(self) -> &'static str {
        match self {
            Self::Drive => "major",
            Self::NoArea | Self::NoPermission | Self::Truncated => "invalid",
            _ => "minor",
        }
    }

    /// Whether the access is a store.
    pub fn writes(self) -> bool {
        matches!(self, Self::FirstTouch | Self::Cow | Self::LastSharer | Self::Huge | Self::NoPermission)
    }

    /// The bits of x86's error code: 1 protection, 2 write, 4 user mode.
    pub fn error_code(self) -> u8 {
        let protection = matches!(self, Self::Cow | Self::LastSharer | Self::NoPermission);
        4 + 2 * u8::from(self.writes()) + u8::from(protection)
    }
}

/// Processor and base page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum World {
    /// x86-64, 4 KiB.
    #[default]
    X86,
    /// arm64, 4 KiB.
    Arm4k,
    /// arm64, 64 KiB.
    Arm64k,
}

impl World {
    /// In the order of the control.
    pub const ALL: [Self; 3] = [Self::X86, Self::Arm4k, Self::Arm64k];

    /// On the control.
    pub fn name(self) -> &'static str {
        match self {
            Self::X86 => "x86-64, 4 KiB",
            Self::Arm4k => "arm64, 4 KiB",
            Self::Arm64k => "arm64, 64 KiB",
        }
    }

    /// Whether it is arm64.
    pub fn is_arm(self) -> bool {
        self != Self::X86
    }

    /// Base page in bytes.
    pub fn page_bytes(self) -> f64 {
        if self == Self::Arm64k { 65_536.0 } else { 4_096.0 }
    }

    /// A leaf one level up: 512 entries of 4 KiB, or 8,192 of 64 KiB.
    pub fn huge_bytes(self) -> f64 {
        if self == Self::Arm64k { 536_870_912.0 } else { 2_097_152.0 }
    }

    /// Reads of a page walk with 48-bit addresses: 9 + 9 + 9 + 9 index bits, or 6 + 13 + 13.
    pub fn walk_reads(self) -> u32 {
        if self == Self::Arm64k { 3 } else { 4 }
    }

    /// Pages that fault-around maps: 64 KiB (`fault_around_bytes`).
    pub fn around_pages(self) -> u32 {
        (65_536.0 / self.page_bytes()) as u32
    }

    /// Where the faulting address is kept.
    pub fn address_register(self) -> &'static str {
        if self.is_arm() { "FAR_EL1" } else { "CR2" }
    }
}
