//! The distances, from a register to another rack.
//!
//! Ballparks are right within a factor of two on current hardware. Values "on the H200 host" were
//! taken for this course on one machine: an H200 behind PCIe 5.0 x16 in a KVM guest on a Xeon, driver
//! 580.159.04. What the drills measure comes from its sample (`content/samples/h200.json`, smallest to
//! 90th percentile; a test holds the two together). The rest was timed with a small program there: GPU
//! latencies with one thread and dependent loads 128 bytes apart in random order, copies and waits from
//! the call until `cuStreamSynchronize` returned, 10th to 90th percentile of 2,000.

mod devices;
mod memory;
mod software;

use std::sync::LazyLock;

use super::row::Row;
use crate::kit::ascending;

/// A nanosecond, for reading the tables.
const NS: f64 = 1.0;
/// Nanoseconds in a microsecond.
const US: f64 = 1e3;
/// Nanoseconds in a millisecond.
const MS: f64 = 1e6;
/// Bytes per second in a GB/s.
const GB: f64 = 1e9;

/// All rows, nearest first, those without a latency last.
pub fn all() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let rows = [memory::ROWS, software::ROWS, devices::ROWS].concat();
        let places: Vec<f64> = rows.iter().map(Row::place_ns).collect();
        ascending(&places).into_iter().map(|i| rows[i]).collect()
    });
    &ROWS
}
