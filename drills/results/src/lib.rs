//! The results file: what `drills` writes and the course reads.
//!
//! One JSON document per run and machine. [`Report`] is the document, [`parse`] reads one from an
//! untrusted source, [`keys::KEYS`] lists every measurement the course knows by name, [`foreign`] reads what
//! other programs print.
//!
//! Invariants: every number is finite, every count is below 2^53 (JavaScript must be able to hold
//! it), no measurement is without unit, method and status, and fields that this version does not
//! know are kept when a file is read and written again.

pub mod foreign;
mod import;
mod json;
pub mod keys;
mod measurement;
mod read;
mod report;
pub mod topology;
mod trail;
mod validate;

pub use import::{ImportError, MAX_DEPTH, MAX_FILE_BYTES, parse};
pub use measurement::{Bin, Histogram, Measurement, Param, Point, Reason, Series, Stats, Status, Unit};
pub use report::{Environment, Machine, Provenance, Report, SCHEMA_NAME, SCHEMA_VERSION, Schema, Tool};
pub use validate::{validate, validate_measurement};

/// JSON Schema of a results file, generated from the types.
pub const JSON_SCHEMA: &str = include_str!("../schema.json");

/// Generates [`JSON_SCHEMA`] anew.
#[cfg(feature = "schema")]
pub fn generate_schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}

/// Largest integer that every JSON reader can hold exactly: 2^53 - 1.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;
