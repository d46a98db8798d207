//! Both directions at once. Each is timed while the other runs the whole time.

use drills_results::{Measurement, Unit};

use super::buffers::Kind;
use super::copies::{HEADLINE, Route, Way};
use super::{Bench, Outcome};
use crate::gpu::child;
use crate::gpu::protocol::Step;
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result};

/// Copies in a sample of the direction that is timed.
const TIMED: usize = 4;
/// Copies of the other direction: enough that it still runs when the timed ones are done, even if it is
/// given two thirds of the link.
const BESIDE: usize = 9;

/// Pinned copies both ways.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let size = bench.size(HEADLINE)?;
    let mut to_device = Route::new(bench, Kind::Pinned, Way::ToDevice, size)?;
    let mut to_host = Route::new(bench, Kind::Pinned, Way::ToHost, size)?;
    let pairs =
        [("copy.bidirectional.h2d", &to_device, &to_host), ("copy.bidirectional.d2h", &to_host, &to_device)];
    let mut measured = Vec::new();
    for (key, timed, beside) in pairs {
        let watch = Watch::start();
        let rates = rates(bench, timed, beside, size)?;
        let m = result::of_samples(key, Unit::BytesPerS, methods::COPY_BIDIRECTIONAL, &rates);
        child::still(Step::Bidirectional, key);
        measured.extend(m.map(|m| watch.judge(bench.label(m.param("size_bytes", size as u64)))));
    }
    let verified = [to_device.verify(bench, size)?, to_host.verify(bench, size)?];
    for (m, verified) in measured.into_iter().zip(verified) {
        child::measured(Measurement { verified: Some(verified), ..m });
    }
    Ok(())
}

fn rates(bench: &Bench, timed: &Route, beside: &Route, size: usize) -> Outcome<Vec<f64>> {
    let time_ns = if bench.quick { 50_000_000 } else { 800_000_000 };
    try_sample(
        Plan { warm_up: 1, time_ns, at_least: 9, at_most: 100 },
        || false,
        || {
            let ns = bench.device_ns_beside(
                &mut |stream| (0..BESIDE).try_for_each(|_| beside.queue(stream, size)),
                &mut |stream| (0..TIMED).try_for_each(|_| timed.queue(stream, size)),
            )?;
            Ok((TIMED * size) as f64 * 1e9 / ns)
        },
    )
}
