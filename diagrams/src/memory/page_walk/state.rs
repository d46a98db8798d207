//! What the reader chose, and what follows from it.

use super::machine::{Level, Machine};
use super::outcome::{short_outcome, tell_outcome, tell_read};
use super::space::{Mapping, region_of};
use super::walk::{Access, Finding, Outcome, Walk, walk};
use crate::kit::units::bytes;
use crate::kit::{Counter, DataTable, FigureModel, Query};

/// The address that the text walks by hand.
pub const EXAMPLE: u64 = 0x7f3a_5c2d_e6b8;

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct PageWalk {
    /// The virtual address.
    pub address: u64,
    /// Kind of tables.
    pub machine: Machine,
    /// What is mapped.
    pub mapping: Mapping,
    /// What the program does.
    pub access: Access,
    /// Whether the page-walk caches know the upper levels.
    pub warm: bool,
    /// Steps shown; none for all of them.
    pub shown: Option<usize>,
    /// What stands in the field for the address since the reader last typed there.
    pub typed: String,
}

impl Default for PageWalk {
    fn default() -> Self {
        Self {
            address: EXAMPLE,
            machine: Machine::default(),
            mapping: Mapping::default(),
            access: Access::default(),
            warm: false,
            shown: None,
            typed: String::new(),
        }
    }
}

impl PageWalk {
    /// The whole walk.
    pub fn walk(&self) -> Walk {
        walk(self.machine, self.mapping, self.address, self.access)
    }

    /// Steps: the cut, each read, the ending.
    pub fn steps(&self) -> usize {
        self.walk().reads.len() + 2
    }

    /// Present step, from 0.
    pub fn step(&self) -> usize {
        let last = self.steps() - 1;
        self.shown.map_or(last, |shown| shown.min(last))
    }

    /// Goes to a step. The last one stays the last one when the address changes.
    pub fn go(&mut self, step: usize) {
        self.shown = Some(step).filter(|&s| s + 1 < self.steps());
    }

    /// Takes what was typed; it becomes the address as soon as it is one.
    pub fn type_address(&mut self, typed: &str) {
        self.address = parse_address(typed).unwrap_or(self.address);
        typed.clone_into(&mut self.typed);
    }

    /// What stands in the field, and what is wrong with it. Text that means the address stays as typed; once
    /// another control has moved the address, the field follows.
    pub fn address_text(&self) -> (String, String) {
        match parse_address(&self.typed) {
            Ok(address) if address == self.address => (self.typed.clone(), String::new()),
            Err(problem) if !self.typed.is_empty() => (self.typed.clone(), problem),
            _ => (format!("{:#x}", self.address), String::new()),
        }
    }

    /// Goes to another address by anything but the field.
    pub fn move_to(&mut self, address: u64) {
        self.address = address;
        self.typed.clear();
    }

    /// Sets the index of a level and repairs the sign extension.
    pub fn set_index(&mut self, level: &Level, index: u64) {
        self.move_to(self.machine.extended(level.with_index(self.address, index)));
    }

    /// Sets the offset in a base page.
    pub fn set_offset(&mut self, offset: u64) {
        let mask = self.machine.page_bytes() - 1;
        self.move_to((self.address & !mask) | (offset & mask));
    }

    fn opening(&self) -> String {
        let indices: Vec<String> =
            self.machine.levels().iter().map(|l| l.index(self.address).to_string()).collect();
        let (last, upper) = indices.split_last().map_or(("", &[][..]), |(l, u)| (l.as_str(), u));
        format!(
            "{:#x} is cut into the indices {} and {last} and the offset {:#x}. {} holds the address of the root; nothing has been read yet.",
            self.address,
            upper.join(", "),
            self.machine.offset(self.address),
            self.machine.root_register(self.machine.is_high(self.address)),
        )
    }

    /// What lies at the address, for a note.
    fn place(&self) -> String {
        let size = bytes(self.machine.page_bytes() as f64);
        match self.mapping {
            Mapping::Process => region_of(self.machine, self.machine.untagged(self.address)).map_or_else(
                || "Nothing is mapped at this address.".into(),
                |r| format!("The address lies in {}.", r.name),
            ),
            Mapping::Base => format!("Every address is mapped, in pages of {size}."),
            Mapping::Large | Mapping::Largest => "Every address is mapped, in large pages.".into(),
        }
    }
}

