//! What lives in a page: each island is mounted alone, over its still picture, when it is near.
//!
//! Invariant: whatever an island does, the page around it stays readable. A panic puts the still
//! picture back.

mod fetch;
mod figure;
mod machine;
mod measured;
mod privacy;
mod progress;
mod recovery;
mod results;
mod search;
mod self_check;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

/// Prepares what all islands share. Called once, when the WebAssembly starts.
pub fn start() {
    recovery::install();
    // Fails only when an executor is already there, which is as good.
    let _ = any_spawner::Executor::init_wasm_bindgen();
    machine::follow_other_tabs();
}

/// Brings one island to life.
pub fn mount(host: &HtmlElement) {
    match host.data("island").as_deref() {
        Some("figure") => figure::mount(host),
        Some("measured") => measured::mount(host),
        Some("self-check") => self_check::mount(host),
        Some("progress") => progress::mount(host),
        Some("results") => results::mount(host),
        Some("privacy") => privacy::mount(host),
        _ => {}
    }
}

/// Opens the search dialog.
pub fn open_search(host: &HtmlElement) {
    search::open(host);
}

/// Says something to the reader, politely and once.
pub(crate) fn say(text: &str) {
    let init = web_sys::CustomEventInit::new();
    init.set_detail(&text.into());
    if let (Some(window), Ok(event)) =
        (web_sys::window(), web_sys::CustomEvent::new_with_event_init_dict("site-say", &init))
    {
        let _ = window.dispatch_event(&event);
    }
}

/// Reads `data-…` attributes.
pub(crate) trait Data {
    fn data(&self, name: &str) -> Option<String>;
}

impl Data for HtmlElement {
    fn data(&self, name: &str) -> Option<String> {
        self.get_attribute(&format!("data-{name}"))
    }
}

/// Elements below `host` that match a selector.
pub(crate) fn find_all(host: &HtmlElement, selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = host.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.get(i)?.dyn_into().ok()).collect()
}

/// The first element below `host` that matches a selector.
pub(crate) fn find(host: &HtmlElement, selector: &str) -> Option<HtmlElement> {
    host.query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Value of an attribute of the button that was clicked, if it has it.
pub(crate) fn clicked(event: &web_sys::Event, attribute: &str) -> Option<String> {
    let target: web_sys::Element = event.target()?.dyn_into().ok()?;
    target.closest("button").ok().flatten()?.get_attribute(attribute)
}

/// Offers a text as a file.
pub(crate) fn download(name: &str, text: &str) -> Result<(), JsValue> {
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

/// Listens for as long as the page lives.
pub(crate) fn listen(target: &web_sys::EventTarget, event: &str, act: impl FnMut(web_sys::Event) + 'static) {
    let closure = wasm_bindgen::prelude::Closure::<dyn FnMut(web_sys::Event)>::new(act);
    let _ = target.add_event_listener_with_callback_and_bool(event, closure.as_ref().unchecked_ref(), true);
    closure.forget();
}
