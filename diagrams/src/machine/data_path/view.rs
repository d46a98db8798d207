//! Draws places, the route, the token, who moves it, and how long each resource is busy.

use super::geometry;
use super::model::{DataPath, MEMCPY_GB, SIZE_STEPS};
use super::plan::{Mover, Plan, Spot, Step};
use super::times::{Drive, PCIE, Resource};
use crate::kit::scene::{Rect, Role, WireState, middle, place, step_mark, token, wire, wire_label};
use crate::kit::units::{bytes_decimal, duration_ns, number};
use crate::kit::{Control, Figure, Layout, Node, Preset, svg};

impl Figure for DataPath {
    const ID: &'static str = "data-path";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let (plan, want) = (self.plan(), &self.want);
        let drives = [
            (Drive::Gen4, "1 × Gen4, 7 GB/s"),
            (Drive::Gen5, "1 × Gen5, 14"),
            (Drive::EightGen4, "8 × Gen4, 55.3"),
        ];
        let memcpy = self.memcpy_gb_per_s;
        let sizes = (0.0, f64::from(SIZE_STEPS));
        vec![
            Control::stepper(self.done(&plan), plan.steps.len() + 1, |s, step| s.step = step),
            Control::switch("mmap", want.mmap, |s, on| s.choose(|w| w.mmap = on)),
            Control::switch("O_DIRECT", want.direct, |s, on| s.choose(|w| w.direct = on)),
            Control::switch("pinned user buffer", want.pinned, |s, on| s.choose(|w| w.pinned = on)),
            Control::switch("GPUDirect Storage", want.gds, |s, on| s.choose(|w| w.gds = on)),
            Control::switch("GPUDirect RDMA", want.rdma, |s, on| s.choose(|w| w.rdma = on)),
            Control::switch("file in the page cache", want.warm, |s, on| s.choose(|w| w.warm = on)),
            Control::choice("Drives", &drives, self.drive, |s, v| s.drive = v),
            Control::slider(
                "Payload",
                sizes,
                f64::from(self.size_step),
                bytes_decimal(self.bytes()),
                |s: &mut Self, v| {
                    s.size_step = v.round() as u8;
                },
            ),
            Control::slider(
                "memcpy of one core",
                (*MEMCPY_GB.start(), *MEMCPY_GB.end()),
                memcpy,
                format!("{} GB/s", number(memcpy)),
                |s: &mut Self, v| s.memcpy_gb_per_s = v.round(),
            ),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }
}

fn picture(model: &DataPath, layout: Layout) -> Node {
    let plan = model.plan();
    let done = model.done(&plan);
    svg::picture(
        (layout.width(), layout.pick(448.0, 648.0)),
        "Places of the payload from the drive to the network",
        false,
    )
    .with(host_dram(layout))
    .with(svg::layer(route(model, &plan, done, layout)))
    .with(places(&plan, done, layout))
    .with(svg::layer(marks(&plan, layout)))
    .with(payload(&plan, done, layout))
    .with(movers(&plan, done, layout))
    .with(bars(model, &plan, layout))
}

fn host_dram(layout: Layout) -> Node {
    let rect = geometry::dram(layout);
    let (x, y) = geometry::dram_label(layout);
    Node::from([
        svg::rect("region cpu", Rect::new(rect.x, rect.y, rect.width, rect.height)).set("rx", 4),
        svg::text("small muted", (x, y), "host DRAM"),
    ])
}

/// The wires of the plan: what is done is lit, what comes is not.
fn route(model: &DataPath, plan: &Plan, done: usize, layout: Layout) -> Node {
    let draw = |(i, step): (usize, &Step)| {
        let line = geometry::wire(layout, step.from, step.to);
        let state = if i < done { WireState::Lit } else { WireState::Quiet };
        let role = if step.mover == Mover::Core { Role::Cpu } else { Role::Wire };
        wire(&line, role, rate(model, *step), state)
    };
    let label = |(i, step): (usize, &Step)| {
        let line = geometry::wire(layout, step.from, step.to);
        let (x, y) = geometry::label(layout, step.from, step.to);
        let state = if i + 1 == done { WireState::Lit } else { WireState::Quiet };
        let text =
            if geometry::length(&line) < 32.0 { String::new() } else { number(rate(model, *step) / 1e9) };
        wire_label(x, y, Role::Wire, &text, state)
    };
    let steps = plan.steps.iter().enumerate();
    Node::from([steps.clone().map(draw).collect::<Node>(), steps.map(label).collect::<Node>()])
}

/// Rate of the engine or core that makes a step.
fn rate(model: &DataPath, step: Step) -> f64 {
    match step.mover {
        Mover::Core => model.rates().of(Resource::Core),
        Mover::Drive => model.rates().of(Resource::Drive),
        Mover::CopyEngine => PCIE,
        Mover::Nic => model.rates().of(Resource::Nic),
    }
}

const SPOTS: [(Spot, &str, &str, Role); 7] = [
    (Spot::Drive, "NVMe", "drive", Role::Plain),
    (Spot::PageCache, "page cache", "kernel", Role::Kernel),
    (Spot::UserBuffer, "user buffer", "", Role::Cpu),
    (Spot::Staging, "staging", "pinned", Role::Cpu),
    (Spot::Gpu, "GPU", "HBM", Role::Gpu),
    (Spot::Bounce, "bounce", "pinned", Role::Cpu),
    (Spot::Nic, "NIC", "400 Gb/s", Role::Wire),
];

