//! Calls into the kernel, and the clock that avoids one.

use crate::measure::clock::now_ns;
use crate::measure::sample::{Plan, sample};
use crate::run::Sink;

/// Calls between two looks at the clock.
const CALLS: u32 = 1000;

/// Nanoseconds of the cheapest system call, straight to the kernel.
pub(super) fn syscall(plan: Plan, sink: &Sink) -> Vec<f64> {
    each(plan, sink, || {
        // SAFETY: getppid takes no arguments and cannot fail.
        std::hint::black_box(unsafe { libc::syscall(libc::SYS_getppid) });
    })
}

/// Nanoseconds of reading the clock as programs do, through libc.
pub(super) fn clock(plan: Plan, sink: &Sink) -> Vec<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    each(plan, sink, || {
        // SAFETY: the pointer is to a live timespec.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
        std::hint::black_box(&time);
    })
}

fn each(plan: Plan, sink: &Sink, mut call: impl FnMut()) -> Vec<f64> {
    sample(
        plan,
        || sink.stopped(),
        || {
            let start = now_ns();
            for _ in 0..CALLS {
                call();
            }
            (now_ns() - start) as f64 / f64::from(CALLS)
        },
    )
}
