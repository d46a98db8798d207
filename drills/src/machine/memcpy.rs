//! How fast CPUs copy memory: the rate that bounds every copy through ordinary memory.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};

use drills_results::topology::Topology;
use drills_results::{Measurement, Reason, Status, Unit};

use crate::gpu::protocol::Place;
use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages};
use crate::measure::noise::Watch;
use crate::measure::numa::{self, Placement};
use crate::measure::pin::Pinned;
use crate::measure::result;
use crate::run::Sink;

/// A buffer this many times the last-level cache is not served from it.
const TIMES_CACHE: u64 = 4;
/// Smallest buffer, for machines that do not tell their caches.
const SMALLEST: u64 = 256 << 20;
/// Each of the two buffers takes at most this share of free memory.
const SHARE_OF_FREE: u64 = 8;

/// How much to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amount {
    /// Bytes of the source, and as many of the destination.
    pub(super) bytes: u64,
    /// Last-level cache in bytes.
    pub(super) cache: u64,
}

impl Amount {
    /// Four times the last-level cache, if free memory allows.
    pub(super) fn of(topology: &Topology, free_bytes: u64) -> Self {
        let cache = last_level_cache(topology);
        let wanted = (TIMES_CACHE * cache).max(SMALLEST);
        Self { bytes: wanted.min(free_bytes / SHARE_OF_FREE), cache }
    }

    fn is_deflated(self) -> bool {
        self.bytes < TIMES_CACHE * self.cache
    }
}

/// Largest single cache, in bytes.
pub(super) fn last_level_cache(topology: &Topology) -> u64 {
    topology.caches.iter().map(|cache| cache.bytes).max().unwrap_or(0)
}

