//! A run of nvbandwidth as measurements.

use drills_results::foreign::{BandwidthRun, BandwidthTest};
use drills_results::{Measurement, Unit};

use crate::measure::{methods, result};

/// A test that measures what one of ours does.
struct Counterpart {
    test: &'static str,
    key: &'static str,
    /// Bytes that we count for each that it counts.
    bytes: f64,
}

const fn same(test: &'static str, key: &'static str) -> Counterpart {
    Counterpart { test, key, bytes: 1.0 }
}

const COUNTERPARTS: &[Counterpart] = &[
    same("host_to_device_memcpy_ce", "copy.h2d.pinned"),
    same("device_to_host_memcpy_ce", "copy.d2h.pinned"),
    same("host_to_device_memcpy_sm", "copy.h2d.sm"),
    same("device_to_host_memcpy_sm", "copy.d2h.sm"),
    same("host_to_device_bidirectional_memcpy_ce", "copy.bidirectional.h2d"),
    same("device_to_host_bidirectional_memcpy_ce", "copy.bidirectional.d2h"),
    // It counts what is copied; we count what the memory reads and writes.
    Counterpart { test: "device_local_copy", key: "copy.d2d", bytes: 2.0 },
];

/// Tests with a counterpart here. The others are named in a warning.
pub(super) fn measurements(run: &BandwidthRun, warnings: &mut Vec<String>) -> Vec<Measurement> {
    let mut found = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for test in run.tests.iter().filter(|test| !test.rows.is_empty()) {
        match COUNTERPARTS.iter().find(|counterpart| counterpart.test == test.name) {
            Some(counterpart) => found.extend(measurement(run, test, counterpart)),
            None => others.push(&test.name),
        }
    }
    if !others.is_empty() {
        const NAMED: usize = 20;
        let more = if others.len() > NAMED { ", ..." } else { "" };
        let names = others.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        warnings.push(format!("Tests of nvbandwidth that have no key here: {names}{more}."));
    }
    found
}

/// The median over the GPUs; their spread comes along.
fn measurement(run: &BandwidthRun, test: &BandwidthTest, as_key: &Counterpart) -> Option<Measurement> {
    let rates: Vec<f64> =
        test.rows.iter().flatten().flatten().map(|cell| cell * 1e9 * as_key.bytes).collect();
    let mut m = result::of_samples(as_key.key, Unit::BytesPerS, methods::IMPORT_NVBANDWIDTH, &rates)?
        .param("test", test.name.as_str())
        .param("gpus", rates.len() as u64);
    if as_key.bytes > 1.0 {
        m = m.param("bytes_counted", "read plus written");
    }
    for (name, text) in [("version", &run.version), ("gpu", &run.gpu)] {
        m = text.iter().fold(m, |m, text| m.param(name, text.as_str()));
    }
    Some(m)
}
