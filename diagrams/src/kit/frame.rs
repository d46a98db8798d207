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
    #[prop(optional, into)]
    presets: Signal<Vec<Preset<M>>>,
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
    let controls = children.map(|controls| view! { <div class="controls">{controls()}</div> });
    // Memos: what a change leaves as it was, the table above all, is not built again.
    shell(Parts {
        id,
        caption,
        pictures: view! { <div class="pictures">{pictures}</div> }.into_any(),
        controls: view! { {chips(state, presets)}{controls} }.into_any(),
        sentence: Memo::new(move |_| state.with(M::sentence)).into(),
        note: Memo::new(move |_| state.with(M::note)).into(),
        counters: Memo::new(move |_| state.with(M::counters)).into(),
        table: Memo::new(move |_| state.with(M::table)).into(),
        hash: Signal::derive(move || state.with(M::to_query).to_hash(id)),
        reset: Callback::new(move |()| replace(state, M::default())),
    })
}

/// What a frame shows, free of the type of its model: everything below is compiled once, not per
/// figure.
struct Parts {
    id: &'static str,
    caption: String,
    pictures: AnyView,
    controls: AnyView,
    sentence: Signal<String>,
    note: Signal<Option<String>>,
    counters: Signal<Vec<Counter>>,
    table: Signal<DataTable>,
    hash: Signal<String>,
    reset: Callback<()>,
}

fn shell(parts: Parts) -> AnyView {
    let Parts { id, sentence, note, counters, .. } = parts;
    let tools = tools(id, parts.hash, parts.table, parts.reset);
    let data = data(parts.table);
    view! {
        <figure id=format!("fig-{id}") class="figure" aria-labelledby=format!("fig-{id}-caption")>
            {parts.pictures}
            <fieldset class="figure-controls" disabled=STILL>
                <legend class="visually-hidden">"Controls"</legend>
                {parts.controls}
            </fieldset>
            <p class="sentence" id=format!("fig-{id}-now") role="status">{move || sentence.get()}</p>
            {move || note.get().map(|note| view! { <p class="note">{note}</p> })}
            <dl class="counters">{move || counters.get().into_iter().map(counter).collect_view()}</dl>
            <div class="figure-row">{data}{tools}</div>
            <figcaption id=format!("fig-{id}-caption")>{parts.caption}</figcaption>
        </figure>
    }
    .into_any()
}

/// Puts another state in place, with the readings that the figure had.
fn replace<M: FigureModel>(state: RwSignal<M>, next: M) {
    state.update(|now| *now = next.carry_over(now));
}

fn chips<M: FigureModel>(state: RwSignal<M>, presets: Signal<Vec<Preset<M>>>) -> impl IntoView {
    let chip = move |preset: Preset<M>| {
        let target = preset.state.clone();
        let pressed = move || (state.with(|now| now.to_query() == preset.state.to_query())).to_string();
        view! {
            <button type="button" class="chip" aria-pressed=pressed on:click=move |_| replace(state, target.clone())>
                {preset.name}
            </button>
        }
    };
    let chips = move || presets.get().into_iter().map(chip).collect_view();
    view! { <div class="chips" role="group" aria-label="Presets">{chips}</div> }
}

fn counter(counter: Counter) -> impl IntoView {
    view! { <div class="counter"><dt>{counter.label}</dt><dd>{counter.value}</dd></div> }
}

/// Link, exports, reset: there for those who look for them.
fn tools(id: &'static str, hash: Signal<String>, table: Signal<DataTable>, reset: Callback<()>) -> AnyView {
    let said = RwSignal::new(String::new());
    let copy_link = move |_| {
        let hash = hash.get_untracked();
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
        let csv = table.get_untracked().to_csv();
        let saved = export::download(&format!("{id}.csv"), "text/csv", &csv);
        said.set(if saved.is_ok() { "CSV saved" } else { "This browser refused to save the data" }.into());
    };
    view! {
        <fieldset class="figure-tools" disabled=STILL>
            <legend class="visually-hidden">"Take along"</legend>
            <span class="said" role="status">{move || said.get()}</span>
            <button type="button" on:click=copy_link>"Link to this state"</button>
            <button type="button" on:click=save_svg>"SVG"</button>
            <button type="button" on:click=save_csv>"CSV"</button>
            <button type="button" on:click=move |_| reset.run(())>"Reset"</button>
        </fieldset>
    }
    .into_any()
}

fn data(table: Signal<DataTable>) -> AnyView {
    view! {
        <details class="figure-data">
            <summary>"Data"</summary>
            <div class="scroll" tabindex="0" role="group" aria-label="Data of the figure">
                {move || data_table(table.get())}
            </div>
        </details>
    }
    .into_any()
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
        let query = Query::from_hash(id, &export::current_hash());
        let linked = query.as_ref().is_some_and(|q| !q.is_empty());
        if let Some(query) = query {
            replace(state, M::from_query(&query));
        }
        linked
    };
    // An address with parameters names no element, so the browser itself does not go there. After a
    // reload it has gone back to where the reader was, and that is where they stay.
    if adopt() && !export::is_scrolled() {
        request_animation_frame(move || export::show_figure(id));
    }
    let listener = window_event_listener(leptos::ev::hashchange, move |_| {
        if adopt() {
            export::show_figure(id);
        }
    });
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
