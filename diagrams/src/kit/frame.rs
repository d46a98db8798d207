//! A figure in the page: a Leptos component that holds the state, draws the board and listens.

use std::time::Duration;

use drills_results::Report;
use leptos::html::Figure as FigureElement;
use leptos::prelude::*;

use super::board::Board;
use super::control::Operation;
use super::figure::Driven;
use super::gesture::{self, Gesture};
use super::layout::{layouts, reduced_motion};
use super::{Figure, FigureProps, Kind, Node, Readings, STILL, address, export};

/// The whole figure, its `<figure id="fig-…">` included.
pub fn frame<M: Figure>(props: FigureProps) -> AnyView {
    live(M::ID, props.caption, Box::new(M::default()))
}

/// State of a figure. Everything below is compiled once, not per figure.
type State = RwSignal<Board>;

fn live(id: &'static str, caption: String, mut figure: Box<dyn Driven>) -> AnyView {
    let readings = Readings::of_page();
    figure.read(untrack(|| readings.0.get()).as_deref());
    let playing = (STILL || !reduced_motion()).then_some(false);
    let state: State = RwSignal::new(Board { presets: figure.presets(), figure, playing, said: "" });
    Effect::new(move |_| readings.0.with(|report| read(state, report.as_deref())));
    if !STILL {
        let query = Memo::new(move |_| state.with(|board| board.figure.query()));
        let adopt = move |query| change(state, |figure| figure.adopt(&query));
        address::follow(id, query.into(), Callback::new(adopt));
    }
    play(state);
    let layouts = layouts();
    let draw = move |table| state.with(|board| board.draw(id, &caption, &layouts.get(), table));
    let table = move || state.with(Board::table);
    let place: NodeRef<FigureElement> = NodeRef::new();
    let first = untrack(table);
    let html: String = untrack(|| draw(Some(first.clone()))).iter().map(Node::to_html).collect();
    keep_drawn(place, first, table, draw);
    let tell = move |gesture: Option<Gesture>| {
        if let Some(gesture) = gesture {
            obey(state, id, gesture);
        }
    };
    view! {
        <figure
            id=format!("fig-{id}")
            class="figure"
            aria-labelledby=format!("fig-{id}-caption")
            node_ref=place
            inner_html=html
            on:click=move |ev| tell(gesture::click(&ev))
            on:input=move |ev| tell(gesture::input(&ev))
            on:keydown=move |ev| tell(gesture::key(&ev))
            on:pointerdown=move |ev| tell(gesture::drag(&ev))
            on:pointermove=move |ev| tell(gesture::drag(&ev))
        ></figure>
    }
    .into_any()
}

/// Changes the state, and draws only if it is another one now.
fn change(state: State, act: impl FnOnce(&mut dyn Driven) -> bool) {
    if state.try_update_untracked(|board| act(&mut *board.figure)) == Some(true) {
        state.notify();
    }
}

/// Takes over the reader's machine, which may bring a preset of its own.
fn read(state: State, report: Option<&Report>) {
    let presets = state.try_update_untracked(|board| {
        board.figure.read(report).then(|| board.presets = board.figure.presets()).is_some()
    });
    if presets == Some(true) {
        state.notify();
    }
}

/// Does what the reader asked for.
fn obey(state: State, id: &'static str, gesture: Gesture) {
    match gesture {
        Gesture::Press(part) => change(state, |figure| figure.press(part)),
        Gesture::Point(part, share) => change(state, |figure| figure.point(part, share)),
        Gesture::Operate(control, operation) => change(state, |figure| figure.operate(control, &operation)),
        Gesture::Preset(index) => change(state, |figure| figure.choose(index)),
        Gesture::Reset => change(state, |figure| figure.reset()),
        Gesture::Play(control) => start_or_stop(state, control),
        Gesture::Link => say(state, link(state, id)),
        Gesture::Svg => {
            let saved = export::picture_svg(id)
                .and_then(|svg| export::download(&format!("{id}.svg"), "image/svg+xml", &svg));
            say(state, if saved.is_ok() { "SVG saved" } else { "This browser refused to save the picture" });
        }
        Gesture::Csv => {
            let csv = state.with_untracked(|board| board.figure.table().to_csv());
            let saved = export::download(&format!("{id}.csv"), "text/csv", &csv);
            say(state, if saved.is_ok() { "CSV saved" } else { "This browser refused to save the data" });
        }
    }
}

