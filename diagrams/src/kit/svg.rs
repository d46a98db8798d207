//! The elements that pictures are made of.

use super::node::{Node, Value, write_number};
use super::scene::Rect;

pub use super::node::el;

/// A whole picture: its size in units, what it shows in one sentence, and whether parts of it can be
/// pressed.
pub fn picture((width, height): (f64, f64), label: impl Into<Value>, pressable: bool) -> Node {
    let role = if pressable { "group" } else { "img" };
    el("svg").set("viewBox", format!("0 0 {width} {height}")).set("role", role).set("aria-label", label)
}

/// A group.
pub fn g(class: impl Into<Value>) -> Node {
    el("g").set("class", class)
}

/// A layer of a picture: what comes after it keeps its place in the tree when the layer has more or fewer
/// elements, so that it keeps the focus and glides.
pub fn layer(content: impl Into<Node>) -> Node {
    el("g").with(content)
}

/// A text that begins at a point, unless its class says that it is centred there or ends there.
pub fn text(class: impl Into<Value>, (x, y): (f64, f64), content: impl Into<Node>) -> Node {
    el("text").set("class", class).set("x", x).set("y", y).with(content)
}

/// Texts on one line, each at its own place. Chromium lays 64 words of four such elements out in two thirds of
/// the time of 64 elements.
pub fn texts(class: impl Into<Value>, y: f64, words: impl IntoIterator<Item = (f64, String)>) -> Node {
    let word = |(x, word): (f64, String)| el("tspan").set("x", x).with(word);
    el("text").set("class", class).set("y", y).with(words.into_iter().map(word).collect::<Node>())
}

/// A box.
pub fn rect(class: impl Into<Value>, at: Rect) -> Node {
    let corner = el("rect").set("class", class).set("x", at.x).set("y", at.y);
    corner.set("width", at.width).set("height", at.height)
}

/// Boxes of one kind, as one element: it does not matter then how many of them change at once.
pub fn rects(class: impl Into<Value>, boxes: impl IntoIterator<Item = Rect>) -> Node {
    let mut outline = String::new();
    for Rect { x, y, width, height } in boxes {
        for (command, number) in [("M", x), (" ", y), ("h", width), ("v", height), ("h", -width)] {
            outline.push_str(command);
            write_number(&mut outline, number);
        }
        outline.push('z');
    }
    path(class, outline)
}

/// A path.
pub fn path(class: impl Into<Value>, data: impl Into<Value>) -> Node {
    el("path").set("class", class).set("d", data)
}

/// A straight line between two points.
pub fn line(class: impl Into<Value>, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> Node {
    path(class, format!("M{x0} {y0}L{x1} {y1}"))
}

/// A circle around a point.
pub fn circle(class: impl Into<Value>, (x, y): (f64, f64), radius: f64) -> Node {
    el("circle").set("class", class).set("cx", x).set("cy", y).set("r", radius)
}
