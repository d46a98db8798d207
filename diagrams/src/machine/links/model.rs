//! State of the figure and what follows from it.

use crate::kit::units::{duration_ns, number, rate};
use crate::kit::{Counter, DataTable, FigureModel, Query, Reading, Taken, ascending};

use super::choice::{Number, Order, Unit};
use super::link::{Kind, Link};
use super::own::OwnLink;
use super::pcie::Lanes;
use super::table::LINKS;

/// Words of the choices in links.
const NUMBERS: [(Number, &str); 3] =
    [(Number::Marketed, "marketed"), (Number::Direction, "direction"), (Number::Measured, "measured")];
const UNITS: [(Unit, &str); 3] = [(Unit::Rate, "rate"), (Unit::Gigabyte, "1gb"), (Unit::Checkpoint, "140gb")];
const ORDERS: [(Order, &str); 3] =
    [(Order::Family, "family"), (Order::Width, "width"), (Order::Loss, "loss")];

/// Id of the row that holds the reader's own link.
pub const OWN: &str = "yours";
const FIRST_ROW: &str = "pcie5";

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Which number counts.
    pub number: Number,
    /// What the axis shows.
    pub unit: Unit,
    /// Order of the rows.
    pub order: Order,
    /// Lanes of the PCIe links.
    pub lanes: Lanes,
    /// Chosen row: id of a link, or [`OWN`].
    pub row: &'static str,
    /// The reader's own values.
    pub yours: Taken,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            number: Number::Direction,
            unit: Unit::Rate,
            order: Order::Family,
            lanes: Lanes::FULL,
            row: FIRST_ROW,
            yours: Taken::default(),
        }
    }
}

/// What a row of the picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// A known link, at the chosen number of lanes.
    Known(Link),
    /// The reader's link between CPU and GPU.
    Own,
}

impl Entry {
    /// Id of the row.
    pub fn id(&self) -> &'static str {
        match self {
            Self::Known(link) => link.id,
            Self::Own => OWN,
        }
    }
}

impl Links {
    /// Rows from top to bottom; the reader's own link is always the first.
    pub fn entries(&self) -> Vec<Entry> {
        let links: Vec<Link> = LINKS.iter().map(|link| link.with_lanes(self.lanes)).collect();
        let rank = |link: &Link| match self.order {
            Order::Family => 0.0,
            Order::Width => -self.value(link).unwrap_or(0.0),
            Order::Loss => -link.shrinks(),
        };
        let ranks: Vec<f64> = links.iter().map(rank).collect();
        let known = ascending(&ranks).into_iter().map(|i| Entry::Known(links[i]));
        std::iter::once(Entry::Own).chain(known).collect()
    }

    /// The chosen link at the chosen number of lanes; none for the reader's own.
    pub fn chosen(&self) -> Option<Link> {
        LINKS.iter().find(|link| link.id == self.row).map(|link| link.with_lanes(self.lanes))
    }

    /// The number of a link that counts, in bytes per second.
    pub fn value(&self, link: &Link) -> Option<f64> {
        match self.number {
            Number::Marketed => Some(link.marketed),
            Number::Direction => Some(link.direction),
            Number::Measured => link.best_seen().map(|s| s.bytes_per_s),
        }
    }

    /// The reader's own link.
    pub fn own(&self) -> OwnLink {
        OwnLink::of(&self.yours)
    }

    /// A rate as the axis counts it: itself, or the nanoseconds that the bytes take.
    pub fn on_axis(&self, bytes_per_s: f64) -> f64 {
        self.unit.bytes().map_or(bytes_per_s, |bytes| bytes / bytes_per_s * 1e9)
    }

    /// A rate for people, as the axis counts it.
    pub fn tell(&self, bytes_per_s: f64) -> String {
        let value = self.on_axis(bytes_per_s);
        if self.unit == Unit::Rate { rate(value) } else { duration_ns(value) }
    }

    fn own_sentence(&self) -> String {
        let own = self.own();
        let Some(best) = own.best() else {
            return "Your link between CPU and GPU: choose a results file of your machine to see it here."
                .into();
        };
        let limit = own.direction.map_or_else(
            || " The link behind it does not tell its speed and width.".into(),
            |d| format!(" That is {} % of the {} that the link carries.", number(best / d * 100.0), rate(d)),
        );
        format!("{}: {} in a pinned copy.{limit} {}", self.yours.label, rate(best), checkpoint(best))
    }

    fn seen_words(link: &Link) -> String {
        match link.best_seen() {
            Some(seen) => format!("Seen: {} ({}).", rate(seen.bytes_per_s), seen.what),
            None => "Seen: no public number.".into(),
        }
    }
}

/// Time for a checkpoint of 140 GB.
fn checkpoint(bytes_per_s: f64) -> String {
    format!("140 GB take {}.", duration_ns(140e9 / bytes_per_s * 1e9))
}

