//! The frame around every picture: presets, controls, sentence, counters, data, link, exports.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::canvas::{Gesture, canvas};
use super::controls::controls;
use super::figure::Driven;
use super::{Counter, DataTable, Figure, FigureProps, Query, Readings, STILL, export};

/// The whole figure, its `<figure id="fig-…">` included.
pub fn frame<M: Figure>(props: FigureProps) -> AnyView {
    shell(M::ID, props.caption, Box::new(M::default()))
}

/// The figure's present state. Everything below is compiled once, not per figure.
type State = RwSignal<Box<dyn Driven>>;

fn shell(id: &'static str, caption: String, mut figure: Box<dyn Driven>) -> AnyView {
    let readings = Readings::of_page();
    figure.read(untrack(|| readings.0.get()).as_ref());
    let state: State = RwSignal::new(figure);
    Effect::new(move |_| readings.0.with(|report| change(state, |figure| figure.read(report.as_ref()))));
    let query = memo(state, |figure| figure.query());
    let table = memo(state, |figure| figure.table());
    let sentence = memo(state, |figure| figure.sentence());
    let note = memo(state, |figure| figure.note());
    let counters = memo(state, |figure| figure.counters());
    if !STILL {
        follow_address(id, query, Callback::new(move |query| change(state, |figure| figure.adopt(&query))));
    }
    let picture = canvas(
        Arc::new(move |layout| state.with(|figure| figure.picture(layout))),
        Arc::new(move |gesture| {
            change(state, |figure| match gesture {
                Gesture::Press(part) => figure.press(part),
                Gesture::Point(part, share) => figure.point(part, share),
            });
        }),
    );
    let controls = controls(
        id,
        memo(state, |figure| figure.faces()),
        Arc::new(move |index, operation| change(state, |figure| figure.operate(index, &operation))),
    );
    let tools = tools(id, query, table, Callback::new(move |()| change(state, |figure| figure.reset())));
    let choose = Callback::new(move |preset| change(state, |figure| figure.choose(preset)));
    let chips = chips(memo(state, |figure| figure.presets()), query, choose);
    let data = data(table);
    view! {
        <figure id=format!("fig-{id}") class="figure" aria-labelledby=format!("fig-{id}-caption")>
            {picture}
            <fieldset class="figure-controls" disabled=STILL>
                <legend class="visually-hidden">"Controls"</legend>
                {chips}
                {controls}
            </fieldset>
            <p class="sentence" id=format!("fig-{id}-now") role="status">{move || sentence.get()}</p>
            {move || note.get().map(|note| view! { <p class="note">{note}</p> })}
            <dl class="counters">{move || counters.get().into_iter().map(counter).collect_view()}</dl>
            <div class="figure-row">{data}{tools}</div>
            <figcaption id=format!("fig-{id}-caption")>{caption}</figcaption>
        </figure>
    }
    .into_any()
}

/// What `read` says of the state, built anew only where a change makes it another: the table above all.
fn memo<T: Clone + PartialEq + Send + Sync + 'static>(state: State, read: fn(&dyn Driven) -> T) -> Signal<T> {
    Memo::new(move |_| state.with(|figure| read(&**figure))).into()
}

/// Changes the state, and draws only if it is another one now.
fn change(state: State, act: impl FnOnce(&mut dyn Driven) -> bool) {
    if state.try_update_untracked(|figure| act(&mut **figure)) == Some(true) {
        state.notify();
    }
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
