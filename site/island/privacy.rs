//! What this site keeps: shown, saved to a file, deleted.

use web_sys::HtmlElement;

use super::{clicked, find, listen, machine};
use crate::html::Html;
use crate::keys;
use crate::storage;

pub(super) fn mount(host: &HtmlElement) {
    show(host, "");
    let inside = host.clone();
    listen(host, "click", move |event| {
        if let Some(key) = clicked(&event, "data-delete") {
            forget(&key);
            show(&inside, "Deleted.");
        } else if clicked(&event, "data-delete-all").is_some() {
            storage::everything().iter().for_each(|(key, _)| forget(key));
            show(&inside, "Everything is deleted.");
        } else if clicked(&event, "data-save").is_some() {
            let saved = save().is_ok();
            show(
                &inside,
                if saved { "Saved as course-data.json." } else { "This browser refused to save the file." },
            );
        }
    });
}

fn forget(key: &str) {
    if key == keys::MACHINE {
        machine::forget();
    }
    storage::remove(key);
}

fn show(host: &HtmlElement, said: &str) {
    host.set_inner_html(&table());
    if let Some(line) = find(host, "[role=status]") {
        line.set_text_content(Some(said));
    }
}

fn table() -> String {
    let kept = storage::everything();
    let mut html = Html::default();
    if kept.is_empty() {
        html.leaf("p", &[], "This site keeps nothing in this browser at the moment.");
    } else {
        html.open("div", &[("class", "scroll")]).open("table", &[]).open("thead", &[]).open("tr", &[]);
        for head in ["What", "Size", "Do"] {
            html.leaf("th", &[("scope", "col")], head);
        }
        html.close("tr").close("thead").open("tbody", &[]);
        for (key, text) in &kept {
            row(&mut html, key, text.len());
        }
        html.close("tbody").close("table").close("div").open("p", &[]);
        button(&mut html, "data-save", "Save to a file");
        html.text(" ");
        button(&mut html, "data-delete-all", "Delete everything");
        html.close("p");
    }
    html.leaf("p", &[("class", "muted"), ("role", "status")], "");
    html.finish()
}

fn row(html: &mut Html, key: &str, size: usize) {
    let what = keys::describe(key);
    html.open("tr", &[])
        .open("th", &[("scope", "row")])
        .text(what)
        .text(" ")
        .leaf("code", &[], key)
        .close("th");
    html.leaf("td", &[], &format!("{size} bytes")).open("td", &[]);
    let label = format!("Delete: {what}");
    let attributes = [("type", "button"), ("class", "quiet"), ("data-delete", key), ("aria-label", &label)];
    html.leaf("button", &attributes, "Delete").close("td").close("tr");
}

fn button(html: &mut Html, act: &'static str, text: &str) {
    html.leaf("button", &[("type", "button"), ("class", "button plain"), (act, "")], text);
}

/// Offers everything as one JSON file.
fn save() -> Result<(), wasm_bindgen::JsValue> {
    let text = serde_json::to_string_pretty(&Kept(storage::everything())).unwrap_or_default();
    super::download("course-data.json", &text)
}

/// Keys and texts, as one JSON object.
struct Kept(Vec<(String, String)>);

impl serde::Serialize for Kept {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, text)| (key, text)))
    }
}
