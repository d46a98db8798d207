//! Two address spaces, physical memory between them, and the four numbers of each process.

use super::frames::{FRAMES, Frame, Kind};
use super::machine::{AREA_PAGES, AREAS, Entry, Machine, PAGES};
use super::model::{AddressSpaces, BOX_BYTES, behind, holds, name};
use crate::kit::scene::Rect;
use crate::kit::units::bytes;
use crate::kit::{Layout, Node, pressable, svg};

/// Measures of one drawing.
struct Plan {
    panels: [Rect; 2],
    page: (f64, f64),
    page_pitch: f64,
    area_pitch: f64,
    memory: Rect,
    frame: (f64, f64),
    frame_pitch: (f64, f64),
    columns: usize,
    zero_y: f64,
    sizes_y: f64,
    unit: f64,
    height: f64,
}

fn plan(layout: Layout) -> Plan {
    let wide = Plan {
        panels: [Rect::new(2.0, 4.0, 226.0, 292.0), Rect::new(492.0, 4.0, 226.0, 292.0)],
        page: (48.0, 36.0),
        page_pitch: 52.0,
        area_pitch: 64.0,
        memory: Rect::new(252.0, 4.0, 216.0, 292.0),
        frame: (48.0, 36.0),
        frame_pitch: (51.0, 42.0),
        columns: 4,
        zero_y: 308.0,
        sizes_y: 316.0,
        unit: 128.0,
        height: 412.0,
    };
    let narrow = Plan {
        panels: [Rect::new(2.0, 4.0, 164.0, 264.0), Rect::new(174.0, 4.0, 164.0, 264.0)],
        page: (36.0, 34.0),
        page_pitch: 39.0,
        area_pitch: 58.0,
        memory: Rect::new(2.0, 284.0, 336.0, 156.0),
        frame: (40.0, 36.0),
        frame_pitch: (41.5, 40.0),
        columns: 8,
        zero_y: 452.0,
        sizes_y: 508.0,
        unit: 56.0,
        height: 596.0,
    };
    layout.pick(wide, narrow)
}

impl Plan {
    fn page(&self, process: usize, page: usize) -> Rect {
        let panel = self.panels[process];
        let (area, column) = (page / AREA_PAGES, page % AREA_PAGES);
        let inset = (panel.width - self.page_pitch * 3.0 - self.page.0) / 2.0;
        let x = panel.x + inset + column as f64 * self.page_pitch;
        Rect::new(x, panel.y + 44.0 + area as f64 * self.area_pitch, self.page.0, self.page.1)
    }

    fn frame(&self, frame: usize) -> Rect {
        let (row, column) = (frame / self.columns, frame % self.columns);
        let inset = (self.memory.width - self.frame_pitch.0 * (self.columns - 1) as f64 - self.frame.0) / 2.0;
        let x = self.memory.x + inset + column as f64 * self.frame_pitch.0;
        Rect::new(x, self.memory.y + 28.0 + row as f64 * self.frame_pitch.1, self.frame.0, self.frame.1)
    }
}

/// Draws the state.
pub fn picture(model: &AddressSpaces, layout: Layout) -> Node {
    let plan = plan(layout);
    let (machine, _) = model.so_far();
    let chosen = machine.frame_of(model.actor, model.page);
    let panels = [0, 1].map(|p| panel(model, &machine, &plan, p, chosen));
    svg::picture((layout.width(), plan.height), "Two address spaces and physical memory", true)
        .with(memory_box(&plan))
        .with(lines(&machine, &plan, chosen))
        .with(panels.into_iter().collect::<Node>())
        .with(frames(&machine, &plan, chosen))
        .with(zero_page(&machine, &plan))
        .with([0, 1].map(|p| sizes(&machine, &plan, p)).into_iter().collect::<Node>())
        .with(usage(&machine, &plan, layout))
}

