//! The upper part of the picture: two cores with their caches, the bus, DRAM, the message.

use super::mesi::{Action, Message, SLOTS, Source, State};
use super::model::{Done, Op, Placement, System};
use super::plan::Plan;
use super::state::FalseSharing;
use crate::kit::scene::Rect;
use crate::kit::{Node, part, svg};

/// Draws cores, bus and memory. `last` is what happened in the present step.
pub fn caches(model: &FalseSharing, plan: &Plan, system: &System, last: Option<&Done>) -> Node {
    let cores = [0, 1].map(|core| panel(model, plan, system, last, core));
    Node::from([
        frames(model.placement, plan),
        wires(plan, last),
        cores.into_iter().collect::<Node>(),
        memory(model, plan, system, last),
    ])
}

/// What the two cores have in common, as boxes around them.
fn frames(placement: Placement, plan: &Plan) -> Node {
    let (left, right) = (plan.panels[0], plan.panels[1]);
    let (names, joined) = match placement {
        Placement::Siblings => (["one core, one L1", "", ""], true),
        Placement::Cluster => (["one cluster", "", ""], true),
        Placement::Clusters => (["", "cluster 0", "cluster 1"], false),
        Placement::Sockets => (["", "socket 0", "socket 1"], false),
    };
    let (x0, x1, bottom) = (left.x - 4.0, right.x + right.width + 4.0, plan.frame_bottom);
    let (end0, end1) = (left.x + left.width + 4.0, right.x - 4.0);
    let outline = if joined {
        format!("M{x0} 4H{x1}V{bottom}H{x0}Z")
    } else {
        format!("M{x0} 4H{end0}V{bottom}H{x0}ZM{end1} 4H{x1}V{bottom}H{end1}Z")
    };
    let y = bottom - 8.0;
    Node::from([
        svg::path("fs-frame", outline),
        svg::text("muted small middle", (plan.middle_x(), y), names[0]),
        svg::text("muted small", (left.x + 4.0, y), names[1]),
        svg::text("muted small end", (right.x + right.width - 4.0, y), names[2]),
    ])
}

fn panel(model: &FalseSharing, plan: &Plan, system: &System, last: Option<&Done>, core: usize) -> Node {
    let at = plan.panels[core];
    let siblings = model.placement == Placement::Siblings;
    let acting = last.is_some_and(|d| d.op.thread == core);
    let has_cache = !siblings || core == 0;
    let title = if siblings { format!("Thread {core}") } else { format!("Core {core}") };
    let counter = ["A", "B"][model.setup().counter_of(core)];
    let lines = if model.padded { 2 } else { 1 };
    let rows = [0, 1].map(|line| {
        let shown = has_cache && line < lines;
        let state = system.line(line).states()[core];
        let words = *system.line(line).words(core);
        cache_row(plan, at, plan.rows_y[line], Row { model, line, state, words, shown })
    });
    let buttons = [Action::Add, Action::Read].map(|action| button(plan, core, action, &title));
    let told = has_cache && !model.padded;
    let meaning = if told { meaning(system.line(0).states()[core]) } else { [""; 2] };
    let remark = if has_cache { "" } else { "uses the L1 at the left" };
    svg::g(if acting { "place cpu lit" } else { "place cpu" })
        .with(svg::rect("place-edge", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 4))
        .with(svg::text("strong", (at.x + plan.badge.x, at.y + plan.title_y), title))
        .with(svg::text(
            "muted small",
            (at.x + plan.badge.x, at.y + plan.deed_y - 4.0),
            format!("counter {counter}"),
        ))
        .with(svg::text("muted small middle", (at.center().0, plan.rows_y[0] + 18.0), remark))
        .with(svg::text("muted small", (at.x + plan.badge.x, plan.rows_y[1] + 10.0), meaning[0]))
        .with(svg::text("muted small", (at.x + plan.badge.x, plan.rows_y[1] + 28.0), meaning[1]))
        .with(rows.into_iter().collect::<Node>())
        .with(svg::g("fs-press").with(buttons.into_iter().collect::<Node>()))
}

