//! Kinds of core on hybrid machines, and how they were told.
//!
//! Order of trust: the PMU's CPU lists (x86 hybrids), the part number in MIDR (Arm), `cpu_capacity`,
//! and the maximum frequency as the last resort. The last two need a gap, since favoured cores of one
//! kind differ by a few percent: the ten X925 of a GB10 have capacities from 997 to 1024.

use std::collections::BTreeMap;

use drills_results::topology::CoreKind;

use super::root::{Root, one_line};
use super::{arm, cpus, lists};

const CPU: &str = "sys/devices/system/cpu";
/// Two neighbours in the sorted values are of different kinds when the lower is below this share of
/// the higher.
const GAP: f64 = 0.9;

/// Kinds of the online CPUs, fastest first. Empty only when no CPU is known.
pub fn read(root: &Root, online: &[u32]) -> Vec<CoreKind> {
    if online.is_empty() {
        return Vec::new();
    }
    by_pmu(root, online)
        .or_else(|| by_midr(root, online))
        .or_else(|| by_value(root, online, "cpu_capacity", "capacity"))
        .or_else(|| by_value(root, online, "cpufreq/base_frequency", "base-frequency"))
        .or_else(|| by_value(root, online, "cpufreq/cpuinfo_max_freq", "max-frequency"))
        .filter(|kinds| kinds.len() > 1)
        .unwrap_or_else(|| vec![kind("core", online, "single")])
}

fn kind(name: &str, cpus: &[u32], evidence: &str) -> CoreKind {
    CoreKind { name: name.to_owned(), cpus: lists::format(cpus), evidence: evidence.to_owned() }
}

/// x86 hybrids: one PMU for each kind of core, with its CPUs.
fn by_pmu(root: &Root, online: &[u32]) -> Option<Vec<CoreKind>> {
    let of = |pmu: &str| {
        let list = root.read(&format!("sys/devices/{pmu}/cpus")).unwrap_or_default();
        lists::within(&lists::parse(&list), online)
    };
    let (core, atom, low) = (of("cpu_core"), of("cpu_atom"), of("cpu_lowpower"));
    if core.is_empty() && atom.is_empty() {
        return None;
    }
    let (outside, atom) = without_l3(root, &core, atom);
    let mut kinds = Vec::new();
    for (name, cpus, evidence) in [
        ("P-core", core, "pmu"),
        ("E-core", atom, "pmu"),
        ("LP-E-core", outside, "pmu+l3"),
        ("LP-E-core", low, "pmu"),
    ] {
        if !cpus.is_empty() {
            kinds.push(kind(name, &cpus, evidence));
        }
    }
    Some(kinds)
}

/// Splits the E-cores into those that reach no L3 and the others. The low-power ones sit outside the
/// L3 on another die but share the PMU. Nothing is split on a machine whose P-cores have no L3 either.
fn without_l3(root: &Root, core: &[u32], atom: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    let levels = |cpu: u32| -> Vec<u32> {
        let base = format!("{CPU}/cpu{cpu}/cache");
        root.list(&base).iter().filter_map(|index| root.number(&format!("{base}/{index}/level"))).collect()
    };
    if !core.iter().any(|&cpu| levels(cpu).contains(&3)) {
        return (Vec::new(), atom);
    }
    atom.into_iter().partition(|&cpu| {
        let levels = levels(cpu);
        !levels.is_empty() && !levels.contains(&3)
    })
}

/// Arm: implementer and part of each CPU.
fn by_midr(root: &Root, online: &[u32]) -> Option<Vec<CoreKind>> {
    let parts = arm::parts(root, online)?;
    let mut by_part: BTreeMap<arm::Part, Vec<u32>> = BTreeMap::new();
    for (&cpu, &part) in online.iter().zip(&parts) {
        by_part.entry(part).or_default().push(cpu);
    }
    let mut groups: Vec<(arm::Part, Vec<u32>)> = by_part.into_iter().collect();
    groups.sort_by(|a, b| speed(root, &b.1).total_cmp(&speed(root, &a.1)));
    Some(groups.into_iter().map(|(part, cpus)| kind(&part.name(), &cpus, "midr")).collect())
}

/// Anything that orders kinds: capacity, else maximum frequency.
fn speed(root: &Root, cpus: &[u32]) -> f64 {
    let best = |file: &str| -> Option<f64> {
        cpus.iter().filter_map(|cpu| root.number::<f64>(&format!("{CPU}/cpu{cpu}/{file}"))).reduce(f64::max)
    };
    best("cpu_capacity").or_else(|| best("cpufreq/cpuinfo_max_freq")).unwrap_or(0.0)
}

/// Clusters of one value per CPU. Absent when any CPU does not tell its value.
fn by_value(root: &Root, online: &[u32], file: &str, evidence: &str) -> Option<Vec<CoreKind>> {
    let mut values: Vec<(f64, u32)> = online
        .iter()
        .map(|&cpu| root.number::<f64>(&format!("{CPU}/cpu{cpu}/{file}")).map(|value| (value, cpu)))
        .collect::<Option<_>>()?;
    values.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let clusters: Vec<&[(f64, u32)]> = values.chunk_by(|high, low| low.0 >= high.0 * GAP).collect();
    if clusters.len() < 2 {
        // Equal values do not prove that the next witness would see one kind too, except capacity,
        // which the kernel derives from all it knows.
        return (evidence == "capacity").then(|| vec![kind("core", online, evidence)]);
    }
    let names = ["big core", "middle core", "small core"];
    let last = clusters.len() - 1;
    let named = clusters.iter().enumerate().map(|(i, cluster)| {
        let mut cpus: Vec<u32> = cluster.iter().map(|&(_, cpu)| cpu).collect();
        cpus.sort_unstable();
        let name = match i {
            0 => names[0].to_owned(),
            _ if i == last => names[2].to_owned(),
            1 => names[1].to_owned(),
            _ => format!("{} {i}", names[1]),
        };
        kind(&name, &cpus, evidence)
    });
    Some(named.collect())
}

/// CPU model for people: x86's own name, else the Arm parts.
pub fn model(root: &Root, online: &[u32]) -> String {
    if let Some(name) = cpus::cpuinfo_values(root, "model name").first() {
        return one_line(&name.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    let mut names: Vec<String> = Vec::new();
    for part in arm::parts(root, online).unwrap_or_default() {
        let name = part.name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort();
    names.join(" + ")
}
