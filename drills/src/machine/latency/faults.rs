//! Minor page faults: memory that was never touched, and memory that was given back a moment ago.
//!
//! In a virtual machine whose host backs memory lazily the two differ by an order of magnitude: the
//! first touch measures the host, the next ones the guest's kernel.

use std::io;

use drills_results::{Measurement, Reason, Status};

use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::usage::Faults;
use crate::run::Sink;

/// Pages whose faults are timed together.
const PAGES_PER_SAMPLE: usize = 64;

/// Faults of the surroundings (page tables, the vector of samples) stay within this share.
const TOLERANCE: f64 = 0.05;

/// Samples of one pass over a fresh mapping.
#[derive(Debug, Default)]
pub(super) struct Pass {
    /// Nanoseconds for each page, by groups of pages.
    pub(super) samples: Vec<f64>,
    /// Faults that the kernel counted for each page.
    pub(super) faults_per_page: f64,
}

/// Maps `bytes`, writes to each page once, unmaps.
///
/// # Errors
/// The mapping could not be made.
pub(super) fn pass(bytes: usize, sink: &Sink) -> io::Result<Pass> {
    let page = page_bytes();
    let mut map = Mapping::new(bytes, Pages::Base)?;
    let before = Faults::of_thread();
    let mut samples = Vec::new();
    for group in map.chunks_exact_mut(page * PAGES_PER_SAMPLE) {
        if sink.stopped() {
            break;
        }
        let start = now_ns();
        for page in group.chunks_exact_mut(page) {
            // SAFETY: a valid, exclusive, non-empty slice.
            unsafe { std::ptr::write_volatile(page.as_mut_ptr(), 1) };
        }
        samples.push((now_ns() - start) as f64 / PAGES_PER_SAMPLE as f64);
    }
    let pages = (samples.len() * PAGES_PER_SAMPLE).max(1);
    let faults = Faults::of_thread().since(before).minor;
    Ok(Pass { samples, faults_per_page: faults as f64 / pages as f64 })
}

/// The measurement, marked where the kernel did not count one fault for each page: then something else
/// was timed, such as huge pages that came in spite of the advice.
pub(super) fn checked(measurement: Measurement, faults_per_page: f64) -> Measurement {
    if (faults_per_page - 1.0).abs() <= TOLERANCE {
        return measurement;
    }
    let reason = Reason::new(
        "fault-count",
        format!("The kernel counted {faults_per_page:.2} faults for each page; one was expected."),
        "Look at /sys/kernel/mm/transparent_hugepage, and run again while nothing else runs.",
    );
    Measurement { status: Status::Unstable, reason: Some(reason), ..measurement }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::Unit;

    #[test]
    fn one_fault_for_each_page_is_fine_and_anything_else_is_not() {
        let m = || Measurement::ok("latency.page_fault", Unit::Ns, 800.0, "fault.first_touch");
        assert_eq!(checked(m(), 1.002).status, Status::Ok);
        let huge = checked(m(), 1.0 / 512.0);
        assert_eq!(
            (huge.status, huge.reason.map(|r| r.code)),
            (Status::Unstable, Some("fault-count".into()))
        );
    }
}