/// What a state means, in two short lines.
fn meaning(state: State) -> [&'static str; 2] {
    match state {
        State::Modified => ["Modified: only copy,", "newer than DRAM"],
        State::Exclusive => ["Exclusive: only copy,", "same as in DRAM"],
        State::Shared => ["Shared: not alone,", "ask before you write"],
        State::Invalid => ["Invalid: nothing here", "that may be used"],
    }
}

/// The access that a button makes.
pub fn op_of(part: usize) -> Option<Op> {
    let action = if part.is_multiple_of(2) { Action::Add } else { Action::Read };
    (part < 4).then_some(Op { thread: part / 2, action })
}

fn button(plan: &Plan, core: usize, action: Action, title: &str) -> Node {
    let (name, at) = match action {
        Action::Add => ("add 1", plan.buttons[0]),
        Action::Read => ("read", plan.buttons[1]),
    };
    let (x, y) = (plan.panels[core].x + at.x, plan.panels[core].y + at.y);
    let (width, height) = (at.width, at.height);
    part(
        2 * core + usize::from(action == Action::Read),
        format!("{title}: {name}"),
        None,
        [
            svg::rect("fs-button", Rect::new(x, y, width, height)).set("rx", 4),
            svg::text("middle", (x + width / 2.0, y + height / 2.0 + 4.0), name),
        ],
    )
}

/// A line as a cache holds it.
struct Row<'a> {
    model: &'a FalseSharing,
    line: usize,
    state: State,
    words: [u32; SLOTS],
    shown: bool,
}

fn cache_row(plan: &Plan, at: Rect, y: f64, row: Row<'_>) -> Node {
    let (width, height) = plan.slot;
    let (badge_x, badge) = (at.x + plan.badge.x, plan.badge.width);
    let slots = slots(row.model, row.line, &row.words, (at.x + plan.slots_x, y), (width, height));
    let class = format!("fs-row fs-{}{}", row.state.letter(), if row.shown { "" } else { " fs-absent" });
    svg::g(class)
        .with(
            svg::rect("fs-badge", Rect::new(badge_x, y + (height - badge) / 2.0, badge, badge)).set("rx", 4),
        )
        .with(svg::text("fs-letter", (badge_x + badge / 2.0, y + height / 2.0), row.state.letter()))
        .with(slots)
}

/// The words of a line: counters with their value, the rest of the 64 bytes empty.
fn slots(
    model: &FalseSharing,
    line: usize,
    words: &[u32; SLOTS],
    (x, y): (f64, f64),
    (width, height): (f64, f64),
) -> Node {
    let setup = model.setup();
    let counters = if setup.one_counter { 1 } else { 2 };
    let mut cells = String::new();
    for slot in 1..SLOTS {
        cells.push_str(&format!("M{} {y}v{height}", x + slot as f64 * width));
    }
    let held = [0, 1].map(|counter| {
        let (its_line, slot) = setup.place_of(counter);
        let shown = counter < counters && its_line == line;
        let left = x + slot as f64 * width;
        let value = if shown { words[slot].to_string() } else { String::new() };
        let name = if shown { ["A", "B"][counter] } else { "" };
        let class = if shown { "fs-counter" } else { "fs-counter fs-absent" };
        Node::from([
            svg::rect(class, Rect::new(left, y, width, height)),
            svg::text("small muted middle", (left + width / 2.0, y - 4.0), name),
            svg::text("middle", (left + width / 2.0, y + height / 2.0 + 5.0), value),
        ])
    });
    Node::from([
        svg::rect("fs-line", Rect::new(x, y, width * SLOTS as f64, height)),
        svg::path("fs-cells", cells),
        held.into_iter().collect::<Node>(),
    ])
}

