//! Taking a figure along: its picture as SVG, its data as CSV, its state as a link.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, Element, HtmlAnchorElement, Url};

/// Properties that carry the look of a picture once the page's style sheet is gone.
const LOOK: &[&str] = &[
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-opacity",
    "stroke-linejoin",
    "paint-order",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "dominant-baseline",
    "opacity",
    "visibility",
    "display",
    "stroke-linecap",
    "letter-spacing",
];

const SVG: &str = "http://www.w3.org/2000/svg";

/// Offers `text` as a file. Nothing leaves the browser.
pub(super) fn download(name: &str, mime: &str, text: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let url = Url::create_object_url_with_blob(&Blob::new_with_str_sequence_and_options(&parts, &options)?)?;
    let document = web_sys::window().and_then(|w| w.document()).ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}

/// The picture of figure `id` as a stand-alone SVG document, styles written into it.
pub(super) fn picture_svg(id: &str) -> Result<String, JsValue> {
    let window = web_sys::window().ok_or("no window")?;
    let document = window.document().ok_or("no document")?;
    let shown =
        document.query_selector(&format!("#fig-{id} .picture svg"))?.ok_or("the figure has no picture")?;
    let copy: Element = shown.clone_node_with_deep(true)?.unchecked_into();
    copy_look(&window, &shown, &copy)?;
    copy.set_attribute("xmlns", SVG)?;
    lay_page_below(&window, &document, &copy)?;
    if let Some(view_box) = shown.get_attribute("viewBox") {
        let mut parts = view_box.split_ascii_whitespace().skip(2);
        for name in ["width", "height"] {
            if let Some(length) = parts.next() {
                copy.set_attribute(name, length)?;
            }
        }
    }
    web_sys::XmlSerializer::new()?.serialize_to_string(&copy)
}

/// Puts the colour of the page behind the picture: a dark theme's light text stays readable anywhere.
fn lay_page_below(
    window: &web_sys::Window,
    document: &web_sys::Document,
    picture: &Element,
) -> Result<(), JsValue> {
    let body = document.body().ok_or("no body")?;
    let Some(style) = window.get_computed_style(&body)? else { return Ok(()) };
    let page = document.create_element_ns(Some(SVG), "rect")?;
    for (name, value) in [("width", "100%"), ("height", "100%")] {
        page.set_attribute(name, value)?;
    }
    page.set_attribute("fill", &style.get_property_value("background-color")?)?;
    picture.insert_before(&page, picture.first_child().as_ref())?;
    Ok(())
}

fn copy_look(window: &web_sys::Window, from: &Element, to: &Element) -> Result<(), JsValue> {
    if let Some(style) = window.get_computed_style(from)? {
        for property in LOOK {
            let value = style.get_property_value(property)?;
            if !value.is_empty() {
                to.set_attribute(property, &value)?;
            }
        }
    }
    for name in ["class", "tabindex", "role"] {
        to.remove_attribute(name)?;
    }
    let (sources, copies) = (from.children(), to.children());
    for i in 0..sources.length() {
        if let (Some(source), Some(copy)) = (sources.item(i), copies.item(i)) {
            copy_look(window, &source, &copy)?;
        }
    }
    Ok(())
}

/// Address of this page with the given hash.
pub(super) fn link_to(hash: &str) -> Option<String> {
    let href = web_sys::window()?.location().href().ok()?;
    let page = href.split('#').next().unwrap_or_default();
    Some(format!("{page}#{hash}"))
}

/// The location's hash, decoded by nobody yet.
pub(super) fn current_hash() -> String {
    web_sys::window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Puts the state in the address without adding a step to "back". Browsers may refuse when asked too
/// often; then the address is a state behind, which hurts nobody.
pub(super) fn replace_hash(hash: &str) {
    let history = web_sys::window().and_then(|w| w.history().ok());
    if let (Some(history), Some(url)) = (history, link_to(hash)) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
    }
}

/// Whether the reader has left the top of the page.
pub(super) fn is_scrolled() -> bool {
    web_sys::window().and_then(|w| w.scroll_y().ok()).is_some_and(|y| y > 0.0)
}

/// Brings figure `id` into view.
pub(super) fn show_figure(id: &str) {
    let document = web_sys::window().and_then(|w| w.document());
    if let Some(figure) = document.and_then(|d| d.get_element_by_id(&format!("fig-{id}"))) {
        figure.scroll_into_view();
    }
}

/// Copies a text where the browser allows it.
pub(super) fn copy_text(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    if !window.is_secure_context() {
        return false;
    }
    let _ = window.navigator().clipboard().write_text(text);
    true
}
