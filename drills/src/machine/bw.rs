//! `drills machine bw`: copies between host and GPU, and memory bandwidth of the CPUs.

use drills_results::Unit;
use drills_results::topology::DeviceClass;

use crate::gpu::parent;
use crate::gpu::protocol::{Place, Step, Work};
use crate::gpu::trouble::Trouble;
use crate::machine::{memcpy, topo};
use crate::measure::{methods, pin, room};
use crate::run::{Context, GpuChoice, Sink};

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
        on_gpu(ctx, sink, STEPS, None);
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

/// Runs GPU steps in a child, or says for each of their keys why not.
pub(super) fn on_gpu(ctx: &Context, sink: &Sink, steps: &[Step], place: Option<Place>) {
    let gpu = match &ctx.gpu {
        GpuChoice::None => {
            let name = place.as_ref().map(|place| place.name.as_str());
            parent::skip_all(steps, name, &Trouble::NotWanted, sink);
            return;
        }
        GpuChoice::All => {
            say_which(sink);
            None
        }
        GpuChoice::Only(names) => names.first().cloned(),
    };
    let host_bytes = room::free_bytes();
    parent::measure(Work { gpu, quick: ctx.quick, steps: steps.to_vec(), place, host_bytes }, sink);
}

/// One GPU stands for all; which one is in each measurement's `gpu_address`.
fn say_which(sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_default();
    let gpus = topology.devices.iter().filter(|device| device.class == DeviceClass::Gpu).count();
    if gpus > 1 {
        sink.warn(format!("Of {gpus} GPUs, the driver's first one was measured; `--gpu` picks another."));
    }
}
