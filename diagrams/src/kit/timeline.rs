//! Timelines: lanes of actors over time. A bar is work, a hatched bar is waiting, a tinted one is a place
//! in use, a diamond is the moment a call returns.
//!
//! A figure decides where its lanes are; this module places bars in them, draws the axis, and makes sure
//! that a lane costs a handful of elements whatever the number of its bars.

use super::node::Node;
use super::scene::Role;
use super::svg;
use super::units::duration_ns;

/// A stretch of time in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Begin.
    pub start_ns: f64,
    /// End.
    pub end_ns: f64,
}

impl Span {
    /// A stretch from begin to end.
    pub fn new(start_ns: f64, end_ns: f64) -> Self {
        Self { start_ns, end_ns }
    }

    /// Its length.
    pub fn length_ns(self) -> f64 {
        self.end_ns - self.start_ns
    }
}

/// Sum of the lengths of stretches that do not overlap.
pub fn total_ns(spans: &[Span]) -> f64 {
    spans.iter().map(|s| s.length_ns()).sum()
}

/// How a bar looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Solid: somebody works.
    Work,
    /// Hatched: somebody waits.
    Wait,
    /// Tinted: something is occupied.
    Held,
}

/// Bars of one kind in a lane.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Whose work it is.
    pub role: Role,
    /// How they look.
    pub look: Look,
    /// Row inside the lane, for lanes that hold several things.
    pub row: usize,
    /// When, in order and without overlap.
    pub spans: Vec<Span>,
    /// Text for a bar that has room for it.
    pub label: &'static str,
}

impl Bars {
    /// Bars in a lane of one row, without text.
    pub fn new(role: Role, look: Look, spans: Vec<Span>) -> Self {
        Self { role, look, row: 0, spans, label: "" }
    }

    /// The same bars with a text.
    pub fn labelled(self, label: &'static str) -> Self {
        Self { label, ..self }
    }
}

/// One actor.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Name, at the left.
    pub name: &'static str,
    /// Rows that share the lane's height.
    pub rows: usize,
    /// Its bars; later ones are drawn over earlier ones.
    pub bars: Vec<Bars>,
    /// Moments at which a call returns.
    pub moments_ns: Vec<f64>,
}

/// A time axis in a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Timeline {
    /// Unique in the page, since patterns are found by id.
    pub id: &'static str,
    /// Left edge of the lanes' names.
    pub name_x: f64,
    /// Left and right end of the axis in units of the viewBox.
    pub axis_x: (f64, f64),
    /// Time at the right end, in nanoseconds; the left end is zero.
    pub end_ns: f64,
    /// Height of a lane.
    pub lane_height: f64,
}

/// Bars per path at most: more could not be told apart.
const MAX_BARS: usize = 120;
/// Width of a letter, generous enough for the widest system font.
const LETTER: f64 = 7.9;
/// Narrowest bar that is still seen.
const THINNEST: f64 = 1.0;

impl Timeline {
    /// Place of a moment on the axis.
    pub fn x(&self, at_ns: f64) -> f64 {
        let share = if self.end_ns > 0.0 { (at_ns / self.end_ns).clamp(0.0, 1.0) } else { 0.0 };
        self.axis_x.0 + share * (self.axis_x.1 - self.axis_x.0)
    }

    /// The hatching that stands for waiting. Once in each `<svg>` with a timeline.
    pub fn hatching(&self) -> Node {
        svg::el("defs").with(
            svg::el("pattern")
                .set("id", self.id)
                .set("width", 6)
                .set("height", 6)
                .set("patternUnits", "userSpaceOnUse")
                .set("patternTransform", "rotate(45)")
                .with(svg::path("hatch-line", "M0 0V6")),
        )
    }

