//! `drills machine bw`: copies between host and GPU, and memory bandwidth of the CPUs.

use drills_results::Unit;

use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::machine::{memcpy, topo};
use crate::measure::{methods, pin, room};
use crate::run::{Context, Sink};

/// Everything that moves between host and GPU, cheapest to lose first to last.
const STEPS: &[Step] = &[
    Step::Pinned,
    Step::Pageable,
    Step::Registered,
    Step::Sm,
    Step::Bidirectional,
    Step::DeviceLocal,
    Step::PinPrice,
    Step::Link,
];

/// Host memory first, then the GPU.
pub fn run(ctx: &Context, sink: &Sink) {
    host(ctx, sink);
    if !sink.stopped() {
        job::take(ctx, sink, STEPS, job::With::default());
    }
}

fn host(ctx: &Context, sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_else(|| topo::read(ctx, sink));
    let amount = memcpy::Amount::of(&topology, room::free_bytes());
    let cpus = pin::allowed().unwrap_or_default();
    let crews = [
        ("memcpy.one_thread", methods::MEMCPY_ONE_THREAD, &cpus[..cpus.len().min(1)]),
        ("memcpy.all_threads", methods::MEMCPY_ALL_THREADS, &cpus[..]),
    ];
    for (key, method, cpus) in crews {
        if sink.stopped() || cpus.is_empty() {
            return;
        }
        sink.step(&format!("memcpy, {} threads, {} MiB", cpus.len(), amount.bytes >> 20));
        if let Some(measurement) = memcpy::measure(key, method, cpus, None, amount, ctx.quick, sink) {
            debug_assert_eq!(measurement.unit, Unit::BytesPerS);
            sink.push(measurement);
        }
    }
}
