//! The figure as a component.

use leptos::prelude::*;

use crate::kit::plot::{PickRow, row_picture};
use crate::kit::{Choice, FigureModel, FigureProps, Frame, Layout, Preset, Readings, Slider};

use super::chart;
use super::choice::{Number, Order, Unit};
use super::model::{Entry, Links};
use super::own::KEYS;
use super::pcie::Lanes;

const ID: &str = "links";

/// The figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(Links::default());
    let readings = Readings::of_page();
    Effect::new(move |_| {
        let yours = readings.take(KEYS);
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
            picture=move |model: &Links, layout| picture(model, layout, state)
        >
            {controls(state)}
        </Frame>
    }
    .into_any()
}

fn presets() -> Vec<Preset<Links>> {
    let four = Lanes::new(4).unwrap_or(Lanes::FULL);
    let wide = Links { order: Order::Width, ..Links::default() };
    vec![
        Preset { name: "What a wire carries", state: Links::default() },
        Preset {
            name: "As on the slide",
            state: Links { number: Number::Marketed, row: "nvlink6", ..wide.clone() },
        },
        Preset {
            name: "The largest loss",
            state: Links {
                number: Number::Measured,
                order: Order::Loss,
                row: "c2c-gb200",
                ..Links::default()
            },
        },
        Preset {
            name: "A 140 GB checkpoint",
            state: Links { number: Number::Measured, unit: Unit::Checkpoint, row: "pcie4", ..wide },
        },
        Preset { name: "In the wrong slot", state: Links { lanes: four, row: "pcie4", ..Links::default() } },
    ]
}

fn controls(state: RwSignal<Links>) -> impl IntoView {
    let lane_index =
        move || Lanes::ALL.iter().position(|l| *l == state.with(|s| s.lanes)).unwrap_or(4) as f64;
    let set_lanes = move |index: f64| {
        let lanes = Lanes::ALL.get(index.round() as usize).copied();
        state.update(|s| s.lanes = lanes.unwrap_or(s.lanes));
    };
    view! {
        <Choice
            label="Number that counts"
            name="links-number"
            options=vec![
                (Number::Marketed, "As marketed"),
                (Number::Direction, "Per direction"),
                (Number::Measured, "Measured"),
            ]
            value=Signal::derive(move || state.with(|s| s.number))
            on_choose=move |number| state.update(|s| s.number = number)
        />
        <Choice
            label="Axis"
            name="links-axis"
            options=vec![(Unit::Rate, "GB/s"), (Unit::Gigabyte, "Time for 1 GB"), (Unit::Checkpoint, "for 140 GB")]
            value=Signal::derive(move || state.with(|s| s.unit))
            on_choose=move |unit| state.update(|s| s.unit = unit)
        />
        <Choice
            label="Order"
            name="links-order"
            options=vec![(Order::Family, "By family"), (Order::Width, "By width"), (Order::Loss, "By loss")]
            value=Signal::derive(move || state.with(|s| s.order))
            on_choose=move |order| state.update(|s| s.order = order)
        />
        <Slider
            label="PCIe lanes"
            min=0.0
            max=4.0
            value=Signal::derive(lane_index)
            text=Signal::derive(move || format!("x{}", state.with(|s| s.lanes.count())))
            on_input=set_lanes
        />
    }
}

fn picture(model: &Links, layout: Layout, state: RwSignal<Links>) -> AnyView {
    let grid = chart::grid(layout);
    let entries = model.entries();
    let ids: Vec<&'static str> = entries.iter().map(Entry::id).collect();
    let row = |entry: &Entry| PickRow {
        id: entry.id(),
        label: spoken(model, entry),
        chosen: entry.id() == model.row,
        enabled: true,
    };
    let rows = entries.iter().map(row).collect();
    let choose = move |index: usize| state.update(|s| s.row = ids.get(index).copied().unwrap_or(s.row));
    let title = format!("Bandwidth of {} links. {}", grid.count - 1, model.sentence());
    row_picture(ID, "Links", title, grid, (rows, chart::draw(model, layout)), choose)
}

fn spoken(model: &Links, entry: &Entry) -> String {
    match entry {
        Entry::Known(link) => {
            let value = model.value(link).map_or("no public number".into(), |v| model.tell(v));
            format!("{}, {value}", link.full_name(model.lanes))
        }
        Entry::Own => {
            let value = model.own().best().map_or("no results file chosen".into(), |v| model.tell(v));
            format!("Your CPU–GPU link, {value}")
        }
    }
}
