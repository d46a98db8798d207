//! The picture: addresses above and below, physical memory between them, the last calls.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::call::Call;
use super::driver::{DEVICE_MIB, Driver, GRANULARITY_MIB, Kind, Mapping, RANGE_MIB};
use super::outcome::{Outcome, Status};
use super::state::{Vmm, name, references};
use crate::kit::Layout;

/// Where things are in one drawing.
struct Plan {
    left: f64,
    mib: f64,
    lanes: [f64; 2],
    team: f64,
    chunks: f64,
    log: f64,
    lines: usize,
    pitch: f64,
    height: f64,
    narrow: bool,
}

/// Height of a lane, of a chunk, of a bar.
const BOX: f64 = 36.0;

fn plan(layout: Layout) -> Plan {
    let wide = Plan {
        left: 104.0,
        mib: 38.0,
        lanes: [32.0, 340.0],
        team: 132.0,
        chunks: 212.0,
        log: 440.0,
        lines: 4,
        pitch: 24.0,
        height: 552.0,
        narrow: false,
    };
    let narrow = Plan {
        left: 10.0,
        mib: 20.0,
        lanes: [32.0, 352.0],
        team: 132.0,
        chunks: 220.0,
        log: 452.0,
        lines: 3,
        pitch: 44.0,
        height: 600.0,
        narrow: true,
    };
    layout.pick(wide, narrow)
}

/// Draws the figure.
pub fn picture(model: &Vmm, layout: Layout, state: RwSignal<Vmm>) -> AnyView {
    let plan = plan(layout);
    let (driver, made) = model.so_far();
    let now = made.last().copied();
    view! {
        <svg
            viewBox=format!("0 0 {} {}", layout.width(), plan.height)
            role="group"
            aria-label="Addresses of two processes, memory of two GPUs, and the mappings between them"
        >
            {joins(&plan, &driver)}
            {teams(&plan, &driver)}
            {[0, 1].map(|process| lane(&plan, &driver, model, process, state)).into_iter().collect_view()}
            {[0, 1].map(|device| gpu(&plan, &driver, device, now)).into_iter().collect_view()}
            {log(&plan, &made)}
        </svg>
    }
    .into_any()
}

fn x_of(plan: &Plan, mib: f64) -> f64 {
    plan.left + mib * plan.mib
}

/// Left edge of a chunk: GPU 0's lie left, GPU 1's right.
fn chunk_x(plan: &Plan, device: usize, chunk: u32) -> f64 {
    let gap = if device == 1 { 4.0 } else { -4.0 };
    x_of(plan, f64::from(device as u32 * DEVICE_MIB + chunk * GRANULARITY_MIB)) + gap * f64::from(device == 1)
}

/// The addresses of a process.
fn lane(
    plan: &Plan,
    driver: &Driver,
    model: &Vmm,
    process: usize,
    state: RwSignal<Vmm>,
) -> impl IntoView + use<> {
    let y = plan.lanes[process];
    let width = f64::from(RANGE_MIB) * plan.mib;
    let mut cells = String::new();
    for mib in (GRANULARITY_MIB..RANGE_MIB).step_by(GRANULARITY_MIB as usize) {
        cells.push_str(&format!("M{} {y}v{BOX}", x_of(plan, f64::from(mib))));
    }
    let reserved: Vec<_> = driver
        .reservations
        .iter()
        .filter(|r| r.0 == process)
        .map(|&(_, at, mib)| {
            let (x, width) = (x_of(plan, f64::from(at)), f64::from(mib) * plan.mib);
            view! { <rect class="vm-reserved" x=x + 1.0 y=y + 1.0 width=width - 2.0 height=BOX - 2.0 rx="3" /> }
        })
        .collect();
    let mapped: Vec<_> =
        driver.mappings.iter().filter(|m| m.process == process).map(|m| mapping(plan, y, m)).collect();
    // The range that the next call would name.
    let next = model.next;
    let end = (next.at + next.mib).min(RANGE_MIB);
    let bracket_y = if process == 0 { y - 6.0 } else { y + BOX + 6.0 };
    let tip = if process == 0 { 5.0 } else { -5.0 };
    let (from, to) = (x_of(plan, f64::from(next.at)), x_of(plan, f64::from(end)));
    let bracket = if next.process == process {
        format!("M{from} {}V{bracket_y}H{to}v{tip}", bracket_y + tip)
    } else {
        String::new()
    };
    let choose = move |ev: MouseEvent| {
        if let Some(mib) = mib_at(&ev) {
            state.update(|m| (m.next.process, m.next.at) = (process, mib));
        }
    };
    view! {
        {lane_names(plan, process)}
        <path class="vm-grid" d=format!("M{} {y}h{width}v{BOX}h-{width}z{cells}", plan.left) />
        {reserved}
        {mapped}
        <path class="vm-next" d=bracket />
        <rect class="vm-pick" x=plan.left y=y width=width height=BOX on:click=choose>
            <title>"Address for the next call"</title>
        </rect>
    }
}

