//! The map with the way taken, what happens now, and the time it takes.

use super::case::Case;
use super::map::{NODES, WAYS, again, rect, way};
use super::model::PageFault;
use super::steps::{Station, Step};
use crate::kit::scene::{Role, place, token};
use crate::kit::timeline::{Bars, Lane, Look, Span, Timeline};
use crate::kit::units::duration_ns;
use crate::kit::{Layout, Node, svg};

/// Draws the state.
pub fn picture(model: &PageFault, layout: Layout) -> Node {
    let steps = model.steps();
    let at = model.at(&steps);
    svg::picture((layout.width(), layout.pick(516.0, 596.0)), "Map of the page-fault handler", false)
        .with(ways(&steps, at, layout))
        .with(nodes(model, &steps, at, layout))
        .with(now(&steps, at, layout))
        .with(times(&steps, at, layout))
}

/// Ways that the case takes are lit up to the present step.
fn ways(steps: &[Step], at: usize, layout: Layout) -> Node {
    let taken: Vec<(Station, Station)> = steps.windows(2).take(at).map(|p| (p[0].node, p[1].node)).collect();
    // After the retry the page is in the page cache and mapped from there.
    let retried = at > 0 && taken.contains(&(Station::Area, Station::Entry));
    let is_taken =
        |w: &(Station, Station)| taken.contains(w) || (retried && *w == (Station::Drive, Station::Entry));
    let (lit, quiet): (Vec<_>, Vec<_>) = WAYS.iter().partition(|w| is_taken(w));
    let draw =
        |all: Vec<&(Station, Station)>| all.into_iter().map(|(a, b)| way(*a, *b, layout)).collect::<String>();
    let home = steps[at].node == Station::Return;
    let (mut lit, mut quiet) = (draw(lit), draw(quiet));
    if home {
        lit.push_str(&again(layout))
    } else {
        quiet.push_str(&again(layout))
    }
    Node::from([svg::path("pf-way", quiet), svg::path("pf-way lit", lit)])
}

fn nodes(model: &PageFault, steps: &[Step], at: usize, layout: Layout) -> Node {
    let present = steps[at].node;
    let draw = |node: Station| {
        let on_way = steps.iter().any(|s| s.node == node);
        let done = steps.iter().take(at + 1).any(|s| s.node == node);
        let now = node == present;
        let class = match (now, on_way) {
            (true, _) => "pf-node pf-now",
            (_, true) => "pf-node",
            _ => "pf-node pf-off",
        };
        let (label, detail) = words(model, node, layout);
        let fill = f64::from(u8::from(done));
        svg::g(class).with(place(rect(node, layout), role(node), &label, &detail, fill, now))
    };
    let spot = rect(present, layout);
    Node::from([
        NODES.into_iter().map(draw).collect::<Node>(),
        token(spot.x + spot.width - 2.0, spot.y + 2.0),
    ])
}

fn role(node: Station) -> Role {
    match node {
        Station::Access | Station::Walk => Role::Cpu,
        Station::Drive => Role::Wire,
        Station::Signal => Role::Trouble,
        _ => Role::Kernel,
    }
}

fn words(model: &PageFault, node: Station, layout: Layout) -> (String, String) {
    let access = if model.case.writes() { "store" } else { "load" };
    let signal = if model.case == Case::Truncated { "SIGBUS" } else { "SIGSEGV" };
    let (label, detail) = match node {
        Station::Access => (access, "the program"),
        Station::Walk => ("TLB, walk", if model.world.walk_reads() == 3 { "3 reads" } else { "4 reads" }),
        Station::Trap => ("exception", model.world.address_register()),
        Station::Area => ("which area?", "lock its VMA"),
        Station::Allowed => ("allowed?", "permissions"),
        Station::Descend => (layout.pick("handle_mm_fault: down the tables", "handle_mm_fault"), ""),
        Station::Huge => (layout.pick("a huge page fits", "huge"), ""),
        Station::Fresh => (layout.pick("fresh memory", "fresh"), ""),
        Station::File => ("file", ""),
        Station::Protected => (layout.pick("write-protected", "protect."), ""),
        Station::ClearHuge => (
            if model.world.huge_bytes() > 1e8 {
                layout.pick("clear 512 MiB", "512 M")
            } else {
                layout.pick("clear 2 MiB", "2 MiB")
            },
            "",
        ),
        Station::Clear => (layout.pick("clear a page", "clear"), ""),
        Station::Zeros => (layout.pick("zero page", "zeros"), ""),
        Station::Cache => (layout.pick("page cache", "cache"), ""),
        Station::Drive => ("drive", ""),
        Station::Copy => (layout.pick("copy it", "copy"), ""),
        Station::Keep => (layout.pick("alone: keep", "keep"), ""),
        Station::Entry => ("write the entry", ""),
        Station::Return => ("return", ""),
        Station::Signal => (signal, ""),
    };
    (label.to_owned(), detail.to_owned())
}

