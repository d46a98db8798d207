//! `drills memory load`: a checkpoint into host memory, by several ways, from the drive and from the cache.

mod by_blocks;
pub(crate) mod checkpoint;
pub(crate) mod direct;
mod engines;

use std::io;

use drills_results::{Measurement, Reason};

use crate::host::filesystem;
use crate::measure::clock::now_ns;
use crate::measure::noise::Watch;
use crate::measure::random::Random;
use crate::measure::{methods, result, room};
use crate::memory::{
    self, Counted, Residency, count_differs, evict, fail, predict, push_judged, residency, skip,
};
use crate::run::{Context, Sink};
use checkpoint::Checkpoint;
use engines::{Engine, Loaded};

const METHOD: &str = methods::LOAD_HOST_CLOCK;
/// File and buffer take at most this share of free memory each.
const SHARE_OF_FREE: u64 = 8;

/// From the drive or from the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Cold,
    Warm,
}

impl State {
    fn word(self) -> &'static str {
        if self == Self::Cold { "cold" } else { "warm" }
    }
}

/// Size of the file that a drill loads.
pub(crate) fn wanted_bytes(ctx: &Context) -> u64 {
    let wanted = if ctx.quick { 256 << 20 } else { 2 * memory::GIB };
    wanted.min(room::free_bytes() / SHARE_OF_FREE)
}

/// Says on which kind of file system the file is, if that matters.
pub(crate) fn warn_about(checkpoint: &Checkpoint, sink: &Sink) {
    let name = checkpoint.scratch.filesystem.as_deref();
    if let Some((name, caveat)) = name.and_then(|name| Some((name, filesystem::caveat(name)?))) {
        sink.warn(format!("The file to load was on {name}: {caveat}."));
    }
}

/// Makes a file, loads it by each way, and gives it back. The order of the ways is random, so that none
/// profits from its place.
pub fn run(ctx: &Context, sink: &Sink) {
    sink.step("writing a checkpoint");
    let checkpoint = match Checkpoint::create(&ctx.dir, wanted_bytes(ctx), &|| sink.stopped()) {
        Ok(checkpoint) => checkpoint,
        Err(trouble) => {
            let keys = Engine::ALL.into_iter().flat_map(keys);
            keys.for_each(|key| sink.push(trouble.measurement(&key, METHOD)));
            return;
        }
    };
    warn_about(&checkpoint, sink);
    let mut order = Engine::ALL;
    Random::of(now_ns()).shuffle(&mut order);
    for engine in order {
        for state in [State::Cold, State::Warm] {
            if !sink.stopped() && (state == State::Cold || engine != Engine::Direct) {
                one(ctx, sink, &checkpoint, engine, state);
            }
        }
    }
}

/// Every key of a way.
fn keys(engine: Engine) -> Vec<String> {
    [State::Cold, State::Warm].into_iter().flat_map(|state| keys_in(engine, state)).collect()
}

/// Keys of a way in one state, the rate first.
fn keys_in(engine: Engine, state: State) -> Vec<String> {
    let word = engine.word();
    let mut keys = vec![format!("load.{word}.{}", state.word())];
    match (engine, state) {
        (Engine::Direct, State::Warm) => keys.clear(),
        (Engine::Read | Engine::Mmap | Engine::Safetensors, State::Warm) => {
            keys.push(format!("load.{word}.faults"));
        }
        (Engine::MmapRandom, State::Cold) => keys.push(format!("load.{word}.major")),
        _ => {}
    }
    keys
}

fn one(ctx: &Context, sink: &Sink, checkpoint: &Checkpoint, engine: Engine, state: State) {
    sink.step(&format!("loading by {}, {}", engine.word(), state.word()));
    let keys = keys_in(engine, state);
    let watch = Watch::start();
    match rounds(ctx, sink, checkpoint, engine, state) {
        _ if sink.stopped() => {}
        Ok(Ok((loads, found))) => push(sink, &watch, &keys, checkpoint, &loads, found),
        Ok(Err(reason)) => keys.iter().for_each(|key| skip(sink, key, METHOD, &reason)),
        Err(error) if engine == Engine::Direct && error.raw_os_error() == Some(libc::EINVAL) => {
            let name = checkpoint.scratch.filesystem.as_deref().unwrap_or("This file system");
            let reason = Reason::new("no-direct-io", format!("{name} takes no direct reads."), FIX_FOLDER);
            keys.iter().for_each(|key| skip(sink, key, METHOD, &reason));
        }
        Err(error) => keys.iter().for_each(|key| fail(sink, key, METHOD, &error)),
    }
}

const FIX_FOLDER: &str = "Run in a folder on a drive, or name one with --dir.";

type Rounds = Result<(Vec<Loaded>, Residency), Reason>;

