//! The reader's own measurements, if they chose a machine on the results page.

use drills_results::Report;
use leptos::prelude::*;

/// The report of the reader's machine, shared by all figures of a page through Leptos context.
#[derive(Clone, Copy)]
pub struct Readings(pub Signal<Option<Report>>);

impl Readings {
    /// The readings of this page; none where nobody provided any.
    pub fn of_page() -> Self {
        use_context::<Self>().unwrap_or_else(|| Self(Signal::stored(None)))
    }

    /// The measured value under `key` in base units, tracked.
    pub fn value(self, key: &str) -> Option<f64> {
        self.0.with(|report| report.as_ref().and_then(|r| r.value(key)))
    }

    /// Label of the reader's machine, tracked.
    pub fn label(self) -> Option<String> {
        self.0.with(|report| report.as_ref().map(|r| r.label.clone()))
    }
}
