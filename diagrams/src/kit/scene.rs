//! Boxes and wires: places where bytes live and the links between them.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// What a part of a picture stands for. One colour and one mark each, through the whole course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// CPU and its memory.
    Cpu,
    /// GPU and its memory.
    Gpu,
    /// Wires, DMA, packets.
    Wire,
    /// Kernel, page tables.
    Kernel,
    /// Something to watch.
    Caution,
    /// Something wrong.
    Trouble,
    /// Nothing in particular.
    Plain,
}

impl Role {
    /// Class that carries the colour.
    pub fn class(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Wire => "wire",
            Self::Kernel => "kernel",
            Self::Caution => "caution",
            Self::Trouble => "trouble",
            Self::Plain => "plain",
        }
    }
}

/// A box in a picture, in units of the viewBox.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Rect {
    /// A box from left, top, width, height.
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// Its centre.
    pub fn center(self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A place where bytes live: a labelled box, filled from below to `fill` (0 to 1), with a second line
/// of text. `lit` marks it as part of what the figure shows now.
pub fn place(at: Rect, role: Role, label: &str, detail: &str, fill: f64, lit: bool) -> impl IntoView + use<> {
    let (x, y) = at.center();
    let label_y = if detail.is_empty() { y } else { y - 8.0 };
    let filled = at.height * fill.clamp(0.0, 1.0);
    let class = format!("place {}{}", role.class(), if lit { " lit" } else { "" });
    view! {
        <g class=class>
            <rect class="place-fill" x=at.x y=at.y + at.height - filled width=at.width height=filled />
            <rect class="place-edge" x=at.x y=at.y width=at.width height=at.height rx="4" />
            <text class="place-label" x=x y=label_y>{label.to_owned()}</text>
            <text class="place-detail" x=x y=y + 10.0>{detail.to_owned()}</text>
        </g>
    }
}

/// Stroke width of a wire: follows the logarithm of its bandwidth, 1.5 units at 1 GB/s, 8 at 1 TB/s.
pub fn wire_width(bytes_per_s: f64) -> f64 {
    let decades = (bytes_per_s / 1e9).max(0.1).log10();
    (1.5 + decades * 6.5 / 3.0).clamp(1.0, 10.0)
}

/// How a wire is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireState {
    /// There, but no part of what the figure shows now.
    Quiet,
    /// Carries the payload.
    Lit,
    /// Carries the payload and sets its speed: dashed, and its label is framed.
    Slowest,
}

impl WireState {
    fn class(self) -> &'static str {
        match self {
            Self::Quiet => "",
            Self::Lit => " lit",
            Self::Slowest => " lit slowest",
        }
    }
}

/// A wire: a line through `corners` whose thickness follows the logarithm of its bandwidth.
pub fn wire(corners: &[(f64, f64)], role: Role, bytes_per_s: f64, state: WireState) -> impl IntoView + use<> {
    let points = corners.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    let width = (wire_width(bytes_per_s) * 10.0).round() / 10.0;
    let class = format!("link-line {}{}", role.class(), state.class());
    view! { <polyline class=class points=points stroke-width=width /> }
}

/// The text of a wire, centred at a point: drawn after all wires, so that none crosses it.
pub fn wire_label(x: f64, y: f64, role: Role, text: &str, state: WireState) -> impl IntoView + use<> {
    let class = format!("wire-label {}{}", role.class(), state.class());
    view! { <text class=class x=x y=y>{text.to_owned()}</text> }
}

/// The payload. It glides to its new place where the reader allows motion.
pub fn token(x: f64, y: f64) -> impl IntoView + use<> {
    view! { <circle class="token" cx=x cy=y r="8" /> }
}

/// A small numbered disc: the order in which hops happen.
pub fn step_mark(x: f64, y: f64, text: &str) -> impl IntoView + use<> {
    view! {
        <g class="step-mark">
            <circle cx=x cy=y r="9" />
            <text x=x y=y>{text.to_owned()}</text>
        </g>
    }
}

/// Point half-way along a line of corners, by length.
pub fn middle(corners: &[(f64, f64)]) -> (f64, f64) {
    let length = |w: &[(f64, f64)]| (w[1].0 - w[0].0).hypot(w[1].1 - w[0].1);
    let mut left = corners.windows(2).map(length).sum::<f64>() / 2.0;
    for pair in corners.windows(2) {
        let part = length(pair);
        if part > 0.0 && left <= part {
            let t = left / part;
            return (pair[0].0 + (pair[1].0 - pair[0].0) * t, pair[0].1 + (pair[1].1 - pair[0].1) * t);
        }
        left -= part;
    }
    corners.first().copied().unwrap_or_default()
}

/// Part of a picture that can be chosen by mouse, touch or keyboard. `pressed` says whether it is the
/// chosen one; `None` makes it a plain button that does something each time. The content should contain
/// a shape of at least 24 by 24 units.
#[component]
pub fn Hit(
    /// What choosing it means, for screen readers.
    label: String,
    /// Whether it is chosen now; `None` if it is no choice but a deed.
    #[prop(into)]
    pressed: Option<bool>,
    /// Called when it is chosen.
    on_choose: impl Fn() + Clone + 'static,
    /// What is drawn.
    children: Children,
) -> impl IntoView {
    let name = label.clone();
    let choose = move || {
        on_choose();
        keep_focus(name.clone());
    };
    let by_key = choose.clone();
    let key = move |ev: KeyboardEvent| {
        if matches!(ev.key().as_str(), "Enter" | " ") {
            ev.prevent_default();
            by_key();
        }
    };
    view! {
        <g
            class="hit"
            role="button"
            tabindex=if super::STILL { "-1" } else { "0" }
            aria-label=label
            aria-pressed=pressed.map(|p| p.to_string())
            on:click=move |_| choose()
            on:keydown=key
        >
            {children()}
        </g>
    }
}

/// Choosing a part may draw the picture anew, and the part that had the focus is gone. Gives the
/// focus to the new part of the same name, so that the next key goes on from there.
fn keep_focus(name: String) {
    let figure = || web_sys::window()?.document()?.active_element()?.closest(".figure").ok()?;
    let Some(figure) = figure() else { return };
    request_animation_frame(move || {
        if figure.query_selector(":focus").ok().flatten().is_some() {
            return;
        }
        let Ok(parts) = figure.query_selector_all(".hit") else { return };
        let parts = (0..parts.length()).filter_map(|i| parts.item(i)?.dyn_into::<web_sys::SvgElement>().ok());
        let shown = |part: &web_sys::SvgElement| part.get_bounding_client_rect().width() > 0.0;
        let same = |part: &web_sys::SvgElement| part.get_attribute("aria-label").as_ref() == Some(&name);
        if let Some(part) = parts.into_iter().find(|part| same(part) && shown(part)) {
            let _ = part.focus();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_bent_line_lies_on_it() {
        assert_eq!(middle(&[(0.0, 0.0), (10.0, 0.0), (10.0, 30.0)]), (10.0, 10.0));
        assert_eq!(middle(&[(4.0, 4.0)]), (4.0, 4.0));
        assert_eq!(middle(&[]), (0.0, 0.0));
    }

    #[test]
    fn a_faster_wire_is_never_thinner() {
        let widths: Vec<f64> =
            [1e8, 1e9, 32e9, 63e9, 450e9, 900e9, 4.8e12].into_iter().map(wire_width).collect();
        assert!(widths.is_sorted());
        assert!((wire_width(1e12) - 8.0).abs() < 0.01);
    }
}
