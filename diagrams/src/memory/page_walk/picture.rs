//! The picture: the address as bits, the tables below it.

use super::outcome::short_outcome;
use super::state::PageWalk;
use super::walk::{Finding, Outcome, Read};
use crate::kit::scene::{Rect, step_mark};
use crate::kit::units::bytes;
use crate::kit::{Layout, Node, pointable, svg};

/// A run of bits with one meaning.
struct Field {
    name: String,
    value: String,
    class: &'static str,
    high: u32,
    low: u32,
    lit: bool,
}

/// Draws the figure.
pub fn picture(model: &PageWalk, layout: Layout) -> Node {
    let height = layout.pick(452.0, 676.0);
    let columns = model.machine.levels().len() + 1;
    let tables: Vec<_> = (0..columns).map(|at| table(model, layout, at, columns)).collect();
    svg::picture(
        (layout.width(), height),
        "The bits of the address and the tables that the walk reads",
        false,
    )
    .with(bits(model, layout))
    .with(tables)
}

fn fields(model: &PageWalk) -> Vec<Field> {
    let (machine, address, step) = (model.machine, model.address, model.step());
    let walk = model.walk();
    let levels = machine.levels();
    let top = machine.address_bits();
    let canonical = machine.is_canonical(address);
    let rule = match (canonical, machine.is_x86()) {
        (false, _) => "not canonical".to_owned(),
        (true, true) if top == 48 => "like bit 47".into(),
        (true, true) => "like 56".into(),
        (true, false) => machine.root_register(machine.is_high(address)).into(),
    };
    let mut fields = vec![Field {
        name: format!("63–{top}"),
        value: rule,
        class: if canonical { "plain" } else { "trouble" },
        high: 63,
        low: top,
        lit: !canonical,
    }];
    for (at, level) in levels.iter().enumerate() {
        let (high, low) = (level.low + level.bits - 1, level.low);
        let range = if high == low { high.to_string() } else { format!("{high}–{low}") };
        fields.push(Field {
            name: format!("{} {range}", level.name),
            value: level.index(address).to_string(),
            class: if at % 2 == 0 { "kernel" } else { "kernel pw-odd" },
            high,
            low,
            lit: step == at + 1 && at < walk.reads.len(),
        });
    }
    fields.push(Field {
        name: format!("offset {}–0", machine.page_shift() - 1),
        value: format!("{:#x}", machine.offset(address)),
        class: "cpu",
        high: machine.page_shift() - 1,
        low: 0,
        lit: step > walk.reads.len() && matches!(walk.outcome, Outcome::Reached { .. }),
    });
    fields
}

/// Bits in a row, width of one, left edge, upper edges of the rows.
fn rows(layout: Layout) -> (u32, f64, f64, &'static [f64]) {
    layout.pick((64, 11.0, 8.0, &[32.0]), (32, 10.0, 10.0, &[32.0, 116.0]))
}

/// Height of a bit.
const BIT: f64 = 28.0;

fn bits(model: &PageWalk, layout: Layout) -> Node {
    let (per_row, width, left, tops) = rows(layout);
    let fields = fields(model);
    let mut parts = Vec::new();
    for field in &fields {
        let count = field.high - field.low + 1;
        // The row with more of the field's bits carries its name.
        let in_row = |row: usize| {
            let (row_high, row_low) = (63 - per_row * row as u32, 64 - per_row * (row as u32 + 1));
            let (high, low) = (field.high.min(row_high), field.low.max(row_low));
            (high >= low && field.high >= row_low && field.low <= row_high).then_some((high, low, row_high))
        };
        let largest = (0..tops.len()).max_by_key(|&r| in_row(r).map_or(0, |(h, l, _)| h - l + 1));
        for (row, top) in tops.iter().enumerate() {
            let Some((high, low, row_high)) = in_row(row) else { continue };
            let x = left + f64::from(row_high - high) * width;
            let named = largest == Some(row);
            parts.push(segment(Segment {
                at: Rect::new(x, *top, f64::from(high - low + 1) * width, BIT),
                field,
                digits: digits(model.address, high, low, x, width),
                name: if named { field.name.clone() } else { String::new() },
                value: if named { field.value.clone() } else { String::new() },
                few: count < 3,
            }));
        }
    }
    let flips = tops.iter().enumerate().map(|(row, top)| {
        let area = Rect::new(left, *top, f64::from(per_row) * width, BIT);
        pointable(svg::rect("pw-flip", area), row_number(per_row, row))
            .with(svg::el("title").with("Flip a bit"))
    });
    Node::from([parts.into(), flips.collect::<Node>()])
}

