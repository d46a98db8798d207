//! Rules for one measurement.

use crate::trail::Trail;
use crate::{Histogram, Measurement, Param, Series, Stats, Status};

const MAX_POINTS: usize = 10_000;
const MAX_PARAMS: usize = 100;

pub(super) fn measurement(trail: &mut Trail, m: &Measurement) {
    key(trail, &m.key);
    trail.text("method", &m.method);
    match m.value {
        Some(value) => trail.finite("value", value),
        None if m.status.has_value() => {
            trail.refuse_in("value", format_args!("missing, though status says there is one"));
        }
        None => {}
    }
    if m.status != Status::Ok && m.reason.is_none() {
        trail.refuse_in("reason", format_args!("missing; every status but ok needs one"));
    }
    if let Some(reason) = &m.reason {
        trail.inside("reason", |trail| {
            trail.text("code", &reason.code);
            trail.text("text", &reason.text);
            trail.text("fix", &reason.fix);
        });
    }
    if let Some(s) = &m.stats {
        trail.inside("stats", |trail| stats(trail, s));
    }
    if let Some(s) = &m.series {
        trail.inside("series", |trail| series(trail, s));
    }
    if let Some(h) = &m.histogram {
        trail.inside("histogram", |trail| histogram(trail, h));
    }
    trail.counted("params", m.params.len(), MAX_PARAMS);
    trail.inside("params", |trail| {
        for (name, value) in &m.params {
            // The name is part of the path, so it is checked before it is shown.
            trail.text("", name);
            param(trail, name, value);
        }
    });
}

fn key(trail: &mut Trail, key: &str) {
    trail.at_most("key", key.len(), 100);
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    if !key.split('.').all(word) {
        trail.refuse_in("key", format_args!("keys are dotted words of a-z, 0-9 and _"));
    }
}

fn param(trail: &mut Trail, name: &str, value: &Param) {
    match value {
        Param::Flag(_) => {}
        Param::Number(number) => trail.finite(name, *number),
        Param::Text(text) => trail.text(name, text),
    }
}

fn stats(trail: &mut Trail, s: &Stats) {
    let ordered = [s.min, s.p50, s.p90, s.p99, s.max];
    if !ordered.iter().chain([&s.mad]).all(|v| v.is_finite()) || !ordered.is_sorted() {
        trail.refuse(format_args!("percentiles must be finite and ascending"));
    }
    trail.integer("n", s.n);
}

fn series(trail: &mut Trail, series: &Series) {
    trail.text("x", &series.x);
    trail.each("points", &series.points, MAX_POINTS, |trail, p| {
        let (low, high) = p.range.unwrap_or((0.0, 0.0));
        if ![p.x, p.y, low, high].iter().all(|v| v.is_finite()) {
            trail.refuse(format_args!("not finite"));
        }
    });
    if !series.points.is_sorted_by(|a, b| a.x <= b.x) {
        trail.refuse(format_args!("points must be in ascending x"));
    }
}

fn histogram(trail: &mut Trail, histogram: &Histogram) {
    trail.each("bins", &histogram.bins, MAX_POINTS, |trail, bin| {
        trail.finite("upto", bin.upto);
        trail.integer("count", bin.count);
    });
    if !histogram.bins.is_sorted_by(|a, b| a.upto < b.upto) {
        trail.refuse(format_args!("bins must be in ascending order"));
    }
}
