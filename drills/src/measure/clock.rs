//! Time that nobody adjusts.
//!
//! `CLOCK_MONOTONIC_RAW` is read through the vDSO, is the same on all CPUs, and is not slewed by NTP.
//! The time-stamp counter alone is none of that in a virtual machine.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds since some fixed moment before the process started.
#[inline]
pub fn now_ns() -> u64 {
    let t = clock_gettime(ClockId::MonotonicRaw);
    (t.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(t.tv_nsec as u64)
}

/// Nanoseconds that `work` took, and what it returned.
#[inline]
pub fn time_ns<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let start = now_ns();
    let result = work();
    (now_ns() - start, result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_sleep_takes_at_least_its_time() {
        let (ns, ()) = time_ns(|| std::thread::sleep(Duration::from_millis(3)));
        assert!((3_000_000..3_000_000_000).contains(&ns), "{ns}");
    }
}
