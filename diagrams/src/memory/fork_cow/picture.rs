//! Pages of parent and workers, the inside of one page, and the bars.

use std::ops::Range;

use super::choice::{Deed, Storage};
use super::heap::{Account, HEADER_BYTES};
use super::model::{COLUMNS, Cell, ForkCow, PAGES, count};
use crate::kit::scene::Rect;
use crate::kit::units::{bytes, bytes_decimal, number};
use crate::kit::{Layout, Node, pressable, svg};

/// Workers that are drawn; more look the same.
const ROWS: usize = 4;

/// Measures of one drawing.
struct Plan {
    left: f64,
    pitch: f64,
    cell: f64,
    top: f64,
    row: f64,
    strip_y: f64,
    bars_y: f64,
}

impl Plan {
    /// A page as one process has it.
    fn cell(&self, column: usize, y: f64) -> Rect {
        Rect::new(self.left + column as f64 * self.pitch, y, self.cell, 20.0)
    }
}

fn plan(layout: Layout) -> Plan {
    layout.pick(
        Plan { left: 120.0, pitch: 37.0, cell: 32.0, top: 32.0, row: 26.0, strip_y: 196.0, bars_y: 268.0 },
        Plan { left: 32.0, pitch: 19.0, cell: 17.0, top: 48.0, row: 26.0, strip_y: 232.0, bars_y: 324.0 },
    )
}

/// Draws the state.
pub fn picture(model: &ForkCow, layout: Layout) -> Node {
    let plan = plan(layout);
    svg::picture((layout.width(), layout.pick(436.0, 576.0)), "Pages of a parent and its workers", false)
        .with(head(model, layout))
        .with(rows(model, &plan, layout))
        .with(columns(model, &plan))
        .with(inside(model, &plan, layout))
        .with(accounts(model, &plan, layout))
}

fn region(model: &ForkCow) -> &'static str {
    match (model.deed, model.storage) {
        (Deed::WriteTensor, _) => "tensor",
        (_, Storage::Numpy) => "array",
        _ => "samples",
    }
}

fn head(model: &ForkCow, layout: Layout) -> Node {
    let what = format!("{COLUMNS} of {} pages of the {}", count(model.pages() as f64), region(model));
    let (x1, y1, x2, y2) = layout.pick((120.0, 16.0, 440.0, 16.0), (4.0, 14.0, 4.0, 36.0));
    let copied = if layout == Layout::Wide { "copied, headers written" } else { "copied (headers written)" };
    Node::from([
        svg::text("small muted", (x1, y1), what),
        svg::rect("fc-shared", Rect::new(x2, y2 - 11.0, 16.0, 14.0)).set("rx", 2),
        svg::text("small muted", (x2 + 22.0, y2), "shared"),
        svg::rect("fc-copied", Rect::new(x2 + 84.0, y2 - 11.0, 16.0, 14.0)).set("rx", 2),
        svg::rect("fc-written", Rect::new(x2 + 86.0, y2 - 2.0, 12.0, 5.0)),
        svg::text("small muted", (x2 + 106.0, y2), copied),
    ])
}

