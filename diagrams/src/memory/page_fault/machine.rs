//! What the steps take: measured where there is a measurement, and marked where there is none.

use super::case::World;

/// Where a time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Measured, or the remainder of measured values.
    Measured,
    /// Computed from measured values for another size.
    Scaled,
    /// Our estimate.
    Expected,
}

impl Source {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Scaled => "scaled from measured",
            Self::Expected => "expected",
        }
    }
}

const GIB: f64 = 1_073_741_824.0;

/// A machine's fault times.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Whose they are.
    pub name: String,
    /// Base page that they were measured with, in bytes.
    pub page_bytes: f64,
    /// Clearing memory, per byte.
    pub clear_ns_per_byte: f64,
    /// A minor fault without clearing: exception, look-ups, entry.
    pub handling_ns: f64,
    /// One page from the drive, readahead off; `None` if it was not measured.
    pub major_ns: Option<f64>,
    /// One COW break, if it was measured.
    pub cow_ns: Option<f64>,
    /// One fault of a warm mapped file, the touching of its pages included, if measured.
    pub mapped_ns: Option<f64>,
}

impl Machine {
    /// The RTX 4090 box: first touch of 1 GiB took 208 ms on 4 KiB pages with 262,144 faults and 130 ms on
    /// huge pages, a major fault 73 µs, 2 GiB of a warm map 0.14 s with 32,768 faults.
    pub fn rtx4090() -> Self {
        let base = 208e6 / 262_144.0;
        let clear = 130e6 / GIB;
        Self {
            name: "RTX 4090 box".into(),
            page_bytes: 4_096.0,
            clear_ns_per_byte: clear,
            handling_ns: base - clear * 4_096.0,
            major_ns: Some(73_000.0),
            cow_ns: None,
            mapped_ns: Some(0.14e9 / 32_768.0),
        }
    }

    /// A machine from what the drill measured: faults and time of first touch per GiB, and the same time on
    /// huge pages. `None` where these do not make sense together.
    pub fn measured(name: String, page_bytes: f64, faults: f64, base_ns: f64, huge_ns: f64) -> Option<Self> {
        let clear = huge_ns / GIB;
        let handling_ns = base_ns / faults - clear * page_bytes;
        let sane = faults > 0.0 && page_bytes >= 4_096.0 && clear > 0.0 && handling_ns > 0.0;
        (sane && handling_ns.is_finite()).then_some(Self {
            name,
            page_bytes,
            clear_ns_per_byte: clear,
            handling_ns,
            major_ns: None,
            cow_ns: None,
            mapped_ns: None,
        })
    }

    fn same_page(&self, world: World) -> bool {
        self.page_bytes == world.page_bytes()
    }

    /// Clearing so many bytes.
    pub fn clear(&self, bytes: f64, world: World) -> (f64, Source) {
        let source = if self.same_page(world) { Source::Measured } else { Source::Scaled };
        (bytes * self.clear_ns_per_byte, source)
    }

    /// Copying a page: no slower than clearing is assumed, unless a COW break was measured.
    pub fn copy(&self, world: World) -> (f64, Source) {
        match self.cow_ns.filter(|_| self.same_page(world)) {
            Some(cow) => ((cow - self.handling_ns).max(0.0), Source::Measured),
            None => (world.page_bytes() * self.clear_ns_per_byte, Source::Expected),
        }
    }

    /// One page from the drive, the whole fault. 64 KiB take longer by their transfer at 7 GB/s, the rate
    /// of a Gen4 drive.
    pub fn major(&self, world: World) -> (f64, Source) {
        let measured = self.major_ns.unwrap_or(73_000.0);
        if self.same_page(world) && self.major_ns.is_some() {
            (measured, Source::Measured)
        } else {
            (measured + (world.page_bytes() - self.page_bytes).max(0.0) / 7.0, Source::Scaled)
        }
    }
}

/// How the handling of a minor fault divides into steps. Its sum is measured; the split is our estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// TLB miss and page walk.
    pub walk: f64,
    /// Exception and entry into the kernel.
    pub trap: f64,
    /// Finding and locking the area.
    pub area: f64,
    /// Checking permissions.
    pub allowed: f64,
    /// Going down the tables.
    pub descend: f64,
    /// The branch: deciding, taking a frame from the allocator.
    pub branch: f64,
    /// Writing the entry, the books (RSS, reverse map, LRU).
    pub entry: f64,
    /// Unlocking and going back.
    pub back: f64,
}

/// The split. An entry and exit with mitigations is the largest part.
pub const SHARES: Shares = Shares {
    walk: 0.04,
    trap: 0.30,
    area: 0.12,
    allowed: 0.02,
    descend: 0.14,
    branch: 0.18,
    entry: 0.08,
    back: 0.12,
};
