//! A fenced block `measured`: which keys of which samples make a table.
//!
//! ```text
//! title: Copies between host and GPU
//! samples: h200, rtx4090
//! copy.h2d.pinned
//! copy.h2d.pageable = Host to device, ordinary memory
//! ```

use drills_results::keys::{self, KeyInfo};
use drills_results::{Provenance, Report, Status};

use crate::units;

use super::render::Renderer;
use super::samples::provenance_word;
use super::{Cell, Measured, MeasuredColumn, MeasuredRow, Sample};

/// Compiles the table that starts at byte `at`.
pub(crate) fn table(renderer: &mut Renderer<'_>, at: usize, text: &str) -> Measured {
    let (mut title, mut names, mut wanted) = (String::new(), None, Vec::new());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(rest) = line.strip_prefix("title:") {
            title = rest.trim().to_owned();
        } else if let Some(rest) = line.strip_prefix("samples:") {
            names = Some(rest.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>());
        } else {
            wanted.push((number, line.to_owned()));
        }
    }
    let known = renderer.known;
    let samples: Vec<&Sample> = match &names {
        None => known.samples.iter().collect(),
        Some(names) => names.iter().filter_map(|name| find_sample(renderer, at, name)).collect(),
    };
    let line = renderer.document.line(at);
    let rows = wanted
        .iter()
        .flat_map(|(number, row)| match parse_row(row) {
            Ok((key, label, info)) => rows_for(&key, label, info, &samples),
            Err(message) => {
                // The fence itself is the first line.
                renderer.problems.add(&renderer.document.file, line + 1 + number, message);
                Vec::new()
            }
        })
        .collect();
    if wanted.is_empty() {
        renderer.refuse(at, "a measured table lists at least one result key");
    }
    Measured { title, samples: samples.iter().map(|s| column(s)).collect(), rows }
}

fn find_sample<'a>(renderer: &mut Renderer<'a>, at: usize, name: &str) -> Option<&'a Sample> {
    let known = renderer.known;
    let found = known.sample(name);
    if found.is_none() {
        renderer.refuse(at, format!("unknown sample `{name}`; there are: {}", known.sample_names()));
    }
    found
}

fn parse_row(row: &str) -> Result<(String, Option<String>, &'static KeyInfo), String> {
    let (key, label) = match row.split_once('=') {
        Some((key, label)) => (key.trim(), Some(label.trim().to_owned())),
        None => (row, None),
    };
    let pattern = key.strip_suffix(".*").map(|prefix| format!("{prefix}.any"));
    let info = keys::find(pattern.as_deref().unwrap_or(key)).ok_or_else(|| {
        format!("unknown result key `{key}`; keys are listed in drills/results/src/keys.rs")
    })?;
    Ok((key.to_owned(), label, info))
}

/// One row, or for a pattern one row for each name that the samples have.
fn rows_for(key: &str, label: Option<String>, info: &KeyInfo, samples: &[&Sample]) -> Vec<MeasuredRow> {
    let label = label.unwrap_or_else(|| info.label.to_owned());
    let Some(prefix) = key.strip_suffix('*') else { return vec![row(key, label, info, samples)] };
    let mut found: Vec<&str> = Vec::new();
    for measurement in samples.iter().flat_map(|s| &s.report.measurements) {
        if measurement.key.starts_with(prefix) && !found.contains(&measurement.key.as_str()) {
            found.push(&measurement.key);
        }
    }
    found.into_iter().map(|k| row(k, format!("{label} {}", &k[prefix.len()..]), info, samples)).collect()
}

fn row(key: &str, label: String, info: &KeyInfo, samples: &[&Sample]) -> MeasuredRow {
    let cells = samples.iter().map(|sample| cell(&sample.report, key)).collect();
    MeasuredRow { key: key.to_owned(), label, command: info.command.to_owned(), cells }
}

fn cell(report: &Report, key: &str) -> Cell {
    let Some(m) = report.find(key) else {
        return Cell { text: "–".into(), note: "not in this sample".into(), status: "absent".into() };
    };
    let status = status_word(m.status);
    // A machine that nobody ran the drills on did not skip anything: there is just no number.
    let without = if report.provenance == Provenance::Measured { status } else { "–" };
    let value = m.value.filter(|_| m.status.has_value());
    let text = value.map_or(without.to_owned(), |v| units::quantity(v, m.unit));
    let mut notes = Vec::new();
    if let Some(s) = m.stats.filter(|_| m.status.has_value()) {
        notes.push(format!(
            "n = {}, {} to {}",
            s.n,
            units::quantity(s.min, m.unit),
            units::quantity(s.max, m.unit)
        ));
    }
    // Why nobody has published a number is said once, in the sample's own column of the results page.
    if let Some(reason) = m.reason.as_ref().filter(|_| report.provenance == Provenance::Measured) {
        notes.push(format!("{status}: {}", reason.text));
    }
    Cell { text, note: notes.join("; "), status: status.into() }
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Unstable => "unstable",
        Status::Skipped => "skipped",
        Status::Failed => "failed",
        Status::Interrupted => "interrupted",
    }
}

fn column(sample: &Sample) -> MeasuredColumn {
    MeasuredColumn {
        sample: sample.name.clone(),
        label: sample.report.label.clone(),
        provenance: provenance_word(sample.report.provenance).to_owned(),
    }
}