fn lane_names(plan: &Plan, process: usize) -> impl IntoView + use<> {
    let y = plan.lanes[process];
    let (name, end) = (format!("Process {process}"), format!("+{RANGE_MIB} MiB"));
    let right = x_of(plan, f64::from(RANGE_MIB));
    // Labels of lane 0 stand above it, those of lane 1 below.
    let outside = if process == 0 { y - 14.0 } else { y + BOX + 24.0 };
    let (x, name_y) = if plan.narrow { (plan.left, outside) } else { (4.0, y + 16.0) };
    let (detail_x, detail_y) = if plan.narrow { (plan.left + 80.0, outside) } else { (4.0, y + 32.0) };
    let zero = if plan.narrow { "" } else { "+0" };
    view! {
        <text class="strong" x=x y=name_y>{name}</text>
        <text class="small muted" x=detail_x y=detail_y>{if plan.narrow { "its addresses" } else { "addresses" }}</text>
        <text class="small muted" x=plan.left y=outside>{zero}</text>
        <text class="small muted end" x=right y=outside>{end}</text>
    }
}

fn mib_at(ev: &MouseEvent) -> Option<u32> {
    let lane: web_sys::Element = ev.current_target()?.dyn_into().ok()?;
    let place = lane.get_bounding_client_rect();
    let share = (f64::from(ev.client_x()) - place.left()) / place.width();
    // Clicks mean a granule; odd addresses are for the slider.
    let granules = RANGE_MIB / GRANULARITY_MIB;
    let granule = (share * f64::from(granules)).floor().clamp(0.0, f64::from(granules - 1));
    Some(granule as u32 * GRANULARITY_MIB)
}

fn mapping(plan: &Plan, y: f64, mapping: &Mapping) -> impl IntoView + use<> {
    let (x, width) = (x_of(plan, f64::from(mapping.at)), f64::from(mapping.mib) * plan.mib);
    let access = match (mapping.access, plan.narrow) {
        (0b01, false) => "GPU 0",
        (0b10, false) => "GPU 1",
        (0b11, false) => "GPU 0, 1",
        (_, false) => "no access",
        (0b01, true) => "G0",
        (0b10, true) => "G1",
        (0b11, true) => "G0,1",
        (_, true) => "none",
    };
    let class = if mapping.access == 0 { "place gpu vm-closed" } else { "place gpu" };
    // What lies between lane and memory, so that the outer side stays free for the bracket.
    let access_y = if mapping.process == 0 { y + BOX + 15.0 } else { y - 7.0 };
    view! {
        <g class=class>
            <rect class="vm-back" x=x + 3.0 y=y + 3.0 width=width - 6.0 height=BOX - 6.0 rx="3" />
            <rect class="place-fill" x=x + 3.0 y=y + 3.0 width=width - 6.0 height=BOX - 6.0 />
            <rect class="place-edge" x=x + 3.0 y=y + 3.0 width=width - 6.0 height=BOX - 6.0 rx="3" />
            <text class="place-label" x=x + width / 2.0 y=y + BOX / 2.0>{name(mapping.memory)}</text>
            <text class="small middle halo" x=x + width / 2.0 y=access_y>{access}</text>
        </g>
    }
}

