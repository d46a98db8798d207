//! Draws the two machines and how long each hop takes.

use super::machines::{MachineId, Place, Wire};
use super::model::{DiscreteUnified, LEFT, RIGHT, SIZE_STEPS};
use super::route::{Hop, Mode, Route, Transfer};
use crate::kit::scene::{Rect, WireState, place, step_mark, wire, wire_label};
use crate::kit::units::{bytes_decimal, duration_ns, number};
use crate::kit::{Control, Figure, Layout, Node, Preset, svg};

/// Height of one machine with its bars.
const PANEL_HEIGHT: f64 = 404.0;
/// Distance between the left edges of two machines side by side.
const PANEL_STEP: f64 = 380.0;

impl Figure for DiscreteUnified {
    const ID: &'static str = "discrete-unified";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let transfers = [
            (Transfer::DiskToGpu, "disk → GPU"),
            (Transfer::CpuToGpu, "CPU → GPU"),
            (Transfer::GpuToGpu, "GPU → GPU"),
        ];
        let modes = [(Mode::StoreAndForward, "one after another"), (Mode::Pipelined, "pipelined")];
        let (step, size) = (f64::from(self.size_step), bytes_decimal(self.bytes()));
        vec![
            Control::choice("Transfer", &transfers, self.transfer, |s, v| s.transfer = v),
            Control::choice("Discrete machine", &LEFT.map(named), self.left, |s, v| s.left = v),
            Control::choice("Coherent machine", &RIGHT.map(named), self.right, |s, v| s.right = v),
            Control::choice("Hops", &modes, self.mode, |s, v| s.mode = v),
            Control::slider("Size", (0.0, f64::from(SIZE_STEPS)), step, size, |s: &mut Self, v| {
                s.size_step = v.round() as u8;
            }),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }
}

fn named(id: MachineId) -> (MachineId, &'static str) {
    (id, short(id))
}

fn short(id: MachineId) -> &'static str {
    match id {
        MachineId::Rtx4090 => "RTX 4090",
        MachineId::HgxH200 => "HGX H200",
        MachineId::Spark => "DGX Spark",
        MachineId::Gb200 => "GB200",
    }
}

fn picture(model: &DiscreteUnified, layout: Layout) -> Node {
    let height = layout.pick(PANEL_HEIGHT + 24.0, 2.0 * PANEL_HEIGHT + 36.0);
    let longest = model.longest_ns();
    let panels = model.routes().into_iter().enumerate().map(|(i, (id, route))| {
        let i = i as f64;
        let (dx, dy) = layout.pick((i * PANEL_STEP, 0.0), (0.0, i * (PANEL_HEIGHT + 12.0)));
        svg::g("").set("transform", format!("translate({dx} {dy})")).with(panel(model, id, &route, longest))
    });
    let note = "GB/s: links one way, memory both ways";
    svg::picture((layout.width(), height), "Two machines, the wires a transfer crosses, and its time", false)
        .with(panels.collect::<Node>())
        .with(svg::text("small muted", (4.0, height - 6.0), note))
}

fn panel(model: &DiscreteUnified, id: MachineId, route: &Route, longest_ns: f64) -> Node {
    let one_pool = id.one_pool();
    let loads = route.loads(&route.hops);
    let limits = route.slowest_wires(model.mode);
    let state = |w: &Wire| match loads.iter().any(|l| l.wire.ends == w.ends) {
        false => WireState::Quiet,
        true if limits.contains(&w.ends) => WireState::Slowest,
        true => WireState::Lit,
    };
    let drawn: Vec<(Wire, Line)> =
        route.machine.wires.iter().filter_map(|w| line(one_pool, w.ends).map(|l| (*w, l))).collect();
    let wires = drawn.iter().map(|(w, l)| wire(l, role(w), w.bytes_per_s, state(w))).collect::<Node>();
    let times = |w: &Wire| loads.iter().find(|l| l.wire.ends == w.ends).map_or(1, |l| l.times);
    let labels = drawn.iter().map(|(w, l)| label(w, l, state(w), times(w))).collect::<Node>();
    let lit = |p: Place| route.hops.iter().any(|hop| hop.places.contains(&p));
    let places = route.machine.places.iter().map(|&(p, name, detail, role)| {
        place(rect(one_pool, p), role, name, detail, f64::from(u8::from(lit(p))), lit(p))
    });
    Node::from([
        svg::text("strong", (4.0, 16.0), route.machine.name),
        svg::text("small muted end", (336.0, 16.0), route.machine.design),
        wires,
        places.collect::<Node>(),
        labels,
        no_peer_path(id),
        marks(one_pool, route),
        bars(model, route, longest_ns),
    ])
}

/// Two cards without a wire between them: said, so that the gap is not taken for an omission.
fn no_peer_path(id: MachineId) -> Node {
    let text = if id.has_nvlink() || id.one_pool() { "" } else { "no peer path" };
    svg::text("wire-label", (272.0, 168.0), text)
}

fn role(wire: &Wire) -> crate::kit::scene::Role {
    use crate::kit::scene::Role;
    match wire.ends {
        (Place::Dram | Place::PeerDram, _) => Role::Cpu,
        (_, Place::Vram0 | Place::Vram1) => Role::Gpu,
        _ => Role::Wire,
    }
}

/// The rate, and under the slowest wire the word; a shared rate that is used twice is shown as such.
fn label(wire: &Wire, line: &Line, state: WireState, times: u32) -> Node {
    let (x, y) = crate::kit::scene::middle(line);
    let slow = state == WireState::Slowest;
    let y = if slow { y - 7.0 } else { y };
    let mark = if slow { "slowest" } else { "" };
    let rate = number(wire.bytes_per_s / 1e9);
    let text = if times > 1 { format!("{rate} ÷ {times}") } else { rate };
    Node::from([wire_label(x, y, role(wire), &text, state), wire_label(x, y + 14.0, role(wire), mark, state)])
}

