//! Dependent loads by buffer size, from L1 to DRAM.

use drills_results::{Measurement, Point, Reason, Unit};

use super::levels::Levels;
use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, sample};
use crate::measure::walk::{self, Shape, Walk};
use crate::measure::{methods, result};
use crate::run::Sink;

/// Loads between two looks at the clock.
const CHUNK: usize = 16 * 1024;
/// Loads of one warm-up at most: a lap of every buffer that a cache holds.
const WARM_UP: usize = 4 << 20;
const SMALLEST: u64 = 4 << 10;
/// Huge pages that back less of the buffer than this are none.
const LEAST_HUGE_SHARE: f64 = 0.95;

/// What is to be chased.
pub(super) struct Chase<'a> {
    pub(super) levels: Levels,
    /// Largest buffer in bytes.
    pub(super) largest: u64,
    pub(super) cpu: u32,
    pub(super) quick: bool,
    pub(super) sink: &'a Sink,
}

/// Samples at one size.
struct Measured {
    bytes: u64,
    samples: Vec<f64>,
}

impl Chase<'_> {
    /// All keys of the chase. The calling thread is pinned already.
    pub(super) fn run(&self) {
        self.local();
        self.scattered("latency.chase.dram_page_per_line", Pages::Base);
        self.scattered("latency.chase.dram_huge", Pages::Huge);
    }

    fn local(&self) {
        let Some(mut memory) = self.map("latency.chase.by_size", methods::CHASE_LOCAL, Pages::Base) else {
            return;
        };
        let watch = Watch::start();
        let mut curve = Vec::new();
        let mut last = None;
        for bytes in self.sizes(SMALLEST) {
            self.sink.step(&format!("dependent loads in {}", readable(bytes)));
            let Some(measured) = self.measure(&mut memory, Walk::Local, bytes) else { return };
            curve.extend(result::point(bytes as f64, &measured.samples));
            last = Some(measured);
        }
        for (key, level) in [("latency.chase.l1", 1), ("latency.chase.l2", 2), ("latency.chase.l3", 3)] {
            let watch = Watch::start();
            let Some(bytes) = self.levels.plateau(level).filter(|bytes| *bytes <= self.largest) else {
                self.skip(key, methods::CHASE_LOCAL, no_level(level));
                continue;
            };
            if let Some(measured) = self.measure(&mut memory, Walk::Local, bytes) {
                self.push(&watch, key, methods::CHASE_LOCAL, &measured, Vec::new());
            }
        }
        let Some(last) = last else { return };
        self.push_memory(&watch, "latency.chase.dram", methods::CHASE_LOCAL, &last, Vec::new());
        self.push(&watch, "latency.chase.by_size", methods::CHASE_LOCAL, &last, curve);
    }

    fn scattered(&self, key: &str, pages: Pages) {
        let method = methods::CHASE_SCATTERED;
        if self.sink.stopped() {
            return;
        }
        let Some(mut memory) = self.map(key, method, pages) else { return };
        let watch = Watch::start();
        let mut curve = Vec::new();
        if !self.quick {
            for bytes in self.sizes(64 * SMALLEST).filter(|bytes| *bytes < self.largest).step_by(2) {
                let Some(measured) = self.measure(&mut memory, Walk::Scattered, bytes) else { return };
                curve.extend(result::point(bytes as f64, &measured.samples));
            }
        }
        self.sink.step(&format!("scattered loads in {}", readable(self.largest)));
        let Some(last) = self.measure(&mut memory, Walk::Scattered, self.largest) else { return };
        curve.extend(result::point(last.bytes as f64, &last.samples));
        if pages == Pages::Huge {
            let share = memory.huge_bytes().map(|bytes| bytes as f64 / memory.len() as f64);
            if share.is_none_or(|share| share < LEAST_HUGE_SHARE) {
                self.skip(key, method, no_huge_pages(share));
                return;
            }
        }
        self.push_memory(&watch, key, method, &last, curve);
    }

    /// Doubling sizes (quick: fourfold) up to the largest, which is always the last.
    fn sizes(&self, from: u64) -> impl Iterator<Item = u64> {
        let (factor, largest) = (if self.quick { 4 } else { 2 }, self.largest);
        std::iter::successors(Some(from), move |size| Some(size * factor))
            .take_while(move |size| *size < largest)
            .chain([largest])
    }

    /// `None` when the user ended the run.
    fn measure(&self, memory: &mut Mapping, walk: Walk, bytes: u64) -> Option<Measured> {
        let shape = Shape { line: self.levels.line as usize, page: page_bytes() };
        let order = shape.order(walk, bytes as usize);
        let mut at = shape.link(memory, &order);
        let lap = order.len();
        drop(order);
        if at.is_null() {
            return None;
        }
        // SAFETY: the chain was just made in `memory`, which outlives this function.
        at = unsafe { walk::follow(at, lap.min(WARM_UP)) };
        let time_ns = if self.quick { 10_000_000 } else { 60_000_000 };
        let plan = Plan { warm_up: 1, time_ns, at_least: 9, at_most: 500 };
        let samples = sample(
            plan,
            || self.sink.stopped(),
            || {
                let start = now_ns();
                // SAFETY: as above.
                at = unsafe { walk::follow(at, CHUNK) };
                (now_ns() - start) as f64 / CHUNK as f64
            },
        );
        std::hint::black_box(at);
        (!self.sink.stopped() && !samples.is_empty()).then_some(Measured { bytes, samples })
    }

    fn map(&self, key: &str, method: &str, pages: Pages) -> Option<Mapping> {
        match Mapping::new(self.largest as usize, pages) {
            Ok(memory) => Some(memory),
            Err(error) => {
                let reason =
                    Reason::new("no-room", format!("mmap failed: {error}."), "Free memory and run again.");
                self.sink.push(Measurement::failed(key, Unit::Ns, method, reason));
                None
            }
        }
    }

    fn push(&self, watch: &Watch, key: &str, method: &str, measured: &Measured, curve: Vec<Point>) {
        if let Some(m) = result::of_samples(key, Unit::Ns, method, &measured.samples) {
            let m = result::over_sizes(m, curve)
                .param("size_bytes", measured.bytes)
                .param("cpu", u64::from(self.cpu));
            self.sink.push(watch.judge(m));
        }
    }

    /// A number that is called memory latency, or the reason why it is none.
    fn push_memory(&self, watch: &Watch, key: &str, method: &str, measured: &Measured, curve: Vec<Point>) {
        if self.levels.shows_memory(measured.bytes) {
            self.push(watch, key, method, measured, curve);
        } else {
            let text = format!(
                "The largest buffer that fits, {}, is less than four times the last-level cache of {}.",
                readable(measured.bytes),
                readable(self.levels.last())
            );
            let reason = Reason::new("cache-deflated", text, "Free memory and run again.");
            self.skip(key, method, reason);
        }
    }

    fn skip(&self, key: &str, method: &str, reason: Reason) {
        self.sink.push(Measurement::skipped(key, Unit::Ns, method, reason));
    }
}

fn no_level(level: u32) -> Reason {
    let text = format!("The kernel shows no level {level} cache well above the one below it.");
    Reason::new("no-such-cache", text, "")
}

fn no_huge_pages(share: Option<f64>) -> Reason {
    let text = match share {
        Some(share) => format!("Huge pages back only {:.0} % of the buffer.", share * 100.0),
        None => "The kernel does not tell whether huge pages back the buffer.".into(),
    };
    let fix = "Set /sys/kernel/mm/transparent_hugepage/enabled to madvise or always, and free memory.";
    Reason::new("no-huge-pages", text, fix)
}

fn readable(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}
