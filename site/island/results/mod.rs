//! The results page: open files, set machines side by side, choose one as yours.

mod list;
mod odd;
mod open;
mod state;

use leptos::mount::mount_to;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

use super::{Data, fetch, recovery, say};
use crate::compare::Column;
use crate::results::comparison_table;
use state::State;

pub(super) fn mount(host: &HtmlElement) {
    let host = host.clone();
    let address = host.data("samples").unwrap_or_default();
    spawn_local(async move {
        let columns = match fetch::text(&address).await {
            Ok(text) => samples(&text),
            Err(message) => {
                // Files can be opened all the same.
                say(&message);
                Vec::new()
            }
        };
        recovery::over_still_picture(&host, || {
            mount_to(host.clone(), move || view! { <Results samples=columns/> }).forget();
        });
    });
}

/// Names and reports on alternate lines, as the page writer wrote them.
fn samples(text: &str) -> Vec<Column> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.chunks_exact(2);
    pairs.filter_map(|pair| Some(Column::sample(pair[0], drills_results::parse(pair[1]).ok()?))).collect()
}

#[component]
fn Results(samples: Vec<Column>) -> impl IntoView {
    let state = State::new(samples);
    view! {
        {open::view(state)}
        {list::view(state)}
        {odd::view(state)}
        <section class="panel-block" aria-labelledby="site-side">
            <h2 id="site-side">"Side by side"</h2>
            {move || comparison_table(&state.shown_columns())}
        </section>
    }
}

/// Offers a text as a file.
pub(super) fn download(name: &str, text: &str) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|w| w.document()).ok_or(JsValue::NULL)?;
    let parts = js_sys::Array::of1(&text.into());
    let options = web_sys::BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&url)
}
