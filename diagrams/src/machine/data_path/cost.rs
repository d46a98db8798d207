//! What a step costs the kernel: system calls and page faults.

/// How many system calls a step takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syscalls {
    /// None: work is queued from user space.
    None,
    /// One for the whole file.
    Once,
    /// One per block of 1 MiB.
    PerBlock,
}

/// How many page faults a step takes, and of which class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults {
    /// None: all pages are there.
    None,
    /// Minor: one per fresh 4 KiB page of a buffer that nobody has touched.
    FreshBuffer,
    /// Minor, at pages that are in the page cache: one per window of 64 KiB that fault-around maps.
    Mapped,
    /// As `Mapped`, and major wherever the toucher outruns readahead.
    MappedCold,
}

/// Block that `read`, `pread` and `cuFileRead` are called with.
pub const BLOCK: f64 = 1_048_576.0;
const PAGE: f64 = 4_096.0;
/// Pages that one fault on a file mapping maps at once: 16 of 4 KiB (`fault_around_bytes`).
const FAULT_AROUND: f64 = 16.0 * PAGE;

impl Syscalls {
    /// Number for a payload.
    pub fn count(self, bytes: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Once => 1.0,
            Self::PerBlock => (bytes / BLOCK).ceil(),
        }
    }
}

impl Faults {
    /// Number for a payload, on base pages of 4 KiB without huge pages.
    pub fn count(self, bytes: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::FreshBuffer => (bytes / PAGE).ceil(),
            Self::Mapped | Self::MappedCold => (bytes / FAULT_AROUND).ceil(),
        }
    }

    /// Class in words.
    pub fn class(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::FreshBuffer | Self::Mapped => "minor",
            Self::MappedCold => "minor, major where the drive lags",
        }
    }
}
