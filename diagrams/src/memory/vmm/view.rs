//! The figure: stories, arguments, calls.

use leptos::prelude::*;

use super::call::Call;
use super::picture::picture;
use super::scripts::Story;
use super::state::{Arguments, Vmm};
use crate::FigureProps;
use crate::kit::{Choice, Frame, Layout, Preset, Slider, Stepper, Switch};

type State = RwSignal<Vmm>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(Vmm::default());
    let draw = move |model: &Vmm, layout: Layout| picture(model, layout, state);
    view! {
        <Frame id="vmm" caption=props.caption state=state presets=presets() picture=draw>
            <Stepper
                step=Signal::derive(move || state.with(|m| m.step))
                count=Signal::derive(move || state.with(|m| m.calls().len() + 1))
                on_step=move |to| state.update(|m| m.step = to)
            />
            {calls(state)}
            {arguments(state)}
        </Frame>
    }
    .into_any()
}

fn presets() -> Vec<Preset<Vmm>> {
    let preset = |name, story, step| Preset { name, state: Vmm::telling(story, step) };
    vec![
        Preset { name: "from reserve to free", state: Vmm::default() },
        preset("a segment that grows", Story::Segment, 10),
        preset("a peer's memory", Story::Peer, 11),
        preset("one address, two GPUs", Story::Multicast, 17),
        preset("wrong orders", Story::WrongOrder, 1),
        Preset { name: "start empty", state: Vmm::telling(Story::Life, 0) },
    ]
}

/// Name on the button, and the call that it makes.
type Button = (&'static str, fn(&Vmm) -> Call);

/// Calls that a reader can make, and what they make of the arguments.
const CALLS: [Button; 13] = [
    ("AddressReserve", |m| with(m, |a| Call::Reserve { process: a.process, at: a.at, mib: a.mib })),
    ("Create", |m| {
        with(m, |a| Call::Create { process: a.process, mib: a.mib, device: a.device, shareable: a.shareable })
    }),
    ("Map", |m| with(m, |a| Call::Map { process: a.process, at: a.at, mib: a.mib, memory: a.memory })),
    ("SetAccess", |m| {
        with(m, |a| Call::SetAccess { process: a.process, at: a.at, mib: a.mib, device: a.device })
    }),
    ("MemsetD8", |m| with(m, |a| Call::Write { process: a.process, at: a.at, mib: a.mib })),
    ("Export", |m| with(m, |a| Call::Export { process: a.process, memory: a.memory })),
    ("Import", |m| with(m, |a| Call::Import { process: a.process })),
    ("Unmap", |m| with(m, |a| Call::Unmap { process: a.process, at: a.at, mib: a.mib })),
    ("Release", |m| with(m, |a| Call::Release { process: a.process, memory: a.memory })),
    ("AddressFree", |m| with(m, |a| Call::Free { process: a.process, at: a.at, mib: a.mib })),
    ("MulticastCreate", |m| with(m, |a| Call::TeamCreate { process: a.process, mib: a.mib })),
    ("MulticastAddDevice", |m| {
        with(m, |a| Call::TeamAdd { process: a.process, team: m.team(), device: a.device })
    }),
    ("MulticastBindMem", |m| {
        with(m, |a| Call::TeamBind { process: a.process, team: m.team(), memory: a.memory })
    }),
];

fn with(model: &Vmm, call: impl Fn(Arguments) -> Call) -> Call {
    call(model.next)
}

fn calls(state: State) -> impl IntoView {
    let button = move |(name, call): Button| {
        let make = move |_| state.update(|m| m.make(call(m)));
        let full = move || state.with(call).text();
        view! { <button type="button" title=full on:click=make>{name}</button> }
    };
    view! {
        <div class="control vm-calls" role="group" aria-label="Make a call with the arguments below">
            <span class="control-label" aria-hidden="true">"Make a call with the arguments below"</span>
            <span class="vm-buttons">{CALLS.into_iter().map(button).collect_view()}</span>
        </div>
    }
}

fn arguments(state: State) -> impl IntoView {
    let get = move |read: fn(&Arguments) -> u32| Signal::derive(move || state.with(|m| read(&m.next)));
    let (at, mib) = (get(|a| a.at), get(|a| a.mib));
    let letters = ["A", "B", "C", "D", "E", "F", "G", "H"];
    view! {
        <Choice
            label="Process"
            name="vmm-process"
            options=vec![(0, "0"), (1, "1")]
            value=Signal::derive(move || state.with(|m| m.next.process))
            on_choose=move |process| state.update(|m| m.next.process = process)
        />
        <Slider
            label="Address"
            min=0.0
            max=15.0
            value=Signal::derive(move || f64::from(at.get()))
            text=Signal::derive(move || format!("+{} MiB", at.get()))
            on_input=move |v| state.update(|m| m.next.at = v.round() as u32)
        />
        <Slider
            label="Size"
            min=1.0
            max=16.0
            value=Signal::derive(move || f64::from(mib.get()))
            text=Signal::derive(move || format!("{} MiB", mib.get()))
            on_input=move |v| state.update(|m| m.next.mib = v.round() as u32)
        />
        <Choice
            label="Handle"
            name="vmm-handle"
            options=letters.into_iter().enumerate().collect()
            value=Signal::derive(move || state.with(|m| m.next.memory))
            on_choose=move |memory| state.update(|m| m.next.memory = memory)
        />
        <Choice
            label="GPU"
            name="vmm-device"
            options=vec![(0, "0"), (1, "1")]
            value=Signal::derive(move || state.with(|m| m.next.device))
            on_choose=move |device| state.update(|m| m.next.device = device)
        />
        <Switch
            label="Create with a handle type"
            value=Signal::derive(move || state.with(|m| m.next.shareable))
            on_toggle=move |shareable| state.update(|m| m.next.shareable = shareable)
        />
    }
}
