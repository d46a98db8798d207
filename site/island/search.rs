//! The search dialog. Its markup is in every page; this fills it.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent};

use super::{Data, fetch, find, listen};
use crate::html::Html;
use crate::search::{Hit, Index};

/// Brings the dialog to life the first time it is opened.
pub(super) fn open(dialog: &HtmlElement) {
    if dialog.has_attribute("data-live") {
        return;
    }
    let _ = dialog.set_attribute("data-live", "");
    let dialog = dialog.clone();
    say(&dialog, "Fetching the index …");
    spawn_local(async move {
        let address = dialog.data("index").unwrap_or_default();
        let read =
            |text: String| serde_json::from_str(&text).map_err(|_| "The index arrived damaged.".to_owned());
        match fetch::text(&address).await.and_then(read) {
            Ok(index) => attach(&dialog, index),
            Err(message) => {
                say(&dialog, &message);
                // The next opening tries again.
                let _ = dialog.remove_attribute("data-live");
            }
        }
    });
}

fn attach(dialog: &HtmlElement, index: Index) {
    let Some(field) = find(dialog, "input").and_then(|f| f.dyn_into::<HtmlInputElement>().ok()) else {
        return;
    };
    let index = Rc::new(RefCell::new(index));
    let (shown, asked) = (dialog.clone(), field.clone());
    let show = move || show(&shown, &index.borrow(), &asked.value());
    show();
    listen(&field, "input", move |_| show());
    let inside = dialog.clone();
    listen(dialog, "keydown", move |event| {
        let is_enter = event.dyn_ref::<KeyboardEvent>().is_some_and(|key| key.key() == "Enter");
        let in_field = event.target().is_some_and(|target| target == *field.as_ref());
        if is_enter && in_field {
            // Enter opens the first hit instead of closing the dialog.
            event.prevent_default();
            if let Some(first) = find(&inside, ".hits a") {
                first.click();
            }
        }
    });
    let inside = dialog.clone();
    listen(dialog, "click", move |event| {
        let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let is_link = target.and_then(|t| t.closest("a").ok().flatten()).is_some();
        // A link to a section of this page changes no page: the dialog must go away by itself.
        if is_link && let Some(dialog) = inside.dyn_ref::<web_sys::HtmlDialogElement>() {
            dialog.close();
        }
    });
}

fn show(dialog: &HtmlElement, index: &Index, query: &str) {
    let hits = index.search(query);
    let said = match (query.trim().is_empty(), hits.len()) {
        (true, _) => "Words, commands, functions: all sections, terms and figures.".to_owned(),
        (_, 0) => "Nothing found. Every word must match; try fewer.".to_owned(),
        (_, 1) => "1 place".to_owned(),
        (_, n) => format!("{n} places"),
    };
    say(dialog, &said);
    let root = dialog.data("root").unwrap_or_default();
    if let Some(list) = find(dialog, ".hits") {
        list.set_inner_html(&items(&hits, &root));
    }
}

fn items(hits: &[Hit], root: &str) -> String {
    let mut html = Html::default();
    for hit in hits {
        let address = format!("{root}{}", hit.address);
        html.open("li", &[]).open("a", &[("href", &address)]);
        html.leaf("b", &[], &hit.title).leaf("small", &[], &hit.opening);
        html.close("a").close("li");
    }
    html.finish()
}

fn say(dialog: &HtmlElement, text: &str) {
    if let Some(line) = find(dialog, ".count") {
        line.set_text_content(Some(text));
    }
}
