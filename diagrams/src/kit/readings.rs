//! The reader's own measurements, if they chose a machine on the results page.

use std::sync::Arc;

use drills_results::Report;
use leptos::prelude::*;

/// The report of the reader's machine, shared by all figures of a page through Leptos context.
#[derive(Clone, Copy)]
pub struct Readings(pub RwSignal<Option<Arc<Report>>>);

/// One measured value with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The headline value, in base units.
    pub value: f64,
    /// 10th or lowest and 90th percentile, where the file has them.
    pub spread: Option<(f64, f64)>,
}

/// What a figure took from the reader's report: plain data that a model can hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// Label of the machine; empty if the reader chose none.
    pub label: String,
    values: Vec<(String, Reading)>,
}

impl Taken {
    /// The values of `report` under these keys.
    pub fn from_report<'k>(report: &Report, keys: impl IntoIterator<Item = &'k str>) -> Self {
        let read = |key: &str| {
            let value = report.value(key)?;
            let stats = report.find(key).and_then(|m| m.stats.as_ref());
            let spread = stats.map(|s| (s.min, s.p90)).filter(|(low, high)| low <= high && *low > 0.0);
            Some((key.to_owned(), Reading { value, spread }))
        };
        Self { label: report.label.clone(), values: keys.into_iter().filter_map(read).collect() }
    }

    /// The value under a key, if the reader's report has it.
    pub fn get(&self, key: &str) -> Option<Reading> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, reading)| *reading)
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Readings {
    /// The readings of this page; none where nobody provided any.
    pub fn of_page() -> Self {
        use_context::<Self>().unwrap_or_else(|| Self(RwSignal::new(None)))
    }
}
