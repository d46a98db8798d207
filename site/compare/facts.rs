//! What a machine is, in a few lines.

use drills_results::topology::{DeviceClass, NodeClass, PathCode, Topology};
use drills_results::{Provenance, Report};

use crate::units;

/// One line about a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What the line is about.
    pub name: &'static str,
    /// What the file says.
    pub text: String,
}

/// The lines for a report; those that it does not tell are empty.
pub fn facts(report: &Report) -> Vec<Fact> {
    let machine = &report.machine;
    let memory =
        if machine.memory_bytes > 0 { units::bytes(machine.memory_bytes as f64) } else { String::new() };
    let driver = machine.nvidia_driver.as_ref().map(|v| format!(", NVIDIA {v}")).unwrap_or_default();
    let topology = machine.topology.as_ref();
    let lines = [
        ("Where the numbers are from", origin(report)),
        ("Class", machine.class.clone()),
        ("CPU", machine.cpu_model.clone()),
        ("Memory", memory),
        ("System", format!("{}{driver}", join(&[&machine.os, &machine.kernel, &machine.arch]))),
        ("Around it", surroundings(report)),
        ("NUMA", topology.map(numa).unwrap_or_default()),
        ("GPUs and NICs", topology.map(devices).unwrap_or_default()),
        ("GPU to nearest NIC", topology.map(nearest_nics).unwrap_or_default()),
        ("Warnings", report.environment.warnings.join(" ")),
    ];
    lines.into_iter().map(|(name, text)| Fact { name, text }).collect()
}

fn origin(report: &Report) -> String {
    let source = report.source.as_ref().map(|s| format!(": {s}")).unwrap_or_default();
    match report.provenance {
        Provenance::Measured => {
            format!("measured by {} {}, {}", report.tool.name, report.tool.version, report.taken_at)
        }
        Provenance::Reported => format!("reported{source}"),
        Provenance::Expected => format!("expected, not measured{source}"),
    }
}

fn surroundings(report: &Report) -> String {
    let environment = &report.environment;
    let quota = environment.cpu_quota_cpus.map(|q| format!("CPU quota {}", units::number(q)));
    let limit = environment.memory_limit_bytes.map(|b| format!("memory limit {}", units::bytes(b as f64)));
    let parts = [environment.virtualisation.clone(), environment.container.clone(), quota, limit];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn numa(topology: &Topology) -> String {
    let count = |class| topology.nodes.iter().filter(|n| n.class == class).count();
    let (cpu, memory, gpu) =
        (count(NodeClass::CpuAndMemory), count(NodeClass::MemoryOnly), count(NodeClass::Gpu));
    let mut parts = vec![format!("{cpu} with CPUs and memory")];
    if memory > 0 {
        parts.push(format!("{memory} with memory only"));
    }
    if gpu > 0 {
        parts.push(format!("{gpu} of GPUs"));
    }
    parts.join(", ")
}

fn devices(topology: &Topology) -> String {
    let names = |class| {
        let mut counted: Vec<(&str, usize)> = Vec::new();
        for device in topology.devices.iter().filter(|d| d.class == class) {
            match counted.iter_mut().find(|(name, _)| *name == device.name) {
                Some((_, n)) => *n += 1,
                None => counted.push((&device.name, 1)),
            }
        }
        counted.iter().map(|(name, n)| format!("{n} × {name}")).collect::<Vec<_>>().join(", ")
    };
    let nics = topology.devices.iter().filter(|d| d.class == DeviceClass::Nic).count();
    let gpus = names(DeviceClass::Gpu);
    match (gpus.is_empty(), nics) {
        (true, 0) => "none seen".into(),
        (true, 1) => "no GPU; 1 NIC".into(),
        (true, n) => format!("no GPU; {n} NICs"),
        (false, 1) => format!("{gpus}; 1 NIC"),
        (false, n) => format!("{gpus}; {n} NICs"),
    }
}

/// For each GPU the code of its closest NIC, counted: "PIX for 8".
fn nearest_nics(topology: &Topology) -> String {
    let of_class =
        |address: &str, class| topology.devices.iter().any(|d| d.address == address && d.class == class);
    let nearest: Vec<PathCode> = topology
        .devices
        .iter()
        .filter(|d| d.class == DeviceClass::Gpu)
        .filter_map(|gpu| {
            let codes = topology.distances.iter().filter_map(|d| match (&d.from, &d.to) {
                (a, b) if *a == gpu.address && of_class(b, DeviceClass::Nic) => Some(d.code),
                (a, b) if *b == gpu.address && of_class(a, DeviceClass::Nic) => Some(d.code),
                _ => None,
            });
            codes.min_by_key(|code| rank(*code))
        })
        .collect();
    let counted =
        CODES.iter().filter_map(|(code, name)| match nearest.iter().filter(|c| *c == code).count() {
            0 => None,
            n => Some(format!("{name} for {n}")),
        });
    counted.collect::<Vec<_>>().join(", ")
}

/// Distance codes, nearest first.
const CODES: [(PathCode, &str); 6] = [
    (PathCode::Nv, "NV"),
    (PathCode::Pix, "PIX"),
    (PathCode::Pxb, "PXB"),
    (PathCode::Phb, "PHB"),
    (PathCode::Node, "NODE"),
    (PathCode::Sys, "SYS"),
];

fn rank(code: PathCode) -> usize {
    CODES.iter().position(|(known, _)| *known == code).unwrap_or(CODES.len())
}

fn join(parts: &[&str]) -> String {
    parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(", ")
}
