//! `drills rack numa`: which NUMA nodes are GPU memory, and what lies on them.

use std::time::{Duration, Instant};

use drills_results::Reason;
use drills_results::topology::{NodeClass, NumaNode, Topology};

use super::{fact, known, not_told, skip, topology};
use crate::host::{Root, nodes, numa_maps};
use crate::machine::topo;
use crate::measure::methods;
use crate::output::units;
use crate::run::{Context, Sink};

/// Less than this on GPU nodes is the kernel's own and nobody's spill.
const WORTH_A_NAME: u64 = 16 << 20;
/// Reading the maps of all processes walks all page tables; large machines have many.
const MOST_READING: Duration = Duration::from_secs(4);
/// Programs that are named.
const MOST_NAMES: usize = 5;

/// Reads the nodes; measures nothing.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = topology(ctx, sink);
    if known(sink, "topo.numa.cpu_nodes").is_none() {
        topo::node_facts(&topology, sink);
    }
    if topology.nodes.is_empty() {
        for key in ["numa.gpu_nodes", "numa.gpu_bytes", "numa.gpu_spill"] {
            skip(sink, key, methods::NUMA_MEMINFO, &not_told());
        }
    } else {
        gpu_memory(&ctx.root, &topology, sink);
    }
    for (key, class) in
        [("numa.distance.cpu", NodeClass::CpuAndMemory), ("numa.distance.gpu", NodeClass::Gpu)]
    {
        match nearest(&topology, class) {
            Ok((from, to, distance)) => {
                let state = format!("node {from} to node {to}");
                sink.push(fact(key, f64::from(distance), methods::NUMA_MEMINFO).param("state", state));
            }
            Err(reason) => skip(sink, key, methods::NUMA_MEMINFO, &reason),
        }
    }
}

fn gpu_memory(root: &Root, topology: &Topology, sink: &Sink) {
    let on_gpu = |node: &&NumaNode| node.class == NodeClass::Gpu && node.memory_bytes > 0;
    let gpu_nodes: Vec<&NumaNode> = topology.nodes.iter().filter(on_gpu).collect();
    let ids: Vec<u32> = gpu_nodes.iter().map(|node| node.id).collect();
    let mut count = fact("numa.gpu_nodes", ids.len() as f64, methods::NUMA_MEMINFO);
    if !ids.is_empty() {
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        count = count.param("state", format!("nodes {}", ids.join(", ")));
    }
    sink.push(count);
    let bytes: u64 = gpu_nodes.iter().map(|node| node.memory_bytes).sum();
    sink.push(fact("numa.gpu_bytes", bytes as f64, methods::NUMA_MEMINFO));
    let usage: Vec<_> = ids.iter().filter_map(|id| Some((*id, nodes::usage(root, *id)?))).collect();
    let spill: u64 = usage.iter().map(|(_, used)| used.file.saturating_add(used.anon)).sum();
    let mut m = fact("numa.gpu_spill", spill as f64, methods::NUMA_MEMINFO);
    for (id, used) in &usage {
        m = m
            .param(&format!("node{id}_file_bytes"), used.file)
            .param(&format!("node{id}_anon_bytes"), used.anon);
    }
    if spill >= WORTH_A_NAME {
        m = m.param("state", owners(root, &ids));
    }
    sink.push(m);
}

/// "python 3.9 GiB, loader 512 MiB".
fn owners(root: &Root, nodes: &[u32]) -> String {
    let start = Instant::now();
    let found = numa_maps::on_nodes(root, nodes, || start.elapsed() > MOST_READING);
    let name = |(name, bytes): &(String, u64)| {
        format!("{name} {}", units::quantity(drills_results::Unit::Bytes, *bytes as f64))
    };
    match found.as_slice() {
        [] => "of processes whose maps may not be read, or page cache".to_owned(),
        found => found.iter().take(MOST_NAMES).map(name).collect::<Vec<_>>().join(", "),
    }
}

/// From the first node with CPUs and memory to the nearest other one of a class.
fn nearest(topology: &Topology, class: NodeClass) -> Result<(u32, u32, u32), Reason> {
    let nodes = &topology.nodes;
    let first = nodes.iter().find(|node| node.class == NodeClass::CpuAndMemory).ok_or_else(not_told)?;
    let others = nodes.iter().enumerate().filter(|(_, node)| node.id != first.id && node.class == class);
    let mut others = others.filter(|(_, node)| node.memory_bytes > 0).peekable();
    if others.peek().is_none() {
        let text = match class {
            NodeClass::Gpu => "no NUMA node of this machine is GPU memory",
            _ => "this machine has one NUMA node with CPUs and memory",
        };
        return Err(Reason::new("no-such-node", text, ""));
    }
    let told = others.filter_map(|(at, node)| Some((first.id, node.id, *first.distances.get(at)?)));
    told.min_by_key(|(_, _, distance)| *distance).ok_or_else(not_told)
}
