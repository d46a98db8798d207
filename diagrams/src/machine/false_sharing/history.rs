//! The middle part of the picture: which state each core's line had after each access.

use super::mesi::Action;
use super::model::{Done, Op, Placement};
use super::state::FalseSharing;
use crate::kit::scene::Rect;
use crate::kit::{Layout, Node, capital, svg};

/// Columns that fit, left edge of the first, and the upper edge.
fn grid(layout: Layout) -> (usize, f64, f64) {
    layout.pick((21, 96.0, 396.0), (9, 76.0, 412.0))
}

const COLUMN: f64 = 28.0;
const CELL: (f64, f64) = (24.0, 24.0);
const ROW: f64 = 36.0;

/// Draws the lanes: one column per access, one row per core. Columns to come are empty.
pub fn history(model: &FalseSharing, layout: Layout, done: &[Done]) -> Node {
    let (columns, x, y) = grid(layout);
    let script = model.script();
    let first = (model.step + 2).saturating_sub(columns).min(script.len().saturating_sub(columns));
    let siblings = model.placement == Placement::Siblings;
    let cells: Vec<_> = (0..columns)
        .map(|column| {
            let at = first + column;
            column_of(
                x + column as f64 * COLUMN,
                y,
                Column { op: script.get(at), done: done.get(at), now: at + 1 == model.step, siblings },
            )
        })
        .collect();
    let names = [0, 1].map(|core| {
        let name = model.who(core);
        svg::text("", (4.0, y + 17.0 + core as f64 * ROW), capital(&name))
    });
    Node::from([
        svg::text("muted small", (4.0, y - 24.0), "+ adds, r reads, ● line changed hands"),
        names.into_iter().collect::<Node>(),
        cells.into(),
    ])
}

/// One access, made or to come.
struct Column<'a> {
    op: Option<&'a Op>,
    done: Option<&'a Done>,
    now: bool,
    siblings: bool,
}

fn column_of(x: f64, y: f64, Column { op, done, now, siblings }: Column<'_>) -> Node {
    let cells = [0, 1].map(|core| {
        let acts = op.is_some_and(|op| op.thread == core);
        let state = done.map(|d| d.states[if siblings { 0 } else { core }].letter());
        let mark = match op {
            Some(op) if acts && op.action == Action::Add => "+",
            Some(_) if acts => "r",
            _ => "",
        };
        let class = match (state, op) {
            (Some(letter), _) => format!("fs-row fs-{letter}"),
            (None, Some(_)) => "fs-row fs-later".to_owned(),
            (None, None) => "fs-row fs-absent".to_owned(),
        };
        let top = y + core as f64 * ROW;
        // What happens stands outside of the cell of who does it: above core 0, below core 1.
        let mark_y = if core == 0 { top - 1.0 } else { top + CELL.1 + 11.0 };
        Node::from([
            svg::g(class).with(svg::rect("fs-badge", Rect::new(x, top, CELL.0, CELL.1)).set("rx", 4)).with(
                svg::text("fs-letter", (x + CELL.0 / 2.0, top + CELL.1 / 2.0), state.unwrap_or_default()),
            ),
            svg::text("small middle", (x + CELL.0 / 2.0, mark_y), mark),
        ])
    });
    let bounced = done.is_some_and(|d| d.bounced);
    Node::from([
        svg::rect(if now { "fs-now" } else { "fs-absent" }, Rect::new(x - 2.0, y - 14.0, COLUMN, 88.0))
            .set("rx", 4),
        cells.into_iter().collect::<Node>(),
        svg::circle(if bounced { "wire fs-bounce" } else { "fs-absent" }, (x + CELL.0 / 2.0, y + 30.0), 4.0),
    ])
}
