//! `drills rack place`: the same buffer on each NUMA node, copied and read by the GPU.

use drills_results::Reason;
use drills_results::topology::{NodeClass, NumaNode};

use super::{on_gpu, skip, topology};
use crate::gpu::job;
use crate::gpu::protocol::{Place, Step};
use crate::host::{lists, nodes};
use crate::measure::pin;
use crate::run::{Context, Sink};

/// A node with less room than this is left alone: the buffer and what the kernel needs beside it.
const ROOM: u64 = 1 << 30;

/// One child for each node that has memory.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = topology(ctx, sink);
    let with_memory: Vec<&NumaNode> = topology.nodes.iter().filter(|node| node.memory_bytes > 0).collect();
    if with_memory.is_empty() {
        sink.warn("The kernel shows no NUMA nodes: there is no place to compare.");
    }
    let cpus = pin::allowed().unwrap_or_default();
    let allowed = nodes::allowed(&ctx.root);
    for node in with_memory {
        if sink.stopped() {
            return;
        }
        let name = format!("node{}", node.id);
        sink.step(&format!("memory of {name}"));
        let usage = nodes::usage(&ctx.root, node.id).unwrap_or_default();
        if let Some(reason) = obstacle(node, usage, &allowed, ctx.rack.gpu_nodes) {
            for (key, _, method) in Step::FromNode.keys() {
                skip(sink, &format!("{key}.{name}"), method, &reason);
            }
            continue;
        }
        let cpus = lists::within(&lists::parse(&node.cpus), &cpus);
        let place = Place { name, cpus, node: Some(node.id) };
        on_gpu(ctx, sink, &[Step::FromNode], job::With { place: Some(place), ..job::With::default() });
    }
}

/// Why no buffer is put on a node.
fn obstacle(node: &NumaNode, usage: nodes::Use, allowed: &[u32], gpu_nodes: bool) -> Option<Reason> {
    if node.class == NodeClass::Gpu && !gpu_nodes {
        let text = format!("Node {} is GPU memory, which others may be waiting for.", node.id);
        return Some(Reason::new("gpu-node", text, "Ask for it with --gpu-nodes."));
    }
    if !allowed.is_empty() && !allowed.contains(&node.id) {
        let text = format!("This process may not take memory from node {}.", node.id);
        return Some(Reason::new("node-not-allowed", text, "Widen `cpuset.mems` of its control group."));
    }
    // Page cache counts: the kernel drops it for a buffer that is bound here.
    if usage.free.saturating_add(usage.file) < ROOM {
        let text = format!("Node {} has less than 1 GiB that is free or page cache.", node.id);
        return Some(Reason::new("no-room", text, "Free memory on that node."));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(class: NodeClass) -> NumaNode {
        let (cpus, distances) = (String::new(), Vec::new());
        NumaNode { id: 2, class, cpus, memory_bytes: 1 << 40, distances, gpu: None }
    }

    #[test]
    fn gpu_nodes_full_nodes_and_forbidden_nodes_are_left_alone() {
        let free = nodes::Use { free: 1 << 32, file: 0, anon: 0 };
        let code = |node: &NumaNode, usage, allowed: &[u32], gpu_nodes| {
            obstacle(node, usage, allowed, gpu_nodes).map(|reason| reason.code)
        };
        let (gpu, far) = (node(NodeClass::Gpu), node(NodeClass::MemoryOnly));
        assert_eq!(code(&gpu, free, &[], false).as_deref(), Some("gpu-node"));
        assert_eq!(code(&gpu, free, &[], true), None);
        assert_eq!(code(&far, free, &[0, 2], false), None);
        assert_eq!(code(&far, free, &[0, 1], false).as_deref(), Some("node-not-allowed"));
        let full = nodes::Use { free: 1 << 20, file: 1 << 20, anon: 1 << 32 };
        assert_eq!(code(&far, full, &[], false).as_deref(), Some("no-room"));
    }
}
