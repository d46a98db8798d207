//! State of the explorer and what follows from it.

use crate::kit::units::{duration_ns, large, number, rate};
use crate::kit::{Counter, DataTable, FigureModel, Query, Reading, Taken, ascending};

use super::choice::{Gpu, Quantity, Scale};
use super::row::{Evidence, Group, Row, Span};
use super::rows;

/// Stretch of [`Scale::Human`]: 1 ns becomes 1 s.
const HUMAN: f64 = 1e9;

/// The groups with their words in links.
const GROUPS: [(Group, &str); 3] =
    [(Group::Memory, "memory"), (Group::Software, "software"), (Group::Devices, "devices")];

/// State of the explorer.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// What the axis shows.
    pub quantity: Quantity,
    /// How times are told.
    pub scale: Scale,
    /// The only group that can be chosen, or none for all.
    pub filter: Option<Group>,
    /// GPU to compare with.
    pub gpu: Gpu,
    /// Id of the chosen row.
    pub row: &'static str,
    /// The reader's own values.
    pub yours: Taken,
}

/// Chosen at first: the distance that most host code waits for.
const FIRST_ROW: &str = "dram";

impl Default for Latency {
    fn default() -> Self {
        Self {
            quantity: Quantity::Latency,
            scale: Scale::Real,
            filter: None,
            gpu: Gpu::H200,
            row: FIRST_ROW,
            yours: Taken::default(),
        }
    }
}

impl Latency {
    /// Keys of the results format that the figure reads.
    pub fn keys() -> Vec<&'static str> {
        rows().iter().flat_map(|r| r.yours.keys().chain(r.yours_bandwidth.keys())).collect()
    }

    /// The rows from top to bottom: nearest first, or widest first and then those without a bandwidth.
    pub fn order(&self) -> Vec<&'static Row> {
        let rank = |row: &Row| match self.quantity {
            Quantity::Latency => 0.0,
            Quantity::Bandwidth => -row.bytes_per_s.map_or(0.0, |span| span.high),
        };
        let ranks: Vec<f64> = rows().iter().map(rank).collect();
        ascending(&ranks).into_iter().map(|i| &rows()[i]).collect()
    }

    /// The chosen row.
    pub fn chosen(&self) -> &'static Row {
        rows().iter().find(|r| r.id == self.row).unwrap_or(&rows()[0])
    }

    /// Whether a row can be chosen under the present filter.
    pub fn enabled(&self, row: &Row) -> bool {
        self.filter.is_none_or(|group| group == row.group)
    }

    /// The same with another filter; if that hides the chosen row, the first row of the group is chosen.
    pub fn filtered(mut self, filter: Option<Group>) -> Self {
        self.filter = filter;
        if !self.enabled(self.chosen()) {
            let first = self.order().into_iter().find(|row| self.enabled(row));
            self.row = first.map_or(FIRST_ROW, |row| row.id);
        }
        self
    }

    /// What the axis shows of a row.
    pub fn span(&self, row: &Row) -> Option<Span> {
        match self.quantity {
            Quantity::Latency => row.latency_ns,
            Quantity::Bandwidth => row.bytes_per_s,
        }
    }

    /// The H200 machine's measured range where the axis shows latencies.
    pub fn h200(&self, row: &Row) -> Option<(f64, f64)> {
        row.h200_ns.filter(|_| self.quantity == Quantity::Latency)
    }

    /// The reader's value of a row, in the quantity that the axis shows.
    pub fn yours(&self, row: &Row) -> Option<Reading> {
        match self.quantity {
            Quantity::Latency => row.yours.read(&self.yours),
            Quantity::Bandwidth => row.yours_bandwidth.read(&self.yours),
        }
    }

    /// A value of the axis for people.
    pub fn tell(&self, value: f64) -> String {
        match (self.quantity, self.scale) {
            (Quantity::Latency, Scale::Real) => duration_ns(value),
            (Quantity::Latency, Scale::Human) => duration_ns(value * HUMAN),
            (Quantity::Bandwidth, _) => rate(value),
        }
    }

    /// A range for people: one number if both ends read the same, the unit once if they share it.
    pub fn tell_span(&self, low: f64, high: f64) -> String {
        range(&self.tell(low), &self.tell(high))
    }

    /// The latency that sums use: the reader's own, else the middle of the range.
    pub fn typical_ns(&self, row: &Row) -> Option<f64> {
        row.yours.read(&self.yours).map(|r| r.value).or(row.latency_ns.map(Span::middle))
    }

    /// Operations that the chosen GPU could do during a row's latency.
    pub fn operations(&self, row: &Row) -> Option<f64> {
        self.typical_ns(row).map(|ns| ns * 1e-9 * self.gpu.flops())
    }

    /// The reader's value as a multiple of the middle of the range.
    pub fn ratio(&self, row: &Row) -> Option<f64> {
        Some(self.yours(row)?.value / self.span(row)?.middle())
    }

    fn latency_text(row: &Row) -> String {
        row.latency_ns.map_or_else(
            || "no public number".into(),
            |span| range(&duration_ns(span.low), &duration_ns(span.high)),
        )
    }

    /// Latency and what it means: the first half of the sentence.
    fn reading(&self, row: &Row) -> String {
        let Some(span) = row.latency_ns else {
            return format!("{}: no public number.", row.name);
        };
        let human = range(&duration_ns(span.low * HUMAN), &duration_ns(span.high * HUMAN));
        let meanwhile = self.operations(row).map(large).unwrap_or_default();
        format!(
            "{}: {} ({}), or {human} if an L1 hit took one second. {} does {meanwhile} operations meanwhile.",
            row.name,
            Self::latency_text(row),
            span.evidence.word(),
            self.gpu.with_article(),
        )
    }

    fn own_words(&self, row: &Row) -> String {
        let (Some(own), Some(ratio)) = (self.yours(row), self.ratio(row)) else { return String::new() };
        format!(
            " On {}: {}, {} × the middle of the range.",
            self.yours.label,
            self.tell_real(own.value),
            number(ratio)
        )
    }

    fn tell_real(&self, value: f64) -> String {
        Self { scale: Scale::Real, ..self.clone() }.tell(value)
    }
}

