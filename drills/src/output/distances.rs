//! The distance matrix of GPUs and NICs for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::Style;
use drills_results::topology::{DeviceClass, PathCode, PciDevice, Topology};

use super::style::{self, paint};
use super::table::{Align, Cell, Table};
use super::width;

/// Longer names than this become NIC0, NIC1, … with a legend.
const LONGEST_NAME: usize = 9;

/// The matrix in at most `width` columns, a legend of the codes used, and NICs that stand apart.
pub fn text(topology: &Topology, width: usize) -> String {
    let of = |class| topology.devices.iter().filter(move |d| d.class == class).collect::<Vec<_>>();
    let (gpus, nics) = (of(DeviceClass::Gpu), of(DeviceClass::Nic));
    if gpus.is_empty() || gpus.len() + nics.len() < 2 {
        return String::new();
    }
    let mut names: Vec<(String, &PciDevice)> =
        gpus.iter().enumerate().map(|(i, gpu)| (format!("GPU{i}"), *gpu)).collect();
    let long = nics.iter().any(|nic| nic.name.chars().count() > LONGEST_NAME);
    for (i, nic) in nics.iter().enumerate() {
        names.push((if long { format!("NIC{i}") } else { nic.name.clone() }, nic));
    }
    let mut text = String::new();
    let column = names.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(4).max(4) + 2;
    let per_block = (width.saturating_sub(2 + column) / column).max(1);
    for block in names.chunks(per_block) {
        text.push_str(&matrix(topology, &names[..gpus.len()], block, width));
    }
    text.push_str(&legend(topology, &names, long, width));
    text.push_str(&nearest(topology, &names, width));
    for note in odd_nics(topology, &nics) {
        for line in width::wrap(&note, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", paint(style::CAUTION, line));
        }
    }
    text
}

fn matrix(
    topology: &Topology,
    rows: &[(String, &PciDevice)],
    columns: &[(String, &PciDevice)],
    width: usize,
) -> String {
    let mut table = Table::new(&vec![Align::Left; columns.len() + 1]).indent(2);
    let heads: Vec<&str> = std::iter::once("").chain(columns.iter().map(|(name, _)| name.as_str())).collect();
    table.head(&heads);
    for (name, gpu) in rows {
        let cells = columns.iter().map(|(_, other)| match code(topology, gpu, other) {
            _ if gpu.address == other.address => Cell::new(style::MUTED, "X"),
            Some((code, links)) => Cell::new(ink(code), word(code, links)),
            None => Cell::new(style::MUTED, "?"),
        });
        table.row(std::iter::once(Cell::new(style::GPU, name.as_str())).chain(cells));
    }
    table.render(width)
}

fn code(topology: &Topology, a: &PciDevice, b: &PciDevice) -> Option<(PathCode, Option<u32>)> {
    let pair = topology
        .distances
        .iter()
        .find(|d| (d.from == a.address && d.to == b.address) || (d.from == b.address && d.to == a.address))?;
    Some((pair.code, pair.nvlinks))
}

fn word(code: PathCode, links: Option<u32>) -> String {
    match code {
        PathCode::Nv => format!("NV{}", links.map_or_else(String::new, |n| n.to_string())),
        PathCode::Pix => "PIX".into(),
        PathCode::Pxb => "PXB".into(),
        PathCode::Phb => "PHB".into(),
        PathCode::Node => "NODE".into(),
        PathCode::Sys => "SYS".into(),
    }
}

fn ink(code: PathCode) -> Style {
    match code {
        PathCode::Nv | PathCode::Pix | PathCode::Pxb => style::GPU,
        PathCode::Phb | PathCode::Node => Style::new(),
        PathCode::Sys => style::CAUTION,
    }
}

