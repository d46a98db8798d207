//! What the reader chose, which pages are copied, and what follows in words.

use std::rc::Rc;

use super::choice::{Deed, Storage};
use super::heap::{Books, HEADER_BYTES, Heap, POINTER_BYTES, Spread, moment};
use crate::kit::units::{bytes_decimal, duration_ns, large, number, percent};
use crate::kit::{Counter, DataTable, FigureModel, Query, Recall};

/// Samples in the data set.
pub const OBJECTS: u64 = 1_000_000;
/// Sizes of a sample in bytes. 160: a string of 20 characters, an int and the tuple around them in
/// CPython 3.12, as the text counts; 32: what the drill uses.
pub const SIZES: [u64; 4] = [32, 160, 1_024, 16_384];
/// Base pages in bytes: x86-64 and arm64, arm64, arm64.
pub const PAGES: [u64; 3] = [4_096, 16_384, 65_536];
/// Numbers of workers.
pub const WORKERS: [u32; 4] = [1, 2, 4, 8];
/// How much of the data a worker has been through.
pub const SHARES: [f64; 13] =
    [0.0, 0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
/// Pages that are drawn.
pub const COLUMNS: usize = 16;

/// Measured on the reader's machine: USS of a worker in bytes. The drill uses a million objects of 32
/// bytes, with the machine's base page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yours {
    /// Base page in bytes.
    pub page_bytes: Option<f64>,
    /// After walking all headers.
    pub all: Option<f64>,
    /// After 1 % at random.
    pub one_percent: Option<f64>,
    /// After reading an array with one header.
    pub one_header: Option<f64>,
    /// One `fork`, per GiB of touched memory.
    pub fork_ns_per_gib: Option<f64>,
}

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct ForkCow {
    /// What the workers do.
    pub deed: Deed,
    /// How samples are stored.
    pub storage: Storage,
    /// Index in [`SIZES`].
    pub size: usize,
    /// Index in [`PAGES`].
    pub page: usize,
    /// Index in [`WORKERS`].
    pub workers: usize,
    /// Index in [`SHARES`].
    pub share: usize,
    /// Drawn page that is looked into.
    pub column: usize,
    /// Measured on the reader's machine.
    pub yours: Yours,
}

impl Default for ForkCow {
    fn default() -> Self {
        Self {
            deed: Deed::default(),
            storage: Storage::default(),
            size: 1,
            page: 0,
            workers: 2,
            share: 6,
            column: 7,
            yours: Yours::default(),
        }
    }
}

/// A drawn page as one worker has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Headers on the page that the worker wrote; for a tensor or an array 0 or 1.
    pub written: usize,
    /// Whether the worker has a copy of its own.
    pub copied: bool,
}

impl ForkCow {
    /// Samples in pages, headers included.
    pub fn heap(&self) -> Heap {
        Heap { objects: OBJECTS, object_bytes: SIZES[self.size], page_bytes: PAGES[self.page] }
    }

    /// How much of the data a worker has been through.
    pub fn progress(&self) -> f64 {
        SHARES[self.share]
    }

    /// Number of workers.
    pub fn worker_count(&self) -> u32 {
        WORKERS[self.workers]
    }

    /// Whether each sample has a header that the deed could write.
    fn has_headers(&self) -> bool {
        self.storage != Storage::Numpy && self.deed != Deed::WriteTensor
    }

    /// Pages of the region that is looked at: the objects, the array without headers, or the tensor.
    pub fn pages(&self) -> u64 {
        let heap = self.heap();
        match (self.deed, self.storage) {
            (Deed::WriteTensor, _) | (_, Storage::List | Storage::Frozen) => heap.pages(),
            (_, Storage::Numpy) => {
                (OBJECTS * (heap.object_bytes - HEADER_BYTES) + HEADER_BYTES).div_ceil(heap.page_bytes)
            }
        }
    }

    /// Pages that a worker has copied; an expectation where it draws at random.
    pub fn copied_pages(&self) -> f64 {
        let (heap, share) = (self.heap(), self.progress());
        match (self.deed, self.storage) {
            (_, _) if share == 0.0 => 0.0,
            (Deed::WriteTensor, _) => (share * heap.pages() as f64).ceil(),
            (Deed::Collect, Storage::List) => heap.written_in_order(share),
            (Deed::Collect, _) => 0.0,
            // The array's own header: one reference count, one page.
            (_, Storage::Numpy) => 1.0,
            (Deed::ReadShuffled, _) => heap.written_at_random(share),
            (Deed::ReadInOrder, _) => heap.written_in_order(share),
        }
    }

    /// RSS, PSS, USS of everybody.
    pub fn books(&self) -> Books {
        let page = PAGES[self.page] as f64;
        let never = if self.has_headers() { (OBJECTS * POINTER_BYTES) as f64 } else { 0.0 };
        let spread = if self.deed == Deed::ReadShuffled && self.has_headers() {
            Spread::Independent
        } else {
            Spread::Same
        };
        Books::new(self.pages() as f64 * page, self.copied_pages() * page, never, self.worker_count(), spread)
    }

