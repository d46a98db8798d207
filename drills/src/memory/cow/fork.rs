//! What a fork costs for memory that was touched.

use std::io;

use drills_results::{Reason, Status};

use crate::host::pages::{self, When};
use crate::measure::child::Child;
use crate::measure::clock::time_ns;
use crate::measure::mapping::{Mapping, Pages};
use crate::measure::noise::Watch;
use crate::measure::{methods, result, stats};
use crate::memory::{self, fail, push_judged, skip};
use crate::run::{Context, Sink};

const METHOD: &str = methods::FORK_HOST_CLOCK;
/// Huge pages that back less of the memory than this are none.
const LEAST_HUGE_SHARE: f64 = 0.95;

/// On base pages and on huge ones.
pub(super) fn run(ctx: &Context, sink: &Sink, most: u64) {
    for (key, kind) in [("cow.fork", Pages::Base), ("cow.fork_huge", Pages::Huge)] {
        if sink.stopped() {
            return;
        }
        let huge = pages::thp(&ctx.root).filter(|thp| thp.huge > When::Never).map(|thp| thp.huge_bytes);
        let (alignment, name) = match (kind, huge) {
            (Pages::Huge, None) => {
                skip(sink, key, METHOD, &no_huge_pages(0.0));
                continue;
            }
            (Pages::Huge, Some(bytes)) => (bytes, "huge pages"),
            _ => (1 << 20, "base pages"),
        };
        sink.step(&format!("fork, {name}"));
        let wanted = if ctx.quick { 256 << 20 } else { memory::GIB };
        let bytes = wanted.max(alignment).min(most) / alignment * alignment;
        if let Err(error) = one(ctx, sink, key, kind, bytes as usize, alignment as usize) {
            fail(sink, key, METHOD, &error);
        }
    }
}

fn one(ctx: &Context, sink: &Sink, key: &str, kind: Pages, bytes: usize, alignment: usize) -> io::Result<()> {
    let rounds = if ctx.quick { 9 } else { 31 };
    let watch = Watch::start();
    let without = forks(rounds, sink)?;
    let mut map = Mapping::aligned(bytes, kind, alignment)?;
    map.touch();
    let share = map.huge_bytes().map_or(0.0, |huge| huge as f64 / map.len() as f64);
    if kind == Pages::Huge && share < LEAST_HUGE_SHARE {
        skip(sink, key, METHOD, &no_huge_pages(share));
        return Ok(());
    }
    let with = forks(rounds, sink)?;
    let Some(base) = stats::median(&without).filter(|_| !sink.stopped()) else { return Ok(()) };
    let scaled: Vec<f64> =
        with.iter().map(|ns| memory::per_gib(1, map.len() as u64) * (ns - base).max(0.0)).collect();
    let m = result::of_samples(key, memory::unit_of(key), METHOD, &scaled).map(|m| {
        let mut m = m.param("size_bytes", map.len() as u64).param("without_ns", base);
        if m.value == Some(0.0) {
            m.status = Status::Unstable;
            let text = "A fork with the memory took no longer than one without.";
            m.reason = Some(Reason::new("below-noise", text, "Run again while nothing else runs."));
        }
        m
    });
    push_judged(sink, &watch, m);
    Ok(())
}

/// Nanoseconds of the call in the parent; the child ends at once.
fn forks(rounds: usize, sink: &Sink) -> io::Result<Vec<f64>> {
    let mut samples = Vec::new();
    for round in 0..=rounds {
        if sink.stopped() {
            break;
        }
        // SAFETY: the child does nothing.
        let (ns, child) = time_ns(|| unsafe { Child::start(|| ()) });
        child?.wait();
        if round > 0 {
            samples.push(ns as f64);
        }
    }
    Ok(samples)
}

fn no_huge_pages(share: f64) -> Reason {
    let text = format!("Huge pages back {:.0} % of the memory.", share * 100.0);
    Reason::new("no-huge-pages", text, "Write madvise to /sys/kernel/mm/transparent_hugepage/enabled.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::progress::{Progress, Verbosity};

    #[test]
    fn a_fork_takes_time() {
        let sink = Sink::new(Progress::new(Verbosity::Quiet), std::sync::Arc::default());
        let samples = forks(3, &sink).expect("forks");
        assert_eq!(samples.len(), 3);
        assert!(samples.iter().all(|ns| *ns > 1000.0), "{samples:?}");
    }
}