fn say(state: State, said: &'static str) {
    state.update(|board| board.said = said);
}

/// Puts the state in the address and on the clipboard.
fn link(state: State, id: &'static str) -> &'static str {
    let hash = state.with_untracked(|board| board.figure.query().to_hash(id));
    export::replace_hash(&hash);
    let copied = export::link_to(&hash).is_some_and(|url| export::copy_text(&url));
    if copied { "Link copied" } else { "The address bar holds the link" }
}

/// Time between two steps while playing.
const PLAY_STEP: Duration = Duration::from_millis(1_400);

/// Number, present step and last step of a figure's stepper.
fn stepper(board: &Board) -> Option<(usize, usize, usize)> {
    let faces = board.figure.faces();
    faces.iter().enumerate().find_map(|(number, face)| match face.kind {
        Kind::Stepper(count) => Some((number, face.value.max(0.0) as usize, count.saturating_sub(1))),
        _ => None,
    })
}

/// From the last step playing begins anew.
fn start_or_stop(state: State, control: usize) {
    let (at, last) = state.with_untracked(stepper).map_or((0, 0), |(_, at, last)| (at, last));
    let starts = state.with_untracked(|board| board.playing == Some(false));
    if starts && at >= last {
        change(state, |figure| figure.operate(control, &Operation::Number(0.0)));
    }
    state.update(|board| board.playing = board.playing.map(|playing| !playing));
}

/// Steps on at intervals while the figure plays; stops at the last step.
fn play(state: State) {
    let playing = Memo::new(move |_| state.with(|board| board.playing == Some(true)));
    let advance = move || match state.with_untracked(stepper) {
        Some((control, at, last)) if at < last => {
            change(state, |figure| figure.operate(control, &Operation::Number(at as f64 + 1.0)));
        }
        _ => state.update(|board| board.playing = board.playing.map(|_| false)),
    };
    Effect::new(move |running: Option<Option<IntervalHandle>>| {
        if let Some(Some(handle)) = running {
            handle.clear();
        }
        playing.get().then(|| set_interval_with_handle(advance, PLAY_STEP).ok()).flatten()
    });
}

/// Draws what `draw` returns whenever that changes; the table while it is open, when it opens, and for print.
#[cfg(feature = "csr")]
fn keep_drawn(
    place: NodeRef<FigureElement>,
    table_at_first: Node,
    table: impl Fn() -> Node + 'static,
    draw: impl Fn(Option<Node>) -> Vec<Node> + 'static,
) {
    use std::rc::Rc;

    use super::drawing::{Drawing, when_data_is_shown};
    let board = Drawing::of(untrack(|| draw(None)));
    let rows = Rc::new(Drawing::of(vec![table_at_first]));
    let table = Rc::new(table);
    let (shown_rows, shown_table) = (rows.clone(), table.clone());
    place.on_load(move |figure| {
        let data = figure.clone();
        when_data_is_shown(&figure, move || {
            shown_rows.put(&data, ".figure-data > .scroll", vec![untrack(|| shown_table())]);
        });
    });
    Effect::new(move |_| {
        let next = draw(None);
        let Some(place) = place.get() else { return };
        board.put_whole(&place, next);
        if let Ok(Some(_)) = place.query_selector(".figure-data[open]") {
            rows.put(&place, ".figure-data > .scroll", vec![table()]);
        }
    });
}

#[cfg(not(feature = "csr"))]
fn keep_drawn(
    _: NodeRef<FigureElement>,
    _: Node,
    _: impl Fn() -> Node + 'static,
    _: impl Fn(Option<Node>) -> Vec<Node> + 'static,
) {
}