    /// The page behind a drawn column: evenly spaced over the region.
    pub fn page_at(&self, column: usize) -> u64 {
        column as u64 * self.pages() / COLUMNS as u64
    }

    /// Objects with a header on a drawn page.
    pub fn headers_at(&self, column: usize) -> std::ops::Range<u64> {
        if self.has_headers() { self.heap().headers_on(self.page_at(column)) } else { 0..0 }
    }

    /// Whether a worker has written the header of an object.
    pub fn wrote(&self, worker: usize, object: u64) -> bool {
        let place = match self.deed {
            Deed::ReadShuffled => moment(worker as u64, object),
            _ => object as f64 / OBJECTS as f64,
        };
        place < self.progress() && (self.deed != Deed::Collect || self.storage == Storage::List)
    }

    /// A drawn page as a worker has it.
    pub fn cell(&self, worker: usize, column: usize) -> Cell {
        thread_local! {
            static LAST: Recall<ForkCow, Rc<Vec<usize>>> = const { Recall::new() };
        }
        // Neither the page that is looked into nor the reader's machine changes what was written.
        let plain = ForkCow { column: 0, yours: Yours::default(), ..self.clone() };
        let all = || {
            let cells = (0..self.worker_count() as usize).flat_map(|w| (0..COLUMNS).map(move |c| (w, c)));
            Rc::new(cells.map(|(w, c)| self.written(w, c)).collect())
        };
        let written = LAST.with(|last| last.get(plain, all));
        let written = written.get(worker * COLUMNS + column).copied().unwrap_or(0);
        Cell { written, copied: written > 0 }
    }

    /// Headers of a drawn page that a worker has written; without headers 1 for a page that it wrote.
    fn written(&self, worker: usize, column: usize) -> usize {
        if self.has_headers() {
            self.headers_at(column).filter(|&object| self.wrote(worker, object)).count()
        } else {
            let page = self.page_at(column) as f64;
            let done = self.copied_pages();
            usize::from(page < done)
        }
    }

    /// Page tables that name the original frame of a drawn page: the parent's and those of workers
    /// without a copy.
    pub fn sharers(&self, column: usize) -> u32 {
        let left = (0..self.worker_count() as usize).filter(|&w| !self.cell(w, column).copied).count();
        1 + left as u32
    }

    /// Epochs after which a worker has seen its share, if an epoch deals each sample to one worker.
    pub fn epochs(&self) -> f64 {
        let (share, workers) = (self.progress(), f64::from(self.worker_count()));
        if share * workers <= 1.0 {
            share * workers
        } else {
            (1.0 - share.min(0.999)).ln() / (1.0 - 1.0 / workers).ln()
        }
    }

    fn deed_done(&self) -> String {
        let share = percent(self.progress());
        let samples = if self.progress() < 1.0 { format!("a random {share} of the") } else { "all".into() };
        match self.deed {
            Deed::ReadShuffled => format!("looked at {samples} samples"),
            Deed::ReadInOrder => format!("looked at the first {share} of the samples"),
            Deed::WriteTensor => format!("written {share} of a tensor of that size in place"),
            Deed::Collect => format!("run {share} of a full garbage collection"),
        }
    }

    fn reason(&self) -> &'static str {
        match (self.deed, self.storage) {
            (Deed::WriteTensor, _) => {
                "Writing is writing: a tensor's storage is shared until somebody stores into it. Batches that a \
                 worker makes afresh are its own anyway."
            }
            (Deed::Collect, Storage::List) => {
                "The cyclic collector keeps its own counts in a header in front of each container it tracks, and \
                 writes them during a collection. This is what gc.freeze() is for."
            }
            (Deed::Collect, Storage::Frozen) => {
                "Frozen objects are in no generation, so a collection does not walk them. Reading them still \
                 counts references."
            }
            (Deed::Collect, Storage::Numpy) => {
                "An array of numbers holds no references, so the collector has nothing to walk."
            }
            (_, Storage::List) => {
                "samples[i] increments the reference count of what it returns. To the kernel that is a store \
                 into a page shared since the fork, so do_wp_page copies the whole page for 8 bytes."
            }
            (_, Storage::Frozen) => {
                "gc.freeze() keeps the collector away. Reference counts are not the collector's: each look at an \
                 object still writes its header, so nothing has changed."
            }
            (_, Storage::Numpy) => {
                "One header for all values: its page is copied once. Each read makes a small new object elsewhere \
                 and leaves the data untouched."
            }
        }
    }

    /// What the drill measured for this state on the reader's machine.
    fn measured(&self) -> Option<String> {
        let yours = &self.yours;
        let same = SIZES[self.size] == 32 && yours.page_bytes == Some(PAGES[self.page] as f64);
        let value = match (self.deed, self.storage, self.progress()) {
            (Deed::ReadShuffled | Deed::ReadInOrder, Storage::Numpy, 1.0) => yours.one_header,
            (Deed::ReadShuffled | Deed::ReadInOrder, Storage::List | Storage::Frozen, 1.0) => yours.all,
            (Deed::ReadShuffled, Storage::List | Storage::Frozen, 0.01) => yours.one_percent,
            _ => None,
        };
        let uss = value.filter(|_| same)?;
        Some(format!(" Measured on your machine for this state: USS {}.", bytes_decimal(uss)))
    }
}

