//! Writing to a page that a fork left shared.

use std::sync::atomic::{AtomicU64, Ordering};

use drills_results::{Measurement, Reason, Status};

use crate::measure::child::{Child, Shared, Stages};
use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::noise::Watch;
use crate::measure::{methods, result, usage};
use crate::memory::{count_differs, fail, push_judged};
use crate::run::{Context, Sink};

const KEY: &str = "fault.cow";
/// Pages whose copies are timed together.
const GROUP: usize = 64;
/// Groups at most.
const GROUPS: usize = 512;

/// What the child brings back.
struct Found {
    stages: Stages,
    faults: AtomicU64,
    group_ns: [AtomicU64; GROUPS],
}

/// The time of one copy, and whether each page took one fault.
pub(super) fn run(ctx: &Context, sink: &Sink, most: u64) {
    let groups = if ctx.quick { GROUPS / 4 } else { GROUPS };
    let bytes = ((groups * GROUP * page_bytes()) as u64).min(most / 2) as usize;
    let groups = bytes / (GROUP * page_bytes());
    if groups == 0 {
        let reason = super::no_room((GROUP * page_bytes()) as u64);
        return crate::memory::skip(sink, KEY, methods::FAULT_COW_BREAK, &reason);
    }
    sink.step("copy-on-write breaks");
    let watch = Watch::start();
    match measure(groups, sink) {
        Ok(None) => {}
        Ok(Some((samples, faults))) => {
            let m = result::of_latencies(KEY, methods::FAULT_COW_BREAK, &samples);
            let m = m.map(|m| m.param("faults", faults).param("pages", (groups * GROUP) as u64));
            push_judged(sink, &watch, m.map(|m| checked(m, faults, (groups * GROUP) as u64)));
        }
        Err(error) => fail(sink, KEY, methods::FAULT_COW_BREAK, &error),
    }
}

fn checked(measurement: Measurement, faults: u64, expected: u64) -> Measurement {
    if faults == expected {
        return measurement;
    }
    let reason: Reason = count_differs(faults, expected);
    Measurement { status: Status::Unstable, reason: Some(reason), ..measurement }
}

/// Nanoseconds per page by groups, and faults of all. `None` when the user ended the run.
fn measure(groups: usize, sink: &Sink) -> std::io::Result<Option<(Vec<f64>, u64)>> {
    let mut map = Mapping::new((groups + 1) * GROUP * page_bytes(), Pages::Base)?;
    map.touch();
    let found = Shared::new(Found {
        stages: Stages::default(),
        faults: AtomicU64::new(0),
        group_ns: [const { AtomicU64::new(0) }; GROUPS],
    })?;
    let start = map.as_ptr();
    let work = || {
        // A fork leaves shared mappings to be faulted in again: that is not what is counted here.
        found.group_ns.iter().for_each(|ns| ns.store(now_ns(), Ordering::Relaxed));
        // Code is mapped anew in a child as well. So everything runs once for the group behind the last
        // one, and then the same instructions write and are counted.
        for (first, times) in [(groups, &found.group_ns[..1]), (0, &found.group_ns[..groups])] {
            let start = start.wrapping_add(first * GROUP * page_bytes());
            // SAFETY: the child has a copy of the mapping, with that many groups.
            let (faults, ()) = usage::counted(|| unsafe { write_groups(start, times) });
            found.faults.store(faults.all(), Ordering::SeqCst);
        }
        found.stages.finish(1);
    };
    // SAFETY: the work reads clocks and counters and writes to memory.
    let child = unsafe { Child::start(work) }?;
    if !child.wait_until(|| found.stages.done() == 1, || sink.stopped()) {
        return if sink.stopped() { Ok(None) } else { Err(std::io::ErrorKind::BrokenPipe.into()) };
    }
    let ns = found.group_ns.iter().take(groups).map(|ns| ns.load(Ordering::SeqCst) as f64 / GROUP as f64);
    Ok(Some((ns.collect(), found.faults.load(Ordering::SeqCst))))
}

/// Writes to each page and notes the time of each group.
///
/// # Safety
/// `start` must be the first byte of as many writable groups as there are places for times.
#[inline(never)]
unsafe fn write_groups(start: *mut u8, group_ns: &[AtomicU64]) {
    let page = page_bytes();
    for (group, ns) in group_ns.iter().enumerate() {
        let began = now_ns();
        for index in 0..GROUP {
            // SAFETY: inside the caller's memory.
            unsafe { std::ptr::write_volatile(start.add((group * GROUP + index) * page), 2) };
        }
        ns.store(now_ns() - began, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::progress::{Progress, Verbosity};

    #[test]
    fn each_page_that_a_child_writes_is_one_fault() {
        let sink = Sink::new(Progress::new(Verbosity::Quiet), std::sync::Arc::default());
        let (samples, faults) = measure(4, &sink).expect("a child").expect("nobody stopped it");
        assert_eq!((samples.len(), faults), (4, 4 * GROUP as u64));
        assert!(samples.iter().all(|ns| *ns > 10.0), "a copy takes time: {samples:?}");
    }
}
