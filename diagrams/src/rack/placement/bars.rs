//! The tray as bars to scale: what each node holds, and where the next step looks for memory.

use super::model::Replay;
use super::nodes::{COUNT, NODES, PerNode, is_grace};
use super::report::smi;
use super::rules::candidates;
use super::step::{Step, What};
use super::tray::Tray;
use super::words::size;
use crate::kit::scene::{Rect, step_mark};
use crate::kit::{Layout, Node, svg};

/// Measures of a drawing, in units.
pub struct Plan {
    layout: Layout,
    /// Left end of the bars.
    x: f64,
    /// Units per gigabyte.
    unit: f64,
    /// Distance from row to row.
    pitch: f64,
    /// Height of a bar.
    height: f64,
}

/// Nodes from top to bottom: superchip by superchip.
const ROWS: [usize; COUNT] = [0, 2, 3, 1, 4, 5];
/// Top of the first bar.
const TOP: f64 = 32.0;
/// Between the superchips.
const GAP: f64 = 12.0;

/// How a kind of memory is drawn: its class, its word, its letter.
const KINDS: [(What, &str, &str, &str); 5] = [
    (What::Malloc, "cpu", "malloc", "m"),
    (What::File, "kernel pl-stripes", "page cache", "f"),
    (What::Pinned, "wire pl-stripes", "pinned", "h"),
    (What::Cuda, "gpu", "cudaMalloc", "c"),
    (What::Managed, "gpu pl-stripes", "managed", "u"),
];

impl Plan {
    /// Measures for a layout.
    pub fn of(layout: Layout) -> Self {
        let [x, unit, pitch, height] = layout.pick([108.0, 1.0, 36.0, 24.0], [88.0, 0.5, 48.0, 24.0]);
        Self { layout, x, unit, pitch, height }
    }

    fn y(&self, row: usize) -> f64 {
        let gap = if row < COUNT / 2 { 0.0 } else { GAP };
        TOP + gap + self.pitch * row as f64
    }

    fn width(&self, mb: u32) -> f64 {
        f64::from(mb) / 1_000.0 * self.unit
    }

    /// Lower end of the bars, that of swap included.
    pub fn bottom(&self) -> f64 {
        self.y(COUNT) + GAP + self.height
    }
}

/// All rows.
pub fn bars(plan: &Plan, replay: &Replay, next: &Step) -> Node {
    let tray = &replay.tray;
    let order = candidates(tray, next);
    let fresh = replay.fresh();
    let rows = ROWS.iter().enumerate().map(|(row, &node)| {
        let y = plan.y(row);
        let place = order.iter().position(|&n| n == node);
        let id = if tray.is_kernels(node) {
            "node ".to_owned() + &NODES[node].id.to_string()
        } else {
            "no node".into()
        };
        let held = KINDS.map(|(what, ..)| (what, tray.held(node, what)));
        Node::from([
            looks(place, y + plan.height / 2.0),
            svg::text("strong", (24.0, y + 9.0), NODES[node].name),
            svg::text("small muted", (24.0, y + 25.0), id),
            bar(plan, y, NODES[node].mb, tray.is_kernels(node), &held),
            new_part(plan, y, node, &held, &fresh),
            beside(plan, tray, node, y),
        ])
    });
    let heading = plan
        .layout
        .pick("Numbers: nodes that the next step tries, in this order", "Numbers: where the next step looks");
    Node::from([svg::text("small muted", (4.0, 16.0), heading), rows.collect(), swap(plan, tray)])
}

/// The place of a node in the list of the next step, or a dash.
fn looks(place: Option<usize>, y: f64) -> Node {
    match place {
        Some(place) => step_mark(12.0, y, &(place + 1).to_string()),
        None => svg::g("").with(svg::text("muted middle", (12.0, y + 4.0), "–")),
    }
}

