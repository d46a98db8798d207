//! `drills machine place`: the same copies from each kind of core, or from each NUMA node.

use drills_results::Unit;
use drills_results::topology::Topology;

use crate::gpu::job;
use crate::gpu::protocol::{Place, Step};
use crate::host::lists;
use crate::machine::{memcpy, topo};
use crate::measure::{methods, pin, room};
use crate::run::{Context, Sink};

/// Measures from each place. A machine with one node and one kind of core has one place, and says so.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_else(|| topo::read(ctx, sink));
    let places = places(&topology, &pin::allowed().unwrap_or_default());
    if let [only] = places.as_slice() {
        let name = &only.name;
        sink.warn(format!("One NUMA node and one kind of core: {name} is the only place to copy from."));
    }
    let amount = memcpy::Amount::of(&topology, room::free_bytes());
    for place in places {
        if sink.stopped() {
            return;
        }
        sink.step(&format!("memcpy from {}", place.name));
        let key = format!("place.memcpy.{}", place.name);
        let cpu = &place.cpus[..1];
        let method = methods::MEMCPY_ONE_THREAD;
        if let Some(m) = memcpy::measure(&key, method, cpu, Some(&place), amount, ctx.quick, sink) {
            debug_assert_eq!(m.unit, Unit::BytesPerS);
            sink.push(m.param("cpus", lists::format(&place.cpus)));
        }
        if !sink.stopped() {
            job::take(
                ctx,
                sink,
                &[Step::FromPlace],
                job::With { place: Some(place), ..job::With::default() },
            );
        }
    }
}

/// Kinds of core where there are several, else NUMA nodes with CPUs, else the whole machine. Only CPUs
/// that this process may use; a place with none is left out.
fn places(topology: &Topology, allowed: &[u32]) -> Vec<Place> {
    let within = |cpus: &str| lists::within(&lists::parse(cpus), allowed);
    let mut places: Vec<Place> = if topology.core_kinds.len() > 1 {
        let kind = |kind: &drills_results::topology::CoreKind| Place {
            name: key_word(&kind.name),
            cpus: within(&kind.cpus),
            node: None,
        };
        topology.core_kinds.iter().map(kind).collect()
    } else {
        let node = |node: &drills_results::topology::NumaNode| Place {
            name: format!("node{}", node.id),
            cpus: within(&node.cpus),
            // A node that shows no memory cannot be bound to.
            node: (node.memory_bytes > 0).then_some(node.id),
        };
        topology.nodes.iter().map(node).collect()
    };
    places.retain(|place| !place.cpus.is_empty());
    if places.is_empty() && !allowed.is_empty() {
        places.push(Place { name: "all".into(), cpus: allowed.to_vec(), node: None });
    }
    places
}

/// A name as a word of a key: "Cortex-X925" becomes `cortex_x925`.
fn key_word(name: &str) -> String {
    let word: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if word.is_empty() { "unnamed".into() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::topology::{CoreKind, NodeClass, NumaNode};

    fn node(id: u32, cpus: &str, memory_bytes: u64) -> NumaNode {
        NumaNode {
            id,
            class: NodeClass::CpuAndMemory,
            cpus: cpus.into(),
            memory_bytes,
            distances: Vec::new(),
            gpu: None,
        }
    }

    fn kind(name: &str, cpus: &str) -> CoreKind {
        CoreKind { name: name.into(), cpus: cpus.into(), evidence: "midr".into() }
    }

    #[test]
    fn two_nodes_are_two_places_and_memory_only_nodes_are_none() {
        let topology = Topology {
            nodes: vec![node(0, "0-3", 1), node(1, "4-7", 0), node(2, "", 9)],
            ..Topology::default()
        };
        let found = places(&topology, &[0, 1, 4]);
        let names: Vec<_> = found.iter().map(|p| (p.name.as_str(), p.cpus.as_slice(), p.node)).collect();
        assert_eq!(names, [("node0", &[0, 1][..], Some(0)), ("node1", &[4][..], None)]);
    }

    #[test]
    fn kinds_of_core_come_before_nodes() {
        let topology = Topology {
            core_kinds: vec![kind("Cortex-X925", "5-9"), kind("Cortex-A725", "0-4")],
            nodes: vec![node(0, "0-9", 1)],
            ..Topology::default()
        };
        let all: Vec<u32> = (0..10).collect();
        let names: Vec<_> = places(&topology, &all).into_iter().map(|p| p.name).collect();
        assert_eq!(names, ["cortex_x925", "cortex_a725"]);
    }

    #[test]
    fn a_machine_that_tells_nothing_is_one_place() {
        let found = places(&Topology::default(), &[0, 1]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "all");
    }
}
