//! The picture in the page: drawn from a tree, pressed by mouse, touch and keyboard.
//!
//! The page writer and the browser's first drawing write the tree as HTML; afterwards only differences
//! are drawn. One listener serves all parts that can be pressed, however often they are drawn anew.

use std::sync::Arc;

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::Element;

use super::layout::{Layout, layouts};
use super::svg::{self, Node};

/// Attribute with the number of a part.
const PART: &str = "data-part";

/// Part of a picture that can be pressed by mouse, touch or keyboard. `pressed` says whether it is the
/// chosen one; `None` makes it a plain button that does something each time. The content should contain a
/// shape of at least 24 by 24 units. The figure is told the number.
pub fn part(
    number: usize,
    label: impl Into<String>,
    pressed: Option<bool>,
    content: impl Into<Node>,
) -> Node {
    let part = svg::g("hit")
        .set("role", "button")
        .set("tabindex", if super::STILL { "-1" } else { "0" })
        .set("aria-label", label.into())
        .set_some("aria-pressed", pressed.map(|p| if p { "true" } else { "false" }));
    option(part, number).with(content)
}

/// Gives an element, such as an option of a listbox, the number that the figure is told when it is pressed.
pub fn option(element: Node, number: usize) -> Node {
    element.set(PART, number)
}

/// The picture's box, and what draws and drives it.
pub(super) fn canvas(
    draw: Arc<dyn Fn(Layout) -> Node + Send + Sync>,
    press: Arc<dyn Fn(usize) + Send + Sync>,
) -> AnyView {
    let boxes = layouts().into_iter().map(|layout| one(layout, draw.clone(), press.clone()));
    view! { <div class="pictures">{boxes.collect_view()}</div> }.into_any()
}

fn one(
    layout: Signal<Layout>,
    draw: Arc<dyn Fn(Layout) -> Node + Send + Sync>,
    press: Arc<dyn Fn(usize) + Send + Sync>,
) -> AnyView {
    let place: NodeRef<Div> = NodeRef::new();
    let first = untrack(|| draw(layout.get()));
    let html = first.to_html();
    keep_drawn(place, first, move || draw(layout.get()));
    let by_key = press.clone();
    let clicked = move |ev: MouseEvent| {
        if let Some(part) = event_target::<Element>(&ev).closest("[data-part]").ok().flatten() {
            press_part(&part, &*press);
        }
    };
    let key = move |ev: KeyboardEvent| {
        let target = event_target::<Element>(&ev);
        let next = match ev.key().as_str() {
            "Enter" | " " => target.closest("[data-part]").ok().flatten(),
            key => super::listbox::after(&target, key),
        };
        if let Some(part) = next {
            ev.prevent_default();
            ev.stop_propagation();
            press_part(&part, &*by_key);
        }
    };
    let class = move || layout.get().pick("picture wide", "picture narrow");
    view! { <div class=class node_ref=place inner_html=html on:click=clicked on:keydown=key></div> }
        .into_any()
}

fn press_part(part: &Element, press: &dyn Fn(usize)) {
    let disabled = part.get_attribute("aria-disabled").as_deref() == Some("true");
    let number = part.get_attribute(PART).and_then(|number| number.parse().ok());
    if let Some(number) = number.filter(|_| !disabled) {
        press(number);
        super::listbox::reveal(part);
    }
}

/// Draws what `draw` returns whenever that changes.
#[cfg(feature = "csr")]
fn keep_drawn(place: NodeRef<Div>, first: Node, draw: impl Fn() -> Node + 'static) {
    let shown = std::cell::RefCell::new(vec![first]);
    Effect::new(move |_| {
        let next = vec![draw()];
        let (Some(place), Some(document)) = (place.get(), web_sys::window().and_then(|w| w.document()))
        else {
            return;
        };
        super::svg::patch::children(&document, &place, &shown.borrow(), &next);
        *shown.borrow_mut() = next;
    });
}

#[cfg(not(feature = "csr"))]
fn keep_drawn(_place: NodeRef<Div>, _first: Node, _draw: impl Fn() -> Node + 'static) {}
