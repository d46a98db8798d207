//! Choosing a row of a chart: a listbox over the drawing.

use std::rc::Rc;

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;

use super::RowGrid;
use crate::kit::STILL;

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

/// What a chart of rows is made of, as SVG elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// All that does not depend on the chosen row; the browser reads it again only when it changed.
    pub chart: String,
    /// The chosen row in words, above the chart.
    pub readout: String,
}

/// A chart of rows whose rows can be chosen: the whole `<svg>`. `title` says what it shows, `rows` lie in
/// the order of the grid, `on_choose` gets the index.
pub fn row_picture(
    figure: &'static str,
    label: &'static str,
    title: String,
    grid: RowGrid,
    (rows, drawn): (Vec<PickRow>, Drawn),
    on_choose: impl Fn(usize) + 'static,
) -> AnyView {
    row_svg(figure, (label, title), grid, rows, drawn, Rc::new(on_choose))
}

fn row_svg(
    figure: &'static str,
    (label, title): (&'static str, String),
    grid: RowGrid,
    rows: Vec<PickRow>,
    drawn: Drawn,
    on_choose: Rc<dyn Fn(usize)>,
) -> AnyView {
    view! {
        <svg
            class="rowchart"
            viewBox=format!("0 0 {} {}", grid.width, grid.height())
            role=if STILL { "img" } else { "group" }
            aria-label=title
        >
            {pick_rows(figure, label, grid, rows, on_choose)}
            <g class="plotted" aria-hidden="true" inner_html=drawn.chart></g>
            <g class="plotted" aria-hidden="true" inner_html=drawn.readout></g>
        </svg>
    }
    .into_any()
}

/// The rows of a chart as a listbox (APG: single select, selection follows focus). It lies below
/// the chart, whose group lets clicks through.
fn pick_rows(
    figure: &'static str,
    label: &'static str,
    grid: RowGrid,
    rows: Vec<PickRow>,
    on_choose: Rc<dyn Fn(usize)>,
) -> AnyView {
    let option_id = move |id: &str| format!("{figure}-row-{id}");
    let active = rows.iter().find(|r| r.chosen).map(|r| option_id(r.id));
    let (enabled, ids): (Vec<bool>, Vec<&'static str>) = rows.iter().map(|r| (r.enabled, r.id)).unzip();
    let now = rows.iter().position(|r| r.chosen).unwrap_or(0);
    let by_key = on_choose.clone();
    let may = enabled.clone();
    let options: Vec<String> = ids.iter().map(|id| option_id(id)).collect();
    let key = move |ev: KeyboardEvent| {
        if let Some(next) = row_after(&ev.key(), now, &enabled) {
            ev.prevent_default();
            ev.stop_propagation();
            by_key(next);
            reveal(&option_id(ids[next]));
        }
    };
    // One listener for all rows: setting up one for each would cost more than drawing them.
    let click = move |ev: MouseEvent| {
        let option = event_target::<web_sys::Element>(&ev).closest("[role=option]").ok().flatten();
        let index = option.and_then(|option| options.iter().position(|id| *id == option.id()));
        if let Some(index) = index.filter(|&index| may[index]) {
            on_choose(index);
        }
    };
    let row = move |(index, row): (usize, PickRow)| {
        let class = match (row.chosen, row.enabled) {
            (true, _) => "row on",
            (false, true) => "row",
            (false, false) => "row off",
        };
        view! {
            <g
                class=class
                id=option_id(row.id)
                role="option"
                aria-selected=row.chosen.to_string()
                aria-disabled=(!row.enabled).then_some("true")
                aria-label=row.label
            >
                <rect x="0" y=grid.row_top(index) width=grid.width height=grid.pitch rx="4" />
            </g>
        }
    };
    if STILL {
        // A still page gets the highlight and nothing that looks operable.
        let y = grid.row_top(now);
        return view! { <g class="row on"><rect x="0" y=y width=grid.width height=grid.pitch rx="4" /></g> }
            .into_any();
    }
    view! {
        <g
            class="rows"
            role="listbox"
            tabindex="0"
            aria-label=label
            aria-activedescendant=active
            on:keydown=key
            on:click=click
        >
            {rows.into_iter().enumerate().map(row).collect_view()}
        </g>
    }
    .into_any()
}

/// The row that a key leads to: the next one up or down that is enabled, ten further, or an end.
fn row_after(key: &str, now: usize, enabled: &[bool]) -> Option<usize> {
    let up = |skip: usize| {
        let mut above = (0..now).rev().filter(|&i| enabled[i]);
        let first = above.next();
        above.take(skip).last().or(first)
    };
    let down = |skip: usize| {
        let mut below = (now + 1..enabled.len()).filter(|&i| enabled[i]);
        let first = below.next();
        below.take(skip).last().or(first)
    };
    let next = match key {
        "ArrowUp" | "ArrowLeft" => up(0),
        "ArrowDown" | "ArrowRight" => down(0),
        "PageUp" => up(9),
        "PageDown" => down(9),
        "Home" => enabled.iter().position(|&e| e),
        "End" => enabled.iter().rposition(|&e| e),
        _ => return None,
    };
    Some(next.unwrap_or(now))
}

/// Scrolls the page as little as needed to show a row.
fn reveal(id: &str) {
    let row = web_sys::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id(id));
    if let Some(row) = row {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        row.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_pass_over_rows_that_are_off() {
        let enabled = [false, true, false, true, true];
        assert_eq!(row_after("ArrowDown", 1, &enabled), Some(3));
        assert_eq!(row_after("ArrowUp", 3, &enabled), Some(1));
        assert_eq!(row_after("ArrowUp", 1, &enabled), Some(1));
        assert_eq!(row_after("Home", 4, &enabled), Some(1));
        assert_eq!(row_after("End", 1, &enabled), Some(4));
        assert_eq!(row_after("PageDown", 1, &enabled), Some(4));
        assert_eq!(row_after("x", 1, &enabled), None);
    }
}
