//! `drills machine latency`: from an L1 hit to waking a thread and launching a kernel.

mod calls;
mod chase;
mod faults;
mod levels;
mod lines;
mod pairs;
mod wake;

use std::io;

use drills_results::topology::Topology;
use drills_results::{Measurement, Reason, Unit};

use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::host::{cpus, lists};
use crate::machine::topo;
use crate::measure::noise::Watch;
use crate::measure::pin::{self, Pinned};
use crate::measure::sample::Plan;
use crate::measure::{methods, result, room};
use crate::run::{Context, Sink};
use pairs::{Relation, Seats};

/// Cheapest first.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_else(|| topo::read(ctx, sink));
    let allowed = pin::allowed().unwrap_or_default();
    let seats = Seats::of(&topology, |cpu| cpus::package(&ctx.root, cpu), &allowed);
    let parts: [&dyn Fn(); 7] = [
        // First, while this program has touched next to nothing: later passes would find its own memory.
        &|| page_faults(ctx, sink),
        &|| chase(ctx, sink, &topology, &allowed),
        &|| line_transfers(ctx, sink, &seats),
        &|| false_sharing(ctx, sink, &seats),
        &|| kernel_calls(ctx, sink),
        &|| wake_ups(ctx, sink, &seats, &allowed),
        &|| job::take(ctx, sink, &[Step::Launch], job::With::default()),
    ];
    for part in parts {
        if sink.stopped() {
            return;
        }
        part();
    }
}

/// The first usable CPU of the fastest kind.
fn first_cpu(topology: &Topology, allowed: &[u32]) -> Option<u32> {
    let fastest = topology.core_kinds.first().map(|kind| lists::parse(&kind.cpus)).unwrap_or_default();
    allowed.iter().find(|cpu| fastest.contains(cpu)).or(allowed.first()).copied()
}

fn chase(ctx: &Context, sink: &Sink, topology: &Topology, allowed: &[u32]) {
    let Some(cpu) = first_cpu(topology, allowed) else { return };
    let pinned = Pinned::to(&[cpu]);
    let levels = levels::Levels::of(topology, cpu);
    let at_least = if ctx.quick { 64 << 20 } else { 1 << 30 };
    let largest = levels.largest(at_least, room::free_bytes());
    if let Err(error) = pinned {
        let keys = ["l1", "l2", "l3", "dram", "dram_page_per_line", "dram_huge", "by_size"];
        for key in keys {
            fail(sink, &format!("latency.chase.{key}"), methods::CHASE_LOCAL, &error);
        }
        return;
    }
    chase::Chase { levels, largest, cpu, quick: ctx.quick, sink }.run();
}

fn line_transfers(ctx: &Context, sink: &Sink, seats: &Seats) {
    let method = methods::LINE_PING_PONG;
    for relation in Relation::ALL {
        if sink.stopped() {
            return;
        }
        let Some(pair) = seats.pair(relation) else {
            let reason = Reason::new("no-such-pair", relation.missing(), "");
            sink.push(Measurement::skipped(relation.key(), Unit::Ns, method, reason));
            continue;
        };
        sink.step(&format!("a line between CPUs {} and {}", pair.0, pair.1));
        let watch = Watch::start();
        let time_ns = if ctx.quick { 30_000_000 } else { 300_000_000 };
        push(sink, &watch, relation.key(), method, lines::ping_pong(pair, time_ns, sink), pair);
    }
}

fn false_sharing(ctx: &Context, sink: &Sink, seats: &Seats) {
    let method = methods::COUNTERS_TWO_WRITERS;
    let keys = [("latency.false_sharing.shared", false), ("latency.false_sharing.padded", true)];
    for (key, padded) in keys {
        let Some(pair) = seats.neighbours() else {
            let reason = Reason::new("one-cpu", "Only one CPU may be used.", "Allow two CPUs or more.");
            sink.push(Measurement::skipped(key, Unit::Ns, method, reason));
            continue;
        };
        sink.step(if padded { "two counters, a line each" } else { "two counters in one line" });
        let watch = Watch::start();
        let (rounds, round_ns) = if ctx.quick { (9, 5_000_000) } else { (15, 20_000_000) };
        push(sink, &watch, key, method, lines::two_writers(pair, padded, rounds, round_ns, sink), pair);
    }
}

