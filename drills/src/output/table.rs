//! Columns that line up.

use anstyle::Style;

use super::style::{self, paint};
use super::width::wrap;

/// Where a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names.
    Left,
    /// Numbers.
    Right,
}

/// A text and its ink.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A cell in `style`.
    pub fn new(style: Style, text: impl Into<String>) -> Self {
        Self { text: text.into(), style }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, style: Style::new() }
    }
}
impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// Rows of equal columns. The last left-aligned columns give way when the terminal is narrow.
#[derive(Clone, Debug, Default)]
pub struct Table {
    aligns: Vec<Align>,
    rows: Vec<Vec<Cell>>,
    indent: usize,
}

const GAP: usize = 2;
/// A column is not made narrower than this.
const LEAST: usize = 10;

impl Table {
    /// An empty table with these columns.
    pub fn new(aligns: &[Align]) -> Self {
        Self { aligns: aligns.to_vec(), rows: Vec::new(), indent: 0 }
    }

    /// Blanks before each line.
    pub fn indent(mut self, blanks: usize) -> Self {
        self.indent = blanks;
        self
    }

    /// Column heads.
    pub fn head(&mut self, names: &[&str]) {
        self.rows.push(names.iter().map(|name| Cell::new(style::MUTED, *name)).collect());
    }

    /// One row.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as lines of at most `width` columns; long left-aligned cells are wrapped.
    pub fn render(&self, width: usize) -> String {
        let widths = self.widths(width);
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(cell, &w)| {
                    if cell.text.chars().count() > w { wrap(&cell.text, w) } else { vec![cell.text.clone()] }
                })
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                text.push_str(&self.line(row, &cells, &widths, line));
                text.push('\n');
            }
        }
        text
    }

    fn line(&self, row: &[Cell], cells: &[Vec<String>], widths: &[usize], line: usize) -> String {
        let mut text = " ".repeat(self.indent);
        // Blanks are written only before the next visible text, so that no line ends in them.
        let mut pending = 0;
        for (i, lines) in cells.iter().enumerate() {
            let part = lines.get(line).map_or("", String::as_str);
            let fill = widths[i].saturating_sub(part.chars().count());
            let (before, after) = if self.aligns[i] == Align::Right { (fill, 0) } else { (0, fill) };
            if part.is_empty() {
                pending += before + after;
            } else {
                text.push_str(&" ".repeat(pending + before));
                let plain = row[i].style == Style::new();
                text.push_str(&if plain { part.to_owned() } else { paint(row[i].style, part) });
                pending = after;
            }
            pending += GAP;
        }
        text
    }

    /// Natural widths, shrunk from the widest left-aligned column until the line fits.
    fn widths(&self, width: usize) -> Vec<usize> {
        let columns = self.aligns.len();
        let mut widths = vec![0; columns];
        for row in &self.rows {
            for (w, cell) in widths.iter_mut().zip(row) {
                *w = (*w).max(cell.text.chars().count());
            }
        }
        let room = width.saturating_sub(self.indent + GAP * columns.saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let widest = (0..columns).filter(|&i| self.aligns[i] == Align::Left).max_by_key(|&i| widths[i]);
            match widest {
                Some(i) if widths[i] > LEAST => widths[i] -= 1,
                _ => break,
            }
        }
        widths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_long_names_wrap() {
        let mut table = Table::new(&[Align::Left, Align::Right]).indent(2);
        table.row(["L1 hit", "1.2 ns"]);
        table.row(["Line transfer across sockets", "120 ns"]);
        assert_eq!(
            table.render(80),
            "  L1 hit                        1.2 ns\n  Line transfer across sockets  120 ns\n"
        );
        let narrow = table.render(26);
        assert_eq!(narrow, "  L1 hit            1.2 ns\n  Line transfer     120 ns\n  across sockets\n");
        assert!(narrow.lines().all(|line| line.chars().count() <= 26));
    }
}