/// Parses an address as people type it: hex with or without `0x`, with `_` or spaces between digits.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn parse_address(text: &str) -> Result<u64, String> {
    let digits: String = text.chars().filter(|c| !matches!(c, '_' | ' ' | '\'' | '`')).collect();
    let digits = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(&digits);
    if digits.is_empty() {
        return Err("Type an address, such as 0x7f3a5c2de6b8".into());
    }
    if let Some(odd) = digits.chars().find(|c| !c.is_ascii_hexdigit()) {
        return Err(format!("“{odd}” is no digit: type 0 to 9, a to f"));
    }
    let significant = digits.trim_start_matches('0');
    if significant.len() > 16 {
        return Err(format!("{} digits: an address has at most 16", significant.len()));
    }
    u64::from_str_radix(digits, 16).map_err(|_| "This is no address.".into())
}

impl FigureModel for PageWalk {
    fn to_query(&self) -> Query {
        let default = Self::default();
        Query::new()
            .set("va", format!("{:x}", self.address), format!("{:x}", default.address))
            .set("tables", self.machine.id(), default.machine.id())
            .set("mapped", self.mapping.id(), default.mapping.id())
            .set("do", self.access.name(), default.access.name())
            .set("warm", self.warm, default.warm)
            .set("step", self.shown.map_or(-1, |s| s as i64), -1)
    }

    fn from_query(query: &Query) -> Self {
        let default = Self::default();
        let named = |key: &str| query.get(key).unwrap_or_default().to_owned();
        let mut state = Self {
            address: query.get("va").and_then(|v| parse_address(v).ok()).unwrap_or(default.address),
            machine: Machine::ALL.into_iter().find(|m| m.id() == named("tables")).unwrap_or_default(),
            mapping: Mapping::ALL.into_iter().find(|m| m.id() == named("mapped")).unwrap_or_default(),
            access: Access::ALL.into_iter().find(|a| a.name() == named("do")).unwrap_or_default(),
            warm: query.parse("warm", default.warm),
            ..default
        };
        if let Some(step) = query.get("step").and_then(|v| v.parse().ok()) {
            state.go(step);
        }
        state
    }

    fn sentence(&self) -> String {
        let (walk, step) = (self.walk(), self.step());
        match step.checked_sub(1) {
            None => self.opening(),
            Some(read) if read < walk.reads.len() => tell_read(self.machine, &walk.reads[read]),
            Some(_) => tell_outcome(self.machine, &walk, self.access),
        }
    }

    fn note(&self) -> Option<String> {
        let walk = self.walk();
        let caches = match (self.warm, walk.reads.len()) {
            (_, 0) => "The check costs nothing, and no cache is asked.",
            (true, _) => {
                "A walk nearby has left the upper entries in the page-walk caches, so only the last read is made."
            }
            (false, _) => {
                "All reads are made: the page-walk caches are cold. After a walk nearby only the last one would be left."
            }
        };
        Some(format!("{} {caches} Table addresses are invented.", self.place()))
    }

    fn table(&self) -> DataTable {
        let mut table =
            DataTable::new(&["read", "table", "bits", "index", "table at", "entry at", "entry says"]);
        let (walk, levels) = (self.walk(), self.machine.levels());
        for (number, level) in levels.iter().enumerate() {
            let read = walk.reads.get(number);
            let hex = |value: Option<u64>| value.map_or_else(|| "not read".to_owned(), |v| format!("{v:#x}"));
            let says = match read.map(|r| r.finding) {
                None => "not read".into(),
                Some(Finding::Nothing) => "not present".into(),
                Some(Finding::Table(next)) => format!("table {next:#x}"),
                Some(Finding::Page { base, bytes: size }) => format!("{} page {base:#x}", bytes(size as f64)),
            };
            table.row([
                (number + 1).to_string(),
                format!("{} ({})", level.name, level.manual),
                format!("{}–{}", level.low + level.bits - 1, level.low),
                level.index(self.address).to_string(),
                hex(read.map(|r| r.table)),
                hex(read.map(|r| r.entry)),
                says,
            ]);
        }
        let end = match walk.outcome {
            Outcome::Reached { physical, .. } => format!("{physical:#x}"),
            other => short_outcome(other, self.access).into(),
        };
        let size = match walk.outcome {
            Outcome::Reached { bytes, .. } => bytes,
            _ => self.machine.page_bytes(),
        };
        table.row([
            "end".to_owned(),
            "byte".into(),
            format!("{}–0", size.ilog2() - 1),
            format!("{:#x}", self.address & (size - 1)),
            String::new(),
            end,
            short_outcome(walk.outcome, self.access).into(),
        ]);
        table
    }