/// A row of bits as a part: its number of bits and its highest bit.
fn row_number(per_row: u32, row: usize) -> usize {
    per_row as usize * 64 + (63 - per_row as usize * row)
}

/// The bit under a share of such a row.
pub fn bit_at(part: usize, share: f64) -> Option<u32> {
    let (per_row, first) = ((part / 64) as u32, (part % 64) as u32);
    let column = (share * f64::from(per_row)).floor().clamp(0.0, f64::from(per_row.checked_sub(1)?));
    first.checked_sub(column as u32)
}

struct Segment<'a> {
    at: Rect,
    field: &'a Field,
    digits: (String, String),
    name: String,
    value: String,
    few: bool,
}

/// Digits of a run of bits and the place of each.
fn digits(address: u64, high: u32, low: u32, x: f64, width: f64) -> (String, String) {
    let text = (low..=high).rev().map(|bit| if address >> bit & 1 == 1 { '1' } else { '0' }).collect();
    let places: Vec<String> =
        (0..=high - low).map(|i| format!("{}", x + (f64::from(i) + 0.5) * width - 3.5)).collect();
    (text, places.join(" "))
}

fn segment(Segment { at, field, digits, name, value, few }: Segment<'_>) -> Node {
    let middle = at.center().0;
    let class = format!("pw-field {}{}", field.class, if field.lit { " lit" } else { "" });
    let name_class = if few { "small muted middle halo" } else { "small muted middle" };
    svg::g(class)
        .with(svg::rect("", Rect::new(at.x, at.y, at.width, at.height)))
        .with(
            svg::el("text").set("class", "pw-digits").set("x", digits.1).set("y", at.y + 18.5).with(digits.0),
        )
        .with(svg::text(name_class, (middle, at.y - 10.0), name))
        .with(svg::text("pw-value middle", (middle, at.y + BIT + 18.0), value))
}

/// What a table, or the page at the end, shows.
struct Shown {
    class: &'static str,
    title: String,
    detail: String,
    lines: [String; 3],
    verdict: String,
    /// Where in the box the entry or byte lies, 0 to 1.
    share: f64,
    label: String,
    number: String,
    next: bool,
}

fn table(model: &PageWalk, layout: Layout, at: usize, columns: usize) -> Node {
    let shown = if at + 1 < columns { level(model, at) } else { page(model) };
    let last = at + 1 == columns;
    match layout {
        Layout::Wide => column(&shown, at, columns, last),
        Layout::Narrow => row(&shown, at, last),
    }
}