fn word<T: PartialEq>(words: &[(T, &'static str)], value: &T) -> &'static str {
    words.iter().find(|(v, _)| v == value).map_or("", |(_, word)| word)
}

fn meaning<T: Copy>(words: &[(T, &str)], word: Option<&str>, default: T) -> T {
    word.and_then(|word| words.iter().find(|(_, w)| *w == word)).map_or(default, |(value, _)| *value)
}

impl FigureModel for Links {
    fn to_query(&self) -> Query {
        Query::new()
            .set("number", word(&NUMBERS, &self.number), "direction")
            .set("axis", word(&UNITS, &self.unit), "rate")
            .set("order", word(&ORDERS, &self.order), "family")
            .set("lanes", self.lanes.count(), Lanes::FULL.count())
            .set("row", self.row, FIRST_ROW)
    }

    fn from_query(query: &Query) -> Self {
        let default = Self::default();
        let ids = LINKS.iter().map(|link| link.id).chain([OWN]);
        let row = query.get("row").and_then(|row| ids.into_iter().find(|id| *id == row));
        Self {
            number: meaning(&NUMBERS, query.get("number"), default.number),
            unit: meaning(&UNITS, query.get("axis"), default.unit),
            order: meaning(&ORDERS, query.get("order"), default.order),
            lanes: Lanes::new(query.parse("lanes", Lanes::FULL.count())).unwrap_or(default.lanes),
            row: row.unwrap_or(default.row),
            yours: Taken::default(),
        }
    }

    fn sentence(&self) -> String {
        let Some(link) = self.chosen() else { return self.own_sentence() };
        format!(
            "{}: sold as {} ({}). One direction: {}. {} {}",
            link.full_name(self.lanes),
            rate(link.marketed),
            link.counts,
            rate(link.direction),
            Self::seen_words(&link),
            checkpoint(link.best_seen().map_or(link.direction, |s| s.bytes_per_s)),
        )
    }

    fn note(&self) -> Option<String> {
        Some(match self.chosen() {
            Some(link) => format!("{} Source: {}.", link.story, link.source),
            None => "Measured by the drill with pinned memory and the copy engine; the link is read while the copy runs, since it sleeps when idle.".into(),
        })
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&[
            "Link",
            "As marketed",
            "It counts",
            "Per direction",
            "Seen by software",
            "Source",
        ]);
        for entry in self.entries() {
            let Entry::Known(link) = entry else {
                let own = self.own();
                let told = |what: &str, r: Option<Reading>| r.map(|r| format!("{} ({what})", rate(r.value)));
                let seen: Vec<String> =
                    [told("to the GPU", own.to_device), told("from the GPU", own.from_device)]
                        .into_iter()
                        .flatten()
                        .collect();
                let seen = if seen.is_empty() { "no results file chosen".into() } else { seen.join("; ") };
                let direction = own.direction.map_or("–".into(), rate);
                table.row([
                    "Yours, CPU to GPU".to_owned(),
                    "–".into(),
                    "–".into(),
                    direction,
                    seen,
                    self.yours.label.clone(),
                ]);
                continue;
            };
            let told = |seen: &super::link::Seen| {
                let kind = match seen.kind {
                    Kind::Measured => "measured",
                    Kind::Published => "published",
                    Kind::Assumed => "assumed",
                };
                format!("{} {kind} ({})", rate(seen.bytes_per_s), seen.what)
            };
            let mut seen: Vec<String> = link.seen.iter().map(told).collect();
            if link.best_seen().is_none() {
                seen.push("no public number".into());
            }
            table.row([
                link.full_name(self.lanes),
                rate(link.marketed),
                link.counts.to_owned(),
                rate(link.direction),
                seen.join("; "),
                link.source.to_owned(),
            ]);
        }
        table
    }

    fn counters(&self) -> Vec<Counter> {
        let best = match self.chosen() {
            Some(link) => link.best_seen().map(|s| s.bytes_per_s),
            None => self.own().best(),
        };
        let direction = self.chosen().map(|l| l.direction).or(self.own().direction);
        let share =
            best.zip(direction).map(|(best, direction)| format!("{} %", number(best / direction * 100.0)));
        let headline = self.chosen().map(|link| format!("{} ×", number(link.shrinks())));
        let time = best.or(direction).map(|r| duration_ns(1e18 / r));
        let missing = if self.chosen().is_some() { "no public number" } else { "–" };
        vec![
            Counter::new("Headline over reality", headline.unwrap_or_else(|| "–".into())),
            Counter::new("Seen, of one direction", share.unwrap_or_else(|| missing.into())),
            Counter::new("1 GB takes", time.unwrap_or_else(|| "–".into())),
        ]
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

#[cfg(test)]
mod tests;
