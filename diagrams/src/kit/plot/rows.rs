//! A chart of rows on one log axis, with the marks of the figure grammar.

use plotters::chart::ChartContext;
use plotters::coord::combinators::LogCoord;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, Circle, Color, IntoFont, IntoLogRange, PathElement, Rectangle, Text,
};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::measure::text_width;
use super::{Ink, LogAxis, PlotError, Surface, SvgNodes};

/// Where the rows of a chart lie, in units of the viewBox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowGrid {
    /// Width of the viewBox.
    pub width: f64,
    /// Upper edge of the first row.
    pub top: f64,
    /// Height of a row.
    pub pitch: f64,
    /// Number of rows.
    pub count: usize,
    /// Left and right end of the axis.
    pub axis: (f64, f64),
    /// Height of the middle of the marks within a row.
    pub mark: f64,
    /// Height of the legend below the axis.
    pub legend: f64,
    /// Font size of labels; the style sheet has the same two.
    pub font: f64,
}

/// Font size in wide drawings.
pub const FONT_WIDE: f64 = 13.0;
/// Font size in drawings for phones: 12 px where 340 units are shown on 288 px.
pub const FONT_NARROW: f64 = 14.5;

/// An axis that begins at least this far right has its names beside it, else above the marks.
const NAMES_BESIDE: f64 = 100.0;
/// Room for tick labels and title below the rows.
const FOOT: f64 = 44.0;

impl RowGrid {
    /// Height of the viewBox.
    pub fn height(&self) -> f64 {
        self.bottom() + FOOT + self.legend
    }

    /// Lower edge of the last row.
    pub fn bottom(&self) -> f64 {
        self.top + self.pitch * self.count as f64
    }

    /// Upper edge of a row.
    pub fn row_top(&self, row: usize) -> f64 {
        self.top + self.pitch * row as f64
    }

    /// Left edge of free text: the edge of the viewBox, or the axis where that begins there.
    pub fn inset(&self) -> f64 {
        if self.axis.0 < NAMES_BESIDE { self.axis.0 } else { 0.0 }
    }

    /// Height of a row's marks.
    pub fn mark_y(&self, row: usize) -> f64 {
        self.row_top(row) + self.mark
    }
}

type Chart<'a, 'b> = ChartContext<'a, SvgNodes<'b>, Cartesian2d<LogCoord<f64>, RangedCoordf64>>;

/// Draws marks into rows. Values are in the unit of the axis, rows count from 0 at the top.
pub struct RowChart<'a, 'b> {
    surface: &'a Surface<'b>,
    chart: Chart<'a, 'b>,
    grid: RowGrid,
    axis: &'a LogAxis,
}

