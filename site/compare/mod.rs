//! Machines side by side: plain data, no page.

mod facts;
mod odd;
mod rows;

pub use facts::{Fact, facts};
pub use odd::{MIN_MACHINES, Odd, odd_ones};
pub use rows::{Row, Subject, Value, subjects};

use std::sync::Arc;

use drills_results::Report;

/// Where a column came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A results file of the course.
    Sample,
    /// A file that the reader opened.
    File,
}

/// One machine's results.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Unique among the columns of a page.
    pub id: String,
    /// Where it came from.
    pub origin: Origin,
    /// Name of the file it was read from; empty for samples.
    pub file_name: String,
    /// Its results; shared, since hundreds may be open.
    pub report: Arc<Report>,
}

impl Column {
    /// A results file of the course.
    pub fn sample(name: &str, report: Report) -> Self {
        Self {
            id: format!("sample:{name}"),
            origin: Origin::Sample,
            file_name: String::new(),
            report: Arc::new(report),
        }
    }

    /// A file that the reader opened.
    pub fn file(id: String, file_name: String, report: impl Into<Arc<Report>>) -> Self {
        Self { id, origin: Origin::File, file_name, report: report.into() }
    }

    /// Short name for a column head.
    pub fn label(&self) -> &str {
        match (self.report.label.trim(), self.report.machine.class.trim()) {
            ("", "") => "unnamed machine",
            ("", class) => class,
            (label, _) => label,
        }
    }
}

/// Whether two reports tell of one run: same time, same names, same values.
pub fn same_run(a: &Report, b: &Report) -> bool {
    a.taken_at == b.taken_at
        && a.label == b.label
        && a.machine.class == b.machine.class
        && a.measurements.len() == b.measurements.len()
        && a.measurements.iter().zip(&b.measurements).all(|(a, b)| a.key == b.key && a.value == b.value)
}

#[cfg(test)]
mod tests {
    use super::same_run;

    #[test]
    fn a_run_is_the_same_whatever_its_file_is_called_and_however_it_is_spaced() {
        let text = include_str!("../../content/samples/h200.json");
        let report = drills_results::parse(text).expect("a sample");
        let again = drills_results::parse(&text.replace('\n', " ")).expect("the sample on one line");
        assert!(same_run(&report, &again));
        let mut later = report.clone();
        later.taken_at = "2026-11-29T00:00:00Z".into();
        assert!(!same_run(&report, &later));
        let mut other = report.clone();
        other.measurements[0].value = Some(-1.0);
        assert!(!same_run(&report, &other));
    }
}
