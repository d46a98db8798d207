//! The frame around every picture: presets, controls, sentence, counters, data, link, exports.

use std::time::Duration;

use leptos::prelude::*;

use super::layout::{Layout, layouts};
use super::{Counter, DataTable, FigureModel, Preset, Query, STILL, export};

/// Lays a figure out. The picture is drawn again from the model at each change; the frame does all
/// that is the same for every figure.
#[component]
pub fn Frame<M, P>(
    /// The figure's id, as in the registry.
    id: &'static str,
    /// Caption from the course text.
    caption: String,
    /// State of the figure.
    state: RwSignal<M>,
    /// Named states, the first being the default one.
    #[prop(optional)]
    presets: Vec<Preset<M>>,
    /// Draws the picture: one `<svg>` with a fixed `viewBox` per layout, so that nothing jumps.
    picture: P,
    /// The controls.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView
where
    M: FigureModel,
    P: Fn(&M, Layout) -> AnyView + Send + Sync + 'static,
{
    if !STILL {
        follow_address(id, state);
    }
    let layouts = layouts();
    let pictures = move || {
        let draw = |layout: Layout| {
            let class = layout.pick("picture wide", "picture narrow");
            view! { <div class=class>{state.with(|model| picture(model, layout))}</div> }
        };
        layouts.get().into_iter().map(draw).collect_view()
    };
    let sentence = move || state.with(M::sentence);
    view! {
        <figure id=format!("fig-{id}") class="figure" aria-labelledby=format!("fig-{id}-caption")>
            {pictures}
            <fieldset class="figure-controls" disabled=STILL>
                <legend class="visually-hidden">"Controls"</legend>
                {chips(state, presets)}
                {children.map(|controls| view! { <div class="controls">{controls()}</div> })}
            </fieldset>
            <p class="sentence" id=format!("fig-{id}-now") role="status">{sentence}</p>
            <dl class="counters">{move || state.with(|m| m.counters().into_iter().map(counter).collect_view())}</dl>
            {quiet_row(id, state)}
            <figcaption id=format!("fig-{id}-caption")>{caption}</figcaption>
        </figure>
    }
}

/// Puts another state in place, with the readings that the figure had.
fn replace<M: FigureModel>(state: RwSignal<M>, next: M) {
    state.update(|now| *now = next.carry_over(now));
}

fn chips<M: FigureModel>(state: RwSignal<M>, presets: Vec<Preset<M>>) -> Option<impl IntoView> {
    let chip = move |preset: Preset<M>| {
        let target = preset.state.clone();
        let pressed = move || (state.with(|now| now.to_query() == preset.state.to_query())).to_string();
        view! {
            <button type="button" class="chip" aria-pressed=pressed on:click=move |_| replace(state, target.clone())>
                {preset.name}
            </button>
        }
    };
    (!presets.is_empty()).then(|| {
        view! {
            <div class="chips" role="group" aria-label="Presets">{presets.into_iter().map(chip).collect_view()}</div>
        }
    })
}

fn counter(counter: Counter) -> impl IntoView {
    view! { <div class="counter"><dt>{counter.label}</dt><dd>{counter.value}</dd></div> }
}

/// Data, link, exports, reset: there for those who look for them.
fn quiet_row<M: FigureModel>(id: &'static str, state: RwSignal<M>) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let copy_link = move |_| {
        let hash = state.with_untracked(M::to_query).to_hash(id);
        export::replace_hash(&hash);
        let copied = export::link_to(&hash).is_some_and(|url| copy_text(&url));
        said.set(if copied { "Link copied" } else { "The address bar holds the link" }.into());
    };
    let save_svg = move |_| {
        let saved = export::picture_svg(id)
            .and_then(|svg| export::download(&format!("{id}.svg"), "image/svg+xml", &svg));
        said.set(if saved.is_ok() { "SVG saved" } else { "This browser refused to save the picture" }.into());
    };
    let save_csv = move |_| {
        let csv = state.with_untracked(M::table).to_csv();
        let saved = export::download(&format!("{id}.csv"), "text/csv", &csv);
        said.set(if saved.is_ok() { "CSV saved" } else { "This browser refused to save the data" }.into());
    };
    view! {
        <div class="figure-row">
            <fieldset class="figure-tools" disabled=STILL>
                <legend class="visually-hidden">"Take along"</legend>
                <button type="button" on:click=copy_link>"Link to this state"</button>
                <button type="button" on:click=save_svg>"SVG"</button>
                <button type="button" on:click=save_csv>"CSV"</button>
                <button type="button" on:click=move |_| replace(state, M::default())>"Reset"</button>
                <span class="said" role="status">{move || said.get()}</span>
            </fieldset>
            <details class="figure-data">
                <summary>"Data"</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="Data of the figure">
                    {move || data_table(state.with(M::table))}
                </div>
            </details>
        </div>
    }
}

fn data_table(table: DataTable) -> impl IntoView {
    let row = |cells: Vec<String>| {
        let mut cells = cells.into_iter();
        let head = cells.next().map(|c| view! { <th scope="row">{c}</th> });
        view! { <tr>{head}{cells.map(|c| view! { <td>{c}</td> }).collect_view()}</tr> }
    };
    view! {
        <table>
            <thead><tr>{table.columns.into_iter().map(|c| view! { <th scope="col">{c}</th> }).collect_view()}</tr></thead>
            <tbody>{table.rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

fn copy_text(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    if !window.is_secure_context() {
        return false;
    }
    let _ = window.navigator().clipboard().write_text(text);
    true
}

/// Time after the last change until the address is brought up to date.
const SETTLE: Duration = Duration::from_millis(250);

/// Keeps state and address together: a link sets the state, the state sets the address.
fn follow_address<M: FigureModel>(id: &'static str, state: RwSignal<M>) {
    let adopt = move || {
        if let Some(query) = Query::from_hash(id, &export::current_hash()) {
            replace(state, M::from_query(&query));
        }
    };
    adopt();
    let listener = window_event_listener(leptos::ev::hashchange, move |_| adopt());
    on_cleanup(move || listener.remove());
    let mut write = debounce(SETTLE, move |query: Query| {
        let hash = query.to_hash(id);
        let ours = Query::from_hash(id, &export::current_hash()).is_some();
        if (ours || !query.is_empty()) && export::current_hash().trim_start_matches('#') != hash {
            export::replace_hash(&hash);
        }
    });
    Effect::new(move |first: Option<()>| {
        let query = state.with(M::to_query);
        if first.is_some() {
            write(query);
        }
    });
}
