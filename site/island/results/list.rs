//! The machines on the page: which are in the table, which is the reader's.

use leptos::prelude::*;

use super::state::State;
use crate::compare::{Column, Origin};

pub(super) fn view(state: State) -> impl IntoView {
    let rows = move || state.columns.get().iter().map(|column| row(state, column)).collect_view();
    view! {
        <section class="panel-block" aria-labelledby="site-machines">
            <h2 id="site-machines">"Machines"</h2>
            <ul class="machines">{rows}</ul>
        </section>
    }
}

fn row(state: State, column: &Column) -> impl IntoView + use<> {
    let id = column.id.clone();
    let is_file = column.origin == Origin::File;
    let shown = {
        let id = id.clone();
        move || state.shown.read().contains(&id)
    };
    let is_mine = {
        let id = id.clone();
        move || state.mine.read().as_deref() == Some(id.as_str())
    };
    let toggle = {
        let id = id.clone();
        move |visible: bool| state.show(&id, visible)
    };
    let label = column.label().to_owned();
    let choice = is_file.then(|| mine_button(state, id.clone(), &label, is_mine));
    let close = is_file.then(|| {
        let name = format!("Close {label}");
        view! {
            <button type="button" class="quiet" aria-label=name on:click=move |_| state.close(&id)>"Close"</button>
        }
    });
    let origin = match (is_file, column.file_name.is_empty()) {
        (false, _) => "sample".to_owned(),
        (true, true) => "kept in this browser".to_owned(),
        (true, false) => column.file_name.clone(),
    };
    view! {
        <li>
            <label class="name">
                <input type="checkbox" prop:checked=shown on:change:target=move |e| toggle(e.target().checked())/>
                <span>{label} " " <small class="muted">{origin}</small></span>
            </label>
            {choice}
            {close}
        </li>
    }
}

fn mine_button(
    state: State,
    id: String,
    label: &str,
    is_mine: impl Fn() -> bool + Send + Sync + Clone + 'static,
) -> AnyView {
    let (mine, pressed) = (is_mine.clone(), is_mine.clone());
    let text = move || if mine() { "My machine: forget it" } else { "Make it my machine" };
    let (forget, make) = (format!("Forget {label} as my machine"), format!("Make {label} my machine"));
    let name = move || if pressed() { forget.clone() } else { make.clone() };
    let act = move |_| {
        if untrack(|| is_mine()) { state.forget() } else { state.choose(id.clone()) }
    };
    view! { <button type="button" class="quiet" aria-label=name on:click=act>{text}</button> }.into_any()
}