/// Loads again and again, each time in the state asked for and proved.
fn rounds(
    ctx: &Context,
    sink: &Sink,
    checkpoint: &Checkpoint,
    engine: Engine,
    state: State,
) -> io::Result<Rounds> {
    let most = match (state, ctx.quick) {
        (State::Cold, true) => 1,
        (State::Cold, false) | (State::Warm, true) => 3,
        (State::Warm, false) => 5,
    };
    let budget_ns: u64 = if ctx.quick { 2_000_000_000 } else { 10_000_000_000 };
    if engine == Engine::Direct && direct::alignment(&checkpoint.scratch.file).is_none() {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    let (mut loads, mut found, start) = (Vec::new(), None, now_ns());
    while loads.len() < most && (loads.is_empty() || now_ns() - start < budget_ns) {
        let here = match prepare(checkpoint, state, loads.is_empty())? {
            Ok(here) => here,
            Err(reason) => return Ok(Err(reason)),
        };
        found = Some(here);
        match engines::load(engine, checkpoint, budget_ns / 2, &|| sink.stopped())? {
            Some(loaded) => loads.push(loaded),
            None => break,
        }
    }
    let found = found.unwrap_or(Residency { pages: 0, cached: 0, proof: "none" });
    Ok(Ok((loads, found)))
}

/// Evicts the file or reads it in, and asks the kernel whether that is so. For the first warm load the
/// file is read in anew, in order: the units in which the cache holds it depend on how it came there.
fn prepare(checkpoint: &Checkpoint, state: State, first: bool) -> io::Result<Result<Residency, Reason>> {
    let scratch = &checkpoint.scratch;
    if state == State::Cold {
        let left = evict(&scratch.file, scratch.bytes)?;
        let reason = || left.still_cached(scratch.filesystem.as_deref());
        return Ok(if left.is_cold() { Ok(left) } else { Err(reason()) });
    }
    if first {
        evict(&scratch.file, scratch.bytes)?;
        scratch.read_through(scratch.bytes)?;
    }
    let here = residency(&scratch.file, scratch.bytes)?;
    Ok(if here.is_warm() { Ok(here) } else { Err(here.not_cached()) })
}

fn push(
    sink: &Sink,
    watch: &Watch,
    keys: &[String],
    checkpoint: &Checkpoint,
    loads: &[Loaded],
    found: Residency,
) {
    let (Some(key), Some(last)) = (keys.first(), loads.last()) else { return };
    let rates: Vec<f64> = loads.iter().map(|load| load.bytes as f64 * 1e9 / load.ns.max(1) as f64).collect();
    let m = result::of_samples(key, memory::unit_of(key), METHOD, &rates);
    let m = m.map(|m| about(m, checkpoint, last, found));
    let right = loads.iter().all(|load| load.right);
    push_judged(sink, watch, m.map(|m| Measurement { verified: Some(right), ..m }));
    let Some(key) = keys.get(1) else { return };
    let measurement = if key.ends_with(".major") {
        let expected = last.bytes / crate::measure::mapping::page_bytes() as u64;
        let counts = [last.faults.major];
        let counted = Counted { key, method: METHOD, counts: &counts, expected, bytes: last.bytes };
        counted.measurement(|found| count_differs(found, expected))
    } else {
        let counts: Vec<u64> = loads.iter().map(|load| load.faults.all()).collect();
        let expected = last.expected_faults.unwrap_or(0);
        let counted = Counted { key, method: METHOD, counts: &counts, expected, bytes: last.bytes };
        let counted = counted.measurement(|found| count_differs(found, expected));
        // A buffer that `read` fills has no folios to be mapped at once.
        let by_folios = last.faults_by_folios.map(|faults| memory::per_gib(faults, last.bytes));
        let beside = predict::Beside { single: None, by_folios };
        if key == "load.read.faults" { counted } else { counted.map(|m| predict::judge_windows(m, beside)) }
    };
    if let Some(measurement) = measurement {
        sink.push(measurement);
    }
}

fn about(m: Measurement, checkpoint: &Checkpoint, load: &Loaded, found: Residency) -> Measurement {
    let mut m = m
        .param("size_bytes", checkpoint.scratch.bytes)
        .param("bytes", load.bytes)
        .param("seconds", load.ns as f64 / 1e9)
        .param("minor_faults", load.faults.minor)
        .param("major_faults", load.faults.major)
        .param("syscalls", load.syscalls)
        .param("threads", load.threads)
        .param("processor_ns_per_gib", memory::per_gib(load.processor_ns, load.bytes.max(1)))
        .param("pages_cached_before", found.cached)
        .param("proof", found.proof)
        .param("filesystem", checkpoint.scratch.filesystem.as_deref().unwrap_or("unknown"));
    if let Some(faults) = load.faults_by_folios {
        m = m.param("faults_by_folios", faults);
    }
    if let Some(bytes) = load.device_bytes {
        m = m.param("device_bytes", bytes);
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::keys::KEYS;

    #[test]
    fn the_ways_measure_every_key_of_the_list_and_no_other() {
        let mut measured: Vec<String> = Engine::ALL.into_iter().flat_map(keys).collect();
        let mut listed: Vec<String> =
            KEYS.iter().filter(|k| k.command == "drills memory load").map(|k| k.key.to_owned()).collect();
        measured.sort();
        listed.sort();
        assert_eq!(measured, listed);
    }
}
