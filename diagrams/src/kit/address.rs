//! Keeps state and address together: a link sets the state, the state sets the address.

use std::time::Duration;

use leptos::prelude::*;

use super::{Query, export};

/// Time after the last change until the address is brought up to date.
const SETTLE: Duration = Duration::from_millis(250);

/// Adopts the address now and whenever it changes, and brings it up to date after a change of `state`.
pub(super) fn follow(id: &'static str, state: Signal<Query>, adopt: Callback<Query>) {
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
