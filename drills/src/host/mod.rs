//! Readers of `/sys` and `/proc` under a root. None of them fails: what is missing stays absent.

mod arm;
mod caches;
pub mod cgroup;
pub mod cpus;
pub mod distance;
pub mod filesystem;
pub mod imex;
mod kinds;
pub mod lists;
pub mod memory_mode;
pub mod names;
pub mod nodes;
pub mod numa_maps;
pub mod pages;
pub mod pci;
pub mod pressure;
mod root;
pub mod system;
pub mod virt;

pub use root::{Root, one_line};

use drills_results::topology::Topology;
use drills_results::{Environment, Machine};

/// The wiring of the machine under `root`, as the kernel tells it.
pub fn topology(root: &Root) -> Topology {
    let cpus = cpus::read(root);
    let devices = pci::read(root);
    let mut topology = Topology {
        cpus: cpus.online.len() as u64,
        cores: cpus.cores,
        packages: cpus.packages,
        core_kinds: kinds::read(root, &cpus.online),
        caches: caches::read(root, &cpus.online),
        nodes: nodes::read(root, &cpus.online),
        devices,
        ..Topology::default()
    };
    topology.distances = distance::all(&topology.devices, distance::cpu_nodes(&topology));
    topology
}

/// What was measured on, without its topology. `class` is filled in by [`class`] once GPUs have names.
pub fn machine(root: &Root) -> Machine {
    Machine {
        arch: system::arch(root),
        kernel: system::kernel(root),
        os: system::os(root),
        cpu_model: kinds::model(root, &cpus::online(root)),
        page_bytes: system::page_bytes(root),
        memory_bytes: system::memory_bytes(root),
        nvidia_driver: system::nvidia_driver(root),
        ..Machine::default()
    }
}

/// What surrounds the run, before it starts.
pub fn environment(root: &Root) -> Environment {
    let limits = cgroup::read(root);
    let mut allowed = cpus::allowed(root);
    if let Some(cpuset) = &limits.cpus {
        let both = lists::within(&allowed, cpuset);
        allowed = if both.is_empty() { allowed } else { both };
    }
    let memory = system::memory_bytes(root);
    Environment {
        virtualisation: virt::virtualisation(root),
        container: virt::container(root),
        allowed_cpus: lists::format(&allowed),
        cpu_quota_cpus: limits.cpu_quota_cpus,
        // A limit above what the machine has is none.
        memory_limit_bytes: limits.memory_bytes.filter(|&bytes| memory == 0 || bytes < memory),
        cpu_pressure_percent_before: pressure::read(root, "cpu").some_percent(),
        load_1min_before: system::load_1min(root),
        ..Environment::default()
    }
}
