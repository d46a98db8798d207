//! The PCIe tree for people, each link with what it is now and at most.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anstyle::Style;
use drills_results::topology::{DeviceClass, Link, PciDevice, Topology};

use super::style::{self, paint};
use super::table::{Align, Cell, Table};
use super::{units, width};
use crate::host::{distance, pci};
use crate::machine::topo::{max_rate, narrowest};

/// The tree in at most `width` columns, then what is odd about it.
pub fn text(topology: &Topology, width: usize) -> String {
    if topology.devices.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Left]).indent(2);
    let bridges: BTreeSet<(u32, u8)> = topology.devices.iter().filter_map(distance::host_bridge).collect();
    for bridge in bridges {
        let tops = topology
            .devices
            .iter()
            .filter(|d| d.parents.is_empty() && distance::host_bridge(d) == Some(bridge))
            .collect::<Vec<_>>();
        let title = format!("host bridge {:04x}:{:02x}", bridge.0, bridge.1);
        let nodes: BTreeSet<u32> = tops.iter().filter_map(|d| d.numa_node).collect();
        let node = nodes.iter().map(|n| format!("node {n}")).collect::<Vec<_>>().join(", ");
        table.row([
            Cell::new(style::MUTED, title),
            Cell::default(),
            Cell::default(),
            Cell::new(style::MUTED, node),
        ]);
        for top in tops {
            branch(topology, top, 1, &mut table);
        }
    }
    let mut text = table.render(width);
    for note in narrow_hops(topology) {
        for line in width::wrap(&note, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", paint(style::CAUTION, line));
        }
    }
    text
}

fn branch(topology: &Topology, device: &PciDevice, depth: usize, table: &mut Table) {
    let (ink, kind) = match device.class {
        DeviceClass::Gpu => (style::GPU, "GPU "),
        DeviceClass::Nic => (style::CPU, "NIC "),
        DeviceClass::Storage => (style::MUTED, "disk "),
        DeviceClass::Bridge => (style::MUTED, ""),
        DeviceClass::NvSwitch => (style::GPU, ""),
    };
    let name = match device.class {
        DeviceClass::Bridge => bridge_name(topology, device).to_owned(),
        DeviceClass::Nic => format!("{kind}{}", nic_name(device)),
        _ => format!("{kind}{}", device.name),
    };
    let link = match device.link {
        Some(link) => link_text(link),
        None if device.coherent => "not by PCIe (C2C)".to_owned(),
        None => String::new(),
    };
    table.row([
        Cell::from(format!("{}{}", "  ".repeat(depth), device.address)),
        Cell::new(ink, name),
        Cell::new(link_ink(device), link),
        Cell::new(style::MUTED, affinity(device)),
    ]);
    let mut children: Vec<&PciDevice> =
        topology.devices.iter().filter(|d| d.parents.first() == Some(&device.address)).collect();
    children.sort_by_key(|child| pci::Address::parse(&child.address));
    for child in children {
        branch(topology, child, depth + 1, table);
    }
}

/// A switch is an upstream port with its downstream ports below it.
fn bridge_name(topology: &Topology, bridge: &PciDevice) -> &'static str {
    let is_bridge = |d: &&PciDevice| d.class == DeviceClass::Bridge;
    let has_ports =
        topology.devices.iter().filter(is_bridge).any(|d| d.parents.first() == Some(&bridge.address));
    match (bridge.parents.is_empty(), has_ports) {
        (true, _) => "root port",
        (false, true) => "switch",
        (false, false) => "switch port",
    }
}

/// Fewer lanes than possible are worth a look; a lower speed may be idling.
fn link_ink(device: &PciDevice) -> Style {
    match device.link {
        Some(link) if link.width < link.max_width => style::CAUTION,
        _ => Style::new(),
    }
}

fn nic_name(device: &PciDevice) -> String {
    let names = if device.interfaces.is_empty() { device.name.clone() } else { device.interfaces.join(" ") };
    match device.port_gbit_per_s {
        Some(gbit) => format!("{names}, {} Gbit/s", units::digits(gbit)),
        None => names,
    }
}

/// Node and CPUs of devices that copies start from or end at.
fn affinity(device: &PciDevice) -> String {
    if !matches!(device.class, DeviceClass::Gpu | DeviceClass::Nic) {
        return String::new();
    }
    let node = device.numa_node.map(|node| format!("node {node}"));
    let cpus = (!device.local_cpus.is_empty()).then(|| format!("CPUs {}", device.local_cpus));
    [node, cpus].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// "32 GT/s x16", with "at most" where that differs.
fn link_text(link: Link) -> String {
    let now = format!("{} GT/s x{}", link.gt_per_s, link.width);
    if link.gt_per_s == link.max_gt_per_s && link.width == link.max_width {
        now
    } else {
        format!("{now} (at most {} GT/s x{})", link.max_gt_per_s, link.max_width)
    }
}

/// GPUs and NICs whose way to the CPU is narrower than they are, or that run on fewer lanes than they
/// could. Fewer lanes do not come back under load, a lower speed does.
fn narrow_hops(topology: &Topology) -> Vec<String> {
    let mut notes = Vec::new();
    for device in topology.devices.iter().filter(|d| matches!(d.class, DeviceClass::Gpu | DeviceClass::Nic)) {
        let Some(link) = device.link else { continue };
        let Some((hop, narrow)) = narrowest(topology, device, max_rate) else { continue };
        if max_rate(narrow) < max_rate(link) {
            notes.push(format!(
                "{} at {}: the hop at {} carries at most {} GT/s x{} of its {} GT/s x{}.",
                device.name,
                device.address,
                hop.address,
                narrow.max_gt_per_s,
                narrow.max_width,
                link.max_gt_per_s,
                link.max_width
            ));
        } else if link.width < link.max_width {
            notes.push(format!(
                "{} at {}: {} lanes of {}; lanes do not come back under load.",
                device.name, device.address, link.width, link.max_width
            ));
        }
    }
    notes
}
