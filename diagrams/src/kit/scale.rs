//! Sliders over decades: equal steps of the handle are equal factors of the quantity.

/// A logarithmic range in `steps` equal factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogScale {
    /// Smallest value, above zero.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Positions of the handle between them.
    pub steps: u32,
}

impl LogScale {
    /// Handle position of a value: 0 to `steps`, not necessarily whole.
    pub fn position(&self, value: f64) -> f64 {
        let share = (value / self.min).ln() / (self.max / self.min).ln();
        if share.is_finite() { share.clamp(0.0, 1.0) * f64::from(self.steps) } else { 0.0 }
    }

    /// Value at a handle position, three significant digits, within the range.
    pub fn value(&self, position: f64) -> f64 {
        let share = (position / f64::from(self.steps)).clamp(0.0, 1.0);
        let exact = self.min * (self.max / self.min).powf(share);
        // Powers of a root of the range do not end exactly on its ends.
        let unit = 10f64.powf((exact * 1.000_001).log10().floor() - 2.0);
        ((exact / unit).round() * unit).clamp(self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_positions_survive() {
        let scale = LogScale { min: 1e9, max: 128e9, steps: 70 };
        assert_eq!(scale.value(0.0), 1e9);
        assert_eq!(scale.value(70.0), 128e9);
        for position in 0..=70 {
            let back = scale.position(scale.value(f64::from(position)));
            assert!((back - f64::from(position)).abs() < 0.1, "{position} became {back}");
        }
        assert_eq!(scale.value(999.0), 128e9);
        assert_eq!(scale.position(f64::NAN), 0.0);
    }
}
