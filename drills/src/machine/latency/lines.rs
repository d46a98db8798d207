//! Cache lines between two CPUs: handing one over, and fighting for one.

use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

use crate::measure::clock::now_ns;
use crate::measure::pin::Pinned;
use crate::measure::sample::{Plan, sample};
use crate::run::Sink;

/// A value alone on its lines: 128 bytes, since some CPUs fetch lines in pairs or have lines that long.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Alone(AtomicU64);

/// Tells the partner to end.
const END: u64 = u64::MAX;
/// Round trips in a sample.
const ROUNDS: u64 = 500;

/// One-way times in nanoseconds: half of a round through two lines.
///
/// # Errors
/// A thread could not be kept on its CPU.
pub(super) fn ping_pong((a, b): (u32, u32), time_ns: u64, sink: &Sink) -> io::Result<Vec<f64>> {
    let (ping, pong) = (Alone::default(), Alone::default());
    let _pinned = Pinned::to(&[a])?;
    std::thread::scope(|scope| {
        let (ready, is_ready) = sync_channel(1);
        let (ping, pong) = (&ping, &pong);
        scope.spawn(move || {
            let pinned = Pinned::to(&[b]);
            let fine = pinned.is_ok();
            let _ =
                ready.send(pinned.as_ref().map(|_| ()).map_err(|e| io::Error::new(e.kind(), e.to_string())));
            if fine {
                echo(ping, pong);
            }
        });
        is_ready.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))?;
        let mut turn = 0;
        let plan = Plan { warm_up: 1, time_ns, at_least: 9, at_most: 2000 };
        let samples = sample(
            plan,
            || sink.stopped(),
            || {
                let start = now_ns();
                for _ in 0..ROUNDS {
                    turn += 1;
                    ping.0.store(turn, Ordering::Release);
                    while pong.0.load(Ordering::Acquire) != turn {}
                }
                (now_ns() - start) as f64 / (2 * ROUNDS) as f64
            },
        );
        ping.0.store(END, Ordering::Release);
        Ok(samples)
    })
}

fn echo(ping: &Alone, pong: &Alone) {
    let mut seen = 0;
    loop {
        let value = ping.0.load(Ordering::Acquire);
        if value == END {
            return;
        }
        if value != seen {
            seen = value;
            pong.0.store(value, Ordering::Release);
        }
    }
}

/// Two counters in one line.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Together([AtomicU64; 2]);

/// Nanoseconds of one addition when two threads add to their own counters at once.
///
/// # Errors
/// A thread could not be kept on its CPU.
pub(super) fn two_writers(
    cpus: (u32, u32),
    padded: bool,
    rounds: usize,
    round_ns: u64,
    sink: &Sink,
) -> io::Result<Vec<f64>> {
    let together = Together::default();
    let apart = [Alone::default(), Alone::default()];
    let counter = |who: usize| if padded { &apart[who].0 } else { &together.0[who] };
    let crew = Crew { barrier: Barrier::new(2), over: AtomicBool::new(false), rounds, round_ns };
    let (first, second) = std::thread::scope(|scope| {
        let crew = &crew;
        let (mine, other) = (counter(0), counter(1));
        let partner = scope.spawn(move || crew.write(cpus.1, other, sink));
        let first = crew.write(cpus.0, mine, sink);
        let second = partner.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
        (first, second)
    });
    Ok(first?.iter().zip(second?).map(|(a, b)| (a + b) / 2.0).collect())
}

struct Crew {
    barrier: Barrier,
    over: AtomicBool,
    rounds: usize,
    round_ns: u64,
}

impl Crew {
    fn write(&self, cpu: u32, counter: &AtomicU64, sink: &Sink) -> io::Result<Vec<f64>> {
        let pinned = Pinned::to(&[cpu]);
        let mut costs = Vec::new();
        if pinned.is_err() {
            self.over.store(true, Ordering::SeqCst);
        }
        for round in 0..=self.rounds {
            // Whoever leads decides for both, so that neither waits for the other for ever.
            if self.barrier.wait().is_leader() && sink.stopped() {
                self.over.store(true, Ordering::SeqCst);
            }
            self.barrier.wait();
            if self.over.load(Ordering::SeqCst) {
                break;
            }
            let cost = add_for(self.round_ns, counter);
            // The first round warms up.
            if round > 0 {
                costs.push(cost);
            }
        }
        pinned.map(|_| costs)
    }
}

fn add_for(round_ns: u64, counter: &AtomicU64) -> f64 {
    const BETWEEN_LOOKS: u64 = 1000;
    let start = now_ns();
    let mut added = 0;
    loop {
        for _ in 0..BETWEEN_LOOKS {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        added += BETWEEN_LOOKS;
        let ns = now_ns() - start;
        if ns >= round_ns {
            return ns as f64 / added as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_what_their_names_say() {
        let together = Together::default();
        let line = |counter: &AtomicU64| std::ptr::from_ref(counter) as usize / 64;
        assert_eq!(line(&together.0[0]), line(&together.0[1]));
        let apart = [Alone::default(), Alone::default()];
        assert!(line(&apart[1].0) - line(&apart[0].0) >= 2);
    }

    #[test]
    fn counting_counts() {
        let counter = AtomicU64::new(0);
        let cost = add_for(100_000, &counter);
        assert!(cost > 0.0);
        assert!(counter.load(Ordering::Relaxed) >= 1000);
    }
}
