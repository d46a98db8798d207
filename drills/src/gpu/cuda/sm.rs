//! Kernels that read and write pinned host memory in place.

use drills_results::{Measurement, Point, Unit};

use super::buffers::{HostBuffer, Kind};
use super::copies::HEADLINE;
use super::kernels::Kernels;
use super::{Bench, Outcome, pattern};
use crate::gpu::child;
use crate::gpu::protocol::Step;
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result};

const SEED: u64 = 0x5A;

/// Reading and writing.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    let most = bench.size(if bench.quick { HEADLINE } else { 4 * HEADLINE })?;
    let mut host = HostBuffer::new(Kind::Pinned, most, bench.place.as_ref())?;
    let address = host.device_address()?;
    let headline = most.min(HEADLINE);
    read(bench, kernels, &mut host, address, headline)?;
    write(bench, kernels, &mut host, address, headline)
}

fn read(bench: &Bench, kernels: &Kernels, host: &mut HostBuffer, address: u64, size: usize) -> Outcome<()> {
    pattern::fill(host.bytes(), SEED);
    let watch = Watch::start();
    let points = sweep(bench, host, &mut |stream, size| kernels.read(stream, address, size))?;
    let rates =
        rates(bench, size, plan(bench.quick), &mut |stream, size| kernels.read(stream, address, size))?;
    let verified = kernels.xor_of(&bench.stream, address, size)? == pattern::xor_of(&host.bytes()[..size]);
    let m = result::of_samples("copy.h2d.sm", Unit::BytesPerS, methods::COPY_SM_READ, &rates);
    report(bench, &watch, m.map(|m| finished(m, points, size, verified)));
    Ok(())
}

fn write(bench: &Bench, kernels: &Kernels, host: &mut HostBuffer, address: u64, size: usize) -> Outcome<()> {
    let seed = SEED + 1;
    let watch = Watch::start();
    let points = sweep(bench, host, &mut |stream, size| kernels.fill(stream, address, size, seed))?;
    let rates =
        rates(bench, size, plan(bench.quick), &mut |stream, size| kernels.fill(stream, address, size, seed))?;
    pattern::fill(&mut host.bytes()[..size], pattern::POISON);
    kernels.fill(&bench.stream, address, size, seed)?;
    bench.idle()?;
    let verified = pattern::wrong_words(&host.bytes()[..size], seed) == 0;
    let m = result::of_samples("copy.d2h.sm", Unit::BytesPerS, methods::COPY_SM_WRITE, &rates);
    report(bench, &watch, m.map(|m| finished(m, points, size, verified)));
    Ok(())
}

type Queue<'a> = &'a mut dyn FnMut(&cudarc::driver::CudaStream, usize) -> Outcome<()>;

/// Over sizes: where the reach of the GPU's translation of host addresses ends, the curve falls.
fn sweep(bench: &Bench, host: &mut HostBuffer, queue: Queue<'_>) -> Outcome<Vec<Point>> {
    let most = host.bytes().len();
    let mut points = Vec::new();
    let mut size = most;
    while size >= 1 << 20 && !bench.quick {
        let few = Plan { warm_up: 1, time_ns: 30_000_000, at_least: 9, at_most: 50 };
        points.extend(result::point(size as f64, &rates(bench, size, few, queue)?));
        size /= 4;
    }
    points.reverse();
    child::still(Step::Sm, "largest size");
    Ok(points)
}

/// Bytes per second of what `queue` does to `size` bytes.
pub(super) fn rates(bench: &Bench, size: usize, plan: Plan, queue: Queue<'_>) -> Outcome<Vec<f64>> {
    try_sample(
        plan,
        || false,
        || {
            let ns = bench.device_ns(&mut |stream| queue(stream, size))?;
            Ok(size as f64 * 1e9 / ns)
        },
    )
}

/// How much a headline value is sampled.
pub(super) fn plan(quick: bool) -> Plan {
    let time_ns = if quick { 50_000_000 } else { 500_000_000 };
    Plan { warm_up: 2, time_ns, at_least: 9, at_most: 200 }
}

fn finished(measurement: Measurement, points: Vec<Point>, size: usize, verified: bool) -> Measurement {
    let m = result::over_sizes(measurement, points).param("size_bytes", size as u64);
    Measurement { verified: Some(verified), ..m }
}

fn report(bench: &Bench, watch: &Watch, measurement: Option<Measurement>) {
    if let Some(measurement) = measurement {
        child::measured(watch.judge(bench.label(measurement)));
    }
}
