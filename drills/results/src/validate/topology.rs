//! Rules for the wiring: every text and list bounded, every number finite.

use crate::topology::{Cache, NumaNode, PciDevice, Topology};
use crate::trail::Trail;

const MAX_KINDS: usize = 64;
const MAX_CACHES: usize = 512;
const MAX_INSTANCES: usize = 10_000;
const MAX_NODES: usize = 2_048;
const MAX_DEVICES: usize = 4_096;
const MAX_DISTANCES: usize = 50_000;
/// Bridges above a device; a PCI hierarchy has at most 256 buses and real ones a handful.
const MAX_PARENTS: usize = 64;
const MAX_INTERFACES: usize = 256;

pub(super) fn topology(trail: &mut Trail, t: &Topology) {
    trail.integer("cpus", t.cpus);
    trail.integer("cores", t.cores.unwrap_or(0));
    trail.integer("packages", t.packages.unwrap_or(0));
    trail.each("core_kinds", &t.core_kinds, MAX_KINDS, |trail, kind| {
        trail.text("name", &kind.name);
        trail.ids("cpus", &kind.cpus);
        trail.text("evidence", &kind.evidence);
    });
    trail.each("caches", &t.caches, MAX_CACHES, cache);
    trail.each("nodes", &t.nodes, MAX_NODES, node);
    trail.each("devices", &t.devices, MAX_DEVICES, device);
    trail.each("distances", &t.distances, MAX_DISTANCES, |trail, distance| {
        trail.text("from", &distance.from);
        trail.text("to", &distance.to);
    });
}

fn cache(trail: &mut Trail, cache: &Cache) {
    trail.text("kind", &cache.kind);
    trail.integer("bytes", cache.bytes);
    trail.integer("line_bytes", cache.line_bytes.unwrap_or(0));
    trail.each("shared_by", &cache.shared_by, MAX_INSTANCES, |trail, cpus| trail.ids("", cpus));
}

fn node(trail: &mut Trail, node: &NumaNode) {
    trail.ids("cpus", &node.cpus);
    trail.integer("memory_bytes", node.memory_bytes);
    trail.counted("distances", node.distances.len(), MAX_NODES);
    trail.optional_text("gpu", node.gpu.as_ref());
}

fn device(trail: &mut Trail, device: &PciDevice) {
    trail.text("address", &device.address);
    trail.text("name", &device.name);
    trail.text("id", &device.id);
    trail.ids("local_cpus", &device.local_cpus);
    trail.each("parents", &device.parents, MAX_PARENTS, |trail, parent| trail.text("", parent));
    trail.each("interfaces", &device.interfaces, MAX_INTERFACES, |trail, name| trail.text("", name));
    trail.finite("port_gbit_per_s", device.port_gbit_per_s.unwrap_or(0.0));
    if let Some(link) = device.link {
        trail.inside("link", |trail| {
            trail.finite("gt_per_s", link.gt_per_s);
            trail.finite("max_gt_per_s", link.max_gt_per_s);
        });
    }
}