/// Places: filled where the payload has been, dim where it never comes.
fn places(plan: &Plan, done: usize, layout: Layout) -> Node {
    let start = DataPath::start(plan);
    let pinned = plan.steps.iter().any(|s| s.from == Spot::UserBuffer && s.mover == Mover::CopyEngine);
    let draw = |(spot, name, detail, role): (Spot, &str, &str, Role)| {
        let used = spot == start || plan.steps.iter().any(|s| s.to == spot);
        let full = spot == start || plan.steps.iter().take(done).any(|s| s.to == spot);
        let now = done.checked_sub(1).map_or(start, |i| plan.steps[i].to) == spot;
        let detail = match (spot, pinned) {
            (Spot::UserBuffer, true) => "pinned",
            (Spot::UserBuffer, false) => "pageable",
            _ => detail,
        };
        let class = if used { "" } else { "unused" };
        let rect = geometry::rect(layout, spot);
        svg::g(class).with(place(rect, role, name, detail, f64::from(u8::from(full)), now))
    };
    SPOTS.into_iter().map(draw).collect::<Node>()
}

/// The number of each step at the place where it ends.
fn marks(plan: &Plan, layout: Layout) -> Node {
    let mark = |(i, step): (usize, &Step)| {
        let rect = geometry::rect(layout, step.to);
        step_mark(rect.x + 4.0, rect.y + 2.0, &(i + 1).to_string())
    };
    plan.steps.iter().enumerate().map(mark).collect::<Node>()
}

/// The token: on the wire of the present step, or at the start.
fn payload(plan: &Plan, done: usize, layout: Layout) -> Node {
    let (x, y) = match done.checked_sub(1).map(|i| plan.steps[i]) {
        Some(step) => middle(&geometry::wire(layout, step.from, step.to)),
        None => {
            let rect = geometry::rect(layout, DataPath::start(plan));
            (rect.x + rect.width - 12.0, rect.y + rect.height - 12.0)
        }
    };
    token(x, y)
}

const MOVERS: [(Mover, &str); 4] = [
    (Mover::Drive, "drive's DMA"),
    (Mover::Core, "CPU core"),
    (Mover::CopyEngine, "copy engine"),
    (Mover::Nic, "NIC's DMA"),
];

/// Who can move bytes, who does so now, and through which calls.
fn movers(plan: &Plan, done: usize, layout: Layout) -> Node {
    let now = done.checked_sub(1).map(|i| plan.steps[i]);
    let top = layout.pick(244.0, 372.0);
    let pill = |(i, (mover, name)): (usize, (Mover, &str))| {
        let active = now.is_some_and(|s| s.mover == mover);
        let uses = plan.steps.iter().filter(|s| s.mover == mover).count();
        let (column, row) = layout.pick((i, 0), (i % 2, i / 2));
        let step = layout.pick(180.0, 168.0);
        let rect = crate::kit::scene::Rect::new(
            4.0 + step * column as f64,
            top + 36.0 * row as f64,
            layout.pick(172.0, 164.0),
            28.0,
        );
        let role = if mover == Mover::Core { Role::Cpu } else { Role::Wire };
        let text = if active { format!("▶ {name}") } else { format!("{name}, {uses} ×") };
        place(rect, role, &text, "", f64::from(u8::from(active)), active)
    };
    let calls = now.map_or("Step forward: the payload leaves the drive.".to_owned(), |s| s.calls.to_owned());
    let lines = wrap(&calls, layout.pick(92, 42));
    let first = top + layout.pick(48.0, 88.0);
    let line = |(i, text): (usize, String)| svg::text("mono", (4.0, first + 16.0 * i as f64), text);
    Node::from([
        MOVERS.into_iter().enumerate().map(pill).collect::<Node>(),
        lines.into_iter().enumerate().map(line).collect::<Node>(),
    ])
}

/// Words in lines of at most so many characters.
fn wrap(text: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let length = lines[last].chars().count();
        if length > 0 && length + 1 + word.chars().count() > limit {
            lines.push(word.to_owned());
        } else {
            let gap = if length > 0 { " " } else { "" };
            lines[last] = format!("{}{gap}{word}", lines[last]);
        }
    }
    lines
}

/// How long each resource is busy with the whole payload; the longest bounds an overlapped transfer.
fn bars(model: &DataPath, plan: &Plan, layout: Layout) -> Node {
    let rates = model.rates();
    let (bound, longest) = rates.bound(plan, model.bytes());
    let top = layout.pick(316.0, 516.0);
    let (left, width) = layout.pick((124.0, 480.0), (108.0, 128.0));
    let row = |(i, resource): (usize, Resource)| {
        let busy = rates.busy_s(plan, resource, model.bytes());
        let y = top + 16.0 + 18.0 * i as f64;
        let length = (busy / longest * width).round();
        let slow = resource == bound;
        let time = if busy > 0.0 { duration_ns(busy * 1e9) } else { "unused".into() };
        let class = match (slow, resource) {
            (true, _) => "caution",
            (_, Resource::Core | Resource::Dram) => "cpu",
            _ => "wire",
        };
        let text = if slow { format!("{time}, longest") } else { time };
        Node::from([
            svg::text("small", (4.0, y + 10.0), resource.text()),
            svg::g(class).with(svg::rect("bar", Rect::new(left, y, length, 12.0))),
            svg::text("small", (left + length + 6.0, y + 10.0), text),
        ])
    };
    let serial = duration_ns(rates.serial_s(plan, model.bytes()) * 1e9);
    let total = format!("one by one {serial}, overlapped {}", duration_ns(longest * 1e9));
    let head = layout.pick("busy with the whole payload", "");
    Node::from([
        svg::text("small muted", (4.0, top + 4.0), head),
        svg::text("strong end", (layout.width() - 4.0, top + 4.0), total),
        Resource::ALL.into_iter().enumerate().map(row).collect::<Node>(),
    ])
}
