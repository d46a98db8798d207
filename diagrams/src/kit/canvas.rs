//! The picture in the page: drawn from a tree, pressed by mouse, touch and keyboard.
//!
//! The page writer and the browser's first drawing write the tree as HTML; afterwards only differences
//! are drawn. One listener serves all parts that can be pressed, however often they are drawn anew.

use std::sync::Arc;

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::Element;

use super::layout::{Layout, layouts};
use super::svg::{self, Node};

/// Attribute with the number of a part.
const PART: &str = "data-part";
/// Attribute with the number of a part in which a place can be pointed at.
const POINT: &str = "data-point";
/// The same for a part that can be dragged over.
const DRAG: &str = "data-drag";

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
    pressable(part, number).with(content)
}

/// Gives an element the number that the figure is told when it is pressed. For options of a listbox, and for
/// what the keyboard reaches by a control.
pub fn pressable(element: Node, number: usize) -> Node {
    element.set(PART, number)
}

/// Makes an element one in which a place can be pointed at, from left to right. What it sets needs a control
/// as well, for the keyboard.
pub fn pointable(element: Node, number: usize) -> Node {
    element.set(POINT, number)
}

/// The same, and the pointer may be held and moved.
pub fn draggable(element: Node, number: usize) -> Node {
    element.set(DRAG, number)
}

/// What the reader does to a picture.
pub(super) enum Gesture {
    /// Pressed this part.
    Press(usize),
    /// Pointed into this part, at this share of its width.
    Point(usize, f64),
}

/// Draws the picture in a layout.
pub(super) type Draw = Arc<dyn Fn(Layout) -> Node + Send + Sync>;
/// Tells the figure of a gesture.
pub(super) type Tell = Arc<dyn Fn(Gesture) + Send + Sync>;

/// The picture's box, and what draws and drives it.
pub(super) fn canvas(draw: Draw, tell: Tell) -> AnyView {
    let boxes = layouts().into_iter().map(|layout| one(layout, draw.clone(), tell.clone()));
    view! { <div class="pictures">{boxes.collect_view()}</div> }.into_any()
}

fn one(layout: Signal<Layout>, draw: Draw, tell: Tell) -> AnyView {
    let place: NodeRef<Div> = NodeRef::new();
    let first = untrack(|| draw(layout.get()));
    let html = first.to_html();
    keep_drawn(place, first, move || draw(layout.get()));
    let (by_key, by_down, by_move) = (tell.clone(), tell.clone(), tell.clone());
    let clicked = move |ev: MouseEvent| {
        let target = event_target::<Element>(&ev);
        if let Some(part) = closest(&target, PART) {
            press(&part, &*tell);
        } else {
            point(&target, POINT, f64::from(ev.client_x()), &*tell);
        }
    };
    let key = move |ev: KeyboardEvent| {
        let target = event_target::<Element>(&ev);
        let next = match ev.key().as_str() {
            "Enter" | " " => closest(&target, PART),
            key => super::listbox::after(&target, key),
        };
        if let Some(part) = next {
            ev.prevent_default();
            ev.stop_propagation();
            press(&part, &*by_key);
        }
    };
    let class = move || layout.get().pick("picture wide", "picture narrow");
    view! {
        <div
            class=class
            node_ref=place
            inner_html=html
            on:click=clicked
            on:keydown=key
            on:pointerdown=move |ev: PointerEvent| drag(&ev, &*by_down)
            on:pointermove=move |ev: PointerEvent| drag(&ev, &*by_move)
        ></div>
    }
    .into_any()
}

fn closest(element: &Element, attribute: &str) -> Option<Element> {
    element.closest(&format!("[{attribute}]")).ok().flatten()
}

fn drag(ev: &PointerEvent, tell: &dyn Fn(Gesture)) {
    if ev.buttons() & 1 == 1 {
        point(&event_target(ev), DRAG, f64::from(ev.client_x()), tell);
    }
}

fn point(target: &Element, attribute: &str, x: f64, tell: &dyn Fn(Gesture)) {
    let Some(part) = closest(target, attribute) else { return };
    let place = part.get_bounding_client_rect();
    let share = (x - place.left()) / place.width().max(1.0);
    if let Some(number) = number(&part, attribute) {
        tell(Gesture::Point(number, share.clamp(0.0, 1.0)));
    }
}

fn number(part: &Element, attribute: &str) -> Option<usize> {
    part.get_attribute(attribute)?.parse().ok()
}

fn press(part: &Element, tell: &dyn Fn(Gesture)) {
    let disabled = part.get_attribute("aria-disabled").as_deref() == Some("true");
    if let Some(number) = number(part, PART).filter(|_| !disabled) {
        tell(Gesture::Press(number));
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
        let focused = document.active_element().filter(|element| place.contains(Some(element)));
        let focused = focused.and_then(|element| element.get_attribute(PART));
        super::svg::patch::children(&document, &place, &shown.borrow(), &next);
        *shown.borrow_mut() = next;
        if let Some(part) = focused {
            keep_focus(&document, &place, &part);
        }
    });
}

/// A drawing may put another element where the focused part was. The focus stays with the part, so that the
/// next key goes on from there.
#[cfg(feature = "csr")]
fn keep_focus(document: &web_sys::Document, place: &Element, part: &str) {
    use wasm_bindgen::JsCast;
    let is_there = |element: Element| element.get_attribute(PART).as_deref() == Some(part);
    if document.active_element().is_some_and(is_there) {
        return;
    }
    let found = place.query_selector(&format!("[{PART}=\"{part}\"][tabindex]")).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::SvgElement>().ok()) {
        let _ = element.focus();
    }
}

#[cfg(not(feature = "csr"))]
fn keep_drawn(_place: NodeRef<Div>, _first: Node, _draw: impl Fn() -> Node + 'static) {}