fn level(model: &PageWalk, at: usize) -> Shown {
    let level = model.machine.levels()[at];
    let walk = model.walk();
    let read = walk.reads.get(at).filter(|_| at < model.step());
    let skipped = at >= walk.reads.len() && model.step() > walk.reads.len();
    let cached = model.warm && at + 1 < walk.reads.len();
    let now = model.step() == at + 1 || read.is_some() && model.shown.is_none();
    let text = |line: fn(&Read) -> String| read.map(line).unwrap_or_default();
    Shown {
        class: match (read.map(|r| r.finding), now) {
            (None, _) => "place kernel pw-later",
            (Some(Finding::Nothing), _) => "place trouble lit",
            (Some(_), true) => "place kernel lit",
            (Some(_), false) => "place kernel",
        },
        title: level.name.into(),
        detail: level.manual.into(),
        lines: [
            text(|r| format!("{:#x}", r.table)),
            text(|r| format!("+ {} × 8", r.index)),
            text(|r| format!("= {:#x}", r.entry)),
        ],
        verdict: match read.map(|r| r.finding) {
            None if skipped => "not read".into(),
            None => String::new(),
            Some(Finding::Nothing) => "✗ not present".into(),
            Some(Finding::Page { bytes: size, .. }) => format!("→ {} page", bytes(size as f64)),
            Some(Finding::Table(_)) if cached => "→ table, cached".into(),
            Some(Finding::Table(_)) => "→ table".into(),
        },
        share: level.index(model.address) as f64 / (level.entries() - 1).max(1) as f64,
        label: text(|r| r.index.to_string()),
        number: if read.is_some() { (at + 1).to_string() } else { String::new() },
        next: read.is_some_and(|r| matches!(r.finding, Finding::Table(_))),
    }
}

fn page(model: &PageWalk) -> Shown {
    let walk = model.walk();
    let done = model.step() > walk.reads.len();
    let verdict = if done { short_outcome(walk.outcome, model.access) } else { "" };
    let (class, lines, detail, share, label, mark) = match walk.outcome {
        Outcome::Reached { physical, bytes: size } if done => {
            let offset = model.address & (size - 1);
            let lines =
                [format!("{:#x}", physical - offset), format!("+ {offset:#x}"), format!("= {physical:#x}")];
            let share = offset as f64 / size as f64;
            ("place cpu lit", lines, bytes(size as f64), share, "byte".to_owned(), "✓ ")
        }
        Outcome::Reached { .. } => {
            ("place cpu pw-later", Default::default(), String::new(), 0.0, String::new(), "")
        }
        _ if done => ("place trouble lit", Default::default(), String::new(), 0.0, String::new(), "✗ "),
        _ => ("place plain pw-later", Default::default(), String::new(), 0.0, String::new(), ""),
    };
    let title = if done && !matches!(walk.outcome, Outcome::Reached { .. }) { "no page" } else { "page" };
    Shown {
        class,
        title: title.into(),
        detail,
        lines,
        verdict: format!("{mark}{verdict}"),
        share,
        label,
        number: String::new(),
        next: false,
    }
}

/// Left edge and width of a box in the wide drawing.
fn place_wide(at: usize, columns: usize) -> Rect {
    let pitch = 712.0 / columns as f64;
    Rect::new(8.0 + at as f64 * pitch, 160.0, pitch - 24.0, 160.0)
}

