//! What virtual memory costs: `drills memory`.

mod cache;
pub mod cow;
pub mod faults;
mod file_map;
mod folios;
pub mod info;
pub mod load;
mod predict;
pub(crate) mod scratch;
pub mod tlb;
pub mod to_gpu;

pub(crate) use cache::{Residency, evict, residency};
pub(crate) use file_map::{FileMap, Use};

use drills_results::{Measurement, Reason, Status, Unit, keys};

use crate::measure::noise::Watch;
use crate::measure::result;
use crate::run::Sink;

/// Counts and times of mappings are scaled to this size.
pub(crate) const GIB: u64 = 1 << 30;

/// An amount for `bytes`, scaled to 1 GiB.
pub(crate) fn per_gib(amount: u64, bytes: u64) -> f64 {
    amount as f64 * GIB as f64 / bytes as f64
}

/// Unit of a key of the list; patterns included.
fn unit_of(key: &str) -> Unit {
    keys::find(key).map_or(Unit::Count, |info| info.unit)
}

/// Pushes a measurement, marked if its surroundings were noisy.
fn push_judged(sink: &Sink, watch: &Watch, measurement: Option<Measurement>) {
    if let Some(measurement) = measurement {
        sink.push(watch.judge(measurement));
    }
}

fn skip(sink: &Sink, key: &str, method: &str, reason: &Reason) {
    sink.push(Measurement::skipped(key, unit_of(key), method, reason.clone()));
}

fn fail(sink: &Sink, key: &str, method: &str, error: &std::io::Error) {
    let fix = "Free memory, or raise the limit of the control group, and run again.";
    let reason = Reason::new("refused", format!("The kernel refused: {error}."), fix);
    sink.push(Measurement::failed(key, unit_of(key), method, reason));
}

/// Faults that were counted in some passes over `bytes`, beside the number that was predicted for each.
#[derive(Clone, Debug)]
pub(crate) struct Counted<'a> {
    /// Key of the list.
    pub(crate) key: &'a str,
    /// Method.
    pub(crate) method: &'a str,
    /// Faults of each pass.
    pub(crate) counts: &'a [u64],
    /// Faults predicted for a pass.
    pub(crate) expected: u64,
    /// Bytes touched in a pass.
    pub(crate) bytes: u64,
}

impl Counted<'_> {
    /// The measurement, scaled to 1 GiB. `unstable` when the median differs from the prediction, with the
    /// first suspect in the words of `why`, which gets the median.
    pub(crate) fn measurement(&self, why: impl FnOnce(u64) -> Reason) -> Option<Measurement> {
        let scaled: Vec<f64> = self.counts.iter().map(|count| per_gib(*count, self.bytes)).collect();
        let measurement = result::of_samples(self.key, Unit::Count, self.method, &scaled)?
            .param("expected", per_gib(self.expected, self.bytes))
            .param("size_bytes", self.bytes);
        let mut sorted = self.counts.to_vec();
        sorted.sort_unstable();
        // The middle pass, so that one disturbed pass of several does not decide.
        let middle = sorted[sorted.len() / 2];
        let value = Some(per_gib(middle, self.bytes));
        if middle == self.expected {
            return Some(Measurement { value, ..measurement });
        }
        Some(Measurement { value, status: Status::Unstable, reason: Some(why(middle)), ..measurement })
    }
}

/// A reason for a count that nothing else explains.
fn count_differs(counted: u64, expected: u64) -> Reason {
    Reason::new(
        "count-differs",
        format!("{counted} faults were counted in a pass, {expected} were predicted."),
        "Run again; if it stays, something in this kernel differs from what the course says.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(counts: &[u64]) -> Measurement {
        let key = "fault.anon_base.count";
        let counted = Counted { key, method: "fault.counted", counts, expected: 128, bytes: GIB / 2 };
        counted.measurement(|found| count_differs(found, 128)).expect("passes")
    }

    #[test]
    fn a_count_is_scaled_and_stands_beside_its_prediction() {
        let exact = counted(&[128, 128, 131]);
        assert_eq!((exact.value, exact.status), (Some(256.0), Status::Ok));
        assert_eq!(exact.params.get("expected"), Some(&256.0.into()));
        let wrong = counted(&[128, 131, 131]);
        assert_eq!((wrong.value, wrong.status), (Some(262.0), Status::Unstable));
        assert!(wrong.reason.is_some_and(|r| r.code == "count-differs" && r.text.contains("131")));
    }
}
