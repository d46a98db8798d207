//! State of the explorer and what follows from it.

use crate::kit::units::{duration_ns, large, number, rate};
use crate::kit::{Counter, DataTable, FigureModel, Query, Reading, Taken};

use super::row::{Evidence, Group, Row, Span};
use super::rows;

/// What the axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Time until the first byte, or the duration of an event.
    Latency,
    /// Bytes per second once data flows.
    Bandwidth,
}

/// How times are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As they are.
    Real,
    /// As if an L1 hit of 1 ns took one second.
    Human,
}

/// Stretch of [`Scale::Human`]: 1 ns becomes 1 s.
const HUMAN: f64 = 1e9;

/// GPU that could compute meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpu {
    /// GeForce RTX 4090.
    Rtx4090,
    /// H200.
    H200,
    /// B200.
    B200,
}

impl Gpu {
    /// All, slowest first.
    pub const ALL: [Self; 3] = [Self::Rtx4090, Self::H200, Self::B200];

    /// Name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rtx4090 => "RTX 4090",
            Self::H200 => "H200",
            Self::B200 => "B200",
        }
    }

    /// Name with its article, at the start of a sentence.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Rtx4090 => "An RTX 4090",
            Self::H200 => "An H200",
            Self::B200 => "A B200",
        }
    }

    /// Dense bf16 operations per second of its tensor cores; vendor figures.
    pub fn flops(self) -> f64 {
        match self {
            Self::Rtx4090 => 165e12,
            Self::H200 => 989e12,
            Self::B200 => 2_250e12,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Rtx4090 => "4090",
            Self::H200 => "h200",
            Self::B200 => "b200",
        }
    }
}

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
        let mut order: Vec<&Row> = rows().iter().collect();
        if self.quantity == Quantity::Bandwidth {
            let width = |row: &Row| row.bytes_per_s.map_or(0.0, |span| span.high);
            order.sort_by(|a, b| width(b).total_cmp(&width(a)));
        }
        order
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
mod tests {
    use std::collections::BTreeSet;

    use drills_results::{Measurement, Report, Unit, keys};

    use super::*;

    #[test]
    fn the_axis_reaches_from_a_register_to_another_rack_in_three_groups() {
        assert!(rows().len() >= 28, "{} rows", rows().len());
        for (group, word) in GROUPS {
            assert!(rows().iter().filter(|r| r.group == group).count() >= 8, "{word}");
        }
        for id in
            ["register", "l1", "l2", "l3", "dram", "dram-remote", "tlb-walk", "launch", "nvme", "rdma-far"]
        {
            assert!(rows().iter().any(|r| r.id == id), "{id}");
        }
        let ids: BTreeSet<_> = rows().iter().map(|r| r.id).collect();
        assert_eq!(ids.len(), rows().len(), "an id is there twice");
    }

    #[test]
    fn rows_are_sorted_and_whole() {
        let mut before = 0.0;
        for row in rows() {
            assert!(row.place_ns() >= before, "{}", row.id);
            before = row.place_ns();
            assert!(row.name.chars().count() <= 27, "{}", row.name);
            assert!(!row.note.is_empty() && !row.source.is_empty(), "{}", row.id);
            for span in [row.latency_ns, row.bytes_per_s].into_iter().flatten() {
                assert!(span.low > 0.0 && span.low <= span.high, "{}", row.id);
            }
        }
    }

    #[test]
    fn measured_values_lie_within_a_factor_of_four_of_their_ballpark() {
        for row in rows() {
            if let (Some((low, high)), Some(span)) = (row.h200_ns, row.latency_ns) {
                assert!(low <= high && high >= span.low / 4.0 && low <= span.high * 4.0, "{}", row.id);
            }
        }
    }

    #[test]
    fn an_idle_gpu_counts_operations() {
        let state = Latency { row: "dram", gpu: Gpu::H200, ..Latency::default() };
        let row = state.chosen();
        // 98.7 ns, the middle of 75 to 130, times 989 TFLOP/s.
        let expected = (75.0f64 * 130.0).sqrt() * 1e-9 * 989e12;
        assert!((state.operations(row).unwrap_or(0.0) - expected).abs() < 1.0);
        assert!(state.sentence().contains("97.7\u{a0}million"), "{}", state.sentence());
    }

