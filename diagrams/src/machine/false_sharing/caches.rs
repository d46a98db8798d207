//! The upper part of the picture: two cores with their caches, the bus, DRAM, the message.

use leptos::prelude::*;

use super::mesi::{Action, Message, SLOTS, Source, State};
use super::model::{Done, Op, Placement, System};
use super::plan::Plan;
use super::state::FalseSharing;
use crate::kit::scene::{Hit, Rect};

/// Draws cores, bus and memory. `last` is what happened in the present step.
pub fn caches(
    model: &FalseSharing,
    plan: &Plan,
    system: &System,
    last: Option<&Done>,
    state: RwSignal<FalseSharing>,
) -> impl IntoView + use<> {
    let cores = [0, 1].map(|core| panel(model, plan, system, last, core, state));
    view! {
        {frames(model.placement, plan)}
        {wires(plan, last)}
        {cores.into_iter().collect_view()}
        {memory(model, plan, system, last)}
    }
}

/// What the two cores have in common, as boxes around them.
fn frames(placement: Placement, plan: &Plan) -> impl IntoView + use<> {
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
    view! {
        <path class="fs-frame" d=outline />
        <text class="muted small middle" x=plan.middle_x() y=y>{names[0]}</text>
        <text class="muted small" x=left.x + 4.0 y=y>{names[1]}</text>
        <text class="muted small end" x=right.x + right.width - 4.0 y=y>{names[2]}</text>
    }
}

fn panel(
    model: &FalseSharing,
    plan: &Plan,
    system: &System,
    last: Option<&Done>,
    core: usize,
    state: RwSignal<FalseSharing>,
) -> impl IntoView + use<> {
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
    let buttons = [Action::Add, Action::Read].map(|action| button(plan, core, action, &title, state));
    let told = has_cache && !model.padded;
    let meaning = if told { meaning(system.line(0).states()[core]) } else { [""; 2] };
    let remark = if has_cache { "" } else { "uses the L1 at the left" };
    view! {
        <g class=if acting { "place cpu lit" } else { "place cpu" }>
            <rect class="place-edge" x=at.x y=at.y width=at.width height=at.height rx="4" />
            <text class="strong" x=at.x + plan.badge.x y=at.y + plan.title_y>{title}</text>
            <text class="muted small" x=at.x + plan.badge.x y=at.y + plan.deed_y - 4.0>{format!("counter {counter}")}</text>
            <text class="muted small middle" x=at.center().0 y=plan.rows_y[0] + 18.0>{remark}</text>
            <text class="muted small" x=at.x + plan.badge.x y=plan.rows_y[1] + 10.0>{meaning[0]}</text>
            <text class="muted small" x=at.x + plan.badge.x y=plan.rows_y[1] + 28.0>{meaning[1]}</text>
            {rows.into_iter().collect_view()}
            <g class="fs-press">{buttons.into_iter().collect_view()}</g>
        </g>
    }
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

fn button(
    plan: &Plan,
    core: usize,
    action: Action,
    title: &str,
    state: RwSignal<FalseSharing>,
) -> impl IntoView + use<> {
    let (name, at) = match action {
        Action::Add => ("add 1", plan.buttons[0]),
        Action::Read => ("read", plan.buttons[1]),
    };
    let (x, y) = (plan.panels[core].x + at.x, plan.panels[core].y + at.y);
    let act = move || state.update(|m| m.act(Op { thread: core, action }));
    let (width, height) = (at.width, at.height);
    view! {
        <Hit label=format!("{title}: {name}") pressed=None on_choose=act>
            <rect class="fs-button" x=x y=y width=width height=height rx="4" />
            <text class="middle" x=x + width / 2.0 y=y + height / 2.0 + 4.0>{name}</text>
        </Hit>
    }
}

/// A line as a cache holds it.
struct Row<'a> {
    model: &'a FalseSharing,
    line: usize,
    state: State,
    words: [u32; SLOTS],
    shown: bool,
}

fn cache_row(plan: &Plan, at: Rect, y: f64, row: Row<'_>) -> impl IntoView + use<> {
    let (width, height) = plan.slot;
    let (badge_x, badge) = (at.x + plan.badge.x, plan.badge.width);
    let slots = slots(row.model, row.line, &row.words, (at.x + plan.slots_x, y), (width, height));
    let class = format!("fs-row fs-{}{}", row.state.letter(), if row.shown { "" } else { " fs-absent" });
    view! {
        <g class=class>
            <rect class="fs-badge" x=badge_x y=y + (height - badge) / 2.0 width=badge height=badge rx="4" />
            <text class="fs-letter" x=badge_x + badge / 2.0 y=y + height / 2.0>{row.state.letter()}</text>
            {slots}
        </g>
    }
}

/// The words of a line: counters with their value, the rest of the 64 bytes empty.
fn slots(
    model: &FalseSharing,
    line: usize,
    words: &[u32; SLOTS],
    (x, y): (f64, f64),
    (width, height): (f64, f64),
) -> impl IntoView + use<> {
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
        view! {
            <rect class=class x=left y=y width=width height=height />
            <text class="small muted middle" x=left + width / 2.0 y=y - 4.0>{name}</text>
            <text class="middle" x=left + width / 2.0 y=y + height / 2.0 + 5.0>{value}</text>
        }
    });
    view! {
        <rect class="fs-line" x=x y=y width=width * SLOTS as f64 height=height />
        <path class="fs-cells" d=cells />
        {held.into_iter().collect_view()}
    }
}

fn memory(model: &FalseSharing, plan: &Plan, system: &System, last: Option<&Done>) -> impl IntoView + use<> {
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
        view! { <g class=class>{slots(model, line, system.line(line).memory(), (x, y + 12.0), (width, 20.0))}</g> }
    });
    let old = (0..lines).any(|line| system.line(line).states().contains(&State::Modified));
    view! {
        <g class=if lit { "place cpu lit" } else { "place cpu" }>
            <rect class="place-edge" x=at.x y=at.y width=at.width height=at.height rx="4" />
            <text class="strong" x=at.x + 12.0 y=at.y + 28.0>"DRAM"</text>
            <text class="muted small" x=at.x + 12.0 y=at.y + 48.0>{if old { "is behind" } else { "up to date" }}</text>
            {rows.into_iter().collect_view()}
        </g>
    }
}

/// The bus, who speaks on it and which way the line goes.
fn wires(plan: &Plan, last: Option<&Done>) -> impl IntoView + use<> {
    let (left, right, middle, bus) = (plan.port_x(0), plan.port_x(1), plan.middle_x(), plan.bus_y);
    let (floor, ceiling) = (plan.panels[0].y + plan.panels[0].height, plan.memory.y);
    let all = format!("M{left} {floor}V{bus}H{right}V{floor}M{middle} {bus}V{ceiling}");
    let (route, head) = last.map_or_else(Default::default, |done| route(plan, done));
    let upgrade = last.is_some_and(|d| d.access.message == Some(Message::BusUpgr));
    let said = last.map_or_else(String::new, speech);
    let spoken = last.is_some_and(|d| d.access.message.is_some());
    let cargo = last.map_or_else(String::new, cargo);
    view! {
        <g class="wire">
            <path class="link-line fs-bus" d=all />
            <path class=if upgrade { "link-line lit fs-ask" } else { "link-line lit fs-data" } d=route />
            <path class="fs-head" d=head />
        </g>
        <text class=if spoken { "strong middle halo" } else { "muted middle" } x=middle y=bus - 10.0>{said}</text>
        <text class="small" x=left + 8.0 y=bus + 20.0>{cargo}</text>
    }
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
