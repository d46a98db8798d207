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
mod tests {
    use super::*;

    const MILLION: u64 = 1_000_000;

    fn heap(object_bytes: u64, page_bytes: u64) -> Heap {
        Heap { objects: MILLION, object_bytes, page_bytes }
    }

    #[test]
    fn a_million_objects_of_32_bytes_cost_what_the_drill_measured() {
        let heap = heap(32, 4096);
        let all_kib = heap.written_in_order(1.0) * 4.0;
        assert_eq!(all_kib, 31_252.0);
        assert_eq!(heap.written_at_random(1.0) * 4.0, 31_252.0);
        // The drill counted the pages of one draw, 22,540 kB, and measured 22,544.
        let one_percent_kib = heap.written_at_random(0.01) * 4.0;
        assert!((one_percent_kib / 22_540.0 - 1.0).abs() < 0.005, "{one_percent_kib}");
    }

    #[test]
    fn a_draw_of_single_objects_agrees_with_the_formula() {
        for (heap, share) in [
            (heap(32, 4096), 0.01),
            (heap(160, 4096), 0.01),
            (heap(160, 16_384), 0.002),
            (heap(1024, 4096), 0.1),
            (heap(16_384, 4096), 0.05),
        ] {
            let touched = |page: &u64| heap.headers_on(*page).any(|object| moment(3, object) < share);
            let counted = (0..heap.pages()).filter(touched).count() as f64;
            let expected = heap.written_at_random(share);
            // Four standard deviations of independent pages, at most.
            assert!((counted - expected).abs() < 4.0 * expected.sqrt(), "{heap:?}: {counted}, {expected}");
        }
    }

    #[test]
    fn large_pages_end_the_sharing_at_once() {
        let q = |page| heap(160, page).written_at_random(0.01) / heap(160, page).pages() as f64;
        assert_eq!((q(4096) * 100.0).round(), 23.0);
        assert_eq!((q(65_536) * 100.0).round(), 98.0);
        assert_eq!(heap(160, 4096).pages(), 39_063);
    }

    #[test]
    fn each_header_is_on_one_page() {
        for heap in [heap(32, 4096), heap(160, 4096), heap(160, 65_536), heap(16_384, 4096)] {
            let mut next = 0;
            for page in 0..heap.pages() {
                let headers = heap.headers_on(page);
                assert_eq!(headers.start, next);
                for object in headers.clone() {
                    let offset = object * heap.object_bytes - page * heap.page_bytes;
                    assert!(offset + HEADER_BYTES <= heap.page_bytes);
                }
                next = headers.end;
            }
            assert_eq!(next, MILLION);
        }
    }

    #[test]
    fn pss_adds_up_to_the_frames_and_is_between_uss_and_rss() {
        for spread in [Spread::Independent, Spread::Same] {
            for workers in [1, 2, 4, 8] {
                for step in 0..=20 {
                    let q = f64::from(step) / 20.0;
                    let books = Books::new(1e9, q * 1e9, 8e6, workers, spread);
                    let frames = 1e9 * (1.0 + f64::from(workers) * q) + 8e6;
                    assert!((books.in_use() - frames).abs() < 1.0);
                    for a in [books.parent, books.worker] {
                        assert!(a.uss <= a.pss + 1.0 && a.pss <= a.rss + 1.0, "{workers} {q}: {a:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn means_over_sharers_agree_with_counting() {
        // 200,000 pages, three workers, each with its own coin.
        let (pages, workers, q) = (200_000u64, 3u64, 0.3);
        let (mut parent, mut worker, mut alone) = (0.0, 0.0, 0.0);
        for page in 0..pages {
            let copied: Vec<bool> = (0..workers).map(|w| moment(w, page) < q).collect();
            let maps = 1.0 + copied.iter().filter(|c| !**c).count() as f64;
            parent += 1.0 / maps;
            worker += if copied[0] { 1.0 } else { 1.0 / maps };
            alone += f64::from(u8::from(maps == 1.0));
        }
        let n = pages as f64;
        let books = Books::new(n, q * n, 0.0, 3, Spread::Independent);
        for (counted, expected) in
            [(parent, books.parent.pss), (worker, books.worker.pss), (alone, books.parent.uss)]
        {
            assert!((counted - expected).abs() < 0.005 * n, "{counted} {expected}");
        }
    }

    #[test]
    fn four_workers_of_the_published_run() {
        // 379 MiB copied by each of four, RSS unchanged: 1,516 MiB more in use.
        let mib = 1_048_576.0;
        let before = Books::new(379.0 * mib, 0.0, 0.0, 4, Spread::Same);
        let after = Books::new(379.0 * mib, 379.0 * mib, 0.0, 4, Spread::Same);
        assert_eq!(before.rss_sum(), after.rss_sum());
        assert_eq!(((after.in_use() - before.in_use()) / mib).round(), 1_516.0);
        assert_eq!(((after.worker.uss - before.worker.uss) / mib).round(), 379.0);
    }
}