/// The present step: functions, lock, entry.
fn now(steps: &[Step], at: usize, layout: Layout) -> Node {
    let step = &steps[at];
    let (x, y) = layout.pick((20.0, 344.0), (4.0, 360.0));
    let lines = wrap(step.functions, layout.pick(92, 42), layout.pick(1, 3));
    let line_count = layout.pick(1, 3) as f64;
    let lines: Vec<_> = lines
        .into_iter()
        .enumerate()
        .map(|(i, line)| svg::text("mono", (x, y + 16.0 * i as f64), line))
        .collect();
    let below = y + 16.0 * (line_count - 1.0);
    let (entry_x, entry_y) = layout.pick((300.0, below + 22.0), (x, below + 40.0));
    let lock = format!("lock held: {}", step.lock.name());
    let entry = format!("entry: {}", step.entry);
    Node::from([
        lines.into(),
        svg::text("small muted", (x, below + 22.0), lock),
        svg::text("small muted", (entry_x, entry_y), entry),
    ])
}

/// Chains of functions in lines, broken at arrows.
fn wrap(text: &str, limit: usize, count: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in text.split_inclusive("→ ") {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + part.trim_end().chars().count() > limit {
            lines.push(part.to_owned());
        } else {
            lines[last].push_str(part);
        }
    }
    lines.resize(count.max(lines.len()), String::new());
    lines
}

/// The time of the whole fault in lanes.
fn times(steps: &[Step], at: usize, layout: Layout) -> Node {
    let total = PageFault::total_ns(steps);
    let wide = Timeline {
        id: "fault-wait-wide",
        name_x: 20.0,
        axis_x: (108.0, 700.0),
        end_ns: total,
        lane_height: 24.0,
    };
    let narrow = Timeline {
        id: "fault-wait-narrow",
        name_x: 4.0,
        axis_x: (76.0, 332.0),
        end_ns: total,
        lane_height: 24.0,
    };
    let timeline = layout.pick(wide, narrow);
    let top = layout.pick(408.0, 484.0);
    let mut clock = 0.0;
    let mut cuts = String::new();
    let (mut core, mut kernel, mut sleep, mut drive) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut core_now, mut kernel_now) = (Vec::new(), Vec::new());
    for (i, step) in steps.iter().enumerate() {
        let span = Span::new(clock, clock + step.ns);
        clock = span.end_ns;
        cuts.push_str(&format!("M{:.1} {}v48", timeline.x(clock), top));
        match (step.waits(), step.in_hardware()) {
            (true, _) => {
                sleep.push(span);
                drive.push(span);
            }
            (_, true) if i == at => core_now.push(span),
            (_, true) => core.push(span),
            _ if i == at => kernel_now.push(span),
            _ => kernel.push(span),
        }
    }
    let lane = |name, role, held, now, wait| Lane {
        name,
        rows: 1,
        bars: vec![
            Bars::new(Role::Plain, Look::Wait, wait).labelled("sleeps"),
            Bars::new(role, Look::Held, held),
            Bars::new(role, Look::Work, now),
        ],
        moments_ns: Vec::new(),
    };
    let lanes = [
        lane("hardware", Role::Cpu, core, core_now, Vec::new()),
        lane("kernel", Role::Kernel, kernel, kernel_now, sleep),
        lane("drive", Role::Wire, Vec::new(), drive, Vec::new()),
    ];
    let step = &steps[at];
    let said = match at {
        0 => format!("the whole fault: {}", duration_ns(total)),
        _ if step.ns == 0.0 => format!("of {}", duration_ns(total)),
        _ => format!("this step {} of {}", duration_ns(step.ns), duration_ns(total)),
    };
    let lanes: Vec<_> =
        lanes.iter().enumerate().map(|(i, lane)| timeline.lane(top + 24.0 * i as f64, lane)).collect();
    let x = layout.pick(108.0, 76.0);
    Node::from([
        timeline.hatching(),
        svg::text("strong", (x, top - 8.0), said),
        timeline.axis(top, top + 74.0, layout.pick(6, 3)),
        lanes.into(),
        svg::path("pf-cut", cuts),
    ])
}