/// Two told ends as one phrase.
fn range(low: &str, high: &str) -> String {
    if low == high {
        return low.to_owned();
    }
    match (low.split_once('\u{a0}'), high.split_once('\u{a0}')) {
        (Some((number, a)), Some((_, b))) if a == b => format!("{number} to {high}"),
        _ => format!("{low} to {high}"),
    }
}

impl FigureModel for Latency {
    fn to_query(&self) -> Query {
        let group =
            self.filter.and_then(|f| GROUPS.iter().find(|(g, _)| *g == f)).map_or("all", |(_, word)| word);
        let quantity = if self.quantity == Quantity::Bandwidth { "bandwidth" } else { "latency" };
        let scale = if self.scale == Scale::Human { "human" } else { "real" };
        Query::new()
            .set("show", quantity, "latency")
            .set("scale", scale, "real")
            .set("group", group, "all")
            .set("gpu", self.gpu.code(), Gpu::H200.code())
            .set("row", self.row, FIRST_ROW)
    }

    fn from_query(query: &Query) -> Self {
        let default = Self::default();
        let known = |id: &str| rows().iter().find(|r| r.id == id).map(|r| r.id);
        let gpu = |code: &str| Gpu::ALL.into_iter().find(|g| g.code() == code);
        let group = |word: &str| GROUPS.iter().find(|(_, w)| *w == word).map(|(g, _)| *g);
        let state = Self {
            quantity: if query.get("show") == Some("bandwidth") {
                Quantity::Bandwidth
            } else {
                Quantity::Latency
            },
            scale: if query.get("scale") == Some("human") { Scale::Human } else { Scale::Real },
            filter: None,
            gpu: query.get("gpu").and_then(gpu).unwrap_or(default.gpu),
            row: query.get("row").and_then(known).unwrap_or(default.row),
            yours: Taken::default(),
        };
        state.filtered(query.get("group").and_then(group))
    }

    fn sentence(&self) -> String {
        let row = self.chosen();
        let head = match (self.quantity, row.bytes_per_s) {
            (Quantity::Latency, _) => self.reading(row),
            (Quantity::Bandwidth, None) => {
                format!("{}: an event or a single access, no bandwidth of its own.", row.name)
            }
            (Quantity::Bandwidth, Some(span)) => {
                let told = range(&rate(span.low), &rate(span.high));
                format!("{}: {told} ({}) once data flows.", row.name, span.evidence.word())
            }
        };
        format!("{head}{}", self.own_words(row))
    }

    fn note(&self) -> Option<String> {
        let row = self.chosen();
        Some(format!("{} Source: {}.", row.note, row.source))
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&[
            "Distance",
            "Latency",
            "Kind",
            "On the H200 host",
            "Yours",
            "Bandwidth",
            "What it means",
            "Source",
        ]);
        for row in rows() {
            let cell = |text: Option<String>| text.unwrap_or_else(|| "–".into());
            let kind = row.latency_ns.map_or("unknown", |span| span.evidence.word());
            let measured =
                |span: Span| (span.evidence == Evidence::Measured).then_some((span.low, span.high));
            let h200 = row.h200_ns.or(row.latency_ns.and_then(measured));
            table.row([
                row.name.to_owned(),
                Self::latency_text(row),
                kind.to_owned(),
                cell(h200.map(|(low, high)| range(&duration_ns(low), &duration_ns(high)))),
                cell(row.yours.read(&self.yours).map(|r| duration_ns(r.value))),
                cell(
                    row.bytes_per_s
                        .map(|s| format!("{} ({})", range(&rate(s.low), &rate(s.high)), s.evidence.word())),
                ),
                row.note.to_owned(),
                row.source.to_owned(),
            ]);
        }
        table
    }

    fn counters(&self) -> Vec<Counter> {
        let row = self.chosen();
        let own = self.yours(row).map(|own| self.tell_real(own.value));
        let missing = if self.yours.is_empty() { "no results file chosen" } else { "not in your file" };
        let human = row.latency_ns.map_or("unknown".into(), |s| duration_ns(s.middle() * HUMAN));
        vec![
            Counter::new("If L1 took a second", human),
            Counter::new(
                "Against an L1 hit",
                row.latency_ns.map_or("unknown".into(), |s| format!("{} ×", number(s.middle()))),
            ),
            Counter::new(
                "The GPU meanwhile",
                self.operations(row).map_or("unknown".into(), |n| format!("{} operations", large(n))),
            ),
            Counter::new("Yours", own.unwrap_or_else(|| missing.into())),
        ]
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

#[cfg(test)]
mod tests;
