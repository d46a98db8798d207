//! Draws the tree, the picked path and what is left of the bandwidth.

use super::chassis::{Chassis, Kind};
use super::controls::controls;
use super::flows::{DRAM, Flow, Limit, NIC_400G, PCIE5_X16};
use super::geometry::Geometry;
use super::model::{NumaNode, Verdict, limit_text, log_suffix};
use crate::kit::scene::Rect;
use crate::kit::scene::{Role, WireState, middle, place, wire, wire_label};
use crate::kit::units::number;
use crate::kit::{Control, Figure, Layout, Node, Preset, part, svg};

impl Figure for NumaNode {
    const ID: &'static str = "numa-node";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        controls(self)
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn press(&mut self, part: usize) {
        match self.chassis().nodes.get(part) {
            Some(node) if node.kind == Kind::Gpu => self.gpu = node.number,
            Some(node) if node.kind == Kind::Nic => self.nic = node.number,
            _ => {}
        }
    }
}

/// What is lit, and how.
struct Lights {
    flow: Flow,
    limit: Limit,
    nodes: Vec<usize>,
}

impl Lights {
    fn new(model: &NumaNode, chassis: &Chassis, verdict: &Verdict) -> Self {
        let gpu = chassis.device(Kind::Gpu, model.gpu);
        let nic = chassis.device(Kind::Nic, model.nic_in(chassis));
        let staged = || chassis.up(gpu).into_iter().chain(chassis.up(nic)).collect();
        Self {
            flow: Flow::new(chassis, gpu, nic, verdict.direct),
            limit: verdict.limit,
            nodes: if verdict.direct { verdict.path.clone() } else { staged() },
        }
    }

    fn of(&self, resources: &[Limit]) -> WireState {
        let used = resources.iter().any(|r| self.flow.loads.iter().any(|(l, _)| l == r));
        match (used, resources.contains(&self.limit)) {
            (true, true) => WireState::Slowest,
            (true, false) => WireState::Lit,
            _ => WireState::Quiet,
        }
    }
}

fn picture(model: &NumaNode, layout: Layout) -> Node {
    let chassis = model.chassis();
    let verdict = model.verdict(&chassis);
    let lights = Lights::new(model, &chassis, &verdict);
    let hidden = model.hides_wiring();
    let geometry = Geometry::new(layout, &chassis, hidden);
    let height = geometry.height() + layout.pick(100.0, 188.0);
    svg::picture((layout.width(), height), "Two sockets, their switches, GPUs and NICs", true)
        .with(svg::layer(wires(&geometry, &lights, model, hidden)))
        .with(svg::layer(boxes(&geometry, &lights, hidden)))
        .with(svg::layer(curtain(&geometry, hidden)))
        .with(devices(&geometry, model))
        .with(result(model, &chassis, &verdict, layout, geometry.height()))
}

/// All wires, the lit ones on top. The others share one group, so that they do not darken where they
/// overlap.
fn wires(g: &Geometry, lights: &Lights, model: &NumaNode, hidden: bool) -> Node {
    let rate = model.link.bytes_per_s();
    let all = all_wires(g, rate, hidden);
    let draw = |lit: bool| {
        let chosen = all.iter().map(|w| (w, lights.of(&w.resources)));
        chosen
            .filter(|(_, state)| (*state != WireState::Quiet) == lit)
            .map(|(w, state)| wire(&w.line, w.role, w.bytes_per_s, state))
            .collect::<Node>()
    };
    let between = lights.of(&[Limit::Sockets(0), Limit::Sockets(1)]);
    let (x, y) = middle(&g.socket_line());
    Node::from([
        svg::g("quiet-wires").with(draw(false)),
        draw(true),
        wire_label(x, y - 7.0, Role::Wire, "UPI", between),
        wire_label(x, y + 7.0, Role::Wire, &number(rate / 1e9), between),
    ])
}

struct Drawn {
    line: Vec<(f64, f64)>,
    role: Role,
    bytes_per_s: f64,
    resources: Vec<Limit>,
}