/// A bar with one segment per kind. The driver's own memory has a dashed edge.
fn bar(plan: &Plan, y: f64, capacity_mb: u32, kernels: bool, held: &[(What, u32)]) -> Node {
    let edge = if kernels { "pl-edge" } else { "pl-edge pl-apart" };
    let mut x = plan.x;
    let mut parts = svg::g("");
    let mut words = svg::g("");
    for ((_, class, word, letter), &(_, mb)) in KINDS.iter().zip(held) {
        let width = plan.width(mb);
        parts = parts.with(segment(class, Rect::new(x, y, width, plan.height)));
        let said = if width > 9.0 * word.len() as f64 {
            word
        } else if width >= 14.0 {
            letter
        } else {
            &""
        };
        words =
            words.with(svg::text("small middle halo", (x + width / 2.0, y + plan.height / 2.0 + 4.0), *said));
        x += width;
    }
    let whole = Rect::new(plan.x, y, plan.width(capacity_mb), plan.height);
    Node::from([parts, svg::rect(edge, whole), words])
}

/// A segment: a tint, and stripes for the kinds that have them.
fn segment(class: &'static str, at: Rect) -> Node {
    let y = at.y + at.height / 2.0;
    let stripes = svg::line("pl-stripe", (at.x, y), (at.x + at.width, y)).set("stroke-width", at.height);
    svg::g(class).with(svg::rect("pl-fill", at)).with(stripes)
}

/// Frames the pages that the last step brought to this node: the end of their segment.
fn new_part(plan: &Plan, y: f64, node: usize, held: &[(What, u32)], fresh: &Option<(What, PerNode)>) -> Node {
    let mut at = Rect::default();
    if let Some((what, brought)) = fresh {
        let end: u32 = held.iter().take(*what as usize + 1).map(|h| h.1).sum();
        let mb = brought[node].min(held.get(*what as usize).map_or(0, |h| h.1));
        let width = plan.width(mb);
        if mb > 0 {
            at = Rect::new(plan.x + plan.width(end) - width, y - 3.0, width, plan.height + 6.0);
        }
    }
    svg::rect("pl-new", at)
}

/// Free memory, and for a GPU what `nvidia-smi` says.
fn beside(plan: &Plan, tray: &Tray, node: usize, y: f64) -> Node {
    let free = size(tray.free(node)) + " free";
    let end = plan.x + plan.width(NODES[node].mb) + 8.0;
    if is_grace(node) {
        let at = plan.layout.pick((end, y + 16.0), (plan.x, y + 38.0));
        return svg::text("small muted", at, free);
    }
    let (used, listed) = smi(tray, node);
    let processes = match listed {
        0 => ", no process",
        1 => ", 1 process",
        2 => ", 2 processes",
        _ => ", more processes",
    };
    let class = if used > 0 && listed == 0 { "small trouble pl-said" } else { "small muted" };
    let said = "nvidia-smi: ".to_owned() + &size(used) + processes;
    let said_at = plan.layout.pick((end + 108.0, y + 16.0), (plan.x, y + 38.0));
    let free_at = (end, y + 16.0);
    Node::from([svg::text("small muted", free_at, free), svg::text(class, said_at, said)])
}

fn swap(plan: &Plan, tray: &Tray) -> Node {
    let y = plan.y(COUNT) + GAP;
    let (used, total) = (tray.swapped(), tray.swap_mb);
    let held = KINDS.map(|(what, ..)| (what, if what == What::Malloc { used } else { 0 }));
    let said = if total == 0 {
        "none".to_owned()
    } else {
        ((used + 500) / 1_000).to_string() + " of " + &size(total)
    };
    let x = plan.x + if total == 0 { 0.0 } else { plan.width(total) + 8.0 };
    Node::from([
        svg::text("strong", (24.0, y + 16.0), "Swap"),
        bar(plan, y, total, true, &held),
        svg::text("small muted", (x, y + 16.0), said),
    ])
}

/// What the segments mean.
pub fn legend(layout: Layout, top: f64) -> Node {
    let places = layout.pick(
        [(108.0, 0.0), (212.0, 0.0), (340.0, 0.0), (444.0, 0.0), (572.0, 0.0)],
        [(4.0, 0.0), (108.0, 0.0), (236.0, 0.0), (4.0, 24.0), (136.0, 24.0)],
    );
    let entry = |((_, class, word, letter), (x, y)): (&(What, &'static str, &str, &str), (f64, f64))| {
        let at = Rect::new(x, top + y, 20.0, 16.0);
        let said = (*letter).to_owned() + "\u{2002}" + word;
        Node::from([segment(class, at), svg::text("small muted", (x + 26.0, at.y + 12.0), said)])
    };
    KINDS.iter().zip(places).map(entry).collect()
}
