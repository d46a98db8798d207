//! The reader's own chase.

use drills_results::Report;

/// A measured curve: time per read over the working set.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnChase {
    /// What was measured.
    pub name: &'static str,
    /// Working set in bytes, time in nanoseconds; ascending.
    pub points: Vec<(f64, f64)>,
}

/// Chases with one line in each page, and the one that is taken where they are missing.
const CHASES: [(&str, &str); 2] =
    [("tlb.chase.base", "yours, base pages"), ("tlb.chase.huge", "yours, huge pages")];
const BY_SIZE: (&str, &str) = ("latency.chase.by_size", "yours, any line");

/// Curves of a report that make sense on the chart.
pub fn chases(report: &Report) -> Vec<OwnChase> {
    let found: Vec<OwnChase> = CHASES.into_iter().filter_map(|c| chase(report, c)).collect();
    if found.is_empty() { chase(report, BY_SIZE).into_iter().collect() } else { found }
}

fn chase(report: &Report, (key, name): (&str, &'static str)) -> Option<OwnChase> {
    let series = report.find(key)?.series.as_ref()?;
    let sane = |(x, y): &(f64, f64)| *x > 0.0 && *y > 0.0 && x.is_finite() && y.is_finite();
    // In ascending x: the importer refuses a series that is not.
    let points: Vec<(f64, f64)> = series.points.iter().map(|p| (p.x, p.y)).filter(sane).collect();
    (!points.is_empty()).then_some(OwnChase { name, points })
}