    /// Times worth a mark: 1, 2 or 5 times a power of ten, at most `most` of them.
    pub fn ticks_ns(&self, most: usize) -> Vec<f64> {
        let raw = self.end_ns / most.max(1) as f64;
        let decade = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * decade).into_iter().find(|&s| s >= raw * 0.999);
        let step = step.unwrap_or(decade * 10.0);
        if !step.is_finite() || step <= 0.0 {
            return vec![0.0];
        }
        (0..=most).map(|i| i as f64 * step).take_while(|&t| t <= self.end_ns * 1.0001).collect()
    }

    /// Marks from `top` to `bottom` with their times below.
    pub fn axis(&self, top: f64, bottom: f64, most: usize) -> Node {
        let ticks = self.ticks_ns(most);
        let lines: String = ticks.iter().map(|&t| format!("M{:.1} {top}V{bottom}", self.x(t))).collect();
        let labels: Vec<_> = (0..=most)
            .map(|i| {
                let at = ticks.get(i).copied();
                let x = at.map_or(self.axis_x.0, |t| self.x(t));
                let class = if i == 0 { "small muted" } else { "small muted middle" };
                // Near the right end a centred text would leave the picture.
                let text = at
                    .filter(|_| x < self.axis_x.1 - 12.0)
                    .map(|t| if t == 0.0 { "0".into() } else { duration_ns(t) })
                    .unwrap_or_default();
                svg::text(class, (round(x), bottom + 16.0), text)
            })
            .collect();
        Node::from([svg::path("grid", lines), labels.into()])
    }

    /// One lane with its upper edge at `y`.
    pub fn lane(&self, y: f64, lane: &Lane) -> Node {
        let height = self.lane_height;
        let row_height = height / lane.rows.max(1) as f64;
        let bars: Vec<_> = lane.bars.iter().map(|bars| self.bars(y, row_height, lane.rows, bars)).collect();
        let diamonds: String =
            lane.moments_ns.iter().map(|&t| diamond(self.x(t), y + height / 2.0)).collect();
        let (x0, x1) = self.axis_x;
        Node::from([
            svg::text("", (self.name_x, y + height / 2.0 + 4.5), lane.name),
            svg::path("lane-rule", format!("M{x0} {}H{x1}", y + height)),
            bars.into(),
            svg::path("moment", diamonds),
        ])
    }

    fn bars(&self, y: f64, row_height: f64, rows: usize, bars: &Bars) -> Node {
        let top = y + bars.row as f64 * row_height + if rows > 1 { 1.0 } else { 2.0 };
        let height = row_height - if rows > 1 { 2.0 } else { 4.0 };
        let grouped = group(&bars.spans, MAX_BARS);
        let mut path = String::new();
        for span in &grouped {
            let (x0, x1) = (self.x(span.start_ns), self.x(span.end_ns));
            let width = (x1 - x0).max(if bars.look == Look::Wait { 0.0 } else { THINNEST });
            if width > 0.0 {
                path.push_str(&format!("M{:.1} {top}h{:.1}v{height}h-{:.1}z", x0, width, width));
            }
        }
        let class = match bars.look {
            Look::Work => format!("{} lane-bar", bars.role.class()),
            Look::Held => format!("{} lane-bar held", bars.role.class()),
            Look::Wait => "lane-wait".to_owned(),
        };
        let fill = (bars.look == Look::Wait).then(|| format!("url(#{})", self.id));
        let (label, x) = self.label(bars, &grouped);
        let label_class = if bars.look == Look::Work { "small on-bar middle" } else { "small halo middle" };
        Node::from([
            svg::path(class, path).set_some("fill", fill),
            svg::text(label_class, (round(x), top + height / 2.0 + 4.5), label),
        ])
    }

    /// The text and its centre, if there is room for it: in the longest bar, or across bars that leave
    /// next to no gaps.
    fn label(&self, bars: &Bars, grouped: &[Span]) -> (&'static str, f64) {
        let needed = bars.label.chars().count() as f64 * LETTER + 8.0;
        let longest = grouped.iter().copied().max_by(|a, b| a.length_ns().total_cmp(&b.length_ns()));
        let whole = grouped.first().zip(grouped.last()).map(|(a, b)| Span::new(a.start_ns, b.end_ns));
        let whole = whole.filter(|w| total_ns(grouped) >= 0.95 * w.length_ns());
        let room = [longest, whole].into_iter().flatten().map(|s| (self.x(s.start_ns), self.x(s.end_ns)));
        match room.into_iter().find(|(x0, x1)| x1 - x0 >= needed) {
            Some((x0, x1)) if !bars.label.is_empty() => (bars.label, (x0 + x1) / 2.0),
            _ => ("", self.axis_x.0),
        }
    }
}

