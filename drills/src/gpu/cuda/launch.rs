//! What starting a kernel costs the CPU.

use cudarc::driver::{CudaFunction, result as driver, sys};

use super::{Bench, Outcome};
use crate::gpu::child;
use crate::gpu::trouble::during;
use crate::measure::clock::now_ns;
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result};

/// Launches between two synchronisations: far fewer than the queue holds.
const BURST: usize = 16;

/// Submitting an empty kernel, and waiting for it.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    let (function, stream) = (kernels.nothing(), bench.stream.cu_stream());
    let time_ns = if bench.quick { 100_000_000 } else { 1_000_000_000 };
    let plan = Plan { warm_up: 1000, time_ns, at_least: 2000, at_most: 100_000 };

    let watch = Watch::start();
    let mut in_burst = 0;
    let submit = try_sample(
        plan,
        || false,
        || {
            if in_burst == BURST {
                bench.idle()?;
                in_burst = 0;
            }
            in_burst += 1;
            let start = now_ns();
            launch(function, stream)?;
            Ok((now_ns() - start) as f64)
        },
    )?;
    bench.idle()?;
    if let Some(m) = result::of_latencies("gpu.launch.submit", methods::LAUNCH_SUBMIT, &submit) {
        child::measured(watch.judge(bench.label(m)));
    }

    let watch = Watch::start();
    let round_trip = try_sample(
        plan,
        || false,
        || {
            let start = now_ns();
            launch(function, stream)?;
            bench.idle()?;
            Ok((now_ns() - start) as f64)
        },
    )?;
    if let Some(m) = result::of_latencies("gpu.launch.round_trip", methods::LAUNCH_ROUND_TRIP, &round_trip) {
        child::measured(watch.judge(bench.label(m)));
    }
    Ok(())
}

/// Straight to the driver: the safe launch looks up the context each time.
fn launch(function: &CudaFunction, stream: sys::CUstream) -> Outcome<()> {
    let one = (1, 1, 1);
    // SAFETY: the kernel takes no parameters; function and stream are of the current context.
    unsafe { driver::launch_kernel(function.cu_function(), one, one, 0, stream, &mut []) }
        .map_err(during("cuLaunchKernel"))
}
