//! Order statistics of samples.

use drills_results::Stats;

/// Spread of the samples; `None` when there are none. Samples must be finite.
pub fn summarise(samples: &[f64]) -> Option<Stats> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (&min, &max) = (sorted.first()?, sorted.last()?);
    let p50 = quantile(&sorted, 0.5);
    let mut deviations: Vec<f64> = sorted.iter().map(|x| (x - p50).abs()).collect();
    deviations.sort_by(f64::total_cmp);
    Some(Stats {
        n: sorted.len() as u64,
        min,
        p50,
        p90: quantile(&sorted, 0.9),
        p99: quantile(&sorted, 0.99),
        max,
        mad: quantile(&deviations, 0.5),
    })
}

/// Median; `None` when there are no samples.
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() { None } else { Some(quantile(&sorted, 0.5)) }
}

/// Quantile `q` of ascending samples, with linear interpolation between neighbours.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    // Written so that two equal neighbours give exactly their value.
    below + (above - below) * at.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_input_known_output() {
        // Median 3; deviations 1 2 0 97 1, their median 1.
        let stats = summarise(&[2.0, 1.0, 3.0, 100.0, 4.0]).expect("five samples");
        assert_eq!((stats.n, stats.min, stats.p50, stats.max, stats.mad), (5, 1.0, 3.0, 100.0, 1.0));
        assert!((stats.p90 - 61.6).abs() < 1e-9, "4 + 0.6 x 96: {}", stats.p90);
        assert!((stats.p99 - 96.16).abs() < 1e-9, "{}", stats.p99);
    }

    #[test]
    fn an_even_number_of_samples_has_its_median_between_two() {
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        assert_eq!(summarise(&[]), None);
    }

    #[test]
    fn one_sample_is_all_of_its_percentiles() {
        let stats = summarise(&[7.0]).expect("one sample");
        assert_eq!([stats.min, stats.p50, stats.p90, stats.p99, stats.max], [7.0; 5]);
        assert_eq!(stats.mad, 0.0);
    }

    #[test]
    fn percentiles_ascend_whatever_the_samples() {
        let samples: Vec<f64> = (0..1000).map(|i| f64::from((i * 7919) % 1009) * 0.1).collect();
        let s = summarise(&samples).expect("samples");
        assert!([s.min, s.p50, s.p90, s.p99, s.max].is_sorted(), "{s:?}");
    }
}
