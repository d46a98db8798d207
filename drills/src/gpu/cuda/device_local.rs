//! Copies inside device memory.

use drills_results::{Measurement, Unit};

use super::buffers::{self, DeviceBuffer};
use super::{Bench, Outcome, pattern};
use crate::gpu::child;
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result};

/// Far larger than any L2.
const SIZE: usize = 1 << 30;
const COPIES: usize = 8;

/// One buffer to another. Bytes read and bytes written are both counted, as memory does them both.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let size = bench.size(SIZE)?;
    let (from, to) = (DeviceBuffer::new(size)?, DeviceBuffer::new(size)?);
    let watch = Watch::start();
    let time_ns = if bench.quick { 50_000_000 } else { 500_000_000 };
    let rates = try_sample(
        Plan { warm_up: 2, time_ns, at_least: 9, at_most: 100 },
        || false,
        || {
            let ns = bench.device_ns(&mut |stream| {
                (0..COPIES).try_for_each(|_| buffers::inside(stream, &from, &to, size))
            })?;
            Ok((2 * COPIES * size) as f64 * 1e9 / ns)
        },
    )?;
    let seed = 0xD2D;
    bench.fill_device(&from, size, seed)?;
    bench.fill_device(&to, size, pattern::POISON)?;
    buffers::inside(&bench.stream, &from, &to, size)?;
    bench.idle()?;
    let verified = Some(bench.device_holds(&to, size, seed)?);
    if let Some(m) = result::of_samples("copy.d2d", Unit::BytesPerS, methods::COPY_DEVICE_LOCAL, &rates) {
        let m = m.param("size_bytes", size as u64).param("bytes_counted", "read plus written");
        child::measured(watch.judge(bench.label(Measurement { verified, ..m })));
    }
    Ok(())
}