fn legend(topology: &Topology, names: &[(String, &PciDevice)], long: bool, width: usize) -> String {
    let meanings = [
        (PathCode::Nv, "NV#: that many NVLinks"),
        (PathCode::Pix, "PIX: at most one PCIe switch"),
        (PathCode::Pxb, "PXB: several PCIe switches"),
        (PathCode::Phb, "PHB: through the host bridge"),
        (PathCode::Node, "NODE: across host bridges of one NUMA node"),
        (PathCode::Sys, "SYS: across NUMA nodes"),
    ];
    let used = |code: PathCode| topology.distances.iter().any(|d| d.code == code);
    let mut parts: Vec<String> =
        meanings.iter().filter(|(code, _)| used(*code)).map(|(_, text)| (*text).to_owned()).collect();
    if long {
        let nics = names.iter().filter(|(_, d)| d.class == DeviceClass::Nic);
        parts.extend(nics.map(|(name, d)| format!("{name}: {}", d.name)));
    }
    let mut text = String::new();
    if parts.is_empty() {
        return text;
    }
    for line in width::wrap(&parts.join(" · "), width.saturating_sub(2)) {
        let _ = writeln!(text, "  {}", paint(style::MUTED, line));
    }
    text
}

/// Where a process that drives a GPU belongs, and by which NIC it should leave the box.
fn nearest(topology: &Topology, names: &[(String, &PciDevice)], width: usize) -> String {
    let mut table = Table::new(&[Align::Left; 4]).indent(2);
    table.head(&["", "node", "CPUs", "nearest NIC"]);
    for (name, gpu) in names.iter().filter(|(_, d)| d.class == DeviceClass::Gpu) {
        let mut nics: Vec<(PathCode, &str)> = names
            .iter()
            .filter(|(_, d)| d.class == DeviceClass::Nic)
            .filter_map(|(nic, d)| Some((code(topology, gpu, d)?.0, nic.as_str())))
            .collect();
        nics.sort_by_key(|(code, _)| rank(*code));
        let best = nics.first().map(|(code, _)| *code);
        let equal: Vec<&str> =
            nics.iter().filter(|(code, _)| Some(*code) == best).map(|(_, nic)| *nic).collect();
        let nic =
            best.map_or_else(String::new, |code| format!("{} ({})", equal.join(", "), word(code, None)));
        table.row([
            Cell::new(style::GPU, name.as_str()),
            gpu.numa_node.map_or_else(|| "–".to_owned(), |node| node.to_string()).into(),
            gpu.local_cpus.as_str().into(),
            nic.into(),
        ]);
    }
    table.render(width)
}

/// Fast NICs that reach no GPU without the CPU although their equals do: cabled or seated wrongly.
/// Slower ones, such as the management port, are meant to be elsewhere.
fn odd_nics(topology: &Topology, nics: &[&PciDevice]) -> Vec<String> {
    let fastest = nics.iter().filter_map(|nic| nic.port_gbit_per_s).fold(0.0, f64::max);
    let peers: Vec<&&PciDevice> = nics.iter().filter(|nic| nic.port_gbit_per_s == Some(fastest)).collect();
    let mut best_of: BTreeMap<&str, PathCode> = BTreeMap::new();
    for distance in &topology.distances {
        for nic in peers.iter().filter(|nic| nic.address == distance.to) {
            let best = best_of.entry(&nic.address).or_insert(distance.code);
            if rank(distance.code) < rank(*best) {
                *best = distance.code;
            }
        }
    }
    let behind_switch = best_of.values().filter(|&&code| rank(code) <= rank(PathCode::Pxb)).count();
    if behind_switch * 2 <= best_of.len() {
        return Vec::new();
    }
    let odd = peers.iter().filter_map(|nic| {
        let code = *best_of.get(nic.address.as_str())?;
        (rank(code) > rank(PathCode::Pxb)).then(|| {
            format!(
                "{} at {} is {} from its nearest GPU, while {behind_switch} of {} NICs of its speed share a switch with one.",
                nic.name,
                nic.address,
                word(code, None),
                best_of.len()
            )
        })
    });
    odd.collect()
}

fn rank(code: PathCode) -> u8 {
    match code {
        PathCode::Nv => 0,
        PathCode::Pix => 1,
        PathCode::Pxb => 2,
        PathCode::Phb => 3,
        PathCode::Node => 4,
        PathCode::Sys => 5,
    }
}
