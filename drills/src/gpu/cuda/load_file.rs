//! A file into device memory, by each route, from the drive and from the page cache.

use std::fs::File;

use drills_results::{Measurement, Reason, Unit};

use super::buffers::DeviceBuffer;
use super::routes::{Ends, Ready, Route, system};
use super::{Bench, Outcome};
use crate::gpu::child;
use crate::gpu::protocol::{SourceFile, Step};
use crate::gpu::trouble::Trouble;
use crate::measure::clock::now_ns;
use crate::measure::noise::Watch;
use crate::measure::usage::{self, Faults};
use crate::measure::{methods, result};
use crate::memory::load::direct;
use crate::memory::scratch::read_through;
use crate::memory::{GIB, Residency, evict, per_gib, residency};

const METHOD: &str = methods::TO_GPU_PIPELINE;
/// No further round of a route is started after this time.
const BUDGET_NS: u64 = 10_000_000_000;

/// One round.
struct Trip {
    ns: u64,
    processor_ns: u64,
    faults: Faults,
    right: bool,
}

/// All routes in both states.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let Some(source) = &bench.file else {
        return Err(Trouble::Meaningless("No file was given to load.".into()));
    };
    let file = File::open(format!("/proc/self/fd/{}", source.descriptor)).map_err(system("open"))?;
    // Whole pages of every machine, so that direct reads of all of it are aligned.
    let grain = source.data_at as usize;
    let len = bench.size(source.data_bytes as usize)? / grain * grain;
    if len == 0 {
        return Err(Trouble::NoRoom { bytes: grain as u64 });
    }
    let device = DeviceBuffer::new(len)?;
    let ends = Ends { ctx: &bench.ctx, stream: &bench.stream, source, device: &device, len };
    for route in Route::ALL {
        let loading = Loading { bench, file: &file, ends: &ends, route };
        loading.all(source)?;
    }
    Ok(())
}

struct Loading<'a> {
    bench: &'a Bench,
    file: &'a File,
    ends: &'a Ends<'a>,
    route: Route,
}

impl Loading<'_> {
    fn key(&self, what: &str) -> String {
        format!("to_gpu.{}.{what}", self.route.word())
    }

    fn all(&self, source: &SourceFile) -> Outcome<()> {
        if self.route == Route::DirectPinned && direct::alignment(self.file).is_none() {
            let name = source.filesystem.as_deref().unwrap_or("This file system");
            let fix = "Run in a folder on a drive, or name one with --dir.";
            let reason = Reason::new("no-direct-io", format!("{name} takes no direct reads."), fix);
            self.skip("cold", Unit::BytesPerS, &reason);
            self.skip("cpu", Unit::NsPerGib, &reason);
            return Ok(());
        }
        let mut ready = Ready::new(self.route, self.file, self.ends)?;
        self.cold(&mut ready, source)?;
        if self.route != Route::DirectPinned {
            self.warm(&mut ready, source)?;
        }
        Ok(())
    }

    fn cold(&self, ready: &mut Ready, source: &SourceFile) -> Outcome<()> {
        let watch = Watch::start();
        let rounds = if self.bench.quick { 1 } else { 3 };
        let mut left = None;
        let trips = self.rounds(ready, rounds, "from the drive", &mut || {
            let found = evict(self.file, source.bytes).map_err(system("posix_fadvise"))?;
            left = Some(found);
            Ok(found.is_cold())
        })?;
        let Some(left) = left else { return Ok(()) };
        if trips.is_empty() {
            let reason = left.still_cached(source.filesystem.as_deref());
            self.skip("cold", Unit::BytesPerS, &reason);
            self.skip("cpu", Unit::NsPerGib, &reason);
            return Ok(());
        }
        self.push(&watch, ready, "cold", left, &trips);
        let cpu: Vec<f64> =
            trips.iter().map(|trip| per_gib(trip.processor_ns, self.ends.len as u64)).collect();
        if let Some(m) = result::of_samples(self.key("cpu"), Unit::NsPerGib, METHOD, &cpu) {
            child::measured(watch.judge(self.bench.label(m.param("state", "from the drive"))));
        }
        Ok(())
    }

    fn warm(&self, ready: &mut Ready, source: &SourceFile) -> Outcome<()> {
        let watch = Watch::start();
        let rounds = if self.bench.quick { 3 } else { 5 };
        let mut here = None;
        let trips = self.rounds(ready, rounds, "from the page cache", &mut || {
            let look = || residency(self.file, source.bytes).map_err(system("cachestat"));
            let mut found = look()?;
            if !found.is_warm() {
                read_through(self.file, source.bytes).map_err(system("read"))?;
                found = look()?;
            }
            here = Some(found);
            Ok(found.is_warm())
        })?;
        let Some(here) = here else { return Ok(()) };
        if trips.is_empty() {
            self.skip("warm", Unit::BytesPerS, &here.not_cached());
        } else {
            self.push(&watch, ready, "warm", here, &trips);
        }
        Ok(())
    }

    /// Goes the route several times; none when `prepare` says that the file is not in the state wanted.
    fn rounds(
        &self,
        ready: &mut Ready,
        most: usize,
        state: &str,
        prepare: &mut dyn FnMut() -> Outcome<bool>,
    ) -> Outcome<Vec<Trip>> {
        let (mut trips, start) = (Vec::new(), now_ns());
        while trips.len() < most && (trips.is_empty() || now_ns() - start < BUDGET_NS) {
            child::still(Step::ToGpu, &format!("{} {state}", self.route.word()));
            if !prepare()? {
                return Ok(Vec::new());
            }
            trips.push(self.once(ready)?);
        }
        Ok(trips)
    }

    fn once(&self, ready: &mut Ready) -> Outcome<Trip> {
        self.ends.device.clear()?;
        self.bench.idle()?;
        let (processor, faults, start) = (usage::processor_ns(), Faults::of_process(), now_ns());
        ready.go(self.ends)?;
        let ns = now_ns() - start;
        let (processor_ns, faults) = (usage::processor_ns() - processor, Faults::of_process().since(faults));
        let right = self.bench.device_holds(self.ends.device, self.ends.len, self.ends.source.seed)?;
        Ok(Trip { ns, processor_ns, faults, right })
    }

    fn push(&self, watch: &Watch, ready: &Ready, state: &str, found: Residency, trips: &[Trip]) {
        let rates: Vec<f64> =
            trips.iter().map(|trip| self.ends.len as f64 * 1e9 / trip.ns.max(1) as f64).collect();
        let (Some(m), Some(last)) =
            (result::of_samples(self.key(state), Unit::BytesPerS, METHOD, &rates), trips.last())
        else {
            return;
        };
        let filesystem = self.ends.source.filesystem.as_deref().unwrap_or("unknown");
        let gib = self.ends.len as f64 / GIB as f64;
        let m = m
            .param("bytes", self.ends.len as u64)
            .param("seconds", last.ns as f64 / 1e9)
            .param("processor_s_per_gib", last.processor_ns as f64 / 1e9 / gib)
            .param("minor_faults", last.faults.minor)
            .param("major_faults", last.faults.major)
            .param("threads", ready.threads() as u64)
            .param("pages_cached_before", found.cached)
            .param("proof", found.proof)
            .param("filesystem", filesystem);
        let verified = Some(trips.iter().all(|trip| trip.right));
        child::measured(watch.judge(self.bench.label(Measurement { verified, ..m })));
    }

    fn skip(&self, what: &str, unit: Unit, reason: &Reason) {
        child::measured(Measurement::skipped(self.key(what), unit, METHOD, reason.clone()));
    }
}