fn memory(model: &FalseSharing, plan: &Plan, system: &System, last: Option<&Done>) -> Node {
    let at = plan.memory;
    let (x, ys, width) = plan.memory_slots;
    let lit = last.is_some_and(|d| d.access.source == Source::Memory || d.access.written_back);
    let lines = if model.padded { 2 } else { 1 };
    let rows = [0, 1].map(|line| {
        let stale = system.line(line).states().contains(&State::Modified);
        let class = match (line < lines, stale) {
            (false, _) => "fs-row fs-absent",
            (true, true) => "fs-row fs-stale",
            (true, false) => "fs-row",
        };
        let y = if lines == 1 { (ys[0] + ys[1]) / 2.0 } else { ys[line] };
        svg::g(class).with(slots(model, line, system.line(line).memory(), (x, y + 12.0), (width, 20.0)))
    });
    let old = (0..lines).any(|line| system.line(line).states().contains(&State::Modified));
    svg::g(if lit { "place cpu lit" } else { "place cpu" })
        .with(svg::rect("place-edge", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 4))
        .with(svg::text("strong", (at.x + 12.0, at.y + 28.0), "DRAM"))
        .with(svg::text(
            "muted small",
            (at.x + 12.0, at.y + 48.0),
            if old { "is behind" } else { "up to date" },
        ))
        .with(rows.into_iter().collect::<Node>())
}

/// The bus, who speaks on it and which way the line goes.
fn wires(plan: &Plan, last: Option<&Done>) -> Node {
    let (left, right, middle, bus) = (plan.port_x(0), plan.port_x(1), plan.middle_x(), plan.bus_y);
    let (floor, ceiling) = (plan.panels[0].y + plan.panels[0].height, plan.memory.y);
    let all = format!("M{left} {floor}V{bus}H{right}V{floor}M{middle} {bus}V{ceiling}");
    let (route, head) = last.map_or_else(Default::default, |done| route(plan, done));
    let upgrade = last.is_some_and(|d| d.access.message == Some(Message::BusUpgr));
    let said = last.map_or_else(String::new, speech);
    let spoken = last.is_some_and(|d| d.access.message.is_some());
    let cargo = last.map_or_else(String::new, cargo);
    Node::from([
        svg::g("wire")
            .with(svg::path("link-line fs-bus", all))
            .with(svg::path(if upgrade { "link-line lit fs-ask" } else { "link-line lit fs-data" }, route))
            .with(svg::path("fs-head", head)),
        svg::text(if spoken { "strong middle halo" } else { "muted middle" }, (middle, bus - 10.0), said),
        svg::text("small", (left + 8.0, bus + 20.0), cargo),
    ])
}

fn speech(done: &Done) -> String {
    match done.access.message {
        Some(message) => format!("{}: {}", message.name(), message.meaning()),
        None => "nothing on the bus".into(),
    }
}

fn cargo(done: &Done) -> String {
    match (done.access.message, done.access.source) {
        (None, _) => String::new(),
        (Some(_), Source::Own) => "no data".into(),
        (Some(_), _) => "64 bytes".into(),
    }
}

/// Path of the line, or of the order to drop it, and the arrow head at its end.
fn route(plan: &Plan, done: &Done) -> (String, String) {
    let Some(message) = done.access.message else { return Default::default() };
    let (me, other) = (plan.port_x(done.op.thread), plan.port_x(1 - done.op.thread));
    let (floor, bus) = (plan.panels[0].y + plan.panels[0].height, plan.bus_y);
    let arrow = |x: f64| format!("M{x} {}l-6 10h12z", floor + 1.0);
    match (message, done.access.source) {
        (Message::BusUpgr, _) => (format!("M{me} {floor}V{bus}H{other}V{}", floor + 8.0), arrow(other)),
        (_, Source::Memory) => {
            (format!("M{} {}V{bus}H{me}V{}", plan.middle_x(), plan.memory.y, floor + 8.0), arrow(me))
        }
        _ => (format!("M{other} {floor}V{bus}H{me}V{}", floor + 8.0), arrow(me)),
    }
}
