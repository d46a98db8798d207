//! Choosing a row of a chart: a listbox below the drawing, whose group lets clicks through.

use super::RowGrid;
use crate::kit::scene::Rect;
use crate::kit::{Node, STILL, pressable, svg};

/// One row that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct PickRow {
    /// Short name that is unique in the figure.
    pub id: &'static str,
    /// What a screen reader says.
    pub label: String,
    /// Whether it is chosen now.
    pub chosen: bool,
    /// Whether it can be chosen now; others are passed over by the arrow keys.
    pub enabled: bool,
}

/// What a chart of rows is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// All that does not depend on the chosen row.
    pub chart: Node,
    /// The chosen row in words, above the chart.
    pub readout: Node,
}

/// A chart of rows whose rows can be chosen: the whole `<svg>`. `title` says what it shows, `rows` lie in
/// the order of the grid; the figure is told the index of a row that is pressed.
pub fn row_picture(
    figure: &'static str,
    label: &'static str,
    title: String,
    grid: RowGrid,
    rows: Vec<PickRow>,
    drawn: Drawn,
) -> Node {
    let plotted = |content| svg::g("plotted").set("aria-hidden", "true").with(content);
    svg::picture((grid.width, grid.height()), title, !STILL)
        .set("class", "rowchart")
        .with(pick_rows(figure, label, grid, rows))
        .with(plotted(drawn.chart))
        .with(plotted(drawn.readout))
}

fn pick_rows(figure: &'static str, label: &'static str, grid: RowGrid, rows: Vec<PickRow>) -> Node {
    let place =
        |index| svg::rect("", Rect::new(0.0, grid.row_top(index), grid.width, grid.pitch)).set("rx", 4);
    if STILL {
        // A still page gets the highlight and nothing that looks operable.
        let now = rows.iter().position(|row| row.chosen).unwrap_or(0);
        return svg::g("row on").with(place(now));
    }
    let active = rows.iter().find(|row| row.chosen).map(|row| row_id(figure, row));
    let list = svg::g("rows").set("role", "listbox").set("tabindex", 0).set("aria-label", label);
    let list = list.set_some("aria-activedescendant", active);
    rows.iter().enumerate().fold(list, |list, (index, row)| {
        let class = match (row.chosen, row.enabled) {
            (true, _) => "row on",
            (false, true) => "row",
            (false, false) => "row off",
        };
        let element = svg::g(class).set("id", row_id(figure, row)).set("role", "option");
        let element = element
            .set("aria-selected", if row.chosen { "true" } else { "false" })
            .set_some("aria-disabled", (!row.enabled).then_some("true"))
            .set("aria-label", row.label.clone());
        list.with(pressable(element, index).with(place(index)))
    })
}

fn row_id(figure: &str, row: &PickRow) -> String {
    format!("{figure}-row-{}", row.id)
}
