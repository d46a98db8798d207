//! The picture: addresses above and below, physical memory between them, the last calls.

use super::call::Call;
use super::driver::{DEVICE_MIB, Driver, GRANULARITY_MIB, Kind, Mapping, RANGE_MIB};
use super::outcome::{Outcome, Status};
use super::state::{Vmm, name, references};
use crate::kit::scene::Rect;
use crate::kit::{Layout, Node, pointable, svg};

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
pub fn picture(model: &Vmm, layout: Layout) -> Node {
    let plan = plan(layout);
    let (driver, made) = model.so_far();
    let now = made.last().copied();
    svg::picture(
        (layout.width(), plan.height),
        "Addresses of two processes, memory of two GPUs, and the mappings between them",
        false,
    )
    .with(joins(&plan, &driver))
    .with(teams(&plan, &driver))
    .with([0, 1].map(|process| lane(&plan, &driver, model, process)).into_iter().collect::<Node>())
    .with([0, 1].map(|device| gpu(&plan, &driver, device, now)).into_iter().collect::<Node>())
    .with(log(&plan, &made))
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
fn lane(plan: &Plan, driver: &Driver, model: &Vmm, process: usize) -> Node {
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
            svg::rect("vm-reserved", Rect::new(x + 1.0, y + 1.0, width - 2.0, BOX - 2.0)).set("rx", 3)
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
    Node::from([
        lane_names(plan, process),
        svg::path("vm-grid", format!("M{} {y}h{width}v{BOX}h-{width}z{cells}", plan.left)),
        reserved.into(),
        mapped.into(),
        svg::path("vm-next", bracket),
        pointable(svg::rect("vm-pick", Rect::new(plan.left, y, width, BOX)), process)
            .with(svg::el("title").with("Address for the next call")),
    ])
}

fn lane_names(plan: &Plan, process: usize) -> Node {
    let y = plan.lanes[process];
    let (name, end) = (format!("Process {process}"), format!("+{RANGE_MIB} MiB"));
    let right = x_of(plan, f64::from(RANGE_MIB));
    // Labels of lane 0 stand above it, those of lane 1 below.
    let outside = if process == 0 { y - 14.0 } else { y + BOX + 24.0 };
    let (x, name_y) = if plan.narrow { (plan.left, outside) } else { (4.0, y + 16.0) };
    let (detail_x, detail_y) = if plan.narrow { (plan.left + 80.0, outside) } else { (4.0, y + 32.0) };
    let zero = if plan.narrow { "" } else { "+0" };
    Node::from([
        svg::text("strong", (x, name_y), name),
        svg::text(
            "small muted",
            (detail_x, detail_y),
            if plan.narrow { "its addresses" } else { "addresses" },
        ),
        svg::text("small muted", (plan.left, outside), zero),
        svg::text("small muted end", (right, outside), end),
    ])
}

/// Address under a share of a lane. Pointing means a granule; odd addresses are for the slider.
pub fn mib_at(share: f64) -> u32 {
    let granules = RANGE_MIB / GRANULARITY_MIB;
    let granule = (share * f64::from(granules)).floor().clamp(0.0, f64::from(granules - 1));
    granule as u32 * GRANULARITY_MIB
}

fn mapping(plan: &Plan, y: f64, mapping: &Mapping) -> Node {
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
    svg::g(class)
        .with(svg::rect("vm-back", Rect::new(x + 3.0, y + 3.0, width - 6.0, BOX - 6.0)).set("rx", 3))
        .with(svg::rect("place-fill", Rect::new(x + 3.0, y + 3.0, width - 6.0, BOX - 6.0)))
        .with(svg::rect("place-edge", Rect::new(x + 3.0, y + 3.0, width - 6.0, BOX - 6.0)).set("rx", 3))
        .with(svg::text("place-label", (x + width / 2.0, y + BOX / 2.0), name(mapping.memory)))
        .with(svg::text("small middle halo", (x + width / 2.0, access_y), access))
}

/// Lines from addresses to memory: to the middle of what they show.
fn joins(plan: &Plan, driver: &Driver) -> Node {
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
    Node::from([svg::path("vm-join gpu", lines), svg::path("vm-join wire", bound)])
}

fn team_middle(plan: &Plan) -> f64 {
    x_of(plan, f64::from(RANGE_MIB) / 2.0)
}

/// The multicast object, between addresses and memory.
fn teams(plan: &Plan, driver: &Driver) -> Node {
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
    svg::g(if team.is_some() { "place wire lit" } else { "vm-none" })
        .with(svg::rect("vm-back", Rect::new(x, y, width, 28.0)).set("rx", 4))
        .with(svg::rect("place-fill", Rect::new(x, y, width, 28.0)))
        .with(svg::rect("place-edge", Rect::new(x, y, width, 28.0)).set("rx", 4))
        .with(svg::text("small middle", (team_middle(plan), y + 18.5), text.unwrap_or_default()))
}

/// The chunks of a GPU's memory with what holds them.
fn gpu(plan: &Plan, driver: &Driver, device: usize, now: Option<(Call, Outcome)>) -> Node {
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
            svg::g(class).with(svg::rect("vm-back", Rect::new(x + 2.0, plan.chunks, width - 4.0, BOX)).set("rx", 4)).with(svg::rect("place-fill", Rect::new(x + 2.0, plan.chunks, width - 4.0, BOX))).with(svg::rect("place-edge", Rect::new(x + 2.0, plan.chunks, width - 4.0, BOX)).set("rx", 4)).with(svg::text("place-label", (x + width / 2.0, plan.chunks + BOX / 2.0), holder.map(name).unwrap_or_default())).with(svg::text("small halo", (x + 3.0, plan.chunks + BOX + 16.0), held))
        })
        .collect();
    let title_x = chunk_x(plan, device, 0) + 2.0;
    let used = format!("{} of {DEVICE_MIB} MiB taken", driver.used_mib(device));
    let detail = if plan.narrow { "" } else { "memory" };
    Node::from([
        chunks.into(),
        svg::text("strong halo", (title_x, plan.chunks - 8.0), format!("GPU {device}")),
        svg::text("small muted halo", (title_x + 48.0, plan.chunks - 8.0), used),
        svg::text("small muted", (4.0, plan.chunks + 22.0), if device == 0 { detail } else { "" }),
    ])
}

/// The last calls with what they returned.
fn log(plan: &Plan, made: &[(Call, Outcome)]) -> Node {
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
            svg::g(class)
                .with(svg::text("strong", (8.0, y), mark))
                .with(svg::text("mono", (28.0, y), text))
                .with(svg::text(format!("small vm-result{end}"), (result_x, result_y), result))
        })
        .collect();
    let legend = if plan.narrow { "h handles, m mappings" } else { "h handles, m mappings, fd descriptor" };
    let legend_y = plan.lanes[1] - 40.0;
    Node::from([
        svg::text("small muted vm-legend", (plan.left, legend_y), legend),
        svg::path("axis", format!("M4 {}H{}", plan.log - 8.0, if plan.narrow { 336.0 } else { 716.0 })),
        rows.into(),
    ])
}
