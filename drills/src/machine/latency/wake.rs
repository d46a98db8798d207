//! Waking a thread that sleeps on a futex.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustix::thread::futex::{self, Flags};

use crate::measure::clock::now_ns;
use crate::measure::pin::Pinned;
use crate::measure::sample::{Plan, sample};
use crate::run::Sink;

/// Time that the sleeper is given to fall asleep, in nanoseconds.
const FALL_ASLEEP_NS: u64 = 60_000;
/// A sleeper that nobody wakes looks around this often.
const NAP: Duration = Duration::from_millis(50);

#[derive(Debug, Default)]
#[repr(align(128))]
struct Bed {
    /// 0: sleep. 1: wake up.
    word: AtomicU32,
    /// Rounds that the sleeper has begun.
    in_bed: AtomicU64,
    /// Rounds that it has ended.
    up: AtomicU64,
    /// When it woke, on the clock of [`now_ns`].
    woken_ns: AtomicU64,
    over: AtomicBool,
}

/// Nanoseconds from just before the wake call to the woken thread's first look at the clock. The two
/// CPUs may be the same one.
///
/// # Errors
/// A thread could not be kept on its CPU.
pub(super) fn measure((waker, sleeper): (u32, u32), plan: Plan, sink: &Sink) -> io::Result<Vec<f64>> {
    let bed = Bed::default();
    let _pinned = Pinned::to(&[waker])?;
    std::thread::scope(|scope| {
        let sleep = scope.spawn(|| {
            let pinned = Pinned::to(&[sleeper]);
            if pinned.is_err() {
                bed.over.store(true, Ordering::SeqCst);
            }
            sleep_again_and_again(&bed);
            pinned.map(|_| ())
        });
        let mut round = 0;
        let stopped = || sink.stopped() || bed.over.load(Ordering::SeqCst);
        // A sample of a sleeper that was not asleep yet is negative and dropped below.
        let samples = sample(plan, stopped, || {
            round += 1;
            wake_once(&bed, round, stopped).unwrap_or(-1.0)
        });
        bed.over.store(true, Ordering::SeqCst);
        bed.word.store(1, Ordering::SeqCst);
        let _ = futex::wake(&bed.word, Flags::PRIVATE, 1);
        sleep.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))?;
        Ok(samples.into_iter().filter(|ns| *ns >= 0.0).collect())
    })
}

fn sleep_again_and_again(bed: &Bed) {
    let nap = rustix::time::Timespec { tv_sec: 0, tv_nsec: NAP.subsec_nanos().into() };
    while !bed.over.load(Ordering::SeqCst) {
        bed.in_bed.fetch_add(1, Ordering::SeqCst);
        while bed.word.load(Ordering::SeqCst) == 0 && !bed.over.load(Ordering::SeqCst) {
            let _ = futex::wait(&bed.word, Flags::PRIVATE, 0, Some(&nap));
        }
        bed.woken_ns.store(now_ns(), Ordering::SeqCst);
        bed.word.store(0, Ordering::SeqCst);
        bed.up.fetch_add(1, Ordering::SeqCst);
    }
}

/// One round; `None` when the sleeper was not asleep or the run is over.
fn wake_once(bed: &Bed, round: u64, stopped: impl Fn() -> bool) -> Option<f64> {
    wait_for(&bed.in_bed, round, &stopped)?;
    // On a CPU of its own the waker spins; where both share one, it has to let the sleeper run.
    let since = now_ns();
    while now_ns() - since < FALL_ASLEEP_NS {
        std::thread::yield_now();
    }
    let start = now_ns();
    bed.word.store(1, Ordering::SeqCst);
    let woken = futex::wake(&bed.word, Flags::PRIVATE, 1).unwrap_or(0);
    wait_for(&bed.up, round, &stopped)?;
    let end = bed.woken_ns.load(Ordering::SeqCst);
    (woken == 1).then(|| end.saturating_sub(start) as f64)
}

fn wait_for(counter: &AtomicU64, value: u64, stopped: &impl Fn() -> bool) -> Option<()> {
    while counter.load(Ordering::SeqCst) < value {
        if stopped() {
            return None;
        }
        std::thread::yield_now();
    }
    Some(())
}