    #[test]
    fn an_l1_hit_of_a_nanosecond_becomes_a_second() {
        let state = Latency { scale: Scale::Human, ..Latency::default() };
        assert_eq!(state.tell(1.0), "1\u{a0}s");
        assert_eq!(state.tell(90.0), "1.5\u{a0}min");
        assert_eq!(state.tell(5e6), "57.9\u{a0}days");
    }

    #[test]
    fn every_key_is_one_that_the_drills_know() {
        for key in Latency::keys() {
            assert!(keys::find(key).is_some(), "{key}");
        }
    }

    fn report() -> Report {
        let text = r#"{"schema":{"name":"host-drills-results","version":1},"tool":{"name":"drills","version":"0"},
            "taken_at":"2026-11-29T12:00:00Z","label":"my box","machine":{},"measurements":[]}"#;
        let mut report: Report = serde_json::from_str(text).expect("a small report");
        let ns = |key: &str, value: f64| Measurement::ok(key, Unit::Ns, value, "test");
        report.measurements = vec![
            ns("latency.chase.dram", 200.0),
            ns("latency.chase.dram_page_per_line", 260.0),
            ns("latency.chase.dram_huge", 180.0),
        ];
        report
    }

    #[test]
    fn the_readers_values_come_with_their_ratio_and_differences_are_taken() {
        let yours = Taken::from_report(&report(), Latency::keys());
        let state = Latency { yours, ..Latency::default() };
        let ratio = state.ratio(state.chosen()).unwrap_or(0.0);
        assert!((ratio - 200.0 / (75.0f64 * 130.0).sqrt()).abs() < 1e-9);
        assert!(state.sentence().contains("On my box: 200\u{a0}ns"), "{}", state.sentence());
        let walk = rows().iter().find(|r| r.id == "tlb-walk").and_then(|r| state.yours(r));
        assert_eq!(walk.map(|r| r.value), Some(80.0));
        let kept = Latency::default().carry_over(&state);
        assert!(kept.yours(kept.chosen()).is_some(), "a preset forgot the readings");
    }

    #[test]
    fn a_state_survives_its_link_and_nonsense_falls_back() {
        let state = Latency {
            quantity: Quantity::Bandwidth,
            scale: Scale::Human,
            gpu: Gpu::B200,
            row: "nvme",
            ..Latency::default()
        }
        .filtered(Some(Group::Devices));
        assert_eq!(Latency::from_query(&state.to_query()), state);
        let hash = Query::from_hash("latency", "#fig-latency?row=nowhere&gpu=9&group=x").unwrap_or_default();
        assert_eq!(Latency::from_query(&hash), Latency::default());
    }

    #[test]
    fn a_filter_never_leaves_a_row_chosen_that_it_hides() {
        let state = Latency::default().filtered(Some(Group::Software));
        assert_eq!(state.chosen().group, Group::Software);
    }

    #[test]
    fn the_widest_pipe_is_on_top_of_the_bandwidth_view() {
        let state = Latency { quantity: Quantity::Bandwidth, ..Latency::default() };
        let order = state.order();
        assert_eq!(order[0].id, "gpu-memory");
        let without = order.iter().position(|r| r.bytes_per_s.is_none()).unwrap_or(order.len());
        assert!(order[without..].iter().all(|r| r.bytes_per_s.is_none()));
        assert_eq!(order.len(), rows().len());
    }

    #[test]
    fn ranges_name_a_shared_unit_once() {
        assert_eq!(range("75\u{a0}ns", "130\u{a0}ns"), "75 to 130\u{a0}ns");
        assert_eq!(range("800\u{a0}ns", "3\u{a0}µs"), "800\u{a0}ns to 3\u{a0}µs");
        assert_eq!(range("5\u{a0}ms", "5\u{a0}ms"), "5\u{a0}ms");
    }
}