/// Rate of one thread on each of `cpus`, all at once, each with its share of the amount.
///
/// With a place, memory is bound to its node where that is allowed.
pub(super) fn measure(
    key: &str,
    method: &'static str,
    cpus: &[u32],
    place: Option<&Place>,
    amount: Amount,
    quick: bool,
    sink: &Sink,
) -> Option<Measurement> {
    let watch = Watch::start();
    let each = (amount.bytes / cpus.len().max(1) as u64) as usize;
    let crew = Crew {
        barrier: Barrier::new(cpus.len()),
        over: AtomicBool::new(false),
        rounds: if quick { 9 } else { 21 },
        round_ns: if quick { 30_000_000 } else { 100_000_000 },
    };
    let members: Vec<Member> = std::thread::scope(|scope| {
        let start = |cpu: &u32| {
            let (cpu, crew) = (*cpu, &crew);
            scope.spawn(move || crew.member(cpu, each, place.and_then(|place| place.node), sink))
        };
        let threads: Vec<_> = cpus.iter().map(start).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    if let Some(reason) = members.iter().find_map(|member| member.trouble.clone()) {
        return Some(Measurement::failed(key, Unit::BytesPerS, method, reason));
    }
    let rounds = members.iter().map(|member| member.rates.len()).min().unwrap_or(0);
    let rates: Vec<f64> =
        (0..rounds).map(|round| members.iter().map(|member| member.rates[round]).sum()).collect();
    let measurement = result::of_samples(key, Unit::BytesPerS, method, &rates)?;
    let measurement =
        Measurement { verified: Some(members.iter().all(|member| member.right)), ..measurement };
    let measurement = measurement
        .param("size_bytes", amount.bytes)
        .param("threads", cpus.len() as u64)
        .param("last_level_cache_bytes", amount.cache);
    Some(judge(watch, describe(measurement, &members, place), amount))
}

fn describe(mut measurement: Measurement, members: &[Member], place: Option<&Place>) -> Measurement {
    let huge = members.iter().filter_map(|member| member.huge_share).reduce(f64::min);
    if let Some(share) = huge {
        measurement = measurement.param("huge_page_share", share);
    }
    if place.is_some_and(|place| place.node.is_some()) {
        let bound = members.iter().all(|member| member.placement == Some(Placement::Bound));
        let placement = if bound { Placement::Bound } else { Placement::FirstTouch };
        measurement = measurement.param("placement", placement.name());
        if let Some(share) = members.iter().filter_map(|member| member.share_on_node).reduce(f64::min) {
            measurement = measurement.param("share_on_node", share);
        }
    }
    measurement
}

fn judge(watch: Watch, measurement: Measurement, amount: Amount) -> Measurement {
    let mut measurement = watch.judge(measurement);
    if measurement.status == Status::Ok && amount.is_deflated() {
        measurement.status = Status::Unstable;
        measurement.reason = Some(Reason::new(
            "cache-deflated",
            format!(
                "The buffer of {} MiB is less than four times the last-level cache of {} MiB.",
                amount.bytes >> 20,
                amount.cache >> 20
            ),
            "Free memory and run again.",
        ));
    }
    measurement
}

/// What all threads share.
struct Crew {
    barrier: Barrier,
    over: AtomicBool,
    rounds: usize,
    round_ns: u64,
}

/// What one thread brought back.
#[derive(Default)]
struct Member {
    rates: Vec<f64>,
    right: bool,
    huge_share: Option<f64>,
    placement: Option<Placement>,
    share_on_node: Option<f64>,
    trouble: Option<Reason>,
}

impl Crew {
    fn member(&self, cpu: u32, bytes: usize, node: Option<u32>, sink: &Sink) -> Member {
        let prepared = prepare(cpu, bytes, node);
        if prepared.is_err() {
            self.over.store(true, Ordering::SeqCst);
        }
        self.barrier.wait();
        if self.over.load(Ordering::SeqCst) {
            return Member { trouble: prepared.err(), ..Member::default() };
        }
        let Ok((_pinned, from, mut to, placement)) = prepared else { return Member::default() };
        let mut rates = Vec::new();
        for round in 0..=self.rounds {
            // Whoever leads decides for all whether the run goes on, so that nobody waits for ever.
            if self.barrier.wait().is_leader() && sink.stopped() {
                self.over.store(true, Ordering::SeqCst);
            }
            self.barrier.wait();
            if self.over.load(Ordering::SeqCst) {
                break;
            }
            let rate = copy_for(self.round_ns, &from, &mut to);
            // The first round warms up.
            if round > 0 {
                rates.push(rate);
            }
        }
        let huge = from.huge_bytes().map(|bytes| bytes as f64 / from.len() as f64);
        let share_on_node = node.and_then(|node| numa::share_on(&to, node));
        Member { rates, right: from[..] == to[..], huge_share: huge, placement, share_on_node, trouble: None }
    }
}

type Prepared = (Pinned, Mapping, Mapping, Option<Placement>);

/// A pinned thread with its two touched buffers.
fn prepare(cpu: u32, bytes: usize, node: Option<u32>) -> Result<Prepared, Reason> {
    let pinned = Pinned::to(&[cpu]).map_err(|error| {
        let fix = "Start drills with the CPUs it is to measure (taskset, cpuset).";
        Reason::new("not-pinned", format!("A thread could not be kept on CPU {cpu}: {error}."), fix)
    })?;
    let map = || {
        Mapping::new(bytes, Pages::Huge).map_err(|error| {
            Reason::new("no-room", format!("mmap failed: {error}."), "Free memory and run again.")
        })
    };
    let (mut from, mut to) = (map()?, map()?);
    let placement = node.map(|node| match (numa::place(&from, node), numa::place(&to, node)) {
        (Placement::Bound, Placement::Bound) => Placement::Bound,
        _ => Placement::FirstTouch,
    });
    for (index, chunk) in from.chunks_exact_mut(8).enumerate() {
        chunk.copy_from_slice(&(index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_ne_bytes());
    }
    to.touch();
    Ok((pinned, from, to, placement))
}

/// Copies the whole buffer again and again for a while; bytes per second.
fn copy_for(round_ns: u64, from: &Mapping, to: &mut Mapping) -> f64 {
    let start = now_ns();
    let mut copied = 0u64;
    loop {
        to.copy_from_slice(std::hint::black_box(&from[..]));
        std::hint::black_box(&mut to[..]);
        copied += from.len() as u64;
        let ns = now_ns() - start;
        if ns >= round_ns {
            return copied as f64 * 1e9 / ns as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::topology::Cache;

    fn with_cache(bytes: u64) -> Topology {
        let cache = Cache {
            level: 3,
            kind: "unified".into(),
            bytes,
            line_bytes: Some(64),
            shared_by: vec!["0-1".into()],
        };
        Topology { caches: vec![cache], ..Topology::default() }
    }

    #[test]
    fn the_buffer_is_four_times_the_cache_unless_memory_is_short() {
        let roomy = Amount::of(&with_cache(300 << 20), 64 << 30);
        assert_eq!((roomy.bytes, roomy.is_deflated()), (1200 << 20, false));
        let tight = Amount::of(&with_cache(300 << 20), 4 << 30);
        assert_eq!((tight.bytes, tight.is_deflated()), (512 << 20, true));
        assert_eq!(Amount::of(&Topology::default(), 64 << 30).bytes, SMALLEST);
    }

    #[test]
    fn a_copy_is_right_and_takes_time() {
        let mut from = Mapping::new(1 << 20, Pages::Base).expect("memory");
        let mut to = Mapping::new(1 << 20, Pages::Base).expect("memory");
        from.fill(7);
        assert!(copy_for(1_000_000, &from, &mut to) > 1e6);
        assert!(to.iter().all(|byte| *byte == 7));
    }
}