/// One row for the original frames, one for each worker.
fn rows(model: &ForkCow, plan: &Plan, layout: Layout) -> Node {
    let middle = |column: usize| plan.cell(column, 0.0).center().0;
    let frames = svg::rects("fc-frame", (0..COLUMNS).map(|c| plan.cell(c, plan.top)));
    let sharers = (0..COLUMNS).map(|c| (middle(c), model.sharers(c).to_string()));
    let sharers = svg::texts("middle", plan.top + 15.0, sharers);
    let workers = model.worker_count() as usize;
    let rows: Vec<_> = (0..ROWS)
        .map(|w| {
            let y = plan.top + plan.row * (w as f64 + 1.0);
            let name = layout.pick(format!("worker {}", w + 1), format!("W{}", w + 1));
            let class = if w < workers { "" } else { "fc-absent" };
            let cells: Vec<_> = (0..COLUMNS).map(|c| model.cell(w, c)).collect();
            let that_are = |copied| {
                let those = cells.iter().enumerate().filter(move |(_, cell)| cell.copied == copied);
                those.map(|(c, _)| plan.cell(c, y))
            };
            // Tensors and arrays have no headers.
            let headers = |c: usize, cell: &Cell| {
                (cell.written > 0).then(|| model.headers_at(c)).filter(|h| !h.is_empty())
            };
            let levels = cells.iter().enumerate();
            let levels =
                levels.filter_map(|(c, cell)| Some(level(plan.cell(c, y), cell.written, headers(c, cell)?)));
            let chosen = cells.get(model.column).filter(|cell| headers(model.column, cell).is_some());
            let chosen = chosen.map(|cell| cell.written.to_string()).unwrap_or_default();
            svg::g(class)
                .with(svg::text("", (layout.pick(0.0, 4.0), y + 15.0), name))
                .with(svg::rects("fc-shared", that_are(false)))
                .with(svg::rects("fc-copied", that_are(true)))
                .with(svg::rects("fc-written", levels))
                .with(svg::text("small middle halo", (middle(model.column), y + 14.0), chosen))
        })
        .collect();
    let more = if workers > ROWS {
        format!("and {} more workers like these", workers - ROWS)
    } else {
        String::new()
    };
    let key = layout.pick("", "P counts who shares the parent's frame");
    let below = plan.top + plan.row * (ROWS as f64 + 1.0) + 10.0;
    Node::from([
        svg::text("", (layout.pick(0.0, 4.0), plan.top + 15.0), layout.pick("parent, sharers", "P")),
        frames,
        sharers,
        rows.into(),
        svg::text("small muted", (layout.pick(plan.left, 4.0), below), key),
        svg::text("small muted", (layout.pick(plan.left, 4.0), below + layout.pick(0.0, 18.0)), more),
    ])
}

/// The share of a page's headers that a worker has written, as a level in its cell; thin where it is small.
fn level(cell: Rect, written: usize, headers: Range<u64>) -> Rect {
    let share = written as f64 / (headers.end - headers.start).max(1) as f64;
    let height = (share.min(1.0) * cell.height).max(2.0);
    Rect::new(cell.x + 2.0, cell.y + cell.height - height, cell.width - 4.0, height)
}

/// Marks the page that is looked into, and lets the pointer choose another one. The keyboard has a slider.
fn columns(model: &ForkCow, plan: &Plan) -> Node {
    let height = plan.row * (ROWS as f64 + 1.0) + 2.0;
    let (pitch, left, top) = (plan.pitch, plan.left - (plan.pitch - plan.cell) / 2.0, plan.top - 4.0);
    let all = (0..COLUMNS)
        .map(|c| {
            let class = if model.column == c { "fc-column on" } else { "fc-column" };
            pressable(
                svg::rect(class, Rect::new(left + c as f64 * pitch, top, pitch, height)).set("rx", 4),
                c,
            )
        })
        .collect::<Node>();
    svg::g("").set("aria-hidden", "true").with(all)
}

