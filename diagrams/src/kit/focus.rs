//! Keeps the focus with what the reader uses while a figure is drawn anew.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element};

use super::part::PART;

/// Draws, and gives the focus back to the part that had it: a drawing may put another element in its place.
pub(super) fn kept(document: &Document, figure: &Element, draw: impl FnOnce()) {
    let focused = document.active_element().filter(|element| figure.contains(Some(element)));
    let part = focused.and_then(|element| element.get_attribute(PART));
    draw();
    let Some(part) = part else { return };
    let has_it = |element: Element| element.get_attribute(PART).as_deref() == Some(part.as_str());
    if document.active_element().is_some_and(has_it) {
        return;
    }
    let found = figure.query_selector(&format!("[{PART}=\"{part}\"][tabindex]")).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::SvgElement>().ok()) {
        let _ = element.focus();
    }
}
