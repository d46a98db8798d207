//! Parts of a picture that the reader can press or point into.

use super::node::Node;
use super::svg;

/// Attribute with the number of a part that can be pressed.
pub(super) const PART: &str = "data-part";
/// Attribute with the number of a part in which a place can be pointed at.
pub(super) const POINT: &str = "data-point";
/// The same for a part that can be dragged over.
pub(super) const DRAG: &str = "data-drag";

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

/// The same with words over its shape that `label` says in another way. They are drawn over the button, not
/// in it: whoever speaks to a browser calls a button by what is in it.
pub fn part_with_words(
    number: usize,
    label: impl Into<String>,
    pressed: Option<bool>,
    shape: impl Into<Node>,
    words: impl Into<Node>,
) -> Node {
    let words = pressable(svg::g("").set("aria-hidden", "true").with(words), number);
    Node::from([part(number, label, pressed, shape), words])
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
