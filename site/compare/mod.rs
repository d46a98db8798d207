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
    pub fn file(id: String, file_name: String, report: Report) -> Self {
        Self { id, origin: Origin::File, file_name, report: Arc::new(report) }
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