fn all_wires(g: &Geometry, socket_rate: f64, hidden: bool) -> Vec<Drawn> {
    let drawn = |line: Vec<_>, role, bytes_per_s, resources: &[Limit]| Drawn {
        line,
        role,
        bytes_per_s,
        resources: resources.to_vec(),
    };
    let link = |node: usize| {
        let shown = !hidden && g.slots.nodes[node].kind != Kind::HostBridge;
        let line = g.wire(node).filter(|_| shown)?;
        Some(drawn(line, Role::Wire, PCIE5_X16, &[Limit::Up(node), Limit::Down(node)]))
    };
    let cable = |node: usize| {
        let is_nic = g.slots.nodes[node].kind == Kind::Nic;
        is_nic.then(|| drawn(g.cable(node).to_vec(), Role::Wire, NIC_400G, &[Limit::Cable(node)]))
    };
    let memory = |s| drawn(g.dram_line(s).to_vec(), Role::Cpu, DRAM, &[Limit::Dram(s)]);
    let sockets = [Limit::Sockets(0), Limit::Sockets(1)];
    let nodes = 0..g.slots.nodes.len();
    let mut all: Vec<Drawn> = nodes.clone().filter_map(link).chain(nodes.filter_map(cable)).collect();
    all.extend([memory(0), memory(1)]);
    all.push(drawn(g.socket_line().to_vec(), Role::Wire, socket_rate, &sockets));
    all
}

/// Sockets, memory, host bridges and switches.
fn boxes(g: &Geometry, lights: &Lights, hidden: bool) -> Node {
    let node_box = |(i, node): (usize, &super::chassis::Node)| {
        let lit = !hidden && lights.nodes.contains(&i);
        let (role, name, detail) = match node.kind {
            Kind::Socket => {
                (Role::Cpu, format!("CPU socket {}", node.number), format!("NUMA node {}", node.number))
            }
            Kind::HostBridge => (Role::Cpu, "host bridge".into(), String::new()),
            Kind::Switch if g.is_leaf(i) => {
                (Role::Wire, node.name.trim_start_matches("switch ").to_owned(), String::new())
            }
            Kind::Switch => (Role::Wire, node.name.clone(), String::new()),
            Kind::Gpu | Kind::Nic => return None,
        };
        if hidden && node.kind == Kind::Switch {
            return None;
        }
        Some(place(g.rect(i), role, &name, &detail, f64::from(u8::from(lit)), lit))
    };
    let dram = |s: u8| {
        let lit = lights.of(&[Limit::Dram(s)]) != WireState::Quiet;
        place(
            g.dram(s),
            Role::Cpu,
            &format!("DRAM {s}, {}", number(DRAM / 1e9)),
            "",
            f64::from(u8::from(lit)),
            lit,
        )
    };
    Node::from([g.slots.nodes.iter().enumerate().filter_map(node_box).collect::<Node>(), dram(0), dram(1)])
}

/// Over the wiring of a box to diagnose.
fn curtain(g: &Geometry, hidden: bool) -> Node {
    let cover = |socket: u8| {
        let (a, b) = (g.y(socket, 72.0), g.y(socket, 172.0));
        let x = g.layout.pick(4.0 + 360.0 * f64::from(socket), 4.0);
        let width = g.layout.pick(352.0, 332.0);
        Node::from([
            svg::rect("curtain", Rect::new(x, a.min(b), width, 100.0)).set("rx", 4),
            svg::text("middle muted", (x + width / 2.0, (a + b) / 2.0 + 4.0), "wiring not shown"),
        ])
    };
    if hidden { [cover(0), cover(1)].into() } else { Node::none() }
}

