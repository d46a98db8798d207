//! What this site keeps: shown, saved to a file, deleted.

use std::collections::BTreeMap;

use leptos::mount::mount_to;
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::{machine, recovery};
use crate::keys;
use crate::storage;

pub(super) fn mount(host: &HtmlElement) {
    recovery::over_still_picture(host, || mount_to(host.clone(), || view! { <Kept/> }).forget());
}

#[component]
fn Kept() -> impl IntoView {
    let kept = RwSignal::new(storage::everything());
    let said = RwSignal::new(String::new());
    let forget = move |key: String| {
        if key == keys::MACHINE {
            machine::forget();
        }
        storage::remove(&key);
        kept.set(storage::everything());
    };
    let row = move |(key, text): (String, String)| {
        let size = text.len();
        let label = format!("Delete: {}", keys::describe(&key));
        let delete = {
            let key = key.clone();
            move |_| forget(key.clone())
        };
        view! {
            <tr>
                <th scope="row">{keys::describe(&key)}<small><code>{key.clone()}</code></small></th>
                <td>{size}" bytes"</td>
                <td><button type="button" class="quiet" aria-label=label on:click=delete>"Delete"</button></td>
            </tr>
        }
    };
    let save = move |_| said.set(match save(&kept.get_untracked()) {
        Ok(()) => "Saved as course-data.json.".into(),
        Err(_) => "This browser refused to save the file.".into(),
    });
    let delete_all = move |_| {
        for key in storage::everything().into_keys() {
            forget(key);
        }
        said.set("Everything is deleted.".into());
    };
    view! {
        <Show when=move || kept.read().is_empty()>
            <p>"This site keeps nothing in this browser at the moment."</p>
        </Show>
        <Show when=move || !kept.read().is_empty()>
            <div class="scroll">
                <table>
                    <thead><tr><th scope="col">"What"</th><th scope="col">"Size"</th><th scope="col">"Do"</th></tr></thead>
                    <tbody>{move || kept.get().into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            <p>
                <button type="button" class="button plain" on:click=save>"Save to a file"</button>
                " "
                <button type="button" class="button plain" on:click=delete_all>"Delete everything"</button>
            </p>
        </Show>
        <p class="muted" role="status">{move || said.get()}</p>
    }
}

/// Offers everything as one JSON file.
fn save(kept: &BTreeMap<String, String>) -> Result<(), wasm_bindgen::JsValue> {
    let text = serde_json::to_string_pretty(kept).unwrap_or_default();
    super::results::download("course-data.json", &text)
}
