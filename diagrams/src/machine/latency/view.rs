//! The explorer as a component.

use leptos::prelude::*;

use crate::kit::plot::{PickRow, row_picture};
use crate::kit::{Choice, FigureModel, FigureProps, Frame, Layout, Preset, Readings};

use super::chart;
use super::choice::{Gpu, Quantity, Scale};
use super::model::Latency;
use super::row::Group;

const ID: &str = "latency";

/// The figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(Latency::default());
    let readings = Readings::of_page();
    Effect::new(move |_| {
        let yours = readings.take(Latency::keys());
        if state.with_untracked(|s| s.yours != yours) {
            state.update(|s| s.yours = yours);
        }
    });
    view! {
        <Frame
            id=ID
            caption=props.caption
            state=state
            presets=presets()
            picture=move |model: &Latency, layout| picture(model, layout, state)
        >
            {controls(state)}
        </Frame>
    }
    .into_any()
}

fn presets() -> Vec<Preset<Latency>> {
    let at = |row: &'static str| Latency { row, ..Latency::default() };
    vec![
        Preset { name: "One miss to DRAM", state: Latency::default() },
        Preset { name: "A sleeper against the wire", state: Latency { scale: Scale::Human, ..at("wake") } },
        Preset {
            name: "Launch-bound",
            state: Latency { gpu: Gpu::B200, ..at("launch") }.filtered(Some(Group::Software)),
        },
        Preset {
            name: "Far but wide",
            state: Latency { quantity: Quantity::Bandwidth, ..at("gpu-host-load") },
        },
    ]
}

fn controls(state: RwSignal<Latency>) -> impl IntoView {
    let get = move |read: fn(&Latency) -> Quantity| Signal::derive(move || state.with(read));
    let gpus = Gpu::ALL.into_iter().map(|gpu| (gpu, gpu.name())).collect();
    view! {
        <Choice
            label="Show"
            name="latency-show"
            options=vec![(Quantity::Latency, "Latency"), (Quantity::Bandwidth, "Bandwidth")]
            value=get(|s| s.quantity)
            on_choose=move |quantity| state.update(|s| s.quantity = quantity)
        />
        <Choice
            label="Group"
            name="latency-group"
            options=vec![
                (None, "All"),
                (Some(Group::Memory), "Memory"),
                (Some(Group::Software), "Software"),
                (Some(Group::Devices), "Devices"),
            ]
            value=Signal::derive(move || state.with(|s| s.filter))
            on_choose=move |filter| state.update(|s| *s = s.clone().filtered(filter))
        />
        <Choice
            label="Time"
            name="latency-scale"
            options=vec![(Scale::Real, "As it is"), (Scale::Human, "L1 = 1 second")]
            value=Signal::derive(move || state.with(|s| s.scale))
            on_choose=move |scale| state.update(|s| s.scale = scale)
        />
        <Choice
            label="GPU that waits"
            name="latency-gpu"
            options=gpus
            value=Signal::derive(move || state.with(|s| s.gpu))
            on_choose=move |gpu| state.update(|s| s.gpu = gpu)
        />
    }
}

fn picture(model: &Latency, layout: Layout, state: RwSignal<Latency>) -> AnyView {
    let grid = chart::grid(layout);
    let order = model.order();
    let ids: Vec<&'static str> = order.iter().map(|row| row.id).collect();
    let row = |row: &&'static super::Row| PickRow {
        id: row.id,
        label: spoken(model, row),
        chosen: row.id == model.row,
        enabled: model.enabled(row),
    };
    let rows = order.iter().map(row).collect();
    let choose = move |index: usize| state.update(|s| s.row = ids.get(index).copied().unwrap_or(s.row));
    let title = format!("Latency and bandwidth of {} distances. {}", grid.count, model.sentence());
    row_picture(ID, "Distances", title, grid, (rows, chart::draw(model, layout)), choose)
}

fn spoken(model: &Latency, row: &super::Row) -> String {
    let value = model.span(row).map_or("no number".into(), |s| model.tell_span(s.low, s.high));
    let own = model.yours(row).map_or(String::new(), |own| format!(", yours {}", model.tell(own.value)));
    format!("{}, {value}{own}", row.name)
}