type Line = [(f64, f64); 2];

/// Where a place is drawn, in a panel 340 units wide.
fn rect(one_pool: bool, place: Place) -> Rect {
    match (place, one_pool) {
        (Place::Dram, true) => Rect::new(4.0, 32.0, 332.0, 44.0),
        (Place::Dram, false) => Rect::new(4.0, 32.0, 112.0, 44.0),
        (Place::Cpu, _) => Rect::new(4.0, 144.0, 112.0, 48.0),
        (Place::Disk, _) => Rect::new(4.0, 260.0, 112.0, 44.0),
        (Place::Gpu0, true) => Rect::new(208.0, 108.0, 128.0, 44.0),
        (Place::Nic, _) => Rect::new(208.0, 188.0, 128.0, 36.0),
        (Place::Peer | Place::PeerDram, _) => Rect::new(208.0, 268.0, 128.0, 36.0),
        (Place::Vram0, _) => Rect::new(208.0, 32.0, 128.0, 32.0),
        (Place::Gpu0, false) => Rect::new(208.0, 100.0, 128.0, 44.0),
        (Place::Gpu1, _) => Rect::new(208.0, 192.0, 128.0, 44.0),
        (Place::Vram1, _) => Rect::new(208.0, 272.0, 128.0, 32.0),
    }
}

/// A wire as a line between the facing edges of its boxes; none if one end is inside the other.
fn line(one_pool: bool, (a, b): (Place, Place)) -> Option<Line> {
    if a == Place::PeerDram {
        return None;
    }
    let (from, to) = (rect(one_pool, a), rect(one_pool, b));
    let (x, _) = if from.width < to.width { from.center() } else { to.center() };
    Some(if to.y > from.y + from.height && !sideways(a, b) {
        [(x, from.y + from.height), (x, to.y)]
    } else if from.y > to.y + to.height && !sideways(a, b) {
        [(x, from.y), (x, to.y + to.height)]
    } else {
        let down = if to.center().1 > from.center().1 { 12.0 } else { -12.0 };
        [(from.x + from.width, from.center().1 + down), (to.x, to.center().1)]
    })
}

/// Whether a wire leaves the CPU to the right.
fn sideways(a: Place, b: Place) -> bool {
    a == Place::Cpu && matches!(b, Place::Gpu0 | Place::Gpu1 | Place::Nic)
}

/// A numbered disc where each hop enters its first link.
fn marks(one_pool: bool, route: &Route) -> Node {
    let spot = |hop: &Hop| {
        hop.places.windows(2).find_map(|pair| {
            let forward = line(one_pool, (pair[0], pair[1])).filter(|_| drawn(route, pair[0], pair[1]));
            let found = forward.or_else(|| {
                let [a, b] = line(one_pool, (pair[1], pair[0])).filter(|_| drawn(route, pair[1], pair[0]))?;
                Some([b, a])
            })?;
            let is_link = (found[1].0 - found[0].0).abs() > 0.0 || pair.contains(&Place::Disk);
            is_link.then_some(found)
        })
    };
    let mark = |(i, hop): (usize, &Hop)| {
        let [a, b] = spot(hop)?;
        Some(step_mark(a.0 + (b.0 - a.0) * 0.14, a.1 + (b.1 - a.1) * 0.14, &(i + 1).to_string()))
    };
    route.hops.iter().enumerate().filter_map(mark).collect::<Node>()
}

fn drawn(route: &Route, a: Place, b: Place) -> bool {
    route.machine.wires.iter().any(|w| w.ends == (a, b))
}

/// One bar per hop on a time axis that both machines share. A pipelined hop that waits for a slower one
/// is hatched for as long as it waits.
fn bars(model: &DiscreteUnified, route: &Route, longest_ns: f64) -> Node {
    let total = route.total_ns(model.bytes(), model.mode);
    let units = |ns: f64| ns / longest_ns * BAR_WIDTH;
    let mut start = 0.0;
    let rows = route.hops.iter().enumerate().map(|(i, hop)| {
        let busy = route.hop_ns(hop, model.bytes());
        let wait = if model.mode == Mode::Pipelined { (total - busy).max(0.0) } else { 0.0 };
        let bar = Bar { row: i, x: BAR_LEFT + units(start), busy: units(busy), wait: units(wait) };
        if model.mode == Mode::StoreAndForward {
            start += busy;
        }
        bar.draw(&duration_ns(busy))
    });
    let rows = rows.collect::<Node>();
    Node::from([
        svg::text("small muted", (4.0, 332.0), "time per hop, at line rate"),
        svg::text("strong end", (336.0, 332.0), format!("total {}", duration_ns(total))),
        svg::g("wire").with(rows),
    ])
}

const BAR_LEFT: f64 = 28.0;
const BAR_WIDTH: f64 = 232.0;

struct Bar {
    row: usize,
    x: f64,
    busy: f64,
    wait: f64,
}

impl Bar {
    fn draw(&self, text: &str) -> Node {
        let y = 344.0 + 20.0 * self.row as f64;
        let busy = self.busy.max(1.0);
        let end = self.x + busy + self.wait;
        Node::from([
            svg::rect("bar", Rect::new(round(self.x), y, round(busy), 12.0)),
            svg::rect("bar-wait", Rect::new(round(self.x + busy), y, round(self.wait), 12.0)),
            step_mark(12.0, y + 6.0, &(self.row + 1).to_string()),
            svg::text("small", (round((end + 6.0).min(268.0)), y + 10.0), text.to_owned()),
        ])
    }
}

fn round(v: f64) -> f64 {
    (v * 10.0).round() / 10.0
}
