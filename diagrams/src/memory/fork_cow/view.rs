//! The figure: picture, controls, presets, the reader's numbers.

use leptos::prelude::*;

use super::model::{COLUMNS, Deed, ForkCow, PAGES, SHARES, SIZES, Storage, WORKERS, Yours};
use super::picture::picture;
use crate::FigureProps;
use crate::kit::units::percent;
use crate::kit::{Choice, Frame, Layout, Preset, Readings, Slider};

type State = RwSignal<ForkCow>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(ForkCow::default());
    follow_readings(state);
    let picture = move |model: &ForkCow, layout: Layout| picture(model, layout, state);
    view! {
        <Frame id="fork-cow" caption=props.caption state=state presets=presets() picture=picture>
            <Choice
                label="Samples are stored as"
                name="fork-cow-storage"
                options=Storage::ALL.map(|s| (s, s.name())).to_vec()
                value=Signal::derive(move || state.with(|m| m.storage))
                on_choose=move |storage| state.update(|m| m.storage = storage)
            />
            <Choice
                label="Workers"
                name="fork-cow-deed"
                options=Deed::ALL.map(|d| (d, d.name())).to_vec()
                value=Signal::derive(move || state.with(|m| m.deed))
                on_choose=move |deed| state.update(|m| m.deed = deed)
            />
            <Slider
                label="Done by each worker"
                min=0.0
                max=(SHARES.len() - 1) as f64
                value=Signal::derive(move || state.with(|m| m.share as f64))
                text=Signal::derive(move || percent(state.with(ForkCow::progress)))
                on_input=move |v| state.update(|m| m.share = v.round() as usize)
            />
            <Slider
                label="Look into page"
                min=1.0
                max=COLUMNS as f64
                value=Signal::derive(move || state.with(|m| m.column as f64 + 1.0))
                text=Signal::derive(move || state.with(|m| format!("{}", m.column + 1)))
                on_input=move |v| state.update(|m| m.column = (v.round() as usize).saturating_sub(1))
            />
            {index(state, "Base page", "fork-cow-base", PAGES.len(), &["4 KiB", "16 KiB", "64 KiB"], |m| &mut m.page)}
            {index(state, "Number of workers", "fork-cow-workers", WORKERS.len(), &["1", "2", "4", "8"], |m| &mut m.workers)}
            {index(state, "Bytes per sample", "fork-cow-size", SIZES.len(), &["32 B", "160 B", "1 KiB", "16 KiB"], |m| &mut m.size)}
        </Frame>
    }
    .into_any()
}

/// A choice among named values of a list.
fn index(
    state: State,
    label: &'static str,
    name: &'static str,
    count: usize,
    texts: &[&'static str],
    field: fn(&mut ForkCow) -> &mut usize,
) -> AnyView {
    view! {
        <Choice
            label=label
            name=name
            options=(0..count).zip(texts.iter().copied()).collect()
            value=Signal::derive(move || *field(&mut state.get()))
            on_choose=move |i| state.update(|m| *field(m) = i)
        />
    }
    .into_any()
}

fn presets() -> Vec<Preset<ForkCow>> {
    let start = ForkCow::default;
    let all = SHARES.len() - 1;
    vec![
        Preset { name: "1 % of a list", state: start() },
        Preset { name: "just forked", state: ForkCow { share: 0, ..start() } },
        Preset { name: "a whole epoch and more", state: ForkCow { share: all, ..start() } },
        Preset { name: "gc.freeze()", state: ForkCow { share: all, storage: Storage::Frozen, ..start() } },
        Preset { name: "numpy", state: ForkCow { share: all, storage: Storage::Numpy, ..start() } },
        Preset { name: "64 KiB pages, 1 %", state: ForkCow { page: 2, ..start() } },
        Preset {
            name: "as the drill",
            state: ForkCow { size: 0, workers: 0, share: all, deed: Deed::ReadInOrder, ..start() },
        },
        Preset { name: "write a tensor", state: ForkCow { deed: Deed::WriteTensor, share: 11, ..start() } },
    ]
}

/// Takes over what was measured on the reader's machine, now and whenever they choose another one.
fn follow_readings(state: State) {
    let readings = Readings::of_page();
    Effect::new(move |_| {
        let yours = Yours {
            page_bytes: readings.value("topo.page"),
            all: readings.value("cow.object_headers.uss"),
            one_percent: readings.value("cow.one_percent.uss"),
            one_header: readings.value("cow.one_header.uss"),
            fork_ns_per_gib: readings.value("cow.fork"),
        };
        if state.with_untracked(|m| m.yours != yours) {
            state.update(|m| m.yours = yours);
        }
    });
}
