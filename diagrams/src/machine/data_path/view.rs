//! Draws places, the route, the token, who moves it, and how long each resource is busy.

use leptos::prelude::*;

use super::geometry;
use super::model::{DataPath, MEMCPY_GB, SIZE_STEPS};
use super::plan::{Mover, Plan, Shortcuts, Spot, Step};
use super::times::{Drive, PCIE, Resource};
use crate::kit::scene::{Role, WireState, middle, place, step_mark, token, wire, wire_label};
use crate::kit::units::{bytes_decimal, duration_ns, number};
use crate::kit::{Choice, FigureProps, Frame, Layout, Slider, Stepper, Switch};

/// The figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(DataPath::default());
    view! {
        <Frame id="data-path" caption=props.caption state presets=DataPath::presets() picture>
            <Stepper
                step=Signal::derive(move || state.with(|s| s.done(&s.plan())))
                count=Signal::derive(move || state.with(|s| s.plan().steps.len() + 1))
                on_step=move |v| state.update(|s| s.step = v)
            />
            <div class="control-row" role="group" aria-label="Shortcuts">
                {shortcut(state, "mmap", |w| &mut w.mmap)}
                {shortcut(state, "O_DIRECT", |w| &mut w.direct)}
                {shortcut(state, "pinned user buffer", |w| &mut w.pinned)}
                {shortcut(state, "GPUDirect Storage", |w| &mut w.gds)}
                {shortcut(state, "GPUDirect RDMA", |w| &mut w.rdma)}
                {shortcut(state, "file in the page cache", |w| &mut w.warm)}
            </div>
            {rates(state)}
        </Frame>
    }
    .into_any()
}

fn shortcut(
    state: RwSignal<DataPath>,
    label: &'static str,
    field: fn(&mut Shortcuts) -> &mut bool,
) -> AnyView {
    let value = move || {
        let mut want = state.with(|s| s.want);
        *field(&mut want)
    };
    let toggle = move |on| state.update(|s| s.choose(|want| *field(want) = on));
    view! { <Switch label value=Signal::derive(value) on_toggle=toggle /> }.into_any()
}

fn rates(state: RwSignal<DataPath>) -> AnyView {
    view! {
        <Choice
            label="Drives" name="data-path-drive"
            options=vec![
                (Drive::Gen4, "1 × Gen4, 7 GB/s"),
                (Drive::Gen5, "1 × Gen5, 14"),
                (Drive::EightGen4, "8 × Gen4, 55.3"),
            ]
            value=Signal::derive(move || state.with(|s| s.drive))
            on_choose=move |v| state.update(|s| s.drive = v)
        />
        <Slider
            label="Payload" min=0.0 max=f64::from(SIZE_STEPS)
            value=Signal::derive(move || state.with(|s| f64::from(s.size_step)))
            text=Signal::derive(move || bytes_decimal(state.with(DataPath::bytes)))
            on_input=move |v| state.update(|s| s.size_step = v.round() as u8)
        />
        <Slider
            label="memcpy of one core" min=*MEMCPY_GB.start() max=*MEMCPY_GB.end()
            value=Signal::derive(move || state.with(|s| s.memcpy_gb_per_s))
            text=Signal::derive(move || format!("{} GB/s", number(state.with(|s| s.memcpy_gb_per_s))))
            on_input=move |v| state.update(|s| s.memcpy_gb_per_s = v.round())
        />
    }
    .into_any()
}

fn picture(model: &DataPath, layout: Layout) -> AnyView {
    let plan = model.plan();
    let done = model.done(&plan);
    let view_box = format!("0 0 {} {}", layout.width(), layout.pick(448, 648));
    view! {
        <svg viewBox=view_box role="img" aria-label="Places of the payload from the drive to the network">
            {host_dram(layout)}
            {route(model, &plan, done, layout)}
            {places(&plan, done, layout)}
            {marks(&plan, layout)}
            {payload(&plan, done, layout)}
            {movers(&plan, done, layout)}
            {bars(model, &plan, layout)}
        </svg>
    }
    .into_any()
}

fn host_dram(layout: Layout) -> impl IntoView {
    let rect = geometry::dram(layout);
    let (x, y) = geometry::dram_label(layout);
    view! {
        <rect class="region cpu" x=rect.x y=rect.y width=rect.width height=rect.height rx="4" />
        <text class="small muted" x=x y=y>"host DRAM"</text>
    }
}

/// The wires of the plan: what is done is lit, what comes is not.
fn route(model: &DataPath, plan: &Plan, done: usize, layout: Layout) -> impl IntoView + use<> {
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
    view! { {steps.clone().map(draw).collect_view()}{steps.map(label).collect_view()} }
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
fn places(plan: &Plan, done: usize, layout: Layout) -> impl IntoView + use<> {
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
        view! { <g class=class>{place(rect, role, name, detail, f64::from(u8::from(full)), now)}</g> }
    };
    SPOTS.into_iter().map(draw).collect_view()
}

/// The number of each step at the place where it ends.
fn marks(plan: &Plan, layout: Layout) -> impl IntoView + use<> {
    let mark = |(i, step): (usize, &Step)| {
        let rect = geometry::rect(layout, step.to);
        step_mark(rect.x + 4.0, rect.y + 2.0, &(i + 1).to_string())
    };
    plan.steps.iter().enumerate().map(mark).collect_view()
}

/// The token: on the wire of the present step, or at the start.
fn payload(plan: &Plan, done: usize, layout: Layout) -> impl IntoView + use<> {
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
fn movers(plan: &Plan, done: usize, layout: Layout) -> impl IntoView + use<> {
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
    let line = |(i, text): (usize, String)| {
        view! { <text class="mono" x="4" y=first + 16.0 * i as f64>{text}</text> }
    };
    view! {
        {MOVERS.into_iter().enumerate().map(pill).collect_view()}
        {lines.into_iter().enumerate().map(line).collect_view()}
    }
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
fn bars(model: &DataPath, plan: &Plan, layout: Layout) -> impl IntoView + use<> {
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
        view! {
            <text class="small" x="4" y=y + 10.0>{resource.text()}</text>
            <g class=class><rect class="bar" x=left y=y width=length height="12" /></g>
            <text class="small" x=left + length + 6.0 y=y + 10.0>{text}</text>
        }
    };
    let serial = duration_ns(rates.serial_s(plan, model.bytes()) * 1e9);
    let total = format!("one by one {serial}, overlapped {}", duration_ns(longest * 1e9));
    let head = layout.pick("busy with the whole payload", "");
    view! {
        <text class="small muted" x="4" y=top + 4.0>{head}</text>
        <text class="strong end" x=layout.width() - 4.0 y=top + 4.0>{total}</text>
        {Resource::ALL.into_iter().enumerate().map(row).collect_view()}
    }
}
