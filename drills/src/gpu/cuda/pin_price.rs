//! What pinning costs, which is why programs pin once and reuse.

use drills_results::Unit;

use super::buffers::{self, HostBuffer, Kind};
use super::copies::HEADLINE;
use super::{Bench, Outcome};
use crate::gpu::child;
use crate::gpu::protocol::Step;
use crate::gpu::trouble::Trouble;
use crate::measure::clock::{now_ns, time_ns};
use crate::measure::mapping::{Mapping, Pages};
use crate::measure::noise::Watch;
use crate::measure::{methods, result};

const GIB: f64 = (1u64 << 30) as f64;

/// Allocating pinned memory; registering and unregistering touched memory.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let size = bench.size(HEADLINE)?;
    let rounds = if bench.quick { 5 } else { 15 };
    let per_gib = |ns: u64| ns as f64 * GIB / size as f64;

    let watch = Watch::start();
    // The first one also pays for the host's memory where a hypervisor backs it lazily.
    drop(HostBuffer::new(Kind::Pinned, size, bench.place.as_ref())?);
    let mut alloc = Vec::new();
    for _ in 0..rounds {
        let (ns, buffer) = time_ns(|| HostBuffer::new(Kind::Pinned, size, bench.place.as_ref()));
        drop(buffer?);
        alloc.push(per_gib(ns));
    }
    child::still(Step::PinPrice, "registering");
    report(bench, &watch, "pin.alloc", &alloc, size);

    let watch = Watch::start();
    let mut mapping = Mapping::new(size, Pages::Default).map_err(|error| Trouble::Call {
        call: format!("mmap of {size} bytes"),
        code: error.raw_os_error().unwrap_or(0),
    })?;
    mapping.touch();
    let (mut register, mut unregister) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let start = now_ns();
        buffers::register(mapping.as_ptr(), size)?;
        let registered = now_ns();
        buffers::unregister(mapping.as_ptr())?;
        let end = now_ns();
        if round > 0 {
            register.push(per_gib(registered - start));
            unregister.push(per_gib(end - registered));
        }
    }
    report(bench, &watch, "pin.register", &register, size);
    report(bench, &watch, "pin.unregister", &unregister, size);
    Ok(())
}

fn report(bench: &Bench, watch: &Watch, key: &str, samples: &[f64], size: usize) {
    if let Some(m) = result::of_samples(key, Unit::NsPerGib, methods::PIN_HOST_CLOCK, samples) {
        child::measured(watch.judge(bench.label(m.param("size_bytes", size as u64))));
    }
}
