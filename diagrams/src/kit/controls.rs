//! Draws controls: native inputs, so that mouse, touch, keyboard and screen readers all work.
//!
//! Inputs carry the number of their control; buttons carry a word for what they do, see `gesture`.

use super::control::{Face, Kind};
use super::gesture::{DO, SET};
use super::node::{Node, el};

/// All controls of a figure. `playing` is about its stepper.
pub(super) fn controls(figure: &str, faces: &[Face], playing: Option<bool>) -> Node {
    let all = faces.iter().enumerate().map(|(number, face)| match &face.kind {
        Kind::Slider { min, max } => slider(number, face, (*min, *max)),
        Kind::Choice(options) => choice(figure, number, face, options),
        Kind::Switch => switch(number, face),
        Kind::Stepper(count) => stepper(number, face, *count, playing),
        Kind::Deeds(names) => deeds(number, face, names),
        Kind::Entry { longest, problem } => entry(number, face, *longest, problem),
    });
    el("div").set("class", "controls").with(all.collect::<Node>())
}

fn span(class: &'static str, content: impl Into<Node>) -> Node {
    el("span").set("class", class).with(content)
}

/// A button that does what the words say.
pub(super) fn button(words: String, content: impl Into<Node>) -> Node {
    el("button").set("type", "button").set(DO, words).with(content)
}

fn slider(number: usize, face: &Face, (min, max): (f64, f64)) -> Node {
    let value = span("control-value", face.text.clone());
    let label = span("control-label", face.label).with(" ").with(value);
    let input = el("input")
        .set("type", "range")
        .set(SET, number)
        .set("aria-label", face.label)
        .set("min", min)
        .set("max", max)
        .set("step", 1)
        .set("value", face.value)
        .set("aria-valuetext", face.text.clone());
    el("label").set("class", "control slider").with(label).with(input)
}

fn choice(figure: &str, number: usize, face: &Face, options: &[&'static str]) -> Node {
    let segments = options.iter().enumerate().map(|(index, text)| {
        let input = el("input")
            .set("type", "radio")
            .set(SET, number)
            .set("name", format!("{figure}-{number}"))
            .set("value", index)
            .flag("checked", face.value == index as f64);
        el("label").set("class", "segment").with(input).with(el("span").with(*text))
    });
    group(face, "control choice", "radiogroup").with(span("segments", segments.collect::<Node>()))
}

fn deeds(number: usize, face: &Face, names: &[&'static str]) -> Node {
    let buttons = names.iter().enumerate().map(|(i, name)| button(format!("set {number} {i}"), *name));
    group(face, "control", "group").with(span("deeds", buttons.collect::<Node>()))
}

fn group(face: &Face, class: &'static str, role: &'static str) -> Node {
    let label = span("control-label", face.label).set("aria-hidden", "true");
    el("div").set("class", class).set("role", role).set("aria-label", face.label).with(label)
}

fn switch(number: usize, face: &Face) -> Node {
    let input = el("input").set("type", "checkbox").set("role", "switch").set(SET, number);
    let input = input.flag("checked", face.value != 0.0);
    el("label").set("class", "control switch").with(input).with(el("span").with(face.label))
}

/// What is wrong with the text stands in the place of the label, so that nothing moves.
fn entry(number: usize, face: &Face, longest: usize, problem: &str) -> Node {
    let fine = problem.is_empty();
    let label = span(
        if fine { "control-label" } else { "control-label problem" },
        if fine { face.label } else { problem },
    );
    let input = el("input")
        .set("type", "text")
        .set(SET, number)
        .set("autocomplete", "off")
        .set("autocapitalize", "off")
        .set("spellcheck", "false")
        .set("aria-label", face.label)
        .set("maxlength", longest)
        .set("aria-invalid", if fine { "false" } else { "true" })
        .set("value", face.text.clone());
    el("label").set("class", "control entry").with(label.set("role", "status")).with(input)
}

/// Back, forward, play, start over. Playing is not offered to readers who asked for less motion.
fn stepper(number: usize, face: &Face, count: usize, playing: Option<bool>) -> Node {
    let step = face.value.max(0.0) as usize;
    let named = |to: usize, name: &'static str, sign: &'static str| {
        button(format!("set {number} {to}"), sign).set("aria-label", name)
    };
    let ends = |end: bool| if end { "true" } else { "false" };
    let last = count.saturating_sub(1);
    let back = named(step.saturating_sub(1), "Step back", "◀").set("aria-disabled", ends(step == 0));
    let on = named((step + 1).min(last), "Step forward", "▶").set("aria-disabled", ends(step >= last));
    let play = playing
        .map(|on| button(format!("play {number}"), if on { "Pause" } else { "Play" }).set("class", "play"));
    let steps = el("div").set("class", "control stepper").set("role", "group").set("aria-label", "Steps");
    steps
        .with(back)
        .with(span("step-count", format!("{} / {count}", step + 1)))
        .with(on)
        .with(play)
        .with(named(0, "Back to the first step", "⟲"))
}
