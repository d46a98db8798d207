//! What the marks of a chart mean.

use plotters::prelude::{Circle, Color, IntoFont, PathElement, Rectangle, Text};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::measure::text_width;
use super::{Ink, PlotError, RowGrid, Surface};

/// One mark of a legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A tinted bar.
    Bar,
    /// A dashed outline.
    Dashed,
    /// A line across.
    Stop,
    /// A solid disc.
    Disc,
    /// An open circle.
    Open,
    /// An open circle with a dashed line.
    Assumed,
    /// A dashed line: no number.
    Gap,
}

/// Height of a line of a legend.
const LINE: f64 = 20.0;
/// Width of a mark with the space before its text.
const MARK: f64 = 22.0;
/// Space between two entries.
const SPACE: f64 = 18.0;

type Entry<'a> = (Key, &'a str, Ink);

/// Number of lines that a legend takes in a grid: plan `RowGrid::legend` with it, 20 units each.
pub fn legend_lines(entries: &[Entry<'_>], width: f64, font: f64) -> usize {
    flow(entries, width, font).last().map_or(0, |&(_, line)| line + 1)
}

/// Left end and line of each entry.
fn flow(entries: &[Entry<'_>], width: f64, font: f64) -> Vec<(f64, usize)> {
    let (mut x, mut line) = (0.0, 0);
    let place = |(_, text, _): &Entry<'_>| {
        let need = MARK + text_width(text, font, false);
        if x > 0.0 && x + need > width {
            (x, line) = (0.0, line + 1);
        }
        let at = (x, line);
        x += need + SPACE;
        at
    };
    entries.iter().map(place).collect()
}

/// Draws a legend below the axis of a row chart.
///
/// # Errors
/// If something is drawn with a colour that is no ink.
pub fn legend(surface: &Surface<'_>, grid: RowGrid, entries: &[Entry<'_>]) -> Result<(), PlotError> {
    let top = grid.height() - grid.legend;
    for ((x, line), (key, text, ink)) in
        flow(entries, grid.width - grid.inset(), grid.font).into_iter().zip(entries)
    {
        let (x, y) = ((grid.inset() + x).round() as i32, (top + LINE * (line as f64 + 0.5)).round() as i32);
        mark(surface, *key, (x, y), *ink)?;
        let style = TextStyle::from(("sans-serif", grid.font).into_font())
            .color(&Ink::MUTED)
            .pos(Pos::new(HPos::Left, VPos::Center));
        surface.draw(&Text::new((*text).to_owned(), (x + MARK as i32, y), style))?;
    }
    Ok(())
}

fn mark(surface: &Surface<'_>, key: Key, (x, y): (i32, i32), ink: Ink) -> Result<(), PlotError> {
    let across = vec![(x, y), (x + 16, y)];
    let around = [(x, y - 5), (x + 16, y + 5)];
    match key {
        Key::Bar => surface.draw(&Rectangle::new(around, ink.opacity(0.35).filled())),
        Key::Dashed => surface.draw(&Rectangle::new(around, ink.dashed().stroke_width(1))),
        Key::Stop => {
            surface.draw(&PathElement::new(vec![(x + 8, y - 6), (x + 8, y + 6)], ink.stroke_width(2)))
        }
        Key::Disc => surface.draw(&Circle::new((x + 8, y), 5, ink.filled())),
        Key::Open => surface.draw(&Circle::new((x + 8, y), 5, ink.open().stroke_width(2))),
        Key::Assumed => surface.draw(&Circle::new((x + 8, y), 5, ink.open_dashed().stroke_width(2))),
        Key::Gap => surface.draw(&PathElement::new(across, Ink::MUTED.dashed().stroke_width(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_wraps_where_the_width_ends() {
        let entries = [(Key::Bar, "ballpark", Ink::MUTED), (Key::Open, "published", Ink::MUTED)];
        assert_eq!(legend_lines(&entries, 720.0, 13.0), 1);
        assert_eq!(legend_lines(&entries, 120.0, 13.0), 2);
        assert_eq!(legend_lines(&[], 120.0, 13.0), 0);
    }
}