/// Lines from addresses to memory: to the middle of what they show.
fn joins(plan: &Plan, driver: &Driver) -> impl IntoView + use<> {
    let mut lines = String::new();
    let mut bound = String::new();
    for mapping in &driver.mappings {
        let x = x_of(plan, f64::from(mapping.at) + f64::from(mapping.mib) / 2.0);
        let y = if mapping.process == 0 { plan.lanes[0] + BOX } else { plan.lanes[1] };
        match &driver.memories[mapping.memory].kind {
            Kind::Physical { device, chunks } => {
                let target = if mapping.process == 0 { plan.chunks } else { plan.chunks + BOX };
                for chunk in chunks {
                    let to = chunk_x(plan, *device, *chunk) + plan.mib;
                    lines.push_str(&format!("M{x} {y}L{to} {target}"));
                }
            }
            Kind::Team { .. } => {
                let (to, target) = (team_middle(plan), plan.team + 28.0 * f64::from(mapping.process == 1));
                lines.push_str(&format!("M{x} {y}L{to} {target}"));
            }
        }
    }
    let parts = driver.memories.iter().filter(|m| m.alive).filter_map(|m| match &m.kind {
        Kind::Team { bound, .. } => Some(bound),
        Kind::Physical { .. } => None,
    });
    for part in parts.flatten() {
        if let Kind::Physical { device, chunks } = &driver.memories[*part].kind {
            for chunk in chunks {
                let to = chunk_x(plan, *device, *chunk) + plan.mib;
                bound.push_str(&format!("M{} {}L{to} {}", team_middle(plan), plan.team + 28.0, plan.chunks));
            }
        }
    }
    view! {
        <path class="vm-join gpu" d=lines />
        <path class="vm-join wire" d=bound />
    }
}

fn team_middle(plan: &Plan) -> f64 {
    x_of(plan, f64::from(RANGE_MIB) / 2.0)
}

/// The multicast object, between addresses and memory.
fn teams(plan: &Plan, driver: &Driver) -> impl IntoView + use<> {
    let team = driver.memories.iter().enumerate().rev().find_map(|(i, m)| match (&m.kind, m.alive) {
        (Kind::Team { added, bound }, true) => Some((i, *added, bound.len())),
        _ => None,
    });
    let text = team.map(|(index, added, bound)| {
        let kind = if plan.narrow { "multicast" } else { "multicast object" };
        format!("{}: {kind}, {} of 2 GPUs joined, {bound} bound", name(index), added.count_ones())
    });
    let width = plan.mib * if plan.narrow { 15.6 } else { 10.0 };
    let (x, y) = (team_middle(plan) - width / 2.0, plan.team);
    view! {
        <g class=if team.is_some() { "place wire lit" } else { "vm-none" }>
            <rect class="vm-back" x=x y=y width=width height="28" rx="4" />
            <rect class="place-fill" x=x y=y width=width height="28" />
            <rect class="place-edge" x=x y=y width=width height="28" rx="4" />
            <text class="small middle" x=team_middle(plan) y=y + 18.5>{text.unwrap_or_default()}</text>
        </g>
    }
}

