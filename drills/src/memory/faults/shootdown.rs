//! What it costs to take a mapping away, alone and while other threads of the process run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use drills_results::{Measurement, Point, Reason, Series, Unit};

use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::noise::Watch;
use crate::measure::pin::{self, Pinned};
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result};
use crate::memory::{fail, push_judged, skip};
use crate::run::{Context, Sink};

/// Pages of the region that is taken away.
const PAGES: usize = 64;
/// Running threads at most.
const MOST_THREADS: usize = 64;

/// Alone, and beside a thread on each other CPU, with the numbers in between as a series.
pub(super) fn run(ctx: &Context, sink: &Sink) {
    sink.step("munmap alone and beside running threads");
    let cpus = pin::allowed().unwrap_or_default();
    let method = methods::SHOOTDOWN_MUNMAP;
    let Some((own, others)) = cpus.split_first() else { return };
    let pinned = Pinned::to(&[*own]);
    let watch = Watch::start();
    match measure(ctx, sink, &[]) {
        Ok(samples) => push(sink, &watch, "shootdown.alone", &samples, 0, Vec::new()),
        Err(error) => fail(sink, "shootdown.alone", method, &error),
    }
    let key = "shootdown.threads";
    if others.is_empty() {
        let reason = Reason::new("one-cpu", "Only one CPU may be used.", "Allow two CPUs or more.");
        return skip(sink, key, method, &reason);
    }
    let others = &others[..others.len().min(MOST_THREADS)];
    let watch = Watch::start();
    let (mut points, mut last) = (Vec::new(), Vec::new());
    for threads in steps(others.len()) {
        match measure(ctx, sink, &others[..threads]) {
            Ok(samples) => {
                points.extend(result::point(threads as f64, &samples));
                last = samples;
            }
            Err(error) => return fail(sink, key, method, &error),
        }
    }
    drop(pinned);
    push(sink, &watch, key, &last, others.len(), points);
}

/// 1, 2, 4, … and the number itself.
fn steps(most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), |n| Some(n * 2)).take_while(move |n| *n < most).chain([most])
}

fn push(sink: &Sink, watch: &Watch, key: &str, samples: &[f64], threads: usize, points: Vec<Point>) {
    if sink.stopped() {
        return;
    }
    let series = Series { x: "threads".into(), x_unit: Unit::Count, points };
    let m = result::of_latencies(key, methods::SHOOTDOWN_MUNMAP, samples).map(|m| Measurement {
        series: (series.points.len() > 1).then_some(series),
        ..m.param("pages", PAGES as u64).param("threads", threads as u64)
    });
    push_judged(sink, watch, m);
}

/// Nanoseconds of the call, with a thread spinning on each of `others`.
///
/// # Errors
/// A mapping or a thread could not be had.
fn measure(ctx: &Context, sink: &Sink, others: &[u32]) -> std::io::Result<Vec<f64>> {
    let over = AtomicBool::new(false);
    let running = AtomicUsize::new(0);
    let (over, running) = (&over, &running);
    std::thread::scope(|scope| {
        for cpu in others {
            scope.spawn(move || {
                // On a CPU that cannot be had the thread runs elsewhere, which is nearly as good.
                let _pinned = Pinned::to(&[*cpu]);
                running.fetch_add(1, Ordering::SeqCst);
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        while running.load(Ordering::SeqCst) < others.len() {
            std::thread::yield_now();
        }
        let time_ns = if ctx.quick { 50_000_000 } else { 300_000_000 };
        let plan = Plan { warm_up: 10, time_ns, at_least: 51, at_most: 5_000 };
        let samples = try_sample(plan, || sink.stopped(), || one().map(|ns| ns as f64));
        over.store(true, Ordering::Relaxed);
        samples
    })
}

fn one() -> std::io::Result<u64> {
    let mut map = Mapping::new(PAGES * page_bytes(), Pages::Base)?;
    map.touch();
    let start = now_ns();
    drop(map);
    Ok(now_ns() - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_all() {
        assert_eq!(steps(1).collect::<Vec<_>>(), [1]);
        assert_eq!(steps(15).collect::<Vec<_>>(), [1, 2, 4, 8, 15]);
        assert_eq!(steps(16).collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    }
}
