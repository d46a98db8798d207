//! The figure: picture, controls, presets.

use leptos::prelude::*;

use super::caches::caches;
use super::history::history;
use super::model::{Placement, Workload};
use super::plan::Plan;
use super::race::{height, race};
use super::state::{FalseSharing, MAX_TURN_EXPONENT, Yours};
use crate::FigureProps;
use crate::kit::units::number;
use crate::kit::{Choice, Frame, Layout, Preset, Readings, Slider, Stepper, Switch};

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(FalseSharing::default());
    follow_readings(state);
    let picture = move |model: &FalseSharing, layout: Layout| picture(model, layout, state);
    view! {
        <Frame id="false-sharing" caption=props.caption state=state presets=presets() picture=picture>
            <Stepper
                step=Signal::derive(move || state.with(|m| m.step))
                count=Signal::derive(move || state.with(|m| m.script().len() + 1))
                on_step=move |to| state.update(|m| m.step = to)
            />
            <Switch
                label="Pad: a line for each counter"
                value=Signal::derive(move || state.with(|m| m.padded))
                on_toggle=move |padded| state.update(|m| m.padded = padded)
            />
            <Choice
                label="The two threads run on"
                name="false-sharing-placement"
                options=Placement::ALL.map(|p| (p, p.name())).to_vec()
                value=Signal::derive(move || state.with(|m| m.placement))
                on_choose=move |placement| state.update(|m| m.placement = placement)
            />
            <Choice
                label="They"
                name="false-sharing-workload"
                options=vec![
                    (Workload::OwnCounters, "add to two counters"),
                    (Workload::OneCounter, "add to one"),
                    (Workload::ReadOnly, "only read"),
                ]
                value=Signal::derive(move || state.with(|m| m.workload))
                on_choose=move |workload| state.update(|m| start_over(m, |m| m.workload = workload))
            />
            <Slider
                label="Accesses in a row, each thread in turn"
                min=0.0
                max=f64::from(MAX_TURN_EXPONENT)
                value=Signal::derive(move || state.with(|m| f64::from(m.turn_exponent)))
                text=Signal::derive(move || state.with(|m| number(m.turn() as f64)))
                on_input=move |v| state.update(|m| start_over(m, |m| m.turn_exponent = v.round() as u32))
            />
        </Frame>
    }
    .into_any()
}

/// Another workload is another sequence.
fn start_over(model: &mut FalseSharing, change: impl FnOnce(&mut FalseSharing)) {
    change(model);
    model.own.clear();
    model.step = model.step.min(model.script().len());
}

fn presets() -> Vec<Preset<FalseSharing>> {
    let start = FalseSharing::default;
    let shown = |state: FalseSharing| FalseSharing { step: 6, ..state };
    vec![
        Preset { name: "two counters, one line", state: start() },
        Preset { name: "padded", state: shown(FalseSharing { padded: true, ..start() }) },
        Preset {
            name: "across sockets",
            state: shown(FalseSharing { placement: Placement::Sockets, ..start() }),
        },
        Preset {
            name: "two threads of one core",
            state: shown(FalseSharing { placement: Placement::Siblings, ..start() }),
        },
        Preset {
            name: "truly shared counter",
            state: shown(FalseSharing { workload: Workload::OneCounter, padded: true, ..start() }),
        },
        Preset {
            name: "readers only",
            state: shown(FalseSharing { workload: Workload::ReadOnly, ..start() }),
        },
    ]
}

fn picture(model: &FalseSharing, layout: Layout, state: RwSignal<FalseSharing>) -> AnyView {
    let (system, done) = model.so_far();
    let view_box = format!("0 0 {} {}", layout.width(), height(layout));
    view! {
        <svg viewBox=view_box role="group" aria-label="Two cores, their caches, the bus and memory">
            {caches(model, &Plan::of(layout), &system, done.last(), state)}
            {history(model, layout, &done)}
            {race(model, layout)}
        </svg>
    }
    .into_any()
}

/// Takes over what was measured on the reader's machine, now and whenever they choose another one.
fn follow_readings(state: RwSignal<FalseSharing>) {
    let readings = Readings::of_page();
    Effect::new(move |_| {
        let yours = Yours {
            shared_ns: readings.value("latency.false_sharing.shared"),
            padded_ns: readings.value("latency.false_sharing.padded"),
            transfer_ns: Placement::ALL.map(|p| readings.value(p.key())),
        };
        if state.with_untracked(|m| m.yours != yours) {
            state.update(|m| m.yours = yours);
        }
    });
}
