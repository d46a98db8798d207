//! Rows of the table: one for each key that some machine has, in the order of the course.

use diagrams::kit::ascending;
use drills_results::keys::{self, Better};
use drills_results::{Measurement, Status};

use super::Column;
use crate::units;

/// Rows of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Title, such as "Copies".
    pub title: &'static str,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// One key across all machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Result key.
    pub key: String,
    /// Label for people.
    pub label: String,
    /// Command that measures it.
    pub command: &'static str,
    /// A value for each column; absent where a machine does not have the key.
    pub values: Vec<Option<Value>>,
}

/// One machine's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Formatted number; the status in words where there is none.
    pub text: String,
    /// Spread of the samples, such as "54.1 to 54.9 GB/s, n = 31".
    pub spread: Option<String>,
    /// Status word when it is not `ok`.
    pub status: Option<&'static str>,
    /// What was found and what would change it.
    pub reason: Option<String>,
    /// The copied bytes were compared and found wrong.
    pub corrupt: bool,
    /// Share of the best value in the row, 0 to 1, where better has a meaning.
    pub share: Option<f64>,
}

const TITLES: [(&str, &str); 7] = [
    ("topo", "What is in the box"),
    ("latency", "Latencies"),
    ("gpu", "Launching work on the GPU"),
    ("memcpy", "Copies within host memory"),
    ("copy", "Copies between host and GPU"),
    ("pin", "Price of pinning"),
    ("place", "Placement"),
];

/// All rows, by subject.
pub fn subjects(columns: &[Column]) -> Vec<Subject> {
    let mut found: Vec<Subject> = Vec::new();
    for key in keys_in_order(columns) {
        let subject = key.split('.').next().unwrap_or_default();
        let title = TITLES.iter().find(|(word, _)| *word == subject).map_or("More", |&(_, title)| title);
        let row = row(&key, columns);
        match found.iter_mut().find(|s| s.title == title) {
            Some(subject) => subject.rows.push(row),
            None => found.push(Subject { title, rows: vec![row] }),
        }
    }
    found
}

/// Known keys in the order of the course, then the others in the order of the files.
fn keys_in_order(columns: &[Column]) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    let mut places: Vec<f64> = Vec::new();
    let mut known = std::collections::BTreeSet::new();
    for measurement in columns.iter().flat_map(|c| &c.report.measurements) {
        if known.insert(measurement.key.as_str()) {
            let place = keys::find(&measurement.key)
                .and_then(|info| keys::KEYS.iter().position(|k| k.key == info.key))
                .map_or(f64::INFINITY, |place| place as f64);
            seen.push(measurement.key.clone());
            places.push(place);
        }
    }
    // Keys of one pattern stay in the order of the files.
    ascending(&places).into_iter().map(|i| seen[i].clone()).collect()
}

fn row(key: &str, columns: &[Column]) -> Row {
    let info = keys::find(key);
    let label = match info {
        Some(info) => match info.key.strip_suffix('*') {
            Some(prefix) => format!("{} {}", info.label, key[prefix.len()..].replace('_', " ")),
            None => info.label.to_owned(),
        },
        None => key.to_owned(),
    };
    let better = info.map_or(Better::Neither, |i| i.better);
    let best = best(columns.iter().filter_map(|c| c.report.value(key)), better);
    let values = columns.iter().map(|c| c.report.find(key).map(|m| value(m, better, best))).collect();
    Row { key: key.to_owned(), label, command: info.map_or("drills", |i| i.command), values }
}

fn best(values: impl Iterator<Item = f64>, better: Better) -> Option<f64> {
    match better {
        Better::Higher => values.reduce(f64::max),
        Better::Lower => values.filter(|v| *v > 0.0).reduce(f64::min),
        Better::Neither => None,
    }
}

fn value(m: &Measurement, better: Better, best: Option<f64>) -> Value {
    let number = m.value.filter(|_| m.status.has_value());
    let status = match m.status {
        Status::Ok => None,
        Status::Unstable => Some("unstable"),
        Status::Skipped => Some("skipped"),
        Status::Failed => Some("failed"),
        Status::Interrupted => Some("interrupted"),
    };
    let text = number.map_or_else(|| status.unwrap_or("no value").to_owned(), |v| units::quantity(v, m.unit));
    let spread = m.stats.filter(|_| number.is_some()).map(|s| {
        format!("{} to {}, n = {}", units::quantity(s.min, m.unit), units::quantity(s.max, m.unit), s.n)
    });
    let reason = m.reason.as_ref().map(|r| format!("{} {}", r.text, r.fix).trim().to_owned());
    let share = number.zip(best).map(|(v, best)| match better {
        Better::Higher if best > 0.0 => v / best,
        Better::Lower if v > 0.0 => best / v,
        _ => 0.0,
    });
    Value { text, spread, status, reason, corrupt: m.verified == Some(false), share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Column;
    use drills_results::{Report, Unit};

    fn column(id: &str, values: &[(&str, f64)]) -> Column {
        let report = Report {
            schema: Default::default(),
            tool: drills_results::Tool { name: "drills".into(), version: "0.1.0".into() },
            taken_at: "2026-11-29T00:00:00Z".into(),
            label: id.into(),
            provenance: Default::default(),
            source: None,
            machine: Default::default(),
            environment: Default::default(),
            measurements: values
                .iter()
                .map(|(key, v)| Measurement::ok(*key, Unit::BytesPerS, *v, "test"))
                .collect(),
            unknown: Default::default(),
        };
        Column::file(id.into(), String::new(), report)
    }

    #[test]
    fn rows_follow_the_course_and_unknown_keys_come_last() {
        let columns =
            [column("a", &[("zeta.speed", 1.0), ("copy.d2h.pinned", 2.0), ("copy.h2d.pinned", 3.0)])];
        let keys: Vec<String> = subjects(&columns).into_iter().flat_map(|s| s.rows).map(|r| r.key).collect();
        assert_eq!(keys, ["copy.h2d.pinned", "copy.d2h.pinned", "zeta.speed"]);
    }

    #[test]
    fn a_share_is_relative_to_the_best_machine() {
        let columns = [column("a", &[("copy.h2d.pinned", 50.0)]), column("b", &[("copy.h2d.pinned", 25.0)])];
        let row = &subjects(&columns)[0].rows[0];
        let shares: Vec<_> = row.values.iter().map(|v| v.as_ref().and_then(|v| v.share)).collect();
        assert_eq!(shares, [Some(1.0), Some(0.5)]);
    }

    #[test]
    fn a_machine_without_the_key_has_no_value() {
        let columns = [column("a", &[("copy.h2d.pinned", 50.0)]), column("b", &[])];
        assert_eq!(subjects(&columns)[0].rows[0].values[1], None);
    }
}
