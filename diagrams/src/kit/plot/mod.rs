//! Quantitative charts: plotters with a back end that writes SVG the course can use.
//!
//! Plotters knows colours and pixels, our pages know roles and style sheets. So an [`Ink`] is a colour
//! only on its way through plotters; the back end turns it back into class names. It measures text
//! with a table of its own, hence the page writer and the browser draw the same picture.
//!
//! Marks follow the figure grammar: a measured value is a solid disc with its spread, a published one
//! an open circle, an expected one dashed, an unknown one a labelled gap. See [`RowChart`].

mod axis;
mod backend;
mod ink;
mod legend;
mod measure;
mod pick;
mod readout;
mod rows;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};

use crate::kit::node::Node;
use crate::kit::svg::text;

pub use axis::{LogAxis, Tick};
pub use backend::{NotAnInk, SvgNodes};
pub use ink::Ink;
pub use legend::{Key, legend, legend_lines};
pub use measure::text_width;
pub use pick::{Drawn, PickRow, row_picture};
pub use readout::Readout;
pub use rows::{FONT_NARROW, FONT_WIDE, RowChart, RowGrid};

/// What can go wrong while drawing.
pub type PlotError = DrawingAreaErrorKind<NotAnInk>;

/// A surface in units of the viewBox.
pub type Surface<'a> = DrawingArea<SvgNodes<'a>, Shift>;

/// Draws a chart of this size and returns its SVG elements, to be put inside an `<svg>` of the same
/// viewBox. A chart that cannot be drawn says so in its own place.
pub fn chart(width: f64, height: f64, draw: impl FnOnce(&Surface<'_>) -> Result<(), PlotError>) -> Node {
    let mut nodes = Vec::new();
    let outcome = {
        let surface = SvgNodes::new(&mut nodes, (width as u32, height as u32)).into_drawing_area();
        draw(&surface).and_then(|()| surface.present())
    };
    match outcome {
        Ok(()) => nodes.into(),
        Err(error) => text("", (8.0, 24.0), format!("This chart could not be drawn: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use plotters::prelude::{Circle, Color, RED};

    use super::*;
    use crate::kit::scene::Role;

    const GRID: RowGrid = RowGrid {
        width: 720.0,
        top: 20.0,
        pitch: 20.0,
        count: 3,
        axis: (220.0, 620.0),
        mark: 10.0,
        legend: 20.0,
        font: FONT_WIDE,
    };

    fn small_chart() -> String {
        let drawn = crate::kit::svg::el("svg").with(chart()).to_html();
        drawn.trim_start_matches("<svg>").trim_end_matches("</svg>").to_owned()
    }

    fn chart() -> Node {
        let axis = LogAxis::decades((1.0, 1e4), "Time", (1.0, 2), |v| format!("{v} ns"));
        super::chart(GRID.width, GRID.height(), |surface| {
            let mut chart = RowChart::new(surface, GRID, &axis)?;
            Readout::new(surface, GRID).headline(0.0, "near & far")?;
            chart.name(0, "near & far", Ink::TEXT)?;
            chart.bar(0, (1.0, 100.0), 5.0, Ink::role(Role::Cpu).opacity(0.35))?;
            chart.measured(0, 10.0, Some((5.0, 20.0)), Ink::role(Role::Cpu))?;
            chart.published(1, 100.0, Ink::role(Role::Gpu))?;
            chart.expected(1, (100.0, 1_000.0), 5.0, Ink::role(Role::Gpu))?;
            chart.gap(2, "no public number")?;
            legend(surface, GRID, &[(Key::Open, "published", Ink::MUTED)])
        })
    }

    #[test]
    fn a_small_chart_is_drawn_as_it_always_was() {
        let expected = [
            "<path class=\"grid\" d=\"M220 20V80M320 20V80M420 20V80M520 20V80M620 20V80\"/>",
            "<path class=\"axis\" d=\"M220 80H620\"/>",
        ];
        let drawn = small_chart();
        for element in expected {
            assert!(drawn.contains(element), "{element} is missing in\n{drawn}");
        }
        assert_eq!(drawn, include_str!("small_chart.svg").trim_end(), "\n{drawn}\n");
    }

    #[test]
    fn a_chart_carries_classes_and_no_colours() {
        let drawn = small_chart();
        for forbidden in ["style=", "#", "rgb(", "fill=", "stroke=", "font-family"] {
            assert!(!drawn.contains(forbidden), "{forbidden} in\n{drawn}");
        }
        assert!(drawn.contains("near &amp; far") && drawn.contains("Time, log scale"));
    }

    #[test]
    fn a_colour_that_is_no_ink_is_told_and_not_drawn() {
        let drawn =
            super::chart(100.0, 100.0, |surface| surface.draw(&Circle::new((10, 10), 5, RED.filled())));
        let drawn = drawn.to_html();
        assert!(drawn.contains("could not be drawn") && drawn.contains("Ink"), "{drawn}");
    }
}
