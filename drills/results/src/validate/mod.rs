//! Rules that the types alone cannot express.

mod rules;
mod topology;

use rules::{Checked, at_most, counted, finite, integer, list, text};

use crate::import::ImportError;
use crate::{Environment, Histogram, Machine, Measurement, Param, Report, Series, Stats, Status};

const MAX_MEASUREMENTS: usize = 5_000;
const MAX_POINTS: usize = 10_000;
const MAX_PARAMS: usize = 100;
const MAX_WARNINGS: usize = 200;

/// Checks the rules of the format. The writer runs it as well as the reader.
///
/// # Errors
/// The first rule broken, with the path of the field.
pub fn validate(report: &Report) -> Result<(), ImportError> {
    text("tool.name", &report.tool.name)?;
    text("tool.version", &report.tool.version)?;
    text("label", &report.label)?;
    text("taken_at", &report.taken_at)?;
    text("source", report.source.as_deref().unwrap_or_default())?;
    machine(&report.machine)?;
    environment(&report.environment)?;
    counted("measurements", report.measurements.len(), MAX_MEASUREMENTS)?;
    for (i, m) in report.measurements.iter().enumerate() {
        measurement(&format!("measurements[{i}]"), m)?;
    }
    Ok(())
}

/// Checks one measurement, so that a writer can leave out the one that breaks a rule.
///
/// # Errors
/// The first rule broken.
pub fn validate_measurement(m: &Measurement) -> Result<(), ImportError> {
    measurement("measurement", m)
}

fn machine(m: &Machine) -> Checked {
    for (field, value) in [
        ("class", Some(&m.class)),
        ("arch", Some(&m.arch)),
        ("kernel", Some(&m.kernel)),
        ("os", Some(&m.os)),
        ("cpu_model", Some(&m.cpu_model)),
        ("host", m.host.as_ref()),
        ("nvidia_driver", m.nvidia_driver.as_ref()),
    ] {
        text(&format!("machine.{field}"), value.map_or("", String::as_str))?;
    }
    integer("machine.page_bytes", m.page_bytes)?;
    integer("machine.memory_bytes", m.memory_bytes)?;
    m.topology.as_ref().map_or(Ok(()), |t| topology::check("machine.topology", t))
}

fn environment(e: &Environment) -> Checked {
    text("environment.virtualisation", e.virtualisation.as_deref().unwrap_or_default())?;
    text("environment.container", e.container.as_deref().unwrap_or_default())?;
    list("environment.allowed_cpus", &e.allowed_cpus)?;
    for (field, value) in [
        ("cpu_quota_cpus", e.cpu_quota_cpus),
        ("cpu_pressure_percent_before", e.cpu_pressure_percent_before),
        ("cpu_pressure_percent_after", e.cpu_pressure_percent_after),
        ("load_1min_before", e.load_1min_before),
        ("steal_fraction", e.steal_fraction),
    ] {
        finite(&format!("environment.{field}"), value.unwrap_or(0.0))?;
    }
    integer("environment.memory_limit_bytes", e.memory_limit_bytes.unwrap_or(0))?;
    counted("environment.warnings", e.warnings.len(), MAX_WARNINGS)?;
    for (i, warning) in e.warnings.iter().enumerate() {
        text(&format!("environment.warnings[{i}]"), warning)?;
    }
    Ok(())
}

fn measurement(path: &str, m: &Measurement) -> Checked {
    key(&format!("{path}.key"), &m.key)?;
    text(&format!("{path}.method"), &m.method)?;
    match (m.status.has_value(), m.value) {
        (true, None) => {
            return Err(ImportError::field(
                format!("{path}.value"),
                "missing, though status says there is one",
            ));
        }
        (_, Some(value)) => finite(&format!("{path}.value"), value)?,
        _ => {}
    }
    if m.status != Status::Ok && m.reason.is_none() {
        return Err(ImportError::field(format!("{path}.reason"), "missing; every status but ok needs one"));
    }
    if let Some(reason) = &m.reason {
        text(&format!("{path}.reason.code"), &reason.code)?;
        text(&format!("{path}.reason.text"), &reason.text)?;
        text(&format!("{path}.reason.fix"), &reason.fix)?;
    }
    m.stats.as_ref().map_or(Ok(()), |s| stats(&format!("{path}.stats"), s))?;
    m.series.as_ref().map_or(Ok(()), |s| series(&format!("{path}.series"), s))?;
    m.histogram.as_ref().map_or(Ok(()), |h| histogram(&format!("{path}.histogram"), h))?;
    counted(&format!("{path}.params"), m.params.len(), MAX_PARAMS)?;
    for (name, value) in &m.params {
        // The name is part of the path, so it is checked before it is shown.
        text(&format!("{path}.params"), name)?;
        param(&format!("{path}.params.{name}"), value)?;
    }
    Ok(())
}

fn param(path: &str, value: &Param) -> Checked {
    match value {
        Param::Flag(_) => Ok(()),
        Param::Number(number) => finite(path, *number),
        Param::Text(value) => text(path, value),
    }
}

fn stats(path: &str, s: &Stats) -> Checked {
    let ordered = [s.min, s.p50, s.p90, s.p99, s.max];
    if !ordered.iter().chain([&s.mad]).all(|v| v.is_finite()) || !ordered.is_sorted() {
        return Err(ImportError::field(path, "percentiles must be finite and ascending"));
    }
    integer(&format!("{path}.n"), s.n)
}

fn series(path: &str, series: &Series) -> Checked {
    text(&format!("{path}.x"), &series.x)?;
    counted(&format!("{path}.points"), series.points.len(), MAX_POINTS)?;
    for (i, p) in series.points.iter().enumerate() {
        let (low, high) = p.range.unwrap_or((0.0, 0.0));
        if ![p.x, p.y, low, high].iter().all(|v| v.is_finite()) {
            return Err(ImportError::field(format!("{path}.points[{i}]"), "not finite"));
        }
    }
    if !series.points.is_sorted_by(|a, b| a.x <= b.x) {
        return Err(ImportError::field(path, "points must be in ascending x"));
    }
    Ok(())
}

fn histogram(path: &str, histogram: &Histogram) -> Checked {
    counted(&format!("{path}.bins"), histogram.bins.len(), MAX_POINTS)?;
    for (i, bin) in histogram.bins.iter().enumerate() {
        finite(&format!("{path}.bins[{i}].upto"), bin.upto)?;
        integer(&format!("{path}.bins[{i}].count"), bin.count)?;
    }
    if !histogram.bins.is_sorted_by(|a, b| a.upto < b.upto) {
        return Err(ImportError::field(path, "bins must be in ascending order"));
    }
    Ok(())
}

fn key(path: &str, key: &str) -> Checked {
    at_most(path, key.len(), 100)?;
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    if key.split('.').all(word) {
        Ok(())
    } else {
        Err(ImportError::field(path, "keys are dotted words of a-z, 0-9 and _"))
    }
}