fn memory_box(plan: &Plan) -> Node {
    let at = plan.memory;
    Node::from([
        svg::rect("region cpu", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 4),
        svg::text("strong halo", (at.x + 8.0, at.y + 18.0), "Physical memory, 6 GiB"),
    ])
}

/// What the page tables say: a line from each page to its frame.
fn lines(machine: &Machine, plan: &Plan, chosen: Option<usize>) -> Node {
    let (mut quiet, mut lit) = (String::new(), String::new());
    for p in 0..2 {
        for page in 0..PAGES {
            let Some(frame) = machine.frame_of(p, page) else { continue };
            let (a, b) = (plan.page(p, page), plan.frame(frame));
            let ((ax, ay), (bx, by)) = (a.center(), b.center());
            let line = if chosen == Some(frame) { &mut lit } else { &mut quiet };
            line.push_str(&format!("M{ax} {ay}L{bx} {by}"));
        }
    }
    svg::g("kernel").with(svg::path("link-line as-quiet", quiet)).with(svg::path("link-line lit as-lit", lit))
}

fn panel(model: &AddressSpaces, machine: &Machine, plan: &Plan, p: usize, chosen: Option<usize>) -> Node {
    let at = plan.panels[p];
    let process = &machine.processes[p];
    let remark = match (process.killed, model.actor == p) {
        (true, _) => "killed",
        (_, true) => "acts",
        _ => "",
    };
    let labels: Vec<_> = (0..AREAS)
        .map(|area| {
            let text = process.areas[area].map_or("", |a| behind(a.backing));
            let first = plan.page(p, area * AREA_PAGES);
            svg::text("small muted halo", (first.x, first.y - 5.0), text)
        })
        .collect();
    let pages: Vec<_> = (0..PAGES).map(|page| page_box(model, machine, plan, (p, page), chosen)).collect();
    Node::from([
        svg::rect(
            if model.actor == p { "as-panel on" } else { "as-panel" },
            Rect::new(at.x, at.y, at.width, at.height),
        )
        .set("rx", 4),
        svg::text("strong halo", (at.x + 8.0, at.y + 18.0), format!("Process {}", name(p))),
        svg::text("small muted end", (at.x + at.width - 8.0, at.y + 18.0), remark),
        labels.into(),
        pages.into(),
    ])
}

fn page_box(
    model: &AddressSpaces,
    machine: &Machine,
    plan: &Plan,
    (p, page): (usize, usize),
    chosen: Option<usize>,
) -> Node {
    let at = plan.page(p, page);
    let entry = machine.processes[p].table[page];
    let mapped = machine.processes[p].areas[page / AREA_PAGES].is_some();
    let (text, mark, kind) = match entry {
        Entry::Frame { frame, .. } => {
            let mark = if machine.is_cow(p, page) { "cow" } else { "rw" };
            (frame.to_string(), mark, frame_class(machine.frames.get(frame)))
        }
        Entry::Zero => ("0s".into(), "r", "plain as-zero"),
        Entry::None if mapped => (String::new(), "", "plain as-none"),
        Entry::None => (String::new(), "", "plain as-off"),
    };
    let here = model.actor == p && model.page == page;
    let lit = matches!(entry, Entry::Frame { frame, .. } if Some(frame) == chosen);
    let class = format!("as-box {kind}{}{}", if lit { " lit" } else { "" }, if here { " on" } else { "" });
    let (x, _) = at.center();
    pressable(svg::g(class), p * PAGES + page)
        .with(svg::rect("place-back", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 3))
        .with(svg::rect("as-edge", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 3))
        .with(svg::text("middle", (x, at.y + 15.0), text))
        .with(svg::text("small muted middle", (x, at.y + 29.0), mark))
}

/// Role of what a frame holds: teal for memory of the programs, violet for the page cache.
fn frame_class(frame: Frame) -> &'static str {
    match frame.kind {
        Kind::Free => "plain as-none",
        Kind::Anonymous => "cpu",
        Kind::File { .. } | Kind::Shared { .. } => "kernel",
    }
}

