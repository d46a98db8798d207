//! `drills memory cow`: workers that only read, and the price of a fork.

mod fork;
mod objects;

use drills_results::{Measurement, Reason, Status};

use crate::measure::mapping::page_bytes;
use crate::measure::smaps::Resident;
use crate::measure::{methods, room};
use crate::memory::{self, fail, skip};
use crate::run::{Context, Sink};
use objects::{Found, Objects, Walk};

/// All memory of a scenario takes at most this share of what is free.
const SHARE_OF_FREE: u64 = 4;
/// Objects of the full run: what a data set of a million samples has at the least.
const OBJECTS: u64 = 1_000_000;
/// Workers that walk at once.
const WORKERS: u64 = 4;

const KEYS: [&str; 5] = [
    "cow.object_headers.rss",
    "cow.object_headers.pss",
    "cow.object_headers.uss",
    "cow.one_percent.uss",
    "cow.one_header.uss",
];

/// Workers first, then forks.
pub fn run(ctx: &Context, sink: &Sink) {
    let wanted = if ctx.quick { OBJECTS / 4 } else { OBJECTS };
    let workers = if ctx.quick { WORKERS / 2 } else { WORKERS };
    // Each worker may end up with a copy of everything, beside the parent's own.
    let room = room::free_bytes() / SHARE_OF_FREE / (workers + 1) / objects::BYTES as u64;
    let count = wanted.min(room) as usize;
    if count < 1000 {
        let text = "A quarter of the free memory does not hold a thousand objects for each worker.";
        let reason = Reason::new("no-room", text, "Free memory and run again.");
        KEYS.iter().for_each(|key| skip(sink, key, methods::COW_CHILDREN, &reason));
    } else if let Err(error) = workers_walk(sink, count, workers as usize) {
        let done = sink.collected().measurements;
        let open = KEYS.iter().filter(|key| done.iter().all(|m| m.key != **key));
        open.for_each(|key| fail(sink, key, methods::COW_CHILDREN, &error));
    }
    if !sink.stopped() {
        fork::run(ctx, sink, room::free_bytes() / SHARE_OF_FREE);
    }
}

fn workers_walk(sink: &Sink, count: usize, workers: usize) -> std::io::Result<()> {
    let mut objects = Objects::new(count)?;
    for (walk, workers) in [(Walk::Headers, workers), (Walk::OnePercent, 1), (Walk::OneHeader, 1)] {
        if sink.stopped() {
            return Ok(());
        }
        sink.step(walk.title());
        objects.reset(walk);
        let Some(found) = objects.walk(walk, workers, sink)? else { return Ok(()) };
        push(sink, walk, &objects, &found);
    }
    Ok(())
}

/// Key, which figure of a worker's memory, and its prediction in bytes.
type Row = (&'static str, fn(&Resident) -> u64, u64);

/// A value of the worker with its prediction. `unstable` when the two differ by a byte.
fn push(sink: &Sink, walk: Walk, objects: &Objects, found: &Found) {
    let page = page_bytes() as u64;
    let touched = found.pages_predicted * page;
    let all = objects.bytes();
    let keys: &[Row] = match walk {
        // With every page copied by every worker, none is shared any more.
        Walk::Headers => {
            &[(KEYS[0], |r| r.rss, all), (KEYS[1], |r| r.pss, touched), (KEYS[2], |r| r.uss, touched)]
        }
        Walk::OnePercent => &[(KEYS[3], |r| r.uss, touched)],
        Walk::OneHeader => &[(KEYS[4], |r| r.uss, touched)],
    };
    for (key, value, expected) in keys {
        let m =
            Measurement::ok(*key, memory::unit_of(key), value(&found.after) as f64, methods::COW_CHILDREN)
                .param("expected", *expected)
                .param("before", value(&found.before))
                .param("objects", objects.count() as u64)
                .param("object_bytes", objects::BYTES as u64)
                .param("workers", found.workers as u64)
                .param("faults", found.faults)
                .param("faults_expected", found.pages_predicted);
        sink.push(checked(m, *expected, found));
    }
}

fn checked(measurement: Measurement, expected: u64, found: &Found) -> Measurement {
    let value = measurement.value.unwrap_or(0.0);
    let text = if value != expected as f64 {
        format!("{value} bytes were found, {expected} were predicted.")
    } else if found.faults != found.pages_predicted {
        format!("{} faults were counted, {} were predicted.", found.faults, found.pages_predicted)
    } else {
        return measurement;
    };
    let fix = "Run again; memory that is swapped or merged (KSM) meanwhile does this.";
    let reason = Reason::new("count-differs", text, fix);
    Measurement { status: Status::Unstable, reason: Some(reason), ..measurement }
}