fn column(shown: &Shown, at: usize, columns: usize, last: bool) -> Node {
    let frame = place_wide(at, columns);
    let (entry, class) = entry_in(frame, shown, last);
    let next = place_wide(at + 1, columns);
    // From the entry to the first byte of what it names.
    let from = (frame.x + frame.width, entry.center().1);
    let bend = from.0 + 10.0;
    let reaches = last || shown.next || shown.verdict.contains("page");
    let arrow_to = if shown.next { next.x } else { place_wide(columns - 1, columns).x };
    let y = next.y + 8.0;
    let arrow = if reaches && !last && !shown.number.is_empty() {
        let over = if shown.next || at + 2 == columns {
            format!("H{bend}V{y}H{}", arrow_to - 6.0)
        } else {
            // Past tables that are not read.
            format!("H{bend}V{}H{}V{y}H{}", frame.y - 40.0, arrow_to - 14.0, arrow_to - 6.0)
        };
        format!("M{} {}{over}", from.0, from.1)
    } else {
        String::new()
    };
    let head = if arrow.is_empty() { String::new() } else { format!("M{} {y}l-9 -4.5v9z", arrow_to - 1.0) };
    let text_x = frame.x;
    let below = frame.y + frame.height;
    let lines = shown
        .lines
        .iter()
        .enumerate()
        .map(|(i, line)| svg::text("mono", (text_x, below + 24.0 + 18.0 * i as f64), line.clone()));
    Node::from([
        svg::g(shown.class)
            .with(svg::text("strong", (text_x, frame.y - 12.0), shown.title.clone()).with(
                svg::el("tspan").set("class", "small muted pw-plain").set("dx", 6).with(shown.detail.clone()),
            ))
            .with(svg::rect("place-fill", Rect::new(frame.x, frame.y, frame.width, frame.height)))
            .with(
                svg::rect("place-edge", Rect::new(frame.x, frame.y, frame.width, frame.height)).set("rx", 4),
            )
            .with(svg::rect(class, Rect::new(entry.x, entry.y, entry.width, entry.height)))
            .with(svg::text("pw-entry-text middle", (entry.center().0, entry.y + 15.0), shown.label.clone()))
            .with(lines.collect::<Node>())
            .with(svg::text("strong small pw-verdict", (text_x, below + 84.0), shown.verdict.clone())),
        svg::path("pw-arrow kernel", arrow),
        svg::path("pw-head kernel", head),
        svg::g(if shown.number.is_empty() { "pw-none" } else { "" }).with(step_mark(
            frame.x,
            entry.center().1,
            &shown.number,
        )),
    ])
}

/// The lit entry, or byte, in a box.
fn entry_in(frame: Rect, shown: &Shown, last: bool) -> (Rect, &'static str) {
    let height = 22.0f64.min(frame.height - 8.0);
    let y = frame.y + 2.0 + shown.share * (frame.height - height - 4.0);
    let shown_at_all = !shown.label.is_empty();
    let class = match (shown_at_all, last) {
        (false, _) => "pw-none",
        (true, false) => "pw-entry",
        (true, true) => "pw-entry pw-byte",
    };
    (Rect::new(frame.x + 2.0, y, frame.width - 4.0, height), class)
}

fn row(shown: &Shown, at: usize, last: bool) -> Node {
    let frame = Rect::new(20.0, 200.0 + at as f64 * 80.0, 84.0, 64.0);
    let (entry, class) = entry_in(frame, shown, last);
    let text_x = frame.x + frame.width + 16.0;
    let sum = [shown.lines[0].as_str(), shown.lines[1].as_str()].join(" ");
    Node::from([
        svg::g(shown.class)
            .with(
                svg::text(
                    "",
                    (text_x, frame.y + 12.0),
                    svg::el("tspan").set("class", "strong").with(shown.title.clone()),
                )
                .with(
                    svg::el("tspan")
                        .set("class", "small muted pw-plain")
                        .set("dx", 6)
                        .with(shown.detail.clone()),
                )
                .with(
                    svg::el("tspan")
                        .set("class", "strong pw-verdict")
                        .set("dx", 10)
                        .with(shown.verdict.clone()),
                ),
            )
            .with(svg::rect("place-fill", Rect::new(frame.x, frame.y, frame.width, frame.height)))
            .with(
                svg::rect("place-edge", Rect::new(frame.x, frame.y, frame.width, frame.height)).set("rx", 4),
            )
            .with(svg::rect(class, Rect::new(entry.x, entry.y, entry.width, entry.height)))
            .with(svg::text("pw-entry-text middle", (entry.center().0, entry.y + 15.5), shown.label.clone()))
            .with(svg::text("mono", (text_x, frame.y + 36.0), sum))
            .with(svg::text("mono", (text_x, frame.y + 56.0), shown.lines[2].clone())),
        svg::g(if shown.number.is_empty() { "pw-none" } else { "" }).with(step_mark(
            frame.x,
            entry.center().1,
            &shown.number,
        )),
    ])
}
