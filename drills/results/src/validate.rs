//! Rules that the types alone cannot express.

use crate::import::ImportError;
use crate::{MAX_SAFE_INTEGER, Measurement, Report};

const MAX_MEASUREMENTS: usize = 5_000;
const MAX_POINTS: usize = 10_000;
const MAX_TEXT_BYTES: usize = 4_096;

/// Checks the rules of the format. The writer runs it as well as the reader.
///
/// # Errors
/// The first rule broken, with the path of the field.
pub fn validate(report: &Report) -> Result<(), ImportError> {
    text("label", &report.label)?;
    text("taken_at", &report.taken_at)?;
    text("machine.class", &report.machine.class)?;
    text("machine.cpu_model", &report.machine.cpu_model)?;
    integer("machine.memory_bytes", report.machine.memory_bytes)?;
    if report.measurements.len() > MAX_MEASUREMENTS {
        return Err(ImportError::field(
            "measurements",
            format!("{} entries; at most {MAX_MEASUREMENTS} are read", report.measurements.len()),
        ));
    }
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

fn measurement(path: &str, m: &Measurement) -> Result<(), ImportError> {
    key(&format!("{path}.key"), &m.key)?;
    text(&format!("{path}.method"), &m.method)?;
    match (m.status.has_value(), m.value) {
        (true, None) => {
            return Err(ImportError::field(
                format!("{path}.value"),
                "missing, though status says there is one",
            ));
        }
        (_, Some(v)) if !v.is_finite() => {
            return Err(ImportError::field(format!("{path}.value"), "not a finite number"));
        }
        _ => {}
    }
    if m.status != crate::Status::Ok && m.reason.is_none() {
        return Err(ImportError::field(format!("{path}.reason"), "missing; every status but ok needs one"));
    }
    if let Some(reason) = &m.reason {
        text(&format!("{path}.reason.text"), &reason.text)?;
        text(&format!("{path}.reason.fix"), &reason.fix)?;
    }
    if let Some(s) = &m.stats {
        let ordered = [s.min, s.p50, s.p90, s.p99, s.max];
        if !ordered.iter().chain([&s.mad]).all(|v| v.is_finite()) || !ordered.is_sorted() {
            return Err(ImportError::field(
                format!("{path}.stats"),
                "percentiles must be finite and ascending",
            ));
        }
        integer(&format!("{path}.stats.n"), s.n)?;
    }
    if let Some(s) = &m.series {
        series(&format!("{path}.series"), s)?;
    }
    if m.histogram.as_ref().is_some_and(|h| h.bins.len() > MAX_POINTS) {
        return Err(ImportError::field(format!("{path}.histogram"), format!("more than {MAX_POINTS} bins")));
    }
    Ok(())
}

fn series(path: &str, series: &crate::Series) -> Result<(), ImportError> {
    if series.points.len() > MAX_POINTS {
        return Err(ImportError::field(path, format!("more than {MAX_POINTS} points")));
    }
    for (i, p) in series.points.iter().enumerate() {
        let finite =
            p.x.is_finite() && p.y.is_finite() && p.range.is_none_or(|(a, b)| a.is_finite() && b.is_finite());
        if !finite {
            return Err(ImportError::field(format!("{path}.points[{i}]"), "not finite"));
        }
    }
    if !series.points.is_sorted_by(|a, b| a.x <= b.x) {
        return Err(ImportError::field(path, "points must be in ascending x"));
    }
    Ok(())
}

fn key(path: &str, key: &str) -> Result<(), ImportError> {
    let fine = !key.is_empty()
        && key.len() <= 100
        && key.split('.').all(|word| {
            !word.is_empty()
                && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        });
    if fine { Ok(()) } else { Err(ImportError::field(path, "keys are dotted words of a-z, 0-9 and _")) }
}

fn text(path: &str, text: &str) -> Result<(), ImportError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(ImportError::field(
            path,
            format!("{} bytes of text; at most {MAX_TEXT_BYTES}", text.len()),
        ));
    }
    Ok(())
}

fn integer(path: &str, value: u64) -> Result<(), ImportError> {
    if value > MAX_SAFE_INTEGER {
        return Err(ImportError::field(path, "above 2^53 - 1"));
    }
    Ok(())
}
