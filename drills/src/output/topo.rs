//! The wiring for people: CPUs, caches, nodes, PCIe tree, distances.

use std::fmt::Write as _;

use drills_results::topology::{Cache, NodeClass, Topology};
use drills_results::{Environment, Machine, Unit};

use super::style::{self, paint};
use super::table::{Align, Cell, Table};
use super::{distances, tree, units, width};
use crate::host::lists;

/// All sections in at most `width` columns.
pub fn text(topology: &Topology, machine: &Machine, environment: &Environment, width: usize) -> String {
    let sections = [
        ("CPUs", cpus(topology, machine, environment, width)),
        ("Caches", caches(topology, width)),
        ("NUMA nodes", nodes(topology, machine.memory_bytes, width)),
        ("PCIe", tree::text(topology, width)),
        ("Distances", distances::text(topology, width)),
    ];
    let mut text = String::new();
    for (title, body) in sections.iter().filter(|(_, body)| !body.is_empty()) {
        let _ = write!(text, "\n{}\n{body}", paint(style::TITLE, title));
    }
    text
}

fn cpus(topology: &Topology, machine: &Machine, environment: &Environment, width: usize) -> String {
    let mut table = Table::new(&[Align::Left, Align::Left]).indent(2);
    if !machine.cpu_model.is_empty() {
        table.row(["model", &machine.cpu_model]);
    }
    let mut counts = vec![format!("{} CPUs", topology.cpus)];
    counts.extend(topology.cores.map(|n| format!("{n} {}", plural(n, "core"))));
    counts.extend(topology.packages.map(|n| format!("{n} {}", plural(n, "socket"))));
    table.row(["online", &counts.join(", ")]);
    for kind in topology.core_kinds.iter().filter(|_| topology.core_kinds.len() > 1) {
        let n = lists::parse(&kind.cpus).len();
        let text = format!("{n} CPUs: {} (told by {})", kind.cpus, kind.evidence);
        table.row([Cell::new(style::CPU, kind.name.as_str()), text.into()]);
    }
    if lists::parse(&environment.allowed_cpus).len() as u64 != topology.cpus {
        let allowed = format!("only {}", environment.allowed_cpus);
        table.row([Cell::from("allowed"), Cell::new(style::CAUTION, allowed)]);
    }
    if let Some(quota) = environment.cpu_quota_cpus {
        let quota = format!("{} CPUs by control group", units::digits(quota));
        table.row([Cell::from("quota"), Cell::new(style::CAUTION, quota)]);
    }
    memory_rows(machine, environment, &mut table);
    if machine.page_bytes > 0 {
        table.row(["page", &bytes(machine.page_bytes)]);
    }
    let mut inside: Vec<&str> = Vec::new();
    inside.extend(environment.virtualisation.as_deref());
    inside.extend(environment.container.as_deref());
    if !inside.is_empty() {
        table.row(["inside", &inside.join(", ")]);
    }
    table.render(width)
}

fn memory_rows(machine: &Machine, environment: &Environment, table: &mut Table) {
    if machine.memory_bytes > 0 {
        table.row(["memory", &bytes(machine.memory_bytes)]);
    }
    if let Some(limit) = environment.memory_limit_bytes {
        let limit = format!("{} by control group", bytes(limit));
        table.row([Cell::from("limit"), Cell::new(style::CAUTION, limit)]);
    }
}

fn caches(topology: &Topology, width: usize) -> String {
    let mut table =
        Table::new(&[Align::Left, Align::Right, Align::Right, Align::Right, Align::Left]).indent(2);
    for cache in &topology.caches {
        let size = if cache.bytes > 0 { bytes(cache.bytes) } else { "size not told".into() };
        let line = cache.line_bytes.map_or_else(String::new, |line| format!("{line} B lines"));
        table.row([cache_name(cache), size, format!("x {}", cache.shared_by.len()), line, sharing(cache)]);
    }
    if topology.caches.is_empty() { String::new() } else { table.render(width) }
}

fn cache_name(cache: &Cache) -> String {
    let kind = match cache.kind.as_str() {
        "data" => "d",
        "instruction" => "i",
        _ => "",
    };
    format!("L{}{kind}", cache.level)
}

/// Who shares each instance. Long lists of small groups say less than their shape.
fn sharing(cache: &Cache) -> String {
    const MOST_LISTED: usize = 8;
    let sizes: Vec<usize> = cache.shared_by.iter().map(|list| lists::parse(list).len()).collect();
    let (least, most) =
        (sizes.iter().min().copied().unwrap_or_default(), sizes.iter().max().copied().unwrap_or_default());
    let groups = if most > 1 && cache.shared_by.len() <= MOST_LISTED {
        format!(": {}", cache.shared_by.join(" | "))
    } else {
        String::new()
    };
    match (least, most) {
        (1, 1) => "one for each CPU".into(),
        (a, b) if a == b => format!("each shared by {a} CPUs{groups}"),
        (a, b) => format!("each shared by {a} to {b} CPUs{groups}"),
    }
}

fn nodes(topology: &Topology, machine_bytes: u64, width: usize) -> String {
    if topology.nodes.is_empty() {
        return format!("  {}\n", paint(style::MUTED, "the kernel tells of none"));
    }
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Right, Align::Left, Align::Left]).indent(2);
    table.head(&["node", "holds", "memory", "CPUs", "distances"]);
    let empty: Vec<u32> =
        topology.nodes.iter().filter(|n| n.class == NodeClass::Empty).map(|n| n.id).collect();
    for node in topology.nodes.iter().filter(|node| node.class != NodeClass::Empty) {
        let (ink, holds) = match node.class {
            NodeClass::CpuAndMemory => (style::CPU, "CPUs and memory".to_owned()),
            NodeClass::CpuOnly => (style::CAUTION, "CPUs, no memory".to_owned()),
            NodeClass::MemoryOnly => (style::CPU, "memory only".to_owned()),
            NodeClass::Gpu => (style::GPU, format!("memory of GPU {}", node.gpu.as_deref().unwrap_or("?"))),
            NodeClass::Empty => (style::MUTED, String::new()),
        };
        // Many empty placeholders would drown the distances that matter.
        let distances = if topology.nodes.len() <= 16 {
            node.distances.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        } else {
            String::new()
        };
        table.row([
            node.id.to_string().into(),
            Cell::new(ink, holds),
            if node.memory_bytes > 0 { bytes(node.memory_bytes) } else { "–".into() }.into(),
            if node.cpus.is_empty() { "–".into() } else { node.cpus.clone() }.into(),
            Cell::new(style::MUTED, distances),
        ]);
    }
    let mut text = table.render(width);
    if !empty.is_empty() {
        let line = format!("nodes {} hold nothing yet", lists::format(&empty));
        let _ = writeln!(text, "  {}", paint(style::MUTED, line));
    }
    // Memory that the hypervisor adds as it is used counts for the machine before any node has it.
    let in_nodes: u64 = topology.nodes.iter().map(|node| node.memory_bytes).sum();
    if in_nodes > 0 && in_nodes < machine_bytes / 10 * 9 {
        let line = format!(
            "{} of {} so far: this guest's memory grows as it is used",
            bytes(in_nodes),
            bytes(machine_bytes)
        );
        for line in width::wrap(&line, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", paint(style::MUTED, line));
        }
    }
    text
}

pub(super) fn bytes(bytes: u64) -> String {
    units::quantity(Unit::Bytes, bytes as f64)
}

fn plural(n: u64, word: &str) -> String {
    if n == 1 { word.to_owned() } else { format!("{word}s") }
}
