//! Rules that the types alone cannot express.

mod measurement;
mod rules;
mod topology;

use crate::import::ImportError;
use crate::trail::Trail;
use crate::{Environment, Machine, Measurement, Report};
use measurement::measurement;
use topology::topology;

const MAX_MEASUREMENTS: usize = 5_000;
const MAX_WARNINGS: usize = 200;

/// Checks the rules of the format. The writer runs it as well as the reader.
///
/// # Errors
/// The first rule broken, with the path of the field.
pub fn validate(report: &Report) -> Result<(), ImportError> {
    let mut trail = Trail::default();
    trail.inside("tool", |trail| {
        trail.text("name", &report.tool.name);
        trail.text("version", &report.tool.version);
    });
    trail.text("label", &report.label);
    trail.text("taken_at", &report.taken_at);
    trail.optional_text("source", report.source.as_ref());
    trail.inside("machine", |trail| machine(trail, &report.machine));
    trail.inside("environment", |trail| environment(trail, &report.environment));
    trail.each("measurements", &report.measurements, MAX_MEASUREMENTS, measurement);
    trail.so_far()
}

/// Checks one measurement, so that a writer can leave out the one that breaks a rule.
///
/// # Errors
/// The first rule broken.
pub fn validate_measurement(m: &Measurement) -> Result<(), ImportError> {
    let mut trail = Trail::at("measurement");
    measurement(&mut trail, m);
    trail.so_far()
}

fn machine(trail: &mut Trail, m: &Machine) {
    trail.text("class", &m.class);
    trail.text("arch", &m.arch);
    trail.text("kernel", &m.kernel);
    trail.text("os", &m.os);
    trail.text("cpu_model", &m.cpu_model);
    trail.optional_text("host", m.host.as_ref());
    trail.optional_text("nvidia_driver", m.nvidia_driver.as_ref());
    trail.integer("page_bytes", m.page_bytes);
    trail.integer("memory_bytes", m.memory_bytes);
    if let Some(t) = &m.topology {
        trail.inside("topology", |trail| topology(trail, t));
    }
}

fn environment(trail: &mut Trail, e: &Environment) {
    trail.optional_text("virtualisation", e.virtualisation.as_ref());
    trail.optional_text("container", e.container.as_ref());
    trail.ids("allowed_cpus", &e.allowed_cpus);
    for (field, value) in [
        ("cpu_quota_cpus", e.cpu_quota_cpus),
        ("cpu_pressure_percent_before", e.cpu_pressure_percent_before),
        ("cpu_pressure_percent_after", e.cpu_pressure_percent_after),
        ("load_1min_before", e.load_1min_before),
        ("steal_fraction", e.steal_fraction),
    ] {
        trail.finite(field, value.unwrap_or(0.0));
    }
    trail.integer("memory_limit_bytes", e.memory_limit_bytes.unwrap_or(0));
    trail.each("warnings", &e.warnings, MAX_WARNINGS, |trail, warning| trail.text("", warning));
}