/// The chosen page of the first worker: objects, and the headers that were written.
fn inside(model: &ForkCow, plan: &Plan, layout: Layout) -> Node {
    let (y, page_bytes) = (plan.strip_y, PAGES[model.page] as f64);
    let (x0, width) = layout.pick((120.0, 587.0), (4.0, 332.0));
    let headers = model.headers_at(model.column);
    let base = model.page_at(model.column) * PAGES[model.page];
    let place = |object: u64| {
        let offset = (object * model.heap().object_bytes).saturating_sub(base) as f64;
        x0 + offset / page_bytes * width
    };
    let on_page = headers.end - headers.start;
    // A header to scale, unless that is too thin to be seen.
    let mark = (HEADER_BYTES as f64 / page_bytes * width).max(1.0);
    let (mut edges, mut written) = (String::new(), String::new());
    for object in headers.clone() {
        let x = place(object);
        if on_page <= 256 {
            edges.push_str(&format!("M{x:.1} {y}v24"));
        }
        if model.wrote(0, object) {
            written.push_str(&format!("M{x:.1} {}h{mark:.1}v20h-{mark:.1}z", y + 2.0));
        }
    }
    let cell = model.cell(0, model.column);
    let page = bytes(page_bytes);
    let said = match (on_page, cell.copied) {
        (0, false) => "worker 1 shares it".to_owned(),
        (0, true) => format!("written, so all {page} are copied"),
        (n, false) => format!("{} headers, none written", number(n as f64)),
        (n, true) => {
            let written = number(cell.written as f64);
            format!("{written} of {} headers written, {page} copied", number(n as f64))
        }
    };
    let column = model.column + 1;
    let text = layout.pick(format!("page {column}: {said}"), said.clone());
    let title = layout.pick("inside a page".to_owned(), format!("inside page {column}, as worker 1 has it"));
    let class = if cell.copied { "fc-copied" } else { "fc-shared" };
    let (tx, ty) = layout.pick((120.0, y + 42.0), (4.0, y + 44.0));
    Node::from([
        svg::text("", (layout.pick(0.0, 4.0), y + layout.pick(16.0, -8.0)), title),
        svg::rect(class, Rect::new(x0, y, width, 24.0)).set("rx", 2),
        svg::path("fc-edges", edges),
        svg::path("fc-written", written),
        svg::text("small", (tx, ty), text),
    ])
}

/// RSS, PSS, USS of a worker and of the parent, and of all together.
fn accounts(model: &ForkCow, plan: &Plan, layout: Layout) -> Node {
    let books = model.books();
    let y = plan.bars_y;
    let (x_parent, y_parent) = layout.pick((372.0, y), (4.0, y + 92.0));
    let (x_all, y_all) = layout.pick((0.0, y + 96.0), (4.0, y + 184.0));
    let x = layout.pick(0.0, 4.0);
    let unit = layout.pick(200.0, 200.0);
    let full = books.worker.rss.max(1.0);
    let three =
        |a: Account| [("RSS", a.rss, "bar pale-bar"), ("PSS", a.pss, "bar"), ("USS", a.uss, "fc-copied")];
    let all =
        [("sum of RSS", books.rss_sum(), "bar pale-bar"), ("in use, sum of PSS", books.in_use(), "bar")];
    let all_unit = layout.pick(456.0, 132.0);
    Node::from([
        svg::text("strong", (x, y + 12.0), "Each worker"),
        three(books.worker)
            .map(|b| b)
            .into_iter()
            .enumerate()
            .map(|(i, b)| bar(x, y + 20.0 + 20.0 * i as f64, 40.0, unit * b.1 / full, b))
            .collect::<Node>(),
        svg::text("strong", (x_parent, y_parent + 12.0), "Parent"),
        three(books.parent)
            .into_iter()
            .enumerate()
            .map(|(i, b)| bar(x_parent, y_parent + 20.0 + 20.0 * i as f64, 40.0, unit * b.1 / full, b))
            .collect::<Node>(),
        svg::text("strong", (x_all, y_all + 12.0), format!("Parent and {} workers", books.workers)),
        all.into_iter()
            .enumerate()
            .map(|(i, b)| {
                bar(x_all, y_all + 20.0 + 20.0 * i as f64, 132.0, all_unit * b.1 / books.rss_sum(), b)
            })
            .collect::<Node>(),
    ])
}

fn bar(
    x: f64,
    y: f64,
    label: f64,
    length: f64,
    (name, value, class): (&'static str, f64, &'static str),
) -> Node {
    let length = (length * 10.0).round() / 10.0;
    Node::from([
        svg::text("small", (x, y + 12.0), name),
        svg::g("cpu").with(svg::rect(class, Rect::new(x + label, y + 1.0, length, 14.0))),
        svg::text("small", (x + label + length + 6.0, y + 12.0), bytes_decimal(value)),
    ])
}
