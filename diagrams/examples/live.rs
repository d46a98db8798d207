//! Mounts every figure, and a trial of the kit, over its still picture, as the site does. Build for
//! wasm32-unknown-unknown with feature `csr`, run wasm-bindgen (`--target web`) over it, and call it
//! from the page that example `still` writes. Readings are taken from local storage, as on the site.

use std::sync::Arc;

use diagrams::kit::Readings;
use diagrams::{FigureEntry, FigureProps};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

mod trial;

/// Where the site keeps the report of the reader's machine.
const READINGS_KEY: &str = "aihost:v1:machine";

fn main() {
    let report = RwSignal::new(stored_report().map(Arc::new));
    for figure in diagrams::figures().chain([&trial::TRIAL]) {
        mount(figure, Readings(report));
    }
}

fn mount(figure: &'static FigureEntry, readings: Readings) {
    let place = document().query_selector(&format!("[data-figure={}]", figure.id)).ok().flatten();
    let Some(place) = place else { return };
    let caption = place.get_attribute("data-caption").unwrap_or_default();
    place.set_text_content(None);
    let draw = move || {
        provide_context(readings);
        (figure.view)(FigureProps { caption })
    };
    mount_to(place.unchecked_into(), draw).forget();
}

fn stored_report() -> Option<drills_results::Report> {
    let storage = js_sys::Reflect::get(&window(), &JsValue::from_str("localStorage")).ok()?;
    let text = js_sys::Reflect::get(&storage, &JsValue::from_str(READINGS_KEY)).ok()?.as_string()?;
    drills_results::parse(&text).ok()
}
