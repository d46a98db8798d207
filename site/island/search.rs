//! The search dialog.

use leptos::html::{Dialog, Input};
use leptos::mount::mount_to;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::HtmlElement;

use super::{Data, fetch};
use crate::search::{Hit, Index};


/// Opens the dialog; the first time mounts it and fetches the index.
pub(super) fn open(host: &HtmlElement) {
    if host.first_element_child().is_none() {
        let index = host.data("index").unwrap_or_default();
        let root = host.data("root").unwrap_or_default();
        mount_to(host.clone(), move || view! { <Search index root/> }).forget();
    } else if let Ok(Some(dialog)) = host.query_selector("dialog") {
        use wasm_bindgen::JsCast;
        if let Ok(dialog) = dialog.dyn_into::<web_sys::HtmlDialogElement>() {
            show(&dialog);
        }
    }
}

fn show(dialog: &web_sys::HtmlDialogElement) {
    if !dialog.open() {
        // Fails only when the dialog has left the page.
        let _ = dialog.show_modal();
    }
}

/// The dialog: a field, hits below it.
#[component]
fn Search(index: String, root: String) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let field = NodeRef::<Input>::new();
    let query = RwSignal::new(String::new());
    let loaded = RwSignal::new(None::<Result<Index, String>>);
    spawn_local(async move {
        let read = |text: String| serde_json::from_str(&text).map_err(|_| "The index arrived damaged.".to_owned());
        loaded.set(Some(fetch::text(&index).await.and_then(read)));
    });
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get() {
            show(&dialog);
        }
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    let hits = Memo::new(move |_| {
        loaded.with(|index| match index {
            Some(Ok(index)) => index.search(&query.read()),
            _ => Vec::new(),
        })
    });
    let said = move || match loaded.get() {
        None => "Fetching the index …".to_owned(),
        Some(Err(message)) => message,
        Some(Ok(_)) if query.read().trim().is_empty() => "Words, commands, functions: all sections, terms and figures.".to_owned(),
        Some(Ok(_)) => match hits.read().len() {
            0 => "Nothing found. Every word must match; try fewer.".to_owned(),
            1 => "1 place".to_owned(),
            n => format!("{n} places"),
        },
    };
    let close = move || {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    // A link to a section of this page changes no page: the dialog must go away by itself.
    let item = move |hit: Hit| {
        let href = format!("{root}{}", hit.address);
        view! {
            <li>
                <a href=href on:click=move |_| close()>
                    <b>{hit.title}</b>
                    <small>{hit.opening}</small>
                </a>
            </li>
        }
    };
    view! {
        <dialog class="search" aria-label="Search" node_ref=dialog>
            <form method="dialog">
                <input
                    type="search"
                    aria-label="Search the course"
                    autocomplete="off"
                    spellcheck="false"
                    node_ref=field
                    on:keydown=move |event| {
                        // Enter opens the first hit instead of closing the dialog.
                        if event.key() == "Enter" {
                            event.prevent_default();
                            open_first(&event);
                        }
                    }
                    prop:value=move || query.get()
                    on:input:target=move |event| query.set(event.target().value())
                />
                <button type="submit" class="tool">"Close"</button>
            </form>
            <p class="count" role="status">{said}</p>
            <ol class="hits">{move || hits.get().into_iter().map(item.clone()).collect_view()}</ol>
        </dialog>
    }
}

fn open_first(event: &web_sys::KeyboardEvent) {
    use wasm_bindgen::JsCast;
    let first = event
        .target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
        .and_then(|field| field.closest("dialog").ok().flatten())
        .and_then(|dialog| dialog.query_selector(".hits a").ok().flatten())
        .and_then(|link| link.dyn_into::<HtmlElement>().ok());
    if let Some(link) = first {
        link.click();
    }
}
