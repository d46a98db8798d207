//! The browser half: what `static/boot.js` calls.

use course::island;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {
    island::start();
}

/// Brings one island to life, in its own box.
#[wasm_bindgen]
pub fn mount(host: web_sys::HtmlElement) {
    island::mount(&host);
}

/// Opens the search dialog.
#[wasm_bindgen]
pub fn open_search(host: web_sys::HtmlElement) {
    island::open_search(&host);
}
