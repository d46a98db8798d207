//! Copies between host and device over sizes: how fast, when the call returned, were the bytes right.

use drills_results::{Measurement, Point, Unit};

use super::buffers::{self, DeviceBuffer, HostBuffer, Kind};
use super::{Bench, Outcome, pattern};
use crate::gpu::child;
use crate::gpu::protocol::Step;
use crate::gpu::trouble::Trouble;
use crate::measure::clock::now_ns;
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result};

/// Size of the copies behind the headline values.
pub(super) const HEADLINE: usize = 256 << 20;
/// A sweep starts here...
const SMALLEST: usize = 4 << 10;
/// ...and ends here, if so much may be used.
const LARGEST: usize = 1 << 30;
/// CUDA_ERROR_OUT_OF_MEMORY.
const OUT_OF_MEMORY: i32 = 2;
const NEVER: fn() -> bool = || false;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    ToDevice,
    ToHost,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::ToDevice => "h2d",
            Self::ToHost => "d2h",
        }
    }
}

/// A buffer on each side, and a way between them.
pub(super) struct Route {
    pub(super) host: HostBuffer,
    pub(super) device: DeviceBuffer,
    way: Way,
    kind: Kind,
}

/// How much to measure.
#[derive(Clone, Copy)]
struct Effort {
    /// Copies back to back in a sample of the headline.
    copies: usize,
    headline: Plan,
    returned: Plan,
    point: Plan,
    /// Factor between two sizes of the sweep.
    factor: usize,
}

impl Effort {
    fn of(quick: bool) -> Self {
        let plan = |time_ms: u64, at_least, at_most| Plan {
            warm_up: 1,
            time_ns: time_ms * 1_000_000,
            at_least,
            at_most,
        };
        if quick {
            let (headline, returned) = (plan(60, 9, 20), plan(60, 9, 200));
            Self { copies: 2, headline, returned, point: plan(5, 9, 50), factor: 16 }
        } else {
            let (headline, returned) = (plan(1000, 15, 200), plan(1000, 31, 1000));
            Self { copies: 8, headline, returned, point: plan(50, 9, 300), factor: 4 }
        }
    }
}

/// The sweeps of one kind of memory, both ways.
pub(super) fn take(bench: &Bench, step: Step, kind: Kind) -> Outcome<()> {
    let effort = Effort::of(bench.quick);
    let most = bench.size(if bench.quick { HEADLINE } else { LARGEST })?;
    for way in [Way::ToDevice, Way::ToHost] {
        child::still(step, way.name());
        let (route, most) = Route::as_large_as_granted(bench, kind, way, most)?;
        sweep(bench, step, route, most, effort)?;
    }
    Ok(())
}

fn sweep(bench: &Bench, step: Step, mut route: Route, most: usize, effort: Effort) -> Outcome<()> {
    let watch = Watch::start();
    let mut curves = Curves::default();
    let mut size = SMALLEST;
    while size <= most {
        if route.kind != Kind::Pageable {
            let rates = rates(bench, &route, size, 1, effort.point)?;
            curves.rate.extend(result::point(size as f64, &rates));
        }
        let calls = calls(bench, &route, size, effort.point)?;
        curves.add(size, &calls, route.kind == Kind::Pageable);
        child::still(step, &format!("{} {size} bytes", route.way.name()));
        size *= effort.factor;
    }
    let size = most.min(HEADLINE);
    let calls = calls(bench, &route, size, effort.returned)?;
    child::still(step, route.way.name());
    let (rates, method, copies) = if route.kind == Kind::Pageable {
        (calls.iter().map(|call| call.rate(size)).collect(), methods::COPY_HOST_CLOCK, 1)
    } else {
        let rates = rates(bench, &route, size, effort.copies, effort.headline)?;
        (rates, bench.events_method(), effort.copies)
    };
    let verified = route.verify(bench, size)?;
    let key = format!("copy.{}.{}", route.way.name(), route.kind.name());
    let returned: Vec<f64> = calls.iter().map(|call| call.returned_ns).collect();
    let blocked: Vec<f64> = calls.iter().map(Call::blocked).collect();
    let finished = [
        result::of_samples(&key, Unit::BytesPerS, method, &rates)
            .map(|m| result::over_sizes(m, curves.rate).param("copies_per_sample", copies as u64))
            .map(|m| Measurement { verified: Some(verified), ..m }),
        result::of_latencies(format!("{key}.returned"), methods::COPY_RETURNED, &returned)
            .map(|m| result::over_sizes(m, curves.returned)),
        result::of_samples(format!("{key}.blocked"), Unit::Ratio, methods::COPY_BLOCKED, &blocked)
            .map(|m| result::over_sizes(m, curves.blocked)),
    ];
    for measurement in finished.into_iter().flatten() {
        child::measured(watch.judge(bench.label(measurement.param("size_bytes", size as u64))));
    }
    Ok(())
}

