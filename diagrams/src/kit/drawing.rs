//! What is shown in the page: the last tree, drawn over by the next one.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element};

use super::node::{Node, patch};
use super::part::PART;

/// A tree as the page shows it.
pub(super) struct Drawing(RefCell<Vec<Node>>);

impl Drawing {
    /// What the page shows already.
    pub(super) fn of(shown: Vec<Node>) -> Self {
        Self(RefCell::new(shown))
    }

    /// Shows `next` in the whole figure.
    pub(super) fn put_whole(&self, figure: &Element, next: Vec<Node>) {
        let Some(document) = figure.owner_document() else { return };
        keep_focus(&document, figure, || patch::children(&document, figure, &self.0.borrow(), &next));
        *self.0.borrow_mut() = next;
    }

    /// Shows `next` in the part of the figure that fits the selector.
    pub(super) fn put(&self, figure: &Element, selector: &str, next: Vec<Node>) {
        if let (Ok(Some(part)), Some(document)) = (figure.query_selector(selector), figure.owner_document()) {
            patch::children(&document, &part, &self.0.borrow(), &next);
            *self.0.borrow_mut() = next;
        }
    }
}

/// Calls `act` when the reader opens the data, by whatever means, and before the page is printed.
pub(super) fn when_data_is_shown(figure: &Element, act: impl Fn() + 'static) {
    // The listeners live as long as the page: figures are never unmounted.
    let act = Closure::<dyn Fn()>::new(act).into_js_value();
    let act = act.unchecked_ref();
    // This event does not bubble; on its way down it passes here.
    let _ = figure.add_event_listener_with_callback_and_bool("toggle", act, true);
    if let Some(window) = web_sys::window() {
        let _ = window.add_event_listener_with_callback("beforeprint", act);
    }
}

/// Draws, and gives the focus back to the part that had it: a drawing may put another element in its place.
fn keep_focus(document: &Document, figure: &Element, draw: impl FnOnce()) {
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
