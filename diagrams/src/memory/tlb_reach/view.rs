//! The figure: controls, presets, the reader's numbers.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::chart;
use super::chips::Chip;
use super::model::Pattern;
use super::own::chases;
use super::state::{ENTRIES, MEMORY_NS, PAGES, READS, TlbReach, WORKING_SETS, entries_text};
use crate::FigureProps;
use crate::kit::units::{bytes, duration_ns};
use crate::kit::{Choice, Frame, Layout, Preset, Readings, STILL, Slider};

type State = RwSignal<TlbReach>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(TlbReach::default());
    let readings = Readings::of_page();
    Effect::new(move |_| {
        let yours = readings.0.with(|report| report.as_ref().map(chases).unwrap_or_default());
        if state.with_untracked(|m| m.yours != yours) {
            state.update(|m| m.yours = yours);
        }
    });
    let draw = move |model: &TlbReach, layout: Layout| picture(model, layout, state);
    view! {
        <Frame id="tlb-reach" caption=props.caption state=state presets=presets() picture=draw>
            {controls(state)}
        </Frame>
    }
    .into_any()
}

fn controls(state: State) -> impl IntoView {
    let pages = PAGES.into_iter().zip(["4 KiB", "16 KiB", "64 KiB", "2 MiB", "512 MiB"]).collect();
    let entries = move || ENTRIES.iter().position(|&e| e == state.with(|m| m.entries)).unwrap_or(6) as f64;
    view! {
        <Choice
            label="Page"
            name="tlb-reach-page"
            options=pages
            value=Signal::derive(move || state.with(|m| m.page_bytes))
            on_choose=move |page| state.update(|m| m.page_bytes = page)
        />
        <Choice
            label="Read by"
            name="tlb-reach-chip"
            options=Chip::ALL.map(|c| (c, c.name())).to_vec()
            value=Signal::derive(move || state.with(|m| m.chip))
            on_choose=move |chip| state.update(|m| m.choose(chip))
        />
        <Choice
            label="Random reads of"
            name="tlb-reach-pattern"
            options=vec![(Pattern::AnyLine, "any line"), (Pattern::LinePerPage, "one line per page")]
            value=Signal::derive(move || state.with(|m| m.pattern))
            on_choose=move |pattern| state.update(|m| m.pattern = pattern)
        />
        <Slider
            label="Working set"
            min=f64::from(WORKING_SETS.0)
            max=f64::from(WORKING_SETS.1)
            value=Signal::derive(move || state.with(|m| f64::from(m.exponent)))
            text=Signal::derive(move || state.with(|m| bytes(m.working_set_bytes())))
            on_input=move |v| state.update(|m| m.exponent = v.round() as u32)
        />
        <Slider
            label="TLB entries"
            min=0.0
            max=(ENTRIES.len() - 1) as f64
            value=Signal::derive(entries)
            text=Signal::derive(move || state.with(|m| entries_text(m.entries)))
            on_input=move |v| state.update(|m| m.entries = ENTRIES[(v.round() as usize).min(ENTRIES.len() - 1)])
        />
        <Slider
            label="Reads per walk"
            min=f64::from(READS.0)
            max=f64::from(READS.1)
            value=Signal::derive(move || state.with(|m| f64::from(m.reads)))
            text=Signal::derive(move || state.with(|m| reads_text(m.reads)))
            on_input=move |v| state.update(|m| m.reads = v.round() as u32)
        />
        <Slider
            label="A read from memory"
            min=0.0
            max=f64::from(MEMORY_NS.steps)
            value=Signal::derive(move || MEMORY_NS.position(state.with(|m| m.memory_ns)).round())
            text=Signal::derive(move || state.with(|m| duration_ns(m.memory_ns)))
            on_input=move |v| state.update(|m| m.memory_ns = MEMORY_NS.value(v))
        />
    }
}

fn reads_text(reads: u32) -> String {
    match reads {
        1 => "1, walk caches warm".into(),
        4 => "4, walk caches cold".into(),
        24 => "24, a VM at worst".into(),
        _ => reads.to_string(),
    }
}

fn presets() -> Vec<Preset<TlbReach>> {
    let x86 = TlbReach::default;
    let preset = |name, state| Preset { name, state };
    vec![
        preset("x86, 4 KiB", x86()),
        preset("x86, 2 MiB", TlbReach { page_bytes: PAGES[3], ..x86() }),
        preset("Grace, 64 KiB", TlbReach { page_bytes: PAGES[2], ..TlbReach::on(Chip::NeoverseV2) }),
        preset("GPU, 2 MiB", TlbReach { page_bytes: PAGES[3], ..TlbReach::on(Chip::Gpu) }),
        preset("just inside", TlbReach { page_bytes: PAGES[3], exponent: 32, ..x86() }),
        preset("in a virtual machine", TlbReach { reads: 24, ..x86() }),
        preset("the drill's chase", TlbReach { pattern: Pattern::LinePerPage, exponent: 30, ..x86() }),
    ]
}

fn picture(model: &TlbReach, layout: Layout, state: State) -> AnyView {
    let grid = chart::grid(layout);
    let (left, right) = grid.axis;
    let choose = move |ev: MouseEvent| {
        if let Some(share) = share_at(&ev) {
            state.update(|m| m.exponent = chart::exponent_at(share));
        }
    };
    let drag = move |ev: MouseEvent| {
        if ev.buttons() & 1 == 1 {
            choose(ev);
        }
    };
    let title = "Time per random read over the working set, for several page sizes";
    view! {
        <svg
            class="rowchart"
            viewBox=format!("0 0 {} {}", grid.width, grid.height())
            role=if STILL { "img" } else { "group" }
            aria-label=title
        >
            <g class="plotted" aria-hidden="true" inner_html=chart::draw(model, layout)></g>
            <rect
                class="tr-drag"
                x=left
                y=grid.top
                width=right - left
                height=grid.bottom() - grid.top
                on:mousedown=choose
                on:mousemove=drag
            />
        </svg>
    }
    .into_any()
}

/// Where on the axis the pointer is, 0 to 1.
fn share_at(ev: &MouseEvent) -> Option<f64> {
    let area: web_sys::Element = ev.current_target()?.dyn_into().ok()?;
    let place = area.get_bounding_client_rect();
    Some((f64::from(ev.client_x()) - place.left()) / place.width())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::FigureModel;

    #[test]
    fn each_story_reads_differently_and_is_a_state_of_the_address() {
        let told: std::collections::HashSet<String> = presets().iter().map(|p| p.state.sentence()).collect();
        assert_eq!(told.len(), presets().len());
        for preset in presets() {
            assert_eq!(TlbReach::from_query(&preset.state.to_query()), preset.state);
        }
    }
}