fn frames(machine: &Machine, plan: &Plan, chosen: Option<usize>) -> Node {
    let narrow = plan.columns > 4;
    let inset = if narrow { 2.0 } else { 4.0 };
    (0..FRAMES)
        .map(|number| {
            let (frame, at) = (machine.frames.get(number), plan.frame(number));
            let lit = if chosen == Some(number) { " lit" } else { "" };
            let free = frame.kind == Kind::Free;
            let text = if free { String::new() } else { holds(frame.kind) };
            // A phone has no room for the page of the file; the chosen page's note says it.
            let text = if narrow { text.split(' ').next().unwrap_or_default().to_owned() } else { text };
            let maps = if free { String::new() } else { format!("×{}", frame.maps) };
            svg::g(format!("as-box as-frame {}{lit}", frame_class(frame)))
                .with(svg::rect("place-back", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 3))
                .with(svg::rect("as-edge", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 3))
                .with(svg::text("small muted", (at.x + inset, at.y + 15.0), number.to_string()))
                .with(svg::text("strong end", (at.x + at.width - inset, at.y + 15.0), maps))
                .with(svg::text("small middle", (at.center().0, at.y + 30.0), text))
        })
        .collect::<Node>()
}

fn zero_page(machine: &Machine, plan: &Plan) -> Node {
    let tables = machine.processes.iter().flat_map(|p| p.table);
    let count = tables.filter(|e| *e == Entry::Zero).count();
    let (x, y) = (plan.memory.x, plan.zero_y);
    let text =
        if count == 0 { "page of zeros: nobody".to_owned() } else { format!("page of zeros: {count} boxes") };
    svg::g("as-box plain as-zero")
        .with(svg::rect("as-edge", Rect::new(x + 8.0, y, 16.0, 16.0)).set("rx", 2))
        .with(svg::text("small", (x + 32.0, y + 12.0), text))
}

fn sizes(machine: &Machine, plan: &Plan, p: usize) -> Node {
    let s = machine.sizes(p);
    let x = plan.panels[p].x;
    [
        ("VIRT", s.virt, "bar-wait"),
        ("RSS", s.rss, "bar pale-bar"),
        ("PSS", s.pss, "bar"),
        ("USS", s.uss, "bar"),
    ]
    .into_iter()
    .enumerate()
    .map(|(i, (name, value, class))| {
        let y = plan.sizes_y + 20.0 * i as f64;
        let length = (value / PAGES as f64 * plan.unit * 10.0).round() / 10.0;
        Node::from([
            svg::text("small", (x, y + 12.0), name),
            svg::g("cpu").with(svg::rect(class, Rect::new(x + 36.0, y + 1.0, length, 14.0))),
            svg::text("small", (x + 40.0 + length, y + 12.0), size(value)),
        ])
    })
    .collect::<Node>()
}

fn size(boxes: f64) -> String {
    bytes(boxes * BOX_BYTES)
}

/// What of the machine is in use, and what the marks mean.
fn usage(machine: &Machine, plan: &Plan, layout: Layout) -> Node {
    let cache = machine.frames.iter().filter(|(_, f)| matches!(f.kind, Kind::File { .. })).count();
    let used = format!("in use {} of 6 GiB", size(machine.frames.used() as f64));
    let cached = format!("page cache {}", size(cache as f64));
    let (x, y) = layout.pick((plan.memory.x + 8.0, 348.0), (4.0, 490.0));
    let (x2, y2) = layout.pick((x, 368.0), (174.0, 490.0));
    let key = layout.pick("×2: two entries name the frame", "");
    Node::from([
        svg::text("small", (x, y), used),
        svg::text("small", (x2, y2), cached),
        svg::text("small muted", (x, y + 40.0), key),
    ])
}
