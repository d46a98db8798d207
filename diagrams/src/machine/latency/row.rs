//! What the explorer knows about one distance.

use crate::kit::scene::Role;
use crate::kit::{Reading, Taken};

/// The three groups that the reader can filter by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Registers, caches, memories.
    Memory,
    /// What the operating system and CUDA charge.
    Software,
    /// Devices and networks.
    Devices,
}

/// How far a range can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// An order of magnitude for current hardware, right within a factor of two.
    Ballpark,
    /// Somebody's published measurement or a data sheet.
    Published,
    /// Measured for this course.
    Measured,
    /// Computed from other values.
    Expected,
}

impl Evidence {
    /// The word that tables and sentences use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ballpark => "ballpark",
            Self::Published => "published",
            Self::Measured => "measured",
            Self::Expected => "expected",
        }
    }
}

/// A range of values in base units: nanoseconds or bytes per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Lower end.
    pub low: f64,
    /// Upper end; equal to `low` for a single value.
    pub high: f64,
    /// Where it comes from.
    pub evidence: Evidence,
}

impl Span {
    /// An order of magnitude.
    pub const fn ballpark(low: f64, high: f64) -> Self {
        Self { low, high, evidence: Evidence::Ballpark }
    }

    /// Somebody's published values.
    pub const fn published(low: f64, high: f64) -> Self {
        Self { low, high, evidence: Evidence::Published }
    }

    /// Measured for this course.
    pub const fn measured(low: f64, high: f64) -> Self {
        Self { low, high, evidence: Evidence::Measured }
    }

    /// Computed.
    pub const fn expected(low: f64, high: f64) -> Self {
        Self { low, high, evidence: Evidence::Expected }
    }

    /// The middle on a log axis.
    pub fn middle(self) -> f64 {
        (self.low * self.high).sqrt()
    }
}

/// Which of the reader's measurements belongs to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yours {
    /// The drills do not measure this.
    Nothing,
    /// One key.
    Key(&'static str),
    /// The first key less the second.
    Difference(&'static str, &'static str),
}

impl Yours {
    /// The keys it needs.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        let (first, second) = match self {
            Self::Nothing => (None, None),
            Self::Key(key) => (Some(key), None),
            Self::Difference(whole, part) => (Some(whole), Some(part)),
        };
        first.into_iter().chain(second)
    }

    /// The reader's value, if their file has it. A difference that is not above zero is none.
    pub fn read(self, taken: &Taken) -> Option<Reading> {
        match self {
            Self::Nothing => None,
            Self::Key(key) => taken.get(key).filter(|r| r.value > 0.0),
            Self::Difference(whole, part) => {
                let value = taken.get(whole)?.value - taken.get(part)?.value;
                (value > 0.0).then_some(Reading { value, spread: None })
            }
        }
    }
}

/// One distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Short id, as in links.
    pub id: &'static str,
    /// Name in the chart, at most 27 characters.
    pub name: &'static str,
    /// Its group.
    pub group: Group,
    /// What kind of thing it is, for the colour.
    pub role: Role,
    /// Time until the first byte, or for an event its duration, in ns. None if nobody has published one.
    pub latency_ns: Option<Span>,
    /// The same on the H200 machine of this course, in ns.
    pub h200_ns: Option<(f64, f64)>,
    /// Bytes per second once data flows, where that means something.
    pub bytes_per_s: Option<Span>,
    /// The reader's latency.
    pub yours: Yours,
    /// The reader's bandwidth.
    pub yours_bandwidth: Yours,
    /// Where the number comes from in substance, and why it matters.
    pub note: &'static str,
    /// Source in a few words.
    pub source: &'static str,
}

impl Row {
    /// A row about which nothing is known yet: a base for struct update.
    pub const fn new(id: &'static str, name: &'static str, group: Group, role: Role) -> Self {
        Self {
            id,
            name,
            group,
            role,
            latency_ns: None,
            h200_ns: None,
            bytes_per_s: None,
            yours: Yours::Nothing,
            yours_bandwidth: Yours::Nothing,
            note: "",
            source: "",
        }
    }

    /// Where it stands among the others: the middle of its range, or infinity if unknown.
    pub fn place_ns(&self) -> f64 {
        self.latency_ns.map_or(f64::INFINITY, Span::middle)
    }
}
