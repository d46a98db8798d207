//! Log axes that say so.

/// A labelled line across a log axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where, in base units.
    pub value: f64,
    /// What it says; empty for a line without a label.
    pub label: String,
}

/// A log axis over base units.
#[derive(Clone, Debug, PartialEq)]
pub struct LogAxis {
    /// Left end, above zero.
    pub low: f64,
    /// Right end, above `low`.
    pub high: f64,
    /// Quantity and unit; "log scale" is added to it.
    pub title: String,
    /// Lines across the plot.
    pub ticks: Vec<Tick>,
}

impl LogAxis {
    /// An axis with a line at each power of ten; every `label_every`th of them says its value, counted
    /// so that `anchor` is labelled.
    pub fn decades(
        (low, high): (f64, f64),
        title: impl Into<String>,
        (anchor, label_every): (f64, usize),
        label: impl Fn(f64) -> String,
    ) -> Self {
        let (first, last) = ((low.log10() - 1e-9).ceil() as i32, (high.log10() + 1e-9).floor() as i32);
        let anchor = anchor.log10().round() as i32;
        let tick = |exponent: i32| {
            let value = 10f64.powi(exponent);
            let labelled = (exponent - anchor).rem_euclid(label_every.max(1) as i32) == 0;
            Tick { value, label: if labelled { label(value) } else { String::new() } }
        };
        Self { low, high, title: title.into(), ticks: (first..=last).map(tick).collect() }
    }

    /// The title as it is drawn.
    pub fn full_title(&self) -> String {
        format!("{}, log scale", self.title)
    }

    /// `value` moved into the axis.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }

    /// Where `value` lies: 0 at the left end, 1 at the right end.
    pub fn position(&self, value: f64) -> f64 {
        (self.clamp(value) / self.low).ln() / (self.high / self.low).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_carry_lines_and_the_anchor_a_label() {
        let axis = LogAxis::decades((0.1, 1e6), "Latency", (1.0, 3), |v| format!("{v}"));
        assert_eq!(axis.ticks.len(), 8);
        let labels: Vec<_> = axis.ticks.iter().map(|t| t.label.as_str()).filter(|l| !l.is_empty()).collect();
        assert_eq!(labels, ["1", "1000", "1000000"]);
        assert_eq!(axis.full_title(), "Latency, log scale");
    }

    #[test]
    fn positions_are_even_by_decade_and_stay_inside() {
        let axis = LogAxis::decades((1.0, 1e4), "x", (1.0, 1), |_| String::new());
        assert!((axis.position(100.0) - 0.5).abs() < 1e-12);
        assert_eq!(axis.position(1e-9), 0.0);
        assert_eq!(axis.position(1e9), 1.0);
    }
}