/// GPUs and NICs, to be picked.
fn devices(g: &Geometry, model: &NumaNode) -> Node {
    let picked_nic = model.nic_in(g.chassis);
    let device = |(i, node): (usize, &super::chassis::Node)| {
        let number = node.number;
        let (kind, role, pressed) = match node.kind {
            Kind::Gpu => ("GPU", Role::Gpu, number == model.gpu),
            Kind::Nic => ("NIC", Role::Wire, number == picked_nic),
            _ => return None,
        };
        let rect = g.rect(i);
        let (x, y) = rect.center();
        let class = format!("place {}{}", role.class(), if pressed { " lit" } else { "" });
        let fill = if pressed { rect.height } else { 0.0 };
        Some(part(
            i,
            format!("{kind} {number}"),
            Some(pressed),
            svg::g(class)
                .with(svg::rect("place-back", Rect::new(rect.x, rect.y, rect.width, rect.height)))
                .with(svg::rect("place-fill", Rect::new(rect.x, rect.y, rect.width, fill)))
                .with(
                    svg::rect("place-edge", Rect::new(rect.x, rect.y, rect.width, rect.height)).set("rx", 4),
                )
                .with(svg::text("middle small", (x, y - 4.0), format!("{kind} ")))
                .with(svg::text("middle strong", (x, y + 14.0), number.to_string())),
        ))
    };
    g.slots.nodes.iter().enumerate().filter_map(device).collect::<Node>()
}

/// Code, GPUDirect, log line, bandwidth and the path in words.
fn result(model: &NumaNode, chassis: &Chassis, now: &Verdict, layout: Layout, top: f64) -> Node {
    let (bar_x, bar_y, bar_width) = layout.pick((452.0, top + 8.0, 264.0), (4.0, top + 60.0, 332.0));
    let nic = model.nic_in(chassis);
    let rdma = match now.direct {
        true => "GPUDirect RDMA on",
        false => layout.pick("GPUDirect RDMA off: staged in DRAM", "RDMA off: staged in DRAM"),
    };
    let log = format!("NCCL logs: {}", log_suffix(nic, now.direct));
    let left = format!("{} of {} GB/s left", number(now.bytes_per_s / 1e9), number(NIC_400G / 1e9));
    let limit = format!("limited by {}", limit_text(chassis, now.limit));
    let share = ((now.bytes_per_s / NIC_400G).min(1.0) * bar_width).round();
    let path = if model.hides_wiring() {
        vec![format!("GPU{} → ? → NIC{nic}", model.gpu)]
    } else {
        wrap(&path_names(chassis, now), layout.pick(112, 50))
    };
    let lines = path.into_iter().enumerate().map(|(i, line)| {
        svg::text("small muted", (4.0, layout.pick(top + 74.0, top + 132.0) + 16.0 * i as f64), line)
    });
    let note = format!("GB/s; PCIe links {} one way; no PXN relay.", number(PCIE5_X16 / 1e9));
    let note_y = top + layout.pick(92.0, 180.0);
    let role = if now.bytes_per_s < NIC_400G * 0.99 { "caution" } else { "wire" };
    Node::from([
        svg::rect("code-box", Rect::new(4.0, top + 4.0, 84.0, 40.0)).set("rx", 4),
        svg::text("code", (46.0, top + 31.0), now.code.text()),
        svg::text("strong", (100.0, top + 20.0), rdma),
        svg::text("mono", (100.0, top + 40.0), log),
        svg::g(role)
            .with(svg::rect("bar", Rect::new(bar_x, bar_y, share, 12.0)))
            .with(svg::rect("bar-wait", Rect::new(bar_x + share, bar_y, bar_width - share, 12.0))),
        svg::text("strong", (bar_x, bar_y + 28.0), left),
        svg::text("small muted", (bar_x, bar_y + 46.0), limit),
        lines.collect::<Node>(),
        svg::text("small muted", (4.0, note_y), note),
    ])
}

fn path_names(chassis: &Chassis, now: &Verdict) -> Vec<String> {
    now.path.iter().map(|&n| chassis.nodes[n].name.clone()).collect()
}

/// Names joined by arrows, in lines of at most so many characters.
fn wrap(names: &[String], limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (i, name) in names.iter().enumerate() {
        let part = if i == 0 { name.clone() } else { format!(" → {name}") };
        let last = lines.len() - 1;
        if lines[last].chars().count() + part.chars().count() > limit {
            lines.push(part.trim_start().to_owned());
        } else {
            lines[last].push_str(&part);
        }
    }
    lines
}
