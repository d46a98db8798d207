//! The document: who measured what, when, where.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::measurement::Measurement;
use crate::topology::Topology;

/// Value of `schema.name` in every results file.
pub const SCHEMA_NAME: &str = "host-drills-results";
/// Newest format version this crate writes. Older versions are still read.
pub const SCHEMA_VERSION: u32 = 1;

/// One run of `drills` on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Format name and version.
    pub schema: Schema,
    /// The program that wrote the file.
    pub tool: Tool,
    /// When the run started: RFC 3339, UTC, seconds.
    pub taken_at: String,
    /// Short name for column heads, such as "H200 (KVM guest)". Chosen by the user or from the machine class.
    pub label: String,
    /// How the numbers came about.
    #[serde(default)]
    pub provenance: Provenance,
    /// Where `reported` or `expected` numbers were taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What was measured on.
    pub machine: Machine,
    /// What surrounded the run and may have disturbed it.
    #[serde(default)]
    pub environment: Environment,
    /// The measurements, in the order they were taken.
    pub measurements: Vec<Measurement>,
    /// Fields of newer versions, kept as they came.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl Report {
    /// The first measurement with this key, whatever its status.
    pub fn find(&self, key: &str) -> Option<&Measurement> {
        self.measurements.iter().find(|m| m.key == key)
    }

    /// The value under this key, if it was measured and can be used.
    pub fn value(&self, key: &str) -> Option<f64> {
        self.find(key).filter(|m| m.status.has_value()).and_then(|m| m.value)
    }
}

/// Format name and version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Schema {
    /// Always [`SCHEMA_NAME`].
    pub name: String,
    /// 1 up to [`SCHEMA_VERSION`].
    pub version: u32,
}

impl Default for Schema {
    fn default() -> Self {
        Self { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION }
    }
}

/// The program that wrote the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tool {
    /// `drills`, or the name of the tool whose output was imported.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// How the numbers of a report came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Taken by `drills` on the machine itself.
    #[default]
    Measured,
    /// Taken from somebody's publication; `source` says whose.
    Reported,
    /// Derived, not measured; `source` says how.
    Expected,
}

/// What was measured on. Carries no host name, serial number, MAC address or user name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Machine {
    /// One phrase for the kind of machine, such as "2 sockets, 8 x NVIDIA H200".
    pub class: String,
    /// `x86_64` or `aarch64`.
    pub arch: String,
    /// Kernel release, as `uname -r` prints it.
    pub kernel: String,
    /// `PRETTY_NAME` of os-release.
    pub os: String,
    /// CPU model name.
    pub cpu_model: String,
    /// Base page size in bytes.
    pub page_bytes: u64,
    /// `MemTotal` in bytes. A lower bound in guests whose memory grows as it is used.
    pub memory_bytes: u64,
    /// Host name, only present with `--no-redact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// NVIDIA driver version, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nvidia_driver: Option<String>,
    /// How the box is wired, when `drills machine topo` ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    /// Fields of newer versions.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// What surrounded the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Environment {
    /// Hypervisor or sandbox name ("KVM", "Firecracker", "gVisor", "WSL2"), absent on bare metal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtualisation: Option<String>,
    /// Container runtime, absent outside a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// CPUs this process may use, as a list ("0-15").
    pub allowed_cpus: String,
    /// CPU quota in CPUs, the least over the cgroup and its ancestors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_quota_cpus: Option<f64>,
    /// Memory limit in bytes, the least over the cgroup and its ancestors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// Pressure stall information for CPU, `some avg10`, in percent, before the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_pressure_percent_before: Option<f64>,
    /// The same after the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_pressure_percent_after: Option<f64>,
    /// One-minute load average before the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_1min_before: Option<f64>,
    /// Share of CPU time stolen by the hypervisor during the run, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steal_fraction: Option<f64>,
    /// What may have disturbed the run, in plain sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Fields of newer versions.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}
