//! Boxes and wires: places where bytes live and the links between them.

use super::node::Node;
use super::svg;

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
pub fn place(at: Rect, role: Role, label: &str, detail: &str, fill: f64, lit: bool) -> Node {
    let (x, y) = at.center();
    let label_y = if detail.is_empty() { y } else { y - 8.0 };
    let filled = at.height * fill.clamp(0.0, 1.0);
    let class = format!("place {}{}", role.class(), if lit { " lit" } else { "" });
    svg::g(class)
        .with(svg::rect("place-fill", Rect::new(at.x, at.y + at.height - filled, at.width, filled)))
        .with(svg::rect("place-edge", Rect::new(at.x, at.y, at.width, at.height)).set("rx", 4))
        .with(svg::text("place-label", (x, label_y), label.to_owned()))
        .with(svg::text("place-detail", (x, y + 10.0), detail.to_owned()))
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
pub fn wire(corners: &[(f64, f64)], role: Role, bytes_per_s: f64, state: WireState) -> Node {
    let points = corners.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    let width = (wire_width(bytes_per_s) * 10.0).round() / 10.0;
    let class = format!("link-line {}{}", role.class(), state.class());
    svg::el("polyline").set("class", class).set("points", points).set("stroke-width", width)
}

/// The text of a wire, centred at a point: drawn after all wires, so that none crosses it.
pub fn wire_label(x: f64, y: f64, role: Role, text: &str, state: WireState) -> Node {
    let class = format!("wire-label {}{}", role.class(), state.class());
    svg::text(class, (x, y), text.to_owned())
}

/// The payload. It glides to its new place where the reader allows motion.
pub fn token(x: f64, y: f64) -> Node {
    svg::circle("token", (x, y), 8.0)
}

/// A small numbered disc: the order in which hops happen.
pub fn step_mark(x: f64, y: f64, text: &str) -> Node {
    svg::g("step-mark").with(svg::circle("", (x, y), 9.0)).with(svg::text("", (x, y), text.to_owned()))
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
