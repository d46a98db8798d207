//! One measured quantity: key, unit, status, value, spread, method.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One measured quantity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measurement {
    /// Dotted name by subject, such as `copy.h2d.pinned`; see [`crate::keys`].
    pub key: String,
    /// Unit of `value`, `stats` and the y axis of `series`.
    pub unit: Unit,
    /// Whether the value can be trusted.
    pub status: Status,
    /// Why, for every status but `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The headline number: a median unless `method` says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Spread of the samples behind `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
    /// The same quantity over a swept parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Distribution of the samples, for latencies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Histogram>,
    /// What was held fixed: sizes in bytes, counts, names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Param>,
    /// Identifier of the method, described on the drill's page, such as `copy.events`.
    pub method: String,
    /// `true`: the bytes were compared and right. `false`: compared and wrong. Absent: not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// Fields of newer versions.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl Measurement {
    /// A measurement with a value and nothing else yet.
    pub fn ok(key: impl Into<String>, unit: Unit, value: f64, method: impl Into<String>) -> Self {
        Self { value: Some(value), ..Self::empty(key, unit, Status::Ok, method) }
    }

    /// A measurement that could not or should not be taken here.
    pub fn skipped(key: impl Into<String>, unit: Unit, method: impl Into<String>, reason: Reason) -> Self {
        Self { reason: Some(reason), ..Self::empty(key, unit, Status::Skipped, method) }
    }

    /// A measurement that was tried and went wrong.
    pub fn failed(key: impl Into<String>, unit: Unit, method: impl Into<String>, reason: Reason) -> Self {
        Self { reason: Some(reason), ..Self::empty(key, unit, Status::Failed, method) }
    }

    /// The same measurement with one more fixed parameter.
    pub fn param(mut self, name: &str, value: impl Into<Param>) -> Self {
        self.params.insert(name.into(), value.into());
        self
    }

    fn empty(key: impl Into<String>, unit: Unit, status: Status, method: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            unit,
            status,
            reason: None,
            value: None,
            stats: None,
            series: None,
            histogram: None,
            params: BTreeMap::new(),
            method: method.into(),
            verified: None,
            unknown: Map::new(),
        }
    }
}

/// Units a value can have. Base units only: the reader's side scales them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// Nanoseconds for each GiB (2^30 bytes).
    NsPerGib,
    /// Bytes per second, one direction.
    BytesPerS,
    /// Bytes.
    Bytes,
    /// A plain count.
    Count,
    /// A dimensionless ratio; 1 = 100 %.
    Ratio,
    /// Giga-transfers per second and lane (PCIe).
    GtPerS,
}

/// Whether a value can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Measured, and the spread is small.
    Ok,
    /// Measured, but something disturbed it; `reason` says what.
    Unstable,
    /// Not measured on this machine; `reason` says why and what would change it.
    Skipped,
    /// Tried, went wrong.
    Failed,
    /// The user or a deadline ended the run first.
    Interrupted,
}

impl Status {
    /// Whether a measurement with this status carries a number.
    pub fn has_value(self) -> bool {
        matches!(self, Self::Ok | Self::Unstable)
    }
}

/// Why a measurement is not plainly `ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// Stable identifier in kebab case, such as `no-driver`.
    pub code: String,
    /// One sentence: what was found.
    pub text: String,
    /// One sentence: what would change it. Empty when nothing would.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fix: String,
}

impl Reason {
    /// A reason from its three parts.
    pub fn new(code: &str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { code: code.into(), text: text.into(), fix: fix.into() }
    }
}

/// Spread of the samples behind a value, in the measurement's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stats {
    /// Number of samples.
    pub n: u64,
    /// Smallest sample.
    pub min: f64,
    /// Median.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Largest sample.
    pub max: f64,
    /// Median absolute deviation from the median.
    pub mad: f64,
}

/// A quantity over a swept parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// Name of the swept parameter, such as `size`.
    pub x: String,
    /// Its unit.
    pub x_unit: Unit,
    /// The points, x ascending.
    pub points: Vec<Point>,
}

/// One point of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// Swept parameter.
    pub x: f64,
    /// Median at this x.
    pub y: f64,
    /// Smallest and largest sample at this x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
}

/// A distribution as adjacent bins, lowest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Bins with at least one sample.
    pub bins: Vec<Bin>,
}

/// One bin of a histogram: samples at or below `upto` and above the previous bin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bin {
    /// Upper edge, in the measurement's unit.
    pub upto: f64,
    /// Samples in the bin.
    pub count: u64,
}

/// A fixed parameter of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Param {
    /// Yes or no.
    Flag(bool),
    /// A number, in the unit its name says.
    Number(f64),
    /// A name.
    Text(String),
}

impl From<bool> for Param {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}
impl From<f64> for Param {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}
impl From<u64> for Param {
    fn from(value: u64) -> Self {
        Self::Number(value as f64)
    }
}
impl From<&str> for Param {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}
impl From<String> for Param {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}