fn kernel_calls(ctx: &Context, sink: &Sink) {
    let plan = Plan { warm_up: 2, ..Plan::for_ms(if ctx.quick { 20 } else { 200 }) };
    sink.step("system calls and clocks");
    let watch = Watch::start();
    let syscall = result::of_samples("latency.syscall", Unit::Ns, methods::LOOP, &calls::syscall(plan, sink));
    push_judged(sink, &watch, syscall.map(|m| m.param("call", "getppid")));
    let watch = Watch::start();
    let clock = result::of_samples("latency.clock", Unit::Ns, methods::LOOP, &calls::clock(plan, sink));
    push_judged(sink, &watch, clock.map(|m| m.param("call", "clock_gettime(CLOCK_MONOTONIC)")));
}

fn page_faults(ctx: &Context, sink: &Sink) {
    // The cold pass is larger than what the kernel has lying ready from programs that ended just before.
    let (cold, recycled): (u64, u64) = if ctx.quick { (128 << 20, 64 << 20) } else { (1 << 30, 256 << 20) };
    // The last pass is the recycled one: after several, the freed pages are the next to be given out.
    let passes =
        [("latency.page_fault_cold", cold), ("", recycled), ("", recycled), ("latency.page_fault", recycled)];
    for (key, wanted) in passes {
        let bytes = wanted.min(room::free_bytes() / 16) as usize;
        sink.step("page faults");
        let watch = Watch::start();
        match faults::pass(bytes, sink) {
            Ok(pass) if !key.is_empty() && !sink.stopped() => {
                let m = result::of_latencies(key, methods::FAULT_FIRST_TOUCH, &pass.samples);
                let m = m.map(|m| {
                    m.param("size_bytes", bytes as u64).param("faults_per_page", pass.faults_per_page)
                });
                push_judged(sink, &watch, m.map(|m| faults::checked(m, pass.faults_per_page)));
            }
            Ok(_) => {}
            Err(error) if !key.is_empty() => fail(sink, key, methods::FAULT_FIRST_TOUCH, &error),
            Err(_) => {}
        }
    }
}

fn wake_ups(ctx: &Context, sink: &Sink, seats: &Seats, allowed: &[u32]) {
    let Some(pair) = seats.neighbours().or_else(|| allowed.first().map(|cpu| (*cpu, *cpu))) else { return };
    sink.step("waking a thread");
    let watch = Watch::start();
    let time_ns = if ctx.quick { 100_000_000 } else { 1_000_000_000 };
    let plan = Plan { warm_up: 10, time_ns, at_least: 100, at_most: 10_000 };
    let key = "latency.wake";
    match wake::measure(pair, plan, sink) {
        Ok(samples) => {
            let m = result::of_latencies(key, methods::WAKE_FUTEX, &samples);
            push_judged(sink, &watch, m.map(|m| m.param("cpus", format!("{},{}", pair.0, pair.1))));
        }
        Err(error) => fail(sink, key, methods::WAKE_FUTEX, &error),
    }
}

fn push(
    sink: &Sink,
    watch: &Watch,
    key: &str,
    method: &str,
    samples: io::Result<Vec<f64>>,
    pair: (u32, u32),
) {
    match samples {
        Ok(_) if sink.stopped() => {}
        Ok(samples) => {
            let m = result::of_samples(key, Unit::Ns, method, &samples);
            push_judged(sink, watch, m.map(|m| m.param("cpus", format!("{},{}", pair.0, pair.1))));
        }
        Err(error) => fail(sink, key, method, &error),
    }
}

fn push_judged(sink: &Sink, watch: &Watch, measurement: Option<Measurement>) {
    if let Some(measurement) = measurement {
        sink.push(watch.judge(measurement));
    }
}

fn fail(sink: &Sink, key: &str, method: &str, error: &io::Error) {
    let fix = "Start drills with the CPUs and memory it is to measure (taskset, cpuset, memory limit).";
    let reason = Reason::new("refused", format!("The kernel refused: {error}."), fix);
    sink.push(Measurement::failed(key, Unit::Ns, method, reason));
}
