//! The chosen row in words, above a chart, where the eye finds it from any row.

use plotters::prelude::{IntoFont, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, TextStyle};

use super::{Ink, PlotError, RowGrid, Surface};

/// Font size of a headline.
const HEADLINE: f64 = 18.0;

/// Writes lines above a chart of rows.
#[derive(Clone, Copy)]
pub struct Readout<'a, 'b> {
    surface: &'a Surface<'b>,
    grid: RowGrid,
}

impl<'a, 'b> Readout<'a, 'b> {
    /// Lines above this grid.
    pub fn new(surface: &'a Surface<'b>, grid: RowGrid) -> Self {
        Self { surface, grid }
    }

    /// A line of larger text.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn headline(&self, y: f64, text: &str) -> Result<(), PlotError> {
        let font = ("sans-serif", HEADLINE).into_font().style(FontStyle::Bold);
        self.line(y, text, TextStyle::from(font).color(&Ink::TEXT))
    }

    /// A line of muted text.
    ///
    /// # Errors
    /// If something is drawn with a colour that is no ink.
    pub fn subline(&self, y: f64, text: &str) -> Result<(), PlotError> {
        self.line(y, text, TextStyle::from(("sans-serif", self.grid.font).into_font()).color(&Ink::MUTED))
    }

    fn line(&self, y: f64, text: &str, style: TextStyle<'_>) -> Result<(), PlotError> {
        let at = (self.grid.inset().round() as i32, y.round() as i32);
        self.surface.draw(&Text::new(text.to_owned(), at, style.pos(Pos::new(HPos::Left, VPos::Top))))
    }
}
