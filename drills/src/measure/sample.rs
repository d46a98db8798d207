//! Taking samples for a fixed time.
//!
//! The number of samples follows from the time, never from calibration: a calibration loop that does
//! not converge on a busy machine hangs the program.

use crate::measure::clock::now_ns;

/// How long to sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Samples taken first and thrown away.
    pub warm_up: usize,
    /// Time after which no further sample is started, once `at_least` are there.
    pub time_ns: u64,
    /// Fewest samples, whatever the time.
    pub at_least: usize,
    /// Most samples.
    pub at_most: usize,
}

impl Plan {
    /// A plan by time with the usual bounds: 1 warm-up, at least 9 samples, at most 10,000.
    pub const fn for_ms(milliseconds: u64) -> Self {
        Self { warm_up: 1, time_ns: milliseconds * 1_000_000, at_least: 9, at_most: 10_000 }
    }
}

/// Calls `one` until the plan is fulfilled or `stopped` says so, and returns what it measured.
///
/// # Errors
/// The first error of `one`.
pub fn try_sample<E>(
    plan: Plan,
    mut stopped: impl FnMut() -> bool,
    mut one: impl FnMut() -> Result<f64, E>,
) -> Result<Vec<f64>, E> {
    for _ in 0..plan.warm_up {
        if stopped() {
            return Ok(Vec::new());
        }
        one()?;
    }
    let start = now_ns();
    let mut samples = Vec::new();
    while samples.len() < plan.at_most && !stopped() {
        if samples.len() >= plan.at_least && now_ns() - start >= plan.time_ns {
            break;
        }
        samples.push(one()?);
    }
    Ok(samples)
}

/// [`try_sample`] for work that cannot fail.
pub fn sample(plan: Plan, stopped: impl FnMut() -> bool, mut one: impl FnMut() -> f64) -> Vec<f64> {
    let result: Result<_, std::convert::Infallible> = try_sample(plan, stopped, || Ok(one()));
    match result {
        Ok(samples) => samples,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: fn() -> bool = || false;

    #[test]
    fn warm_up_samples_are_thrown_away() {
        let mut calls = 0.0;
        let plan = Plan { warm_up: 2, time_ns: 0, at_least: 3, at_most: 3 };
        let got = sample(plan, NEVER, || {
            calls += 1.0;
            calls
        });
        assert_eq!(got, [3.0, 4.0, 5.0]);
    }

    #[test]
    fn slow_samples_end_by_time_and_fast_ones_by_number() {
        let sleepy = Plan { warm_up: 0, time_ns: 2_000_000, at_least: 2, at_most: 1000 };
        let got = sample(sleepy, NEVER, || {
            std::thread::sleep(std::time::Duration::from_millis(5));
            0.0
        });
        assert_eq!(got.len(), 2);
        let fast = Plan { warm_up: 0, time_ns: u64::MAX, at_least: 1, at_most: 7 };
        assert_eq!(sample(fast, NEVER, || 0.0).len(), 7);
    }

    #[test]
    fn the_user_can_end_it_and_an_error_does() {
        let left = std::cell::Cell::new(3);
        let one = || {
            left.set(left.get() - 1);
            1.0
        };
        let got = sample(Plan::for_ms(10_000), || left.get() == 0, one);
        assert_eq!(got.len(), 2, "one of three went into the warm-up");
        let failed: Result<Vec<f64>, &str> = try_sample(Plan::for_ms(10_000), NEVER, || Err("no"));
        assert_eq!(failed, Err("no"));
    }
}