/// Puts neighbours together until at most `most` bars are left. Each keeps the sum of its parts, so that
/// the share of time that is filled stays true.
fn group(spans: &[Span], most: usize) -> Vec<Span> {
    let size = spans.len().div_ceil(most).max(1);
    let join = |part: &[Span]| {
        let start_ns = part.first().map_or(0.0, |s| s.start_ns);
        Span::new(start_ns, start_ns + total_ns(part))
    };
    spans.chunks(size).map(join).collect()
}

fn diamond(x: f64, y: f64) -> String {
    format!("M{x:.1} {:.1}l6 6l-6 6l-6-6z", y - 6.0)
}

/// Tenths of a unit are enough for a drawing.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(end_ns: f64) -> Timeline {
        Timeline { id: "t", name_x: 0.0, axis_x: (100.0, 700.0), end_ns, lane_height: 24.0 }
    }

    #[test]
    fn ticks_are_round_few_and_reach_across() {
        for end in [3.0, 999.0, 5_000.0, 41.7e6, 1.2e9, 7.0e10] {
            for most in [3, 6] {
                let ticks = timeline(end).ticks_ns(most);
                assert!((2..=most + 1).contains(&ticks.len()), "{end}: {ticks:?}");
                let step = ticks[1];
                let digit = step / 10f64.powf(step.log10().floor());
                assert!([1.0, 2.0, 5.0, 10.0].iter().any(|d| (digit - d).abs() < 1e-6), "{end}: step {step}");
                assert!(end - ticks[ticks.len() - 1] < step, "{end}: {ticks:?} ends early");
            }
        }
    }

    #[test]
    fn grouping_keeps_the_filled_time() {
        let spans: Vec<Span> =
            (0..10_000).map(|i| Span::new(i as f64 * 10.0, i as f64 * 10.0 + 3.0)).collect();
        let grouped = group(&spans, 120);
        assert!(grouped.len() <= 120);
        assert!((total_ns(&grouped) - total_ns(&spans)).abs() < 1e-6);
        assert!(grouped.windows(2).all(|w| w[0].end_ns <= w[1].start_ns));
        assert_eq!(group(&spans[..3], 120), &spans[..3]);
    }

    #[test]
    fn moments_lie_on_the_axis() {
        let timeline = timeline(100.0);
        assert_eq!(timeline.x(0.0), 100.0);
        assert_eq!(timeline.x(50.0), 400.0);
        assert_eq!(timeline.x(1e9), 700.0);
    }

    #[test]
    fn a_label_is_only_drawn_where_it_fits() {
        let timeline = timeline(100.0);
        let bars = |end| Bars::new(Role::Gpu, Look::Work, vec![Span::new(0.0, end)]).labelled("kernel");
        assert_eq!(timeline.label(&bars(50.0), &[Span::new(0.0, 50.0)]).0, "kernel");
        assert_eq!(timeline.label(&bars(2.0), &[Span::new(0.0, 2.0)]).0, "");
        let dense: Vec<Span> = (0..50).map(|i| Span::new(f64::from(i), f64::from(i) + 0.99)).collect();
        assert_eq!(timeline.label(&bars(50.0), &dense).0, "kernel");
        let sparse: Vec<Span> = (0..50).map(|i| Span::new(f64::from(i), f64::from(i) + 0.5)).collect();
        assert_eq!(timeline.label(&bars(50.0), &sparse).0, "");
    }
}