/// The chunks of a GPU's memory with what holds them.
fn gpu(plan: &Plan, driver: &Driver, device: usize, now: Option<(Call, Outcome)>) -> impl IntoView + use<> {
    let width = f64::from(GRANULARITY_MIB) * plan.mib;
    let fresh = now
        .filter(|(call, o)| o.is_success() && matches!(call, Call::Create { .. }))
        .map(|_| driver.memories.len() - 1);
    let chunks: Vec<_> = (0..DEVICE_MIB / GRANULARITY_MIB)
        .map(|chunk| {
            let holder = driver.memories.iter().position(|m| {
                m.alive && matches!(&m.kind, Kind::Physical { device: d, chunks } if *d == device && chunks.contains(&chunk))
            });
            let first = holder.is_some_and(|h| match &driver.memories[h].kind {
                Kind::Physical { chunks, .. } => chunks.first() == Some(&chunk),
                Kind::Team { .. } => false,
            });
            let x = chunk_x(plan, device, chunk);
            let class = match holder {
                None => "place plain vm-free",
                Some(h) if Some(h) == fresh => "place gpu lit",
                Some(_) => "place gpu",
            };
            let held = if first { holder.map(|h| references(driver, h)).unwrap_or_default() } else { String::new() };
            view! {
                <g class=class>
                    <rect class="vm-back" x=x + 2.0 y=plan.chunks width=width - 4.0 height=BOX rx="4" />
                    <rect class="place-fill" x=x + 2.0 y=plan.chunks width=width - 4.0 height=BOX />
                    <rect class="place-edge" x=x + 2.0 y=plan.chunks width=width - 4.0 height=BOX rx="4" />
                    <text class="place-label" x=x + width / 2.0 y=plan.chunks + BOX / 2.0>{holder.map(name).unwrap_or_default()}</text>
                    <text class="small halo" x=x + 3.0 y=plan.chunks + BOX + 16.0>{held}</text>
                </g>
            }
        })
        .collect();
    let title_x = chunk_x(plan, device, 0) + 2.0;
    let used = format!("{} of {DEVICE_MIB} MiB taken", driver.used_mib(device));
    let detail = if plan.narrow { "" } else { "memory" };
    view! {
        {chunks}
        <text class="strong halo" x=title_x y=plan.chunks - 8.0>{format!("GPU {device}")}</text>
        <text class="small muted halo" x=title_x + 48.0 y=plan.chunks - 8.0>{used}</text>
        <text class="small muted" x="4" y=plan.chunks + 22.0>{if device == 0 { detail } else { "" }}</text>
    }
}

/// The last calls with what they returned.
fn log(plan: &Plan, made: &[(Call, Outcome)]) -> impl IntoView + use<> {
    let first = made.len().saturating_sub(plan.lines);
    let rows: Vec<_> = (0..plan.lines)
        .map(|line| {
            let entry = made.get(first + line);
            let last = entry.is_some() && first + line + 1 == made.len();
            let (mark, class) = match entry.map(|(_, o)| o.status) {
                None => ("", "vm-log"),
                Some(Status::Success) => ("✓", "vm-log"),
                Some(Status::Waits) => ("…", "vm-log caution"),
                Some(_) => ("✗", "vm-log trouble"),
            };
            let class = if last { format!("{class} vm-last") } else { class.to_owned() };
            let y = plan.log + 16.0 + line as f64 * plan.pitch;
            let text =
                entry.map(|(call, _)| format!("P{} {}", call.process(), call.text())).unwrap_or_default();
            let result = entry.map(|(_, o)| o.status.name()).unwrap_or_default();
            let (result_x, result_y, end) =
                if plan.narrow { (28.0, y + 19.0, "") } else { (712.0, y, " end") };
            view! {
                <g class=class>
                    <text class="strong" x="8" y=y>{mark}</text>
                    <text class="mono" x="28" y=y>{text}</text>
                    <text class=format!("small vm-result{end}") x=result_x y=result_y>{result}</text>
                </g>
            }
        })
        .collect();
    let legend = if plan.narrow { "h handles, m mappings" } else { "h handles, m mappings, fd descriptor" };
    let legend_y = plan.lanes[1] - 40.0;
    view! {
        <text class="small muted vm-legend" x=plan.left y=legend_y>{legend}</text>
        <path class="axis" d=format!("M4 {}H{}", plan.log - 8.0, if plan.narrow { 336.0 } else { 716.0 }) />
        {rows}
    }
}