impl<'a, 'b> RowChart<'a, 'b> {
    /// Draws the axis with its lines and labels.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn new(surface: &'a Surface<'b>, grid: RowGrid, axis: &'a LogAxis) -> Result<Self, PlotError> {
        // Plotters counts pixels: its area ends one before its edge.
        let chart = ChartBuilder::on(surface)
            .margin_left(grid.axis.0 as i32)
            .margin_right((grid.width - grid.axis.1) as i32 - 1)
            .margin_top(grid.top as i32)
            .margin_bottom((FOOT + grid.legend) as i32 - 1)
            .build_cartesian_2d((axis.low..axis.high).log_scale(), (grid.bottom() - grid.top)..0.0)?;
        let mut this = Self { surface, chart, grid, axis };
        this.lines()?;
        Ok(this)
    }

    fn lines(&mut self) -> Result<(), PlotError> {
        let height = self.grid.bottom() - self.grid.top;
        let line = |x: f64| PathElement::new(vec![(x, 0.0), (x, height)], Ink::GRID.stroke_width(1));
        self.chart.draw_series(self.axis.ticks.iter().map(|t| line(t.value)))?;
        let ends = vec![(self.axis.low, height), (self.axis.high, height)];
        self.chart.draw_series([PathElement::new(ends, Ink::AXIS.stroke_width(1))])?;
        let under = self.grid.bottom() + 6.0;
        for tick in self.axis.ticks.iter().filter(|t| !t.label.is_empty()) {
            let half = text_width(&tick.label, self.grid.font, false) / 2.0;
            let x = self.x(tick.value).clamp(half, self.grid.width - half);
            self.text(&tick.label, (x, under), Ink::MUTED, (HPos::Center, VPos::Top))?;
        }
        let (left, right) = self.grid.axis;
        let middle = ((left + right) / 2.0, self.grid.bottom() + FOOT - 4.0);
        self.text(&self.axis.full_title(), middle, Ink::MUTED, (HPos::Center, VPos::Bottom))
    }

    /// Where a value lies on the drawing.
    pub fn x(&self, value: f64) -> f64 {
        let (left, right) = self.grid.axis;
        left + self.axis.position(value) * (right - left)
    }

    fn y(&self, row: usize) -> f64 {
        self.grid.mark_y(row) - self.grid.top
    }

    /// A bar over a range: a ballpark, or a quantity from the start of the axis on.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn bar(&mut self, row: usize, (from, to): (f64, f64), half: f64, ink: Ink) -> Result<(), PlotError> {
        let y = self.y(row);
        let corners = [(self.axis.clamp(from), y - half), (self.axis.clamp(to), y + half)];
        self.chart.draw_series([Rectangle::new(corners, ink.filled())])?;
        Ok(())
    }

    /// The outline of such a bar.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn outline(
        &mut self,
        row: usize,
        (from, to): (f64, f64),
        half: f64,
        ink: Ink,
    ) -> Result<(), PlotError> {
        let y = self.y(row);
        let corners = [(self.axis.clamp(from), y - half), (self.axis.clamp(to), y + half)];
        self.chart.draw_series([Rectangle::new(corners, ink.stroke_width(1))])?;
        Ok(())
    }

    /// A line from one value to another in a row.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn line(
        &mut self,
        row: usize,
        (from, to): (f64, f64),
        width: u32,
        ink: Ink,
    ) -> Result<(), PlotError> {
        let y = self.y(row);
        let ends = vec![(self.axis.clamp(from), y), (self.axis.clamp(to), y)];
        self.chart.draw_series([PathElement::new(ends, ink.stroke_width(width))])?;
        Ok(())
    }

    /// A line across a row at a value.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn stop(&mut self, row: usize, value: f64, half: f64, ink: Ink) -> Result<(), PlotError> {
        let (x, y) = (self.axis.clamp(value), self.y(row));
        self.chart
            .draw_series([PathElement::new(vec![(x, y - half), (x, y + half)], ink.stroke_width(2))])?;
        Ok(())
    }

    /// A measured value: a solid disc, its spread as a line through it.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn measured(
        &mut self,
        row: usize,
        value: f64,
        spread: Option<(f64, f64)>,
        ink: Ink,
    ) -> Result<(), PlotError> {
        if let Some(spread) = spread {
            self.line(row, spread, 2, ink)?;
            for end in [spread.0, spread.1] {
                self.stop(row, end, 4.0, ink)?;
            }
        }
        let at = (self.axis.clamp(value), self.y(row));
        self.chart.draw_series([Circle::new(at, 5, ink.filled())])?;
        Ok(())
    }

    /// A published value: an open circle.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn published(&mut self, row: usize, value: f64, ink: Ink) -> Result<(), PlotError> {
        let at = (self.axis.clamp(value), self.y(row));
        self.chart.draw_series([Circle::new(at, 5, ink.open().stroke_width(2))])?;
        Ok(())
    }

    /// A value that software assumes: an open circle with a dashed line.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn assumed(&mut self, row: usize, value: f64, ink: Ink) -> Result<(), PlotError> {
        let at = (self.axis.clamp(value), self.y(row));
        self.chart.draw_series([Circle::new(at, 5, ink.open_dashed().stroke_width(2))])?;
        Ok(())
    }

    /// An expected range: a dashed outline.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn expected(&mut self, row: usize, range: (f64, f64), half: f64, ink: Ink) -> Result<(), PlotError> {
        self.outline(row, range, half, ink.dashed())
    }

    /// An unknown value: a labelled gap, then a dashed line to the end of the axis.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn gap(&mut self, row: usize, why: &str) -> Result<(), PlotError> {
        const CLEAR: f64 = 8.0;
        let from = self.grid.axis.0 + CLEAR + text_width(why, self.grid.font, false) + CLEAR;
        let y = self.grid.mark_y(row).round() as i32;
        let ends = vec![(from as i32, y), (self.grid.axis.1 as i32, y)];
        self.surface.draw(&PathElement::new(ends, Ink::MUTED.dashed().stroke_width(1)))?;
        self.note_at(row, self.grid.axis.0 + CLEAR, why)
    }

    /// Text on the marks' height, left end at `x`.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn note_at(&self, row: usize, x: f64, text: &str) -> Result<(), PlotError> {
        self.text(text, (x, self.grid.mark_y(row)), Ink::MUTED, (HPos::Left, VPos::Center))
    }

    /// Text beside marks that end at these values: right of them, or left where there is no room.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn beside(&self, row: usize, (from, to): (f64, f64), text: &str, ink: Ink) -> Result<(), PlotError> {
        const CLEAR: f64 = 10.0;
        let width = text_width(text, self.grid.font, false);
        let (right, y) = (self.x(to) + CLEAR, self.grid.mark_y(row));
        if right + width <= self.grid.width {
            self.text(text, (right, y), ink, (HPos::Left, VPos::Center))
        } else {
            self.text(text, (self.x(from) - CLEAR, y), ink, (HPos::Right, VPos::Center))
        }
    }

    /// A row's name: left of the axis where there is room for it, else above the marks.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn name(&self, row: usize, name: &str, ink: Ink) -> Result<(), PlotError> {
        if self.grid.axis.0 >= NAMES_BESIDE {
            let at = (self.grid.axis.0 - 12.0, self.grid.mark_y(row));
            self.text(name, at, ink, (HPos::Right, VPos::Center))
        } else {
            let at = (self.grid.axis.0, self.grid.row_top(row) + 4.0);
            self.text(name, at, ink, (HPos::Left, VPos::Top))
        }
    }

    /// Text anywhere, in units of the viewBox.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn text(
        &self,
        text: &str,
        (x, y): (f64, f64),
        ink: Ink,
        (h, v): (HPos, VPos),
    ) -> Result<(), PlotError> {
        let style =
            TextStyle::from(("sans-serif", self.grid.font).into_font()).color(&ink).pos(Pos::new(h, v));
        let at = (x.round() as i32, y.round() as i32);
        self.surface.draw(&Text::new(text.to_owned(), at, style))
    }
}
