//! The frame around every picture: presets, controls, sentence, counters, data, link, exports.

use std::sync::Arc;
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
    let picture = Arc::new(picture);
    let draw = move |layout| state.with(|model| picture(model, layout));
    let names = move || presets.with(|all| all.iter().map(|p| (p.name, p.state.to_query())).collect());
    let choose = move |index: usize| {
        if let Some(next) = presets.with_untracked(|all| all.get(index).map(|p| p.state.clone())) {
            replace(state, next);
        }
    };
    // Memos: what a change leaves as it was, the table above all, is not built again.
    shell(Parts {
        id,
        caption,
        draw: Arc::new(draw),
        controls: children.map(|controls| controls().into_any()),
        presets: memo(names),
        sentence: memo(move || state.with(M::sentence)),
        note: memo(move || state.with(M::note)),
        counters: memo(move || state.with(M::counters)),
        table: memo(move || state.with(M::table)),
        query: memo(move || state.with(M::to_query)),
        adopt: Callback::new(move |query: Query| replace(state, M::from_query(&query))),
        choose: Callback::new(choose),
        reset: Callback::new(move |()| replace(state, M::default())),
    })
}

/// A memo as a signal. The boxed closure keeps the machinery behind it free of the closure's type.
fn memo<T: Clone + PartialEq + Send + Sync + 'static>(
    read: impl Fn() -> T + Send + Sync + 'static,
) -> Signal<T> {
    let read: Box<dyn Fn() -> T + Send + Sync> = Box::new(read);
    Memo::new(move |_| read()).into()
}

/// What a frame shows, free of the type of its model: everything below is compiled once, not per
/// figure.
struct Parts {
    id: &'static str,
    caption: String,
    draw: Draw,
    controls: Option<AnyView>,
    presets: Signal<Vec<(&'static str, Query)>>,
    sentence: Signal<String>,
    note: Signal<Option<String>>,
    counters: Signal<Vec<Counter>>,
    table: Signal<DataTable>,
    query: Signal<Query>,
    adopt: Callback<Query>,
    choose: Callback<usize>,
    reset: Callback<()>,
}

/// Draws the picture of the present state.
type Draw = Arc<dyn Fn(Layout) -> AnyView + Send + Sync>;

fn shell(parts: Parts) -> AnyView {
    let Parts { id, query, sentence, note, counters, .. } = parts;
    if !STILL {
        follow_address(id, query, parts.adopt);
    }
    let tools = tools(id, query, parts.table, parts.reset);
    let chips = chips(parts.presets, query, parts.choose);
    let controls = parts.controls.map(|controls| view! { <div class="controls">{controls}</div> });
    let data = data(parts.table);
    view! {
        <figure id=format!("fig-{id}") class="figure" aria-labelledby=format!("fig-{id}-caption")>
            <div class="pictures">{pictures(parts.draw)}</div>
            <fieldset class="figure-controls" disabled=STILL>
                <legend class="visually-hidden">"Controls"</legend>
                {chips}
                {controls}
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

fn pictures(draw: Draw) -> AnyView {
    let layouts = layouts();
    let pictures = move || {
        let one = |layout: Layout| {
            let class = layout.pick("picture wide", "picture narrow");
            view! { <div class=class>{draw(layout)}</div> }
        };
        layouts.get().into_iter().map(one).collect_view()
    };
    pictures.into_any()
}

fn chips(
    presets: Signal<Vec<(&'static str, Query)>>,
    now: Signal<Query>,
    choose: Callback<usize>,
) -> AnyView {
    let chip = move |(index, (name, query)): (usize, (&'static str, Query))| {
        let pressed = move || now.with(|now| *now == query).to_string();
        view! {
            <button type="button" class="chip" aria-pressed=pressed on:click=move |_| choose.run(index)>{name}</button>
        }
    };
    let chips = move || presets.get().into_iter().enumerate().map(chip).collect_view();
    view! { <div class="chips" role="group" aria-label="Presets">{chips}</div> }.into_any()
}

fn counter(counter: Counter) -> impl IntoView {
    view! { <div class="counter"><dt>{counter.label}</dt><dd>{counter.value}</dd></div> }
}

/// Link, exports, reset: there for those who look for them.
fn tools(id: &'static str, query: Signal<Query>, table: Signal<DataTable>, reset: Callback<()>) -> AnyView {
    let said = RwSignal::new(String::new());
    let copy_link = move |_| {
        let hash = query.get_untracked().to_hash(id);
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
fn follow_address(id: &'static str, state: Signal<Query>, adopt: Callback<Query>) {
    let adopt = move || {
        let query = Query::from_hash(id, &export::current_hash());
        let linked = query.as_ref().is_some_and(|q| !q.is_empty());
        if let Some(query) = query {
            adopt.run(query);
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
        let query = state.get();
        if first.is_some() {
            write(query);
        }
    });
}