/// A number of pages, in digits while they can be read at a glance.
pub fn count(pages: f64) -> String {
    if pages < 999_500.0 { number(pages) } else { large(pages) }
}

fn index<T: PartialEq>(all: &[T], value: &T) -> usize {
    all.iter().position(|v| v == value).unwrap_or_default()
}

fn pick<T: Copy>(all: &[T], query: &Query, key: &str, default: T) -> T {
    query.get(key).and_then(|v| v.parse().ok()).and_then(|i: usize| all.get(i).copied()).unwrap_or(default)
}

impl FigureModel for ForkCow {
    fn to_query(&self) -> Query {
        let d = Self::default();
        Query::new()
            .set("do", index(&Deed::ALL, &self.deed), 0)
            .set("store", index(&Storage::ALL, &self.storage), 0)
            .set("size", self.size, d.size)
            .set("base", self.page, d.page)
            .set("workers", self.workers, d.workers)
            .set("share", self.share, d.share)
            .set("page", self.column, d.column)
    }

    fn from_query(query: &Query) -> Self {
        let d = Self::default();
        let within = |key, default: usize, count: usize| {
            Some(query.parse(key, default)).filter(|&i| i < count).unwrap_or(default)
        };
        Self {
            deed: pick(&Deed::ALL, query, "do", d.deed),
            storage: pick(&Storage::ALL, query, "store", d.storage),
            size: within("size", d.size, SIZES.len()),
            page: within("base", d.page, PAGES.len()),
            workers: within("workers", d.workers, WORKERS.len()),
            share: within("share", d.share, SHARES.len()),
            column: within("page", d.column, COLUMNS),
            yours: d.yours,
        }
    }

    fn sentence(&self) -> String {
        let books = self.books();
        let (pages, copied) = (self.pages() as f64, self.copied_pages());
        if self.progress() == 0.0 {
            return format!(
                "Just forked: parent and workers map the same {} pages, each shows an RSS of {}, and {} are in use \
                 in all.",
                count(pages),
                bytes_decimal(books.worker.rss),
                bytes_decimal(books.in_use()),
            );
        }
        format!(
            "A worker that has {} owns private copies of {} of {} pages ({}): USS {}, RSS {} as at the start. With \
             {} such workers {} are in use.",
            self.deed_done(),
            count(copied.round()),
            count(pages),
            percent(copied / pages),
            bytes_decimal(books.worker.uss),
            bytes_decimal(books.worker.rss),
            self.worker_count(),
            bytes_decimal(books.in_use()),
        )
    }

    fn note(&self) -> Option<String> {
        Some(format!("{}{}", self.reason(), self.measured().unwrap_or_default()))
    }

    fn counters(&self) -> Vec<Counter> {
        let books = self.books();
        let epochs = match self.deed {
            Deed::ReadShuffled if self.progress() < 1.0 => number(self.epochs()),
            Deed::ReadShuffled => "many".into(),
            _ => "not counted".into(),
        };
        let headers = if self.has_headers() { number(self.heap().headers_per_page()) } else { "none".into() };
        let mut all = vec![
            Counter::new("Headers per page", headers),
            Counter::new("Pages copied per worker", count(self.copied_pages().round())),
            Counter::new("Copied by all workers", bytes_decimal(f64::from(books.workers) * books.worker.uss)),
            Counter::new("Epochs until here", epochs),
        ];
        if let Some(ns) = self.yours.fork_ns_per_gib {
            all.push(Counter::new("Your fork, per GiB", duration_ns(ns)));
        }
        all
    }

    fn table(&self) -> DataTable {
        let books = self.books();
        // smaps counts in kB of 1,024 bytes.
        let kib = |bytes: f64| format!("{:.0}", bytes / 1024.0);
        let mut table = DataTable::new(&["process", "RSS kB", "PSS kB", "USS kB", "pages copied"]);
        let mut row = |name: String, a: super::Account, copied: f64| {
            table.row([name, kib(a.rss), kib(a.pss), kib(a.uss), format!("{copied:.0}")]);
        };
        row("parent".into(), books.parent, 0.0);
        for worker in 1..=self.worker_count() {
            row(format!("worker {worker}"), books.worker, self.copied_pages());
        }
        table.row([
            "all".to_owned(),
            kib(books.rss_sum()),
            kib(books.in_use()),
            String::new(),
            format!("{:.0}", f64::from(books.workers) * self.copied_pages()),
        ]);
        table
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

#[cfg(test)]
mod tests;
