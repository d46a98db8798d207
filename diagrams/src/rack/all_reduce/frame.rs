//! Where things lie on the chart, and how a value becomes a place.

use super::choice::View;
use super::model::{AllReduce, SIZES, bytes_of};
use crate::kit::Layout;
use crate::kit::plot::{FONT_NARROW, FONT_WIDE, RowGrid};

/// Ends of the time axis, in microseconds.
pub const TIME_US: (f64, f64) = (10.0, 1e6);
/// Ends of the strip: published time by modelled time.
pub const RATIO: (f64, f64) = (0.5, 4.0);
/// Height of the strip.
const STRIP: f64 = 108.0;
/// Room for size labels and title between chart and strip.
const GAP: f64 = 60.0;
/// Room that a legend of the kit leaves above itself for an axis.
const FOOT: f64 = 44.0;

/// Measures of one drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Wide or narrow.
    pub layout: Layout,
    /// Left and right end of the sizes.
    pub x: (f64, f64),
    /// Top and bottom of the chart.
    pub y: (f64, f64),
    /// Top and bottom of the strip.
    pub strip: (f64, f64),
    /// Font size.
    pub font: f64,
    /// Lines of the legend.
    pub legend_lines: f64,
}

impl Frame {
    /// The measures of a layout.
    pub fn of(layout: Layout) -> Self {
        let top = layout.pick(64.0, 88.0);
        let bottom = top + layout.pick(320.0, 280.0);
        Self {
            layout,
            x: layout.pick((64.0, 640.0), (60.0, 276.0)),
            y: (top, bottom),
            strip: (bottom + GAP, bottom + GAP + STRIP),
            font: layout.pick(FONT_WIDE, FONT_NARROW),
            legend_lines: layout.pick(1.0, 3.0),
        }
    }

    /// Height of the picture.
    pub fn height(&self) -> f64 {
        self.strip.1 + 12.0 + 20.0 * self.legend_lines
    }

    /// The grid that puts a legend of the kit below the strip.
    pub fn legend(&self) -> RowGrid {
        RowGrid {
            width: self.layout.width(),
            top: self.strip.1 + 12.0 - FOOT,
            pitch: 0.0,
            count: 0,
            axis: (0.0, self.layout.width()),
            mark: 0.0,
            legend: 20.0 * self.legend_lines,
            font: self.font,
        }
    }

    /// Place of a size.
    pub fn x_of(&self, bytes: f64) -> f64 {
        let exponent = bytes.max(1.0).log2().clamp(f64::from(SIZES.0), f64::from(SIZES.1));
        let share = (exponent - f64::from(SIZES.0)) / f64::from(SIZES.1 - SIZES.0);
        self.x.0 + share * (self.x.1 - self.x.0)
    }

    /// Place of a value of the axis; none outside of it.
    pub fn y_of(&self, state: &AllReduce, value: f64) -> Option<f64> {
        let share = match state.view {
            View::Time => (value / TIME_US.0).ln() / (TIME_US.1 / TIME_US.0).ln(),
            View::Array | View::Bus => value / state.machine().axis_gb_per_s,
        };
        (0.0..=1.0).contains(&share).then_some(self.y.1 - share * (self.y.1 - self.y.0))
    }

    /// Place of a ratio in the strip, and whether it lies inside.
    pub fn strip_y(&self, ratio: f64) -> f64 {
        let share = (ratio.clamp(RATIO.0, RATIO.1) / RATIO.0).ln() / (RATIO.1 / RATIO.0).ln();
        self.strip.1 - share * (self.strip.1 - self.strip.0)
    }

    /// A curve as a path: points at each half of a power of two, broken where nothing is known or where
    /// it leaves the chart.
    pub fn curve(&self, state: &AllReduce, time_us: impl Fn(f64) -> Option<f64>) -> Curve {
        use std::fmt::Write;
        let mut curve = Curve { data: String::new(), end: None };
        let mut pen_down = false;
        for half in 2 * SIZES.0..=2 * SIZES.1 {
            let bytes = (f64::from(half) / 2.0).exp2();
            let y = time_us(bytes).and_then(|us| self.y_of(state, state.on_axis(bytes, us)));
            let Some(y) = y else {
                pen_down = false;
                continue;
            };
            let x = self.x_of(bytes);
            // Writing to a string cannot fail.
            let _ = write!(curve.data, "{}{x:.1} {y:.1}", if pen_down { 'L' } else { 'M' });
            (pen_down, curve.end) = (true, Some((x, y)));
        }
        curve
    }
}

/// A curve and where it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Path data.
    pub data: String,
    /// Last point of it.
    pub end: Option<(f64, f64)>,
}

/// Sizes with a label: every fifth power of two.
pub fn labelled_sizes() -> impl Iterator<Item = (u32, f64)> {
    (SIZES.0..=SIZES.1).step_by(5).map(|exponent| (exponent, bytes_of(exponent)))
}

#[cfg(test)]
mod tests {
    use super::super::choice::Algorithm;
    use super::*;

    #[test]
    fn curves_stay_inside_the_chart_and_have_no_holes_where_they_are_known() {
        for layout in [Layout::Wide, Layout::Narrow] {
            let frame = Frame::of(layout);
            for view in View::ALL {
                let state = AllReduce { view, ..AllReduce::default() };
                let curve = frame.curve(&state, |bytes| state.time_us(Algorithm::Fit, bytes));
                assert_eq!(curve.data.matches('M').count(), 1, "{view:?}");
                let (x, y) = curve.end.expect("a curve");
                assert!((x - frame.x.1).abs() < 1e-9 && (frame.y.0..=frame.y.1).contains(&y));
            }
        }
    }

    #[test]
    fn the_curve_of_a_rack_begins_at_512_mib() {
        let frame = Frame::of(Layout::Wide);
        let state = AllReduce::on(5, 72, 1, 33);
        let curve = frame.curve(&state, |bytes| state.time_us(Algorithm::Fit, bytes));
        let begins = format!("M{:.1} ", frame.x_of(bytes_of(29)));
        assert!(curve.data.starts_with(&begins), "{}", curve.data);
    }

    #[test]
    fn everything_published_lies_on_the_chart() {
        let frame = Frame::of(Layout::Narrow);
        for view in View::ALL {
            for preset in super::super::presets::presets() {
                let state = AllReduce { view, ..preset.state };
                for miss in state.misses() {
                    let value = state.on_axis(bytes_of(miss.exponent.into()), miss.time_us);
                    assert!(frame.y_of(&state, value).is_some(), "{} {view:?}: {value}", preset.name);
                }
            }
        }
    }

    #[test]
    fn the_strip_is_even_by_powers_of_two() {
        let frame = Frame::of(Layout::Wide);
        let (one, two, four) = (frame.strip_y(1.0), frame.strip_y(2.0), frame.strip_y(4.0));
        assert!((one - two - (two - four)).abs() < 1e-9);
        assert_eq!((frame.strip_y(0.5), frame.strip_y(99.0)), (frame.strip.1, frame.strip.0));
    }
}
