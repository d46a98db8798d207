//! Objects in pages: which pages a worker copies, and how shared and private pages are counted.
//!
//! These are the counts that `drills memory cow` predicts before it measures: a page is copied as soon as
//! one of the object headers on it is written.

/// A CPython object's header: reference count and type pointer, 8 bytes each. Only the reference count is
/// written by a look at the object.
pub const HEADER_BYTES: u64 = 16;
/// A list holds one pointer per item. Nobody writes those by reading.
pub const POINTER_BYTES: u64 = 8;

/// Objects of one size, one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    /// How many.
    pub objects: u64,
    /// Size of each, header included, in bytes. A multiple of 16, so that no header lies on two pages.
    pub object_bytes: u64,
    /// Base page in bytes.
    pub page_bytes: u64,
}

impl Heap {
    /// Pages that the objects fill.
    pub fn pages(&self) -> u64 {
        (self.objects * self.object_bytes).div_ceil(self.page_bytes)
    }

    /// Pages with at least one header: all of them, unless objects are larger than pages.
    pub fn header_pages(&self) -> u64 {
        if self.object_bytes <= self.page_bytes { self.pages() } else { self.objects }
    }

    /// Headers on a page that has any, on average.
    pub fn headers_per_page(&self) -> f64 {
        (self.page_bytes as f64 / self.object_bytes as f64).max(1.0)
    }

    /// The objects whose header lies on a page.
    pub fn headers_on(&self, page: u64) -> std::ops::Range<u64> {
        let first = |page: u64| (page * self.page_bytes).div_ceil(self.object_bytes).min(self.objects);
        first(page)..first(page + 1)
    }

    /// Expected number of pages written if each header is written with chance `share`: of `n` pages with
    /// `k` headers each, n · (1 − (1 − share)^k).
    pub fn written_at_random(&self, share: f64) -> f64 {
        self.header_pages() as f64 * (1.0 - (1.0 - share).powf(self.headers_per_page()))
    }

    /// Number of pages written if the first `share` of all headers is written.
    pub fn written_in_order(&self, share: f64) -> f64 {
        let headers = (share * self.objects as f64).round() as u64;
        if self.object_bytes <= self.page_bytes {
            (headers * self.object_bytes).div_ceil(self.page_bytes) as f64
        } else {
            headers as f64
        }
    }
}

/// How the sets of pages that the workers wrote relate to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Each worker drew its own.
    Independent,
    /// All workers wrote the same pages.
    Same,
}

/// What the kernel reports about one process, in bytes of the region that is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Resident pages, shared ones in full.
    pub rss: f64,
    /// Resident pages, each divided by its sharers.
    pub pss: f64,
    /// Pages that nobody else maps.
    pub uss: f64,
}

/// Accounts of parent and workers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Books {
    /// The parent. It reads nothing itself.
    pub parent: Account,
    /// Each of the workers.
    pub worker: Account,
    /// How many of them.
    pub workers: u32,
}

impl Books {
    /// The books for a region of `bytes` of which each worker has copied `copied` bytes, and `never` bytes
    /// beside it that nobody writes.
    pub fn new(bytes: f64, copied: f64, never: f64, workers: u32, spread: Spread) -> Self {
        let everybody = f64::from(workers) + 1.0;
        let q = if bytes > 0.0 { (copied / bytes).clamp(0.0, 1.0) } else { 0.0 };
        let parent_share = match spread {
            // A page that a worker copied was copied by all of them, so it is the parent's alone.
            Spread::Same => q + (1.0 - q) / everybody,
            // Mean of 1 / (1 + U) for U of `workers` workers that still share, each with chance 1 − q.
            Spread::Independent if q < 1.0 => (1.0 - q.powf(everybody)) / (everybody * (1.0 - q)),
            Spread::Independent => 1.0,
        };
        let parent_alone = match spread {
            Spread::Same => q,
            Spread::Independent => q.powf(f64::from(workers)),
        };
        // The parent maps every original frame, each worker its own copies: that is all memory in use.
        let frames = bytes * (1.0 + f64::from(workers) * q);
        let parent_pss = bytes * parent_share;
        let worker_pss = (frames - parent_pss) / f64::from(workers.max(1));
        let shared = never / everybody;
        Self {
            parent: Account { rss: bytes + never, pss: parent_pss + shared, uss: bytes * parent_alone },
            worker: Account { rss: bytes + never, pss: worker_pss + shared, uss: bytes * q },
            workers,
        }
    }

    /// Sum of RSS over all processes.
    pub fn rss_sum(&self) -> f64 {
        self.parent.rss + f64::from(self.workers) * self.worker.rss
    }

    /// Memory in use: the sum of PSS over all processes.
    pub fn in_use(&self) -> f64 {
        self.parent.pss + f64::from(self.workers) * self.worker.pss
    }
}

/// A number in 0..1 that is always the same for a worker and an object: the moment of the epoch at which
/// the worker draws it (SplitMix64).
pub fn moment(worker: u64, object: u64) -> f64 {
    let mut x = object.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (worker + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests;
