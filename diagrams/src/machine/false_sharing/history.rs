//! The middle part of the picture: which state each core's line had after each access.

use leptos::prelude::*;

use super::mesi::Action;
use super::model::{Done, Op, Placement};
use super::state::FalseSharing;
use super::words::capital;
use crate::kit::Layout;

/// Columns that fit, left edge of the first, and the upper edge.
fn grid(layout: Layout) -> (usize, f64, f64) {
    layout.pick((21, 96.0, 396.0), (9, 76.0, 412.0))
}

const COLUMN: f64 = 28.0;
const CELL: (f64, f64) = (24.0, 24.0);
const ROW: f64 = 36.0;

/// Draws the lanes: one column per access, one row per core. Columns to come are empty.
pub fn history(model: &FalseSharing, layout: Layout, done: &[Done]) -> impl IntoView + use<> {
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
        view! { <text x="4" y=y + 17.0 + core as f64 * ROW>{capital(&name)}</text> }
    });
    view! {
        <text class="muted small" x="4" y=y - 24.0>"+ adds, r reads, ● line changed hands"</text>
        {names.into_iter().collect_view()}
        {cells}
    }
}

/// One access, made or to come.
struct Column<'a> {
    op: Option<&'a Op>,
    done: Option<&'a Done>,
    now: bool,
    siblings: bool,
}

fn column_of(x: f64, y: f64, Column { op, done, now, siblings }: Column<'_>) -> impl IntoView + use<> {
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
        view! {
            <g class=class>
                <rect class="fs-badge" x=x y=top width=CELL.0 height=CELL.1 rx="4" />
                <text class="fs-letter" x=x + CELL.0 / 2.0 y=top + CELL.1 / 2.0>{state.unwrap_or_default()}</text>
            </g>
            <text class="small middle" x=x + CELL.0 / 2.0 y=mark_y>{mark}</text>
        }
    });
    let bounced = done.is_some_and(|d| d.bounced);
    view! {
        <rect class=if now { "fs-now" } else { "fs-absent" } x=x - 2.0 y=y - 14.0 width=COLUMN height="88" rx="4" />
        {cells.into_iter().collect_view()}
        <circle class=if bounced { "wire fs-bounce" } else { "fs-absent" } cx=x + CELL.0 / 2.0 cy=y + 30.0 r="4" />
    }
}
