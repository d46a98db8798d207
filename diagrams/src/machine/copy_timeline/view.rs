//! The figure: picture, controls, presets, the reader's numbers.

use leptos::prelude::*;

use super::model::{Direction, Machine, Registration};
use super::picture::picture;
use super::state::{CHUNK_EXPONENTS, CopyTimeline, KERNEL_NS, LINK, MAX_COPIES, MEMCPY, SIZE_EXPONENTS};
use crate::FigureProps;
use crate::kit::units::{bytes, duration_ns, rate};
use crate::kit::{Choice, Frame, LogScale, Preset, Readings, Slider};

type State = RwSignal<CopyTimeline>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let yours = Memo::new(move |_| read_machine(Readings::of_page()));
    let state = RwSignal::new(start(yours.get_untracked()));
    Effect::new(move |_| {
        let yours = yours.get();
        if state.with_untracked(|m| m.yours != yours) {
            state.update(|m| m.yours = yours);
        }
    });
    let presets = Signal::derive(move || presets(yours.get()));
    view! {
        <Frame id="copy-timeline" caption=props.caption state=state presets=presets picture=picture>
            {exponent(state, "Size of a copy", SIZE_EXPONENTS, |m| &mut m.size_exponent)}
            {scale(state, "memcpy of one core", MEMCPY, rate, |m| &mut m.machine.memcpy_bytes_per_s)}
            {scale(state, "Link, one direction", LINK, rate, |m| &mut m.machine.link_bytes_per_s)}
            {scale(state, "Kernel on the SMs", KERNEL_NS, duration_ns, |m| &mut m.kernel_ns)}
            {exponent(state, "Staging buffer", CHUNK_EXPONENTS, |m| &mut m.chunk_exponent)}
            <Choice
                label="Staging buffers"
                name="copy-timeline-buffers"
                options=vec![(1, "1"), (2, "2"), (4, "4")]
                value=Signal::derive(move || state.with(|m| m.buffers))
                on_choose=move |buffers| state.update(|m| m.buffers = buffers)
            />
            <Choice
                label="Copies in a row"
                name="copy-timeline-copies"
                options=vec![(1, "1"), (2, "2"), (MAX_COPIES, "4")]
                value=Signal::derive(move || state.with(|m| m.copies))
                on_choose=move |copies| state.update(|m| m.copies = copies)
            />
            <Choice
                label="Direction"
                name="copy-timeline-direction"
                options=vec![(Direction::ToDevice, "to device"), (Direction::ToHost, "to host")]
                value=Signal::derive(move || state.with(|m| m.direction))
                on_choose=move |direction| state.update(|m| m.direction = direction)
            />
            <Choice
                label="Register"
                name="copy-timeline-registration"
                options=vec![(Registration::Once, "once"), (Registration::EachTime, "each time")]
                value=Signal::derive(move || state.with(|m| m.registration))
                on_choose=move |registration| state.update(|m| m.registration = registration)
            />
        </Frame>
    }
    .into_any()
}

/// A slider over powers of two in bytes.
fn exponent(
    state: State,
    label: &'static str,
    (min, max): (u32, u32),
    field: fn(&mut CopyTimeline) -> &mut u32,
) -> AnyView {
    let value = Signal::derive(move || f64::from(*field(&mut state.get())));
    view! {
        <Slider
            label=label
            min=f64::from(min)
            max=f64::from(max)
            value=value
            text=Signal::derive(move || bytes(value.get().exp2()))
            on_input=move |v| state.update(|m| *field(m) = v.round() as u32)
        />
    }
    .into_any()
}

/// A slider over decades.
fn scale(
    state: State,
    label: &'static str,
    scale: LogScale,
    say: fn(f64) -> String,
    field: fn(&mut CopyTimeline) -> &mut f64,
) -> AnyView {
    let value = Signal::derive(move || *field(&mut state.get()));
    view! {
        <Slider
            label=label
            min=0.0
            max=f64::from(scale.steps)
            value=Signal::derive(move || scale.position(value.get()).round())
            text=Signal::derive(move || say(value.get()))
            on_input=move |v| state.update(|m| *field(m) = scale.value(v))
        />
    }
    .into_any()
}

/// The first state: the reader's machine if they chose one, else the H200.
fn start(yours: Option<(String, Machine)>) -> CopyTimeline {
    let machine = yours.as_ref().map_or(Machine::H200, |(_, machine)| *machine);
    CopyTimeline { machine, yours, ..CopyTimeline::default() }
}

fn presets(yours: Option<(String, Machine)>) -> Vec<Preset<CopyTimeline>> {
    let base = CopyTimeline::default;
    let on = |machine| CopyTimeline { machine, ..CopyTimeline::default() };
    let h200 = Machine::H200;
    let mut all: Vec<_> =
        yours.map(|(_, machine)| Preset { name: "yours", state: on(machine) }).into_iter().collect();
    all.extend([
        Preset { name: "H200", state: base() },
        Preset { name: "H200, link twice as fast", state: on(Machine { link_bytes_per_s: 109e9, ..h200 }) },
        Preset { name: "RTX 4090", state: on(Machine::RTX4090) },
        Preset {
            name: "RTX 4090, slow core",
            state: on(Machine { memcpy_bytes_per_s: 8.05e9, ..Machine::RTX4090 }),
        },
        Preset { name: "one staging buffer", state: CopyTimeline { buffers: 1, ..on(Machine::RTX4090) } },
        Preset {
            name: "back to the host",
            state: CopyTimeline {
                direction: Direction::ToHost,
                ..on(Machine { memcpy_bytes_per_s: 12.6e9, link_bytes_per_s: 55.3e9, ..h200 })
            },
        },
        Preset {
            name: "tiny copies",
            state: CopyTimeline { size_exponent: 14, copies: MAX_COPIES, kernel_ns: 1e4, ..base() },
        },
        Preset {
            name: "register each time",
            state: CopyTimeline { registration: Registration::EachTime, copies: MAX_COPIES, ..base() },
        },
    ]);
    all
}

/// The reader's machine, if it has a GPU and its copies were measured. Where the pageable copy keeps up
/// with the link, its rate says nothing about memcpy; then the measured memcpy is taken.
fn read_machine(readings: Readings) -> Option<(String, Machine)> {
    let value = |key| readings.value(key).filter(|v| *v > 0.0);
    let link = value("copy.h2d.pinned")?;
    let pageable = value("copy.h2d.pageable")?;
    let memcpy = if pageable < 0.95 * link { pageable } else { value("memcpy.one_thread")?.max(pageable) };
    let h200 = Machine::H200;
    let machine = Machine {
        memcpy_bytes_per_s: tidy(memcpy.clamp(MEMCPY.min, MEMCPY.max)),
        link_bytes_per_s: tidy(link.clamp(LINK.min, LINK.max)),
        submit_ns: value("copy.h2d.pinned.returned").map_or(h200.submit_ns, f64::round),
        register_ns_per_gib: value("pin.register").map_or(h200.register_ns_per_gib, f64::round),
        unregister_ns_per_gib: value("pin.unregister").map_or(h200.unregister_ns_per_gib, f64::round),
    };
    Some((readings.label()?, machine))
}

/// Whole MB/s, as the address carries them.
fn tidy(bytes_per_s: f64) -> f64 {
    (bytes_per_s / 1e6).round() * 1e6
}
