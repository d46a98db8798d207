//! From events of the page to what the reader means.

use leptos::prelude::event_target;
use leptos::web_sys::{Event, HtmlInputElement, KeyboardEvent, MouseEvent};
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::control::Operation;
use super::listbox;
use super::part::{DRAG, PART, POINT};

/// Attribute of an input with the number of its control.
pub(super) const SET: &str = "data-set";
/// Attribute of a button with what it does, in words.
pub(super) const DO: &str = "data-do";

/// What the reader did.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Gesture {
    /// Pressed this part of the picture.
    Press(usize),
    /// Pointed into this part, at this share of its width.
    Point(usize, f64),
    /// Operated this control.
    Operate(usize, Operation),
    /// Chose this preset.
    Preset(usize),
    /// Started or stopped this stepper.
    Play(usize),
    /// Asked for a link.
    Link,
    /// Asked for the picture as a file.
    Svg,
    /// Asked for the data as a file.
    Csv,
    /// Asked for the first state.
    Reset,
}

/// What a button's words mean.
fn meaning(words: &str) -> Option<Gesture> {
    let mut words = words.split(' ');
    let verb = words.next()?;
    let mut number = || words.next()?.parse::<usize>().ok();
    Some(match verb {
        "set" => Gesture::Operate(number()?, Operation::Number(number()? as f64)),
        "preset" => Gesture::Preset(number()?),
        "play" => Gesture::Play(number()?),
        "link" => Gesture::Link,
        "svg" => Gesture::Svg,
        "csv" => Gesture::Csv,
        "reset" => Gesture::Reset,
        _ => return None,
    })
}

/// A click or a tap.
pub(super) fn click(ev: &MouseEvent) -> Option<Gesture> {
    let target: Element = event_target(ev);
    if let Some(button) = closest(&target, DO) {
        return meaning(&button.get_attribute(DO)?);
    }
    match closest(&target, PART) {
        Some(part) => press(&part),
        None => point(&target, POINT, f64::from(ev.client_x())),
    }
}

/// An input was changed.
pub(super) fn input(ev: &Event) -> Option<Gesture> {
    let input: HtmlInputElement = ev.target()?.dyn_into().ok()?;
    let control = number(&input, SET)?;
    let operation = match input.type_().as_str() {
        "checkbox" => Operation::Number(f64::from(u8::from(input.checked()))),
        "text" => Operation::Words(input.value()),
        _ => Operation::Number(input.value().parse::<f64>().ok().filter(|v| v.is_finite())?),
    };
    Some(Gesture::Operate(control, operation))
}

/// A key that means something where the focus is.
pub(super) fn key(ev: &KeyboardEvent) -> Option<Gesture> {
    let target: Element = event_target(ev);
    let found = match ev.key().as_str() {
        "Enter" | " " => closest(&target, PART).and_then(|part| press(&part)),
        key => listbox::after(&target, key).and_then(|part| press(&part)).or_else(|| step(&target, key)),
    };
    if found.is_some() {
        ev.prevent_default();
        ev.stop_propagation();
    }
    found
}

/// Left and right arrow keys step while the focus is on a stepper.
fn step(target: &Element, key: &str) -> Option<Gesture> {
    let name = match key {
        "ArrowLeft" => "Step back",
        "ArrowRight" => "Step forward",
        _ => return None,
    };
    let stepper = target.closest(".stepper").ok().flatten()?;
    let button = stepper.query_selector(&format!("[aria-label=\"{name}\"]")).ok().flatten()?;
    meaning(&button.get_attribute(DO)?)
}

/// The pointer went down or moved; it means something while it is held.
pub(super) fn drag(ev: &MouseEvent) -> Option<Gesture> {
    let held = ev.buttons() & 1 == 1;
    held.then(|| point(&event_target(ev), DRAG, f64::from(ev.client_x()))).flatten()
}

fn press(part: &Element) -> Option<Gesture> {
    let disabled = part.get_attribute("aria-disabled").as_deref() == Some("true");
    let number = number(part, PART).filter(|_| !disabled)?;
    listbox::reveal(part);
    Some(Gesture::Press(number))
}

fn point(target: &Element, attribute: &str, x: f64) -> Option<Gesture> {
    let part = closest(target, attribute)?;
    let place = part.get_bounding_client_rect();
    let share = (x - place.left()) / place.width().max(1.0);
    Some(Gesture::Point(number(&part, attribute)?, share.clamp(0.0, 1.0)))
}

fn closest(element: &Element, attribute: &str) -> Option<Element> {
    element.closest(&format!("[{attribute}]")).ok().flatten()
}

fn number(element: &Element, attribute: &str) -> Option<usize> {
    element.get_attribute(attribute)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_mean_what_they_say_and_nonsense_means_nothing() {
        assert_eq!(meaning("set 3 1"), Some(Gesture::Operate(3, Operation::Number(1.0))));
        assert_eq!(meaning("preset 2"), Some(Gesture::Preset(2)));
        assert_eq!(meaning("reset"), Some(Gesture::Reset));
        for nonsense in ["", "set", "set x 1", "preset -1", "explode"] {
            assert_eq!(meaning(nonsense), None, "{nonsense}");
        }
    }
}
