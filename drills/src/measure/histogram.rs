//! Distributions in logarithmic bins.

use drills_results::{Bin, Histogram};

/// Bins in each factor of ten: a bin is about 12 % wide, and eight decades fit 160 bins.
const BINS_PER_DECADE: f64 = 20.0;

/// The samples in bins whose upper edges are `10^(k/20)`. Samples must be positive; others land in the
/// lowest bin that exists.
pub fn of(samples: &[f64]) -> Option<Histogram> {
    let mut counts = std::collections::BTreeMap::<i32, u64>::new();
    for sample in samples {
        *counts.entry(bin_of(*sample)).or_default() += 1;
    }
    if counts.is_empty() {
        return None;
    }
    let bins = counts.into_iter().map(|(k, count)| Bin { upto: upper_edge(k), count }).collect();
    Some(Histogram { bins })
}

fn bin_of(sample: f64) -> i32 {
    // Rounding down first keeps a sample that equals an edge in the bin below the edge.
    let k = (sample.max(1e-3).log10() * BINS_PER_DECADE).ceil() as i32;
    if sample <= upper_edge(k - 1) { k - 1 } else { k }
}

fn upper_edge(k: i32) -> f64 {
    10f64.powf(f64::from(k) / BINS_PER_DECADE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_lies_in_its_bin() {
        let samples = [1.0, 1.05, 10.0, 99.0, 100.0, 123_456.0];
        let histogram = of(&samples).expect("samples");
        let total: u64 = histogram.bins.iter().map(|b| b.count).sum();
        assert_eq!(total, 6);
        assert!(histogram.bins.is_sorted_by(|a, b| a.upto < b.upto));
        let upto_100: u64 = histogram.bins.iter().filter(|b| b.upto <= 100.01).map(|b| b.count).sum();
        assert_eq!(upto_100, 5, "an edge belongs to the bin below it");
        assert!(histogram.bins[0].upto >= 1.0 && histogram.bins[0].upto < 1.13);
    }

    #[test]
    fn nothing_gives_nothing_and_zero_does_not_break_it() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0.0]).map(|h| h.bins.len()), Some(1));
    }
}
