//! From samples to a measurement.

use drills_results::{Measurement, Point, Series, Unit};

use crate::measure::{histogram, stats};

/// A measurement whose value is the median of the samples. `None` without samples, which happens when
/// the user ends the run.
pub fn of_samples(key: impl Into<String>, unit: Unit, method: &str, samples: &[f64]) -> Option<Measurement> {
    let stats = stats::summarise(samples)?;
    Some(Measurement { stats: Some(stats), ..Measurement::ok(key, unit, stats.p50, method) })
}

/// [`of_samples`] with the distribution, for latencies.
pub fn of_latencies(key: impl Into<String>, method: &str, samples_ns: &[f64]) -> Option<Measurement> {
    let measurement = of_samples(key, Unit::Ns, method, samples_ns)?;
    Some(Measurement { histogram: histogram::of(samples_ns), ..measurement })
}

/// The point of a series at `x`: median, smallest and largest sample.
pub fn point(x: f64, samples: &[f64]) -> Option<Point> {
    let stats = stats::summarise(samples)?;
    Some(Point { x, y: stats.p50, range: Some((stats.min, stats.max)) })
}

/// The measurement with a series over buffer sizes.
pub fn over_sizes(measurement: Measurement, points: Vec<Point>) -> Measurement {
    let series = (!points.is_empty()).then(|| Series { x: "size".into(), x_unit: Unit::Bytes, points });
    Measurement { series, ..measurement }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_is_the_median_and_the_spread_comes_along() {
        let m = of_latencies("latency.syscall", "loop", &[3.0, 1.0, 2.0]).expect("samples");
        assert_eq!((m.value, m.stats.map(|s| s.n)), (Some(2.0), Some(3)));
        assert_eq!(m.histogram.map(|h| h.bins.iter().map(|b| b.count).sum()), Some(3u64));
        assert_eq!(of_samples("latency.syscall", Unit::Ns, "loop", &[]), None);
    }

    #[test]
    fn a_series_keeps_range_and_unit() {
        let points = vec![point(4096.0, &[1.0, 5.0, 2.0]).expect("samples")];
        let m = over_sizes(Measurement::ok("copy.d2d", Unit::BytesPerS, 1.0, "x"), points);
        let series = m.series.expect("points make a series");
        assert_eq!(
            (series.x_unit, series.points[0].y, series.points[0].range),
            (Unit::Bytes, 2.0, Some((1.0, 5.0)))
        );
    }
}
