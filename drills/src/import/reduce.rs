//! A run of nccl-tests as measurements.

use drills_results::foreign::{CollectivePoint, CollectiveRun};
use drills_results::{Measurement, Point, Reason, Unit};

use crate::measure::{methods, result};

/// A first size above this says nothing about the smallest messages.
const SMALL: u64 = 4096;
/// Rates below this are printed with so few digits that size over time tells more, GB/s.
const COARSE: f64 = 1.0;

/// All measurements of a run, `allreduce.*` for an all-reduce. `None` where nobody says which operation it is.
pub(super) fn measurements(run: &CollectiveRun, operation: Option<&str>) -> Option<Vec<Measurement>> {
    let operation = operation.map(str::to_owned).or_else(|| run.operation.clone()).or_else(|| guess(run))?;
    let word: String = operation.chars().filter(char::is_ascii_alphanumeric).collect();
    let word = word.to_ascii_lowercase();
    let factor = factor(run);
    let rate = |point: &CollectivePoint| {
        let printed = point.algbw_gb_per_s;
        if printed >= COARSE { printed * 1e9 } else { point.bytes as f64 * 1e6 / point.time_us }
    };
    let bus = |point: &CollectivePoint| {
        let printed = point.busbw_gb_per_s;
        if printed >= COARSE { printed * 1e9 } else { rate(point) * factor }
    };
    let count = |name: &str, value: Option<u32>| {
        let key = format!("{word}.{name}");
        match value {
            Some(value) => Measurement::ok(key, Unit::Count, f64::from(value), methods::IMPORT_NCCL_TESTS),
            None => {
                missing(key, Unit::Count, "The output lists no ranks.", "Keep the lines above the table.")
            }
        }
    };
    let all = vec![
        count("ranks", run.ranks),
        count("hosts", run.hosts),
        over_sizes(run, format!("{word}.rate"), rate)?,
        over_sizes(run, format!("{word}.bus"), bus)?,
        small(run, format!("{word}.small"))?,
    ];
    Some(all.into_iter().map(|m| described(run, &operation, m)).collect())
}

/// An operation that moves more than its size can only be an all-reduce.
fn guess(run: &CollectiveRun) -> Option<String> {
    (factor(run) > 1.02).then(|| "all_reduce".to_owned())
}

/// Bus over algorithm bandwidth, where both have the most digits.
fn factor(run: &CollectiveRun) -> f64 {
    let printed = run.points.iter().filter(|point| point.algbw_gb_per_s > 0.0);
    let widest = printed.max_by(|a, b| a.algbw_gb_per_s.total_cmp(&b.algbw_gb_per_s));
    widest.map_or(1.0, |point| point.busbw_gb_per_s / point.algbw_gb_per_s)
}

/// The quantity at the largest size, and over all of them. Sizes that come again are one point.
fn over_sizes(
    run: &CollectiveRun,
    key: String,
    value: impl Fn(&CollectivePoint) -> f64,
) -> Option<Measurement> {
    let points = curve(run, value);
    let last = *points.last()?;
    let m = Measurement::ok(key, Unit::BytesPerS, last.y, methods::IMPORT_NCCL_TESTS);
    Some(result::over_sizes(m.param("size_bytes", last.x), points))
}

fn small(run: &CollectiveRun, key: String) -> Option<Measurement> {
    let points = curve(run, |point| point.time_us * 1e3);
    let first = *points.first()?;
    if first.x > SMALL as f64 {
        let text = format!("The smallest size in the output is {} bytes.", first.x);
        return Some(missing(key, Unit::Ns, &text, "Run the test from 8 bytes on (-b 8)."));
    }
    let m = Measurement::ok(key, Unit::Ns, first.y, methods::IMPORT_NCCL_TESTS);
    Some(result::over_sizes(m.param("size_bytes", first.x), points))
}

fn curve(run: &CollectiveRun, value: impl Fn(&CollectivePoint) -> f64) -> Vec<Point> {
    let mut points = run.points.clone();
    points.sort_by_key(|point| point.bytes);
    let sizes = points.chunk_by(|a, b| a.bytes == b.bytes);
    let point = |same: &[CollectivePoint]| {
        let values: Vec<f64> = same.iter().map(&value).collect();
        result::point(same[0].bytes as f64, &values)
    };
    sizes.filter_map(point).collect()
}

fn missing(key: String, unit: Unit, text: &str, fix: &str) -> Measurement {
    let reason = Reason::new("not-in-output", text, fix);
    Measurement::skipped(key, unit, methods::IMPORT_NCCL_TESTS, reason)
}

fn described(run: &CollectiveRun, operation: &str, mut m: Measurement) -> Measurement {
    m = m.param("operation", operation);
    let texts = [("version", &run.version), ("nccl", &run.nccl_version), ("gpu", &run.gpu)];
    for (name, text) in texts {
        m = text.iter().fold(m, |m, text| m.param(name, text.as_str()));
    }
    m = run.ranks.iter().fold(m, |m, ranks| m.param("ranks", u64::from(*ranks)));
    if m.series.is_none() {
        return m;
    }
    // Without the comparison, as with versions that print the largest difference, nothing is said.
    let wrong: Option<Vec<f64>> = run.points.iter().map(|point| point.wrong).collect();
    m.verified = wrong.map(|wrong| wrong.iter().all(|n| *n == 0.0));
    if !run.complete {
        m.status = drills_results::Status::Unstable;
        m.reason = Some(Reason::new(
            "cut-off",
            "The line under the table is missing: larger sizes may be missing too.",
            "Give the whole output.",
        ));
    }
    m
}
