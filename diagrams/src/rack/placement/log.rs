//! The steps as a list that can be pressed, and what `free` prints.

use super::model::{MAX_STEPS, Placement, Replay};
use super::report::free_line;
use super::rules::Fate;
use super::words::{line, verdict};
use crate::kit::scene::Rect;
use crate::kit::{Layout, Node, part_with_words, svg};

/// Height of a line.
const PITCH: f64 = 28.0;

/// Height of the list: it has room for the longest one.
pub fn height(layout: Layout) -> f64 {
    PITCH * layout.pick(MAX_STEPS / 2, MAX_STEPS) as f64
}

/// The list. Pressing a line goes to the state behind that step.
pub fn log(model: &Placement, replay: &Replay, layout: Layout, top: f64) -> Node {
    let column = layout.pick(MAX_STEPS / 2, MAX_STEPS);
    let width = layout.pick(352.0, 332.0);
    let one = |(i, step): (usize, &super::step::Step)| {
        let x = 4.0 + (i / column) as f64 * 360.0;
        let y = top + PITCH * (i % column) as f64;
        let outcome = replay.outcomes.get(i);
        let ended = outcome.map_or("", |outcome| verdict(step, outcome));
        let now = i + 1 == model.done;
        let row = match (now, outcome) {
            (true, _) => "pl-log pl-now",
            (false, Some(_)) => "pl-log",
            (false, None) => "pl-log pl-later",
        };
        let class = match outcome.map(|o| o.fate) {
            Some(Fate::OutOfMemory | Fate::Killed | Fate::KilledOther | Fate::NoNode) => {
                "strong end trouble pl-said"
            }
            Some(Fate::Done) if ended == "ok" => "muted end",
            _ => "strong end caution pl-said",
        };
        let what = line(step);
        let label = "Step ".to_owned() + &(i + 1).to_string() + ": " + &what + ". " + ended;
        let shape = svg::rect("pl-line", Rect::new(x, y + 1.0, width, PITCH - 2.0)).set("rx", 4);
        let words = Node::from([
            svg::text("strong end", (x + 20.0, y + 18.0), (i + 1).to_string()),
            svg::text("", (x + 30.0, y + 18.0), what),
            svg::text(class, (x + width - 8.0, y + 18.0), ended),
        ]);
        svg::g(row).with(part_with_words(i, label, Some(now), shape, words))
    };
    let empty = if model.steps.is_empty() { "No step yet." } else { "" };
    svg::g("")
        .with(svg::text("muted", (8.0, top + 18.0), empty))
        .with(model.steps.iter().enumerate().map(one).collect::<Node>())
}

/// What `free -g` prints, in decimal gigabytes.
pub fn free(replay: &Replay, layout: Layout, top: f64) -> Node {
    let line = free_line(&replay.tray);
    let cells = [
        ("total", line.total),
        ("used", line.used),
        ("free", line.free),
        (layout.pick("buff/cache", "cache"), line.cache),
        ("swap", replay.tray.swapped()),
    ];
    let (left, step) = layout.pick((108.0, 104.0), (64.0, 60.0));
    let cell = |(i, (head, mb)): (usize, &(&'static str, u32))| {
        let x = left + step * (i + 1) as f64 - 28.0;
        let gb = (mb + 500) / 1_000;
        Node::from([
            svg::text("small muted end", (x, top + 12.0), *head),
            svg::text("end strong", (x, top + 28.0), gb.to_string()),
        ])
    };
    let name = layout.pick("free, in GB", "free");
    svg::g("")
        .with(svg::text("mono", (4.0, top + 28.0), name))
        .with(cells.iter().enumerate().map(cell).collect::<Node>())
}
