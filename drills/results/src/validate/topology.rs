//! Rules for the wiring: every text and list bounded, every number finite.

use super::rules::{Checked, counted, finite, integer, list, text};
use crate::topology::{Cache, NumaNode, PciDevice, Topology};

const MAX_KINDS: usize = 64;
const MAX_CACHES: usize = 512;
const MAX_INSTANCES: usize = 10_000;
const MAX_NODES: usize = 2_048;
const MAX_DEVICES: usize = 4_096;
const MAX_DISTANCES: usize = 50_000;
/// Bridges above a device; a PCI hierarchy has at most 256 buses and real ones a handful.
const MAX_PARENTS: usize = 64;
const MAX_INTERFACES: usize = 256;

pub(super) fn check(path: &str, t: &Topology) -> Checked {
    integer(&format!("{path}.cpus"), t.cpus)?;
    integer(&format!("{path}.cores"), t.cores.unwrap_or(0))?;
    integer(&format!("{path}.packages"), t.packages.unwrap_or(0))?;
    each(path, "core_kinds", &t.core_kinds, MAX_KINDS, |path, kind| {
        text(&format!("{path}.name"), &kind.name)?;
        list(&format!("{path}.cpus"), &kind.cpus)?;
        text(&format!("{path}.evidence"), &kind.evidence)
    })?;
    each(path, "caches", &t.caches, MAX_CACHES, cache)?;
    each(path, "nodes", &t.nodes, MAX_NODES, node)?;
    each(path, "devices", &t.devices, MAX_DEVICES, device)?;
    each(path, "distances", &t.distances, MAX_DISTANCES, |path, distance| {
        text(&format!("{path}.from"), &distance.from)?;
        text(&format!("{path}.to"), &distance.to)
    })
}

/// Checks a bounded list entry by entry, with the entry's path.
fn each<T>(path: &str, field: &str, entries: &[T], most: usize, check: fn(&str, &T) -> Checked) -> Checked {
    let path = format!("{path}.{field}");
    counted(&path, entries.len(), most)?;
    entries.iter().enumerate().try_for_each(|(i, entry)| check(&format!("{path}[{i}]"), entry))
}

fn cache(path: &str, cache: &Cache) -> Checked {
    text(&format!("{path}.kind"), &cache.kind)?;
    integer(&format!("{path}.bytes"), cache.bytes)?;
    integer(&format!("{path}.line_bytes"), cache.line_bytes.unwrap_or(0))?;
    each(path, "shared_by", &cache.shared_by, MAX_INSTANCES, |path, cpus| list(path, cpus))
}

fn node(path: &str, node: &NumaNode) -> Checked {
    list(&format!("{path}.cpus"), &node.cpus)?;
    integer(&format!("{path}.memory_bytes"), node.memory_bytes)?;
    counted(&format!("{path}.distances"), node.distances.len(), MAX_NODES)?;
    text(&format!("{path}.gpu"), node.gpu.as_deref().unwrap_or_default())
}

fn device(path: &str, device: &PciDevice) -> Checked {
    text(&format!("{path}.address"), &device.address)?;
    text(&format!("{path}.name"), &device.name)?;
    text(&format!("{path}.id"), &device.id)?;
    list(&format!("{path}.local_cpus"), &device.local_cpus)?;
    each(path, "parents", &device.parents, MAX_PARENTS, |path, parent| text(path, parent))?;
    each(path, "interfaces", &device.interfaces, MAX_INTERFACES, |path, name| text(path, name))?;
    finite(&format!("{path}.port_gbit_per_s"), device.port_gbit_per_s.unwrap_or(0.0))?;
    if let Some(link) = device.link {
        finite(&format!("{path}.link.gt_per_s"), link.gt_per_s)?;
        finite(&format!("{path}.link.max_gt_per_s"), link.max_gt_per_s)?;
    }
    Ok(())
}
