//! The reader's own all-reduce, from their results file.

use drills_results::Report;

/// Keys of the results format that the figure reads.
pub const RATE: &str = "allreduce.rate";
/// Number of GPUs in the run.
pub const RANKS: &str = "allreduce.ranks";
/// Number of hosts in the run.
pub const HOSTS: &str = "allreduce.hosts";

/// A run of the reader's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnRuns {
    /// Label of the machine; empty if there is no run.
    pub label: String,
    /// GPUs.
    pub ranks: f64,
    /// Hosts; 0 if the file does not say.
    pub hosts: f64,
    /// Bytes and microseconds.
    pub points: Vec<(f64, f64)>,
}

impl OwnRuns {
    /// The run in a report: the series over size, or the one value if its size is known.
    pub fn of(report: &Report) -> Self {
        let ranks = report.value(RANKS).filter(|n| *n >= 2.0 && n.is_finite());
        let (Some(rate), Some(ranks)) = (report.find(RATE).filter(|m| m.status.has_value()), ranks) else {
            return Self::default();
        };
        let time = |bytes: f64, bytes_per_s: f64| (bytes, bytes / bytes_per_s * 1e6);
        let sound = |(bytes, us): &(f64, f64)| *bytes >= 1.0 && us.is_finite() && *us > 0.0;
        let series = rate.series.iter().flat_map(|s| &s.points);
        let points: Vec<_> = series.map(|p| time(p.x, p.y)).filter(sound).collect();
        if points.is_empty() {
            return Self::default();
        }
        Self { label: report.label.clone(), ranks, hosts: report.value(HOSTS).unwrap_or(0.0), points }
    }

    /// Time of the point whose size is nearest to `bytes`, at most a factor of 1.5 away.
    pub fn near(&self, bytes: f64) -> Option<(f64, f64)> {
        let far = |point: &(f64, f64)| (point.0 / bytes).ln().abs();
        let best = self.points.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        (far(&best) < 1.5f64.ln()).then_some(best)
    }
}