/// What is plotted over sizes.
#[derive(Default)]
struct Curves {
    rate: Vec<Point>,
    returned: Vec<Point>,
    blocked: Vec<Point>,
}

impl Curves {
    fn add(&mut self, size: usize, calls: &[Call], with_rate: bool) {
        let of = |value: &dyn Fn(&Call) -> f64| {
            result::point(size as f64, &calls.iter().map(value).collect::<Vec<_>>())
        };
        self.returned.extend(of(&|call| call.returned_ns));
        self.blocked.extend(of(&Call::blocked));
        if with_rate {
            self.rate.extend(of(&|call| call.rate(size)));
        }
    }
}

/// One copy as the calling thread sees it.
pub(super) struct Call {
    /// Until the asynchronous call returned.
    returned_ns: f64,
    /// Until the stream was idle again.
    done_ns: f64,
}

impl Call {
    fn blocked(&self) -> f64 {
        self.returned_ns / self.done_ns
    }

    pub(super) fn rate(&self, size: usize) -> f64 {
        size as f64 * 1e9 / self.done_ns
    }
}

/// Bytes per second of `copies` copies back to back, by events.
pub(super) fn rates(
    bench: &Bench,
    route: &Route,
    size: usize,
    copies: usize,
    plan: Plan,
) -> Outcome<Vec<f64>> {
    try_sample(plan, NEVER, || {
        let ns = bench.device_ns(&mut |stream| (0..copies).try_for_each(|_| route.queue(stream, size)))?;
        Ok((copies * size) as f64 * 1e9 / ns)
    })
}

/// Single copies on an idle stream, by the host's clock.
pub(super) fn calls(bench: &Bench, route: &Route, size: usize, plan: Plan) -> Outcome<Vec<Call>> {
    let mut calls = Vec::new();
    try_sample(plan, NEVER, || {
        let start = now_ns();
        route.queue(&bench.stream, size)?;
        let returned = now_ns();
        bench.idle()?;
        let done = now_ns();
        calls.push(Call { returned_ns: (returned - start) as f64, done_ns: (done - start).max(1) as f64 });
        Ok(0.0)
    })?;
    // The first was the warm-up.
    Ok(calls.split_off(plan.warm_up))
}

impl Route {
    pub(super) fn new(bench: &Bench, kind: Kind, way: Way, len: usize) -> Outcome<Self> {
        let host = HostBuffer::new(kind, len, bench.place.as_ref())?;
        Ok(Self { host, device: DeviceBuffer::new(len)?, way, kind })
    }

    /// A route of `most` bytes, or of a quarter, a sixteenth, ... where so much cannot be pinned: WSL and
    /// some containers have a budget that nothing tells.
    fn as_large_as_granted(bench: &Bench, kind: Kind, way: Way, most: usize) -> Outcome<(Self, usize)> {
        let mut len = most;
        loop {
            match Self::new(bench, kind, way, len) {
                Err(Trouble::Call { code: OUT_OF_MEMORY, .. }) if len / 4 >= SMALLEST => len /= 4,
                other => return other.map(|route| (route, len)),
            }
        }
    }

    /// The same buffers the other way.
    pub(super) fn turned(self, way: Way) -> Self {
        Self { way, ..self }
    }

    pub(super) fn queue(&self, stream: &cudarc::driver::CudaStream, size: usize) -> Outcome<()> {
        match self.way {
            Way::ToDevice => buffers::to_device(stream, &self.host, &self.device, size),
            Way::ToHost => buffers::to_host(stream, &self.host, &self.device, size),
        }
    }

    /// Copies the pattern over poison and looks whether all of it arrived.
    pub(super) fn verify(&mut self, bench: &Bench, size: usize) -> Outcome<bool> {
        let seed = size as u64 + 1;
        match self.way {
            Way::ToDevice => {
                pattern::fill(&mut self.host.bytes()[..size], seed);
                bench.fill_device(&self.device, size, pattern::POISON)?;
                self.queue(&bench.stream, size)?;
                bench.idle()?;
                bench.device_holds(&self.device, size, seed)
            }
            Way::ToHost => {
                bench.fill_device(&self.device, size, seed)?;
                pattern::fill(&mut self.host.bytes()[..size], pattern::POISON);
                self.queue(&bench.stream, size)?;
                bench.idle()?;
                Ok(pattern::wrong_words(&self.host.bytes()[..size], seed) == 0)
            }
        }
    }
}

/// Median rate of a route's headline size, for steps that compare places.
pub(super) fn headline(bench: &Bench, route: &Route, size: usize) -> Outcome<Vec<f64>> {
    let effort = Effort::of(bench.quick);
    if route.kind == Kind::Pageable {
        let calls = calls(bench, route, size, effort.headline)?;
        Ok(calls.iter().map(|call| call.rate(size)).collect())
    } else {
        rates(bench, route, size, effort.copies, effort.headline)
    }
}
