//! From what a run collected to one report.

use std::time::SystemTime;

use drills_results::topology::{DeviceClass, Topology};
use drills_results::{
    Environment, Measurement, Provenance, Reason, Report, Schema, Tool, validate_measurement,
};

use crate::host::{self, Root, lists, pressure, system};
use crate::run::{Collected, Context};

/// Names that the user chose to give.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// `--label`.
    pub label: Option<String>,
    /// Host name, with `--no-redact`.
    pub host: Option<String>,
}

/// Reads again what may have changed during the run.
pub fn close_environment(root: &Root, environment: &mut Environment, ticks: Option<(u64, u64)>) {
    environment.cpu_pressure_percent_after = pressure::read(root, "cpu").some_percent();
    if let (Some((steal_0, all_0)), Some((steal_1, all_1))) = (ticks, system::steal_ticks(root)) {
        let all = all_1.saturating_sub(all_0);
        if all > 0 {
            environment.steal_fraction = Some(steal_1.saturating_sub(steal_0) as f64 / all as f64);
        }
    }
}

/// The report of a run.
pub fn report(
    ctx: &Context,
    taken_at: SystemTime,
    collected: Collected,
    mut environment: Environment,
    naming: Naming,
) -> Report {
    let topology = collected.topology.unwrap_or_else(|| host::topology(&ctx.root));
    let mut machine = host::machine(&ctx.root);
    machine.class = class(&topology);
    machine.host = naming.host;
    environment.warnings = collected.warnings;
    environment.warnings.extend(disturbances(&environment, &topology));
    let label =
        naming.label.unwrap_or_else(|| label(&machine.class, &machine.cpu_model, &environment, &topology));
    machine.topology = Some(topology);
    Report {
        schema: Schema::default(),
        tool: Tool { name: "drills".into(), version: env!("CARGO_PKG_VERSION").into() },
        taken_at: humantime::format_rfc3339_seconds(taken_at).to_string(),
        label,
        provenance: Provenance::Measured,
        source: None,
        machine,
        environment,
        measurements: collected.measurements.into_iter().map(sound).collect(),
        unknown: Default::default(),
    }
}

/// A measurement that breaks a rule of the format, such as a value that is not finite, becomes a failed
/// one: it must not cost the other measurements of the file.
fn sound(measurement: Measurement) -> Measurement {
    match validate_measurement(&measurement) {
        Ok(()) => measurement,
        Err(error) => Measurement::failed(
            measurement.key,
            measurement.unit,
            measurement.method,
            Reason::new(
                "invalid",
                format!("the result made no sense: {error}"),
                "please report it with this file",
            ),
        ),
    }
}

/// One phrase for the kind of machine: "2 sockets, 8 x NVIDIA H200".
fn class(topology: &Topology) -> String {
    let sockets = match topology.packages {
        Some(1) => "1 socket, ".to_owned(),
        Some(n) => format!("{n} sockets, "),
        None => String::new(),
    };
    match gpus(topology) {
        Some(gpus) => format!("{sockets}{gpus}"),
        None => format!("{sockets}{} CPUs, no GPU", topology.cpus),
    }
}

/// "8 x NVIDIA H200", kinds joined with "+".
fn gpus(topology: &Topology) -> Option<String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for gpu in topology.devices.iter().filter(|d| d.class == DeviceClass::Gpu) {
        match counts.iter_mut().find(|(name, _)| *name == gpu.name) {
            Some((_, n)) => *n += 1,
            None => counts.push((&gpu.name, 1)),
        }
    }
    let named =
        counts.iter().map(|(name, n)| if *n == 1 { (*name).to_owned() } else { format!("{n} x {name}") });
    let text = named.collect::<Vec<_>>().join(" + ");
    (!text.is_empty()).then_some(text)
}

fn label(class: &str, cpu_model: &str, environment: &Environment, topology: &Topology) -> String {
    let name = gpus(topology)
        .unwrap_or_else(|| if cpu_model.is_empty() { class.to_owned() } else { cpu_model.to_owned() });
    match &environment.virtualisation {
        Some(hypervisor) => format!("{name} ({hypervisor})"),
        None => name,
    }
}

/// What of the surroundings may have changed the numbers.
fn disturbances(environment: &Environment, topology: &Topology) -> Vec<String> {
    const PRESSURE_PERCENT: f64 = 10.0;
    let mut found = Vec::new();
    let allowed = lists::parse(&environment.allowed_cpus).len() as u64;
    if allowed > 0 && allowed < topology.cpus {
        found.push(format!("Only {allowed} of {} CPUs may be used.", topology.cpus));
    }
    if let Some(quota) = environment.cpu_quota_cpus.filter(|&quota| quota < allowed as f64) {
        found.push(format!("A control group limits CPU time to {quota:.2} CPUs: long runs are throttled."));
    }
    let pressure = environment.cpu_pressure_percent_before.filter(|&percent| percent > PRESSURE_PERCENT);
    if let Some(percent) = pressure {
        found.push(format!("Before the run, threads waited for a CPU {percent:.0} % of the time."));
    }
    if let Some(stolen) = environment.steal_fraction.filter(|&stolen| stolen > 0.02) {
        found.push(format!("The hypervisor took {:.0} % of the CPU time.", stolen * 100.0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::{Status, Unit};

    #[test]
    fn a_value_that_is_not_finite_becomes_a_failure_with_a_reason() {
        let broken = sound(Measurement::ok("copy.d2d", Unit::BytesPerS, f64::NAN, "m"));
        assert_eq!((broken.status, broken.value), (Status::Failed, None));
        assert!(broken.reason.is_some_and(|r| r.text.contains("not a finite number")));
        let whole = Measurement::ok("copy.d2d", Unit::BytesPerS, 1.0, "m");
        assert_eq!(sound(whole.clone()), whole);
    }

    #[test]
    fn what_may_have_disturbed_the_run_is_said() {
        let topology = Topology { cpus: 64, ..Topology::default() };
        let quiet = Environment { allowed_cpus: "0-63".into(), ..Environment::default() };
        assert!(disturbances(&quiet, &topology).is_empty());
        let busy = Environment {
            allowed_cpus: "3-4".into(),
            cpu_quota_cpus: Some(1.5),
            cpu_pressure_percent_before: Some(99.0),
            steal_fraction: Some(0.3),
            ..Environment::default()
        };
        assert_eq!(disturbances(&busy, &topology).len(), 4);
    }
}