    fn counters(&self) -> Vec<Counter> {
        let walk = self.walk();
        let (reads, levels) = (walk.reads.len(), self.machine.levels().len());
        // Each guest table lies at a guest-physical address, and so does the byte: host walks for all.
        let nested = if reads == 0 { 0 } else { (reads + 1) * (levels + 1) - 1 };
        let page = match walk.outcome {
            Outcome::Reached { bytes: size, .. } => bytes(size as f64),
            _ => "none".into(),
        };
        vec![
            Counter::new("Table reads", reads.to_string()),
            Counter::new("of them made", walk.from_memory(self.warm).to_string()),
            Counter::new("In a VM, at worst", nested.to_string()),
            Counter::new("Page", page),
            Counter::new("Outcome", short_outcome(walk.outcome, self.access)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_its_address() {
        let state = PageWalk {
            address: 0xffff_8880_1234_5678,
            machine: Machine::X86Five,
            mapping: Mapping::Large,
            access: Access::Write,
            warm: true,
            shown: Some(2),
            typed: String::new(),
        };
        assert_eq!(PageWalk::from_query(&state.to_query()), state);
        assert!(PageWalk::default().to_query().is_empty());
    }

    #[test]
    fn nonsense_in_an_address_is_harmless() {
        for hash in ["#fig-x?va=zz&tables=vax&mapped=&do=eat&step=99", "#fig-x?va=fffffffffffffffff&step=-7"]
        {
            let state = PageWalk::from_query(&Query::from_hash("x", hash).expect("is ours"));
            assert_eq!(state, PageWalk::default());
        }
    }

    #[test]
    fn addresses_are_read_as_people_type_them() {
        for text in [
            "0x7f3a5c2de6b8",
            "7F3A5C2DE6B8",
            "0x7f3a_5c2d_e6b8",
            " 7f3a 5c2d e6b8 ",
            "00000000000007f3a5c2de6b8",
        ] {
            assert_eq!(parse_address(text), Ok(EXAMPLE), "{text}");
        }
        assert_eq!(parse_address("ffffffffffffffff"), Ok(u64::MAX));
        for wrong in ["", "0x", "0x12g4", "11111111111111111", "-1", "ü"] {
            assert!(parse_address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_step_reads_differently_and_the_end_stays_the_end() {
        let mut state = PageWalk::default();
        let mut seen = std::collections::HashSet::new();
        for step in 0..state.steps() {
            state.go(step);
            assert_eq!(state.step(), step);
            assert!(seen.insert(state.sentence()), "step {step}");
        }
        assert_eq!(state.shown, None);
        state.machine = Machine::Arm64K;
        assert_eq!(state.step() + 1, state.steps());
    }

    #[test]
    fn a_nested_walk_of_four_by_four_makes_24_reads() {
        let counters = PageWalk::default().counters();
        assert_eq!(counters[2].value, "24");
    }

    #[test]
    fn sliders_change_their_field_and_no_other() {
        let mut state = PageWalk::default();
        let levels = state.machine.levels();
        state.set_index(&levels[1], 7);
        state.set_offset(0xfff);
        let now: Vec<u64> = levels.iter().map(|l| l.index(state.address)).collect();
        assert_eq!((now, state.machine.offset(state.address)), (vec![254, 7, 225, 222], 0xfff));
        state.set_index(&levels[0], 300);
        assert!(state.machine.is_canonical(state.address) && state.address >> 48 == 0xffff);
    }

    #[test]
    fn outcomes_are_told_apart() {
        let told = |address, access| PageWalk { address, access, ..PageWalk::default() }.sentence();
        assert!(told(0x7f3b_4000_0000, Access::Write).contains("minor fault"));
        assert!(told(0x7f30_0000_0000, Access::Write).contains("Copy-on-write"));
        assert!(told(0x7f3c_6000_0000, Access::Write).contains("SEGV_ACCERR"));
        assert!(told(0x5a5a_0000_1000, Access::Read).contains("SEGV_MAPERR"));
        assert!(told(0x8000_0000_0000, Access::Read).contains("general protection"));
        assert!(told(EXAMPLE, Access::Read).starts_with("Four reads"));
    }
}
