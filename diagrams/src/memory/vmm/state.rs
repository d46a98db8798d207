//! What the reader chose, and what follows from it in words.

use super::call::{Call, LIMITS, letter, read_calls};
use super::driver::{DEVICE_MIB, Driver};
use super::outcome::{Evidence, Outcome, Status};
use super::scripts::Story;
use crate::kit::{Counter, DataTable, FigureModel, Query};

/// Calls that a reader's own sequence may have.
const MOST_CALLS: usize = 60;

/// Arguments for the next call of the reader's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// Who calls.
    pub process: usize,
    /// Address in MiB.
    pub at: u32,
    /// Size in MiB.
    pub mib: u32,
    /// Handle.
    pub memory: usize,
    /// GPU.
    pub device: usize,
    /// Whether memory is created with a handle type.
    pub shareable: bool,
}

impl Arguments {
    /// What the picture has no room for.
    fn names(&self) -> String {
        let kind = if self.shareable { ", fd type" } else { "" };
        format!("{}, GPU {}{kind}", name(self.memory), self.device)
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Self { process: 0, at: 2, mib: 4, memory: 0, device: 0, shareable: true }
    }
}

/// State of the figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vmm {
    /// The story told.
    pub story: Story,
    /// The reader's own sequence; none for that of the story.
    pub own: Option<Vec<Call>>,
    /// Calls made.
    pub step: usize,
    /// Arguments for the next call.
    pub next: Arguments,
}

impl Default for Vmm {
    fn default() -> Self {
        // Reserved, created, mapped, granted: everything has its place.
        Self { story: Story::default(), own: None, step: 4, next: Arguments::default() }
    }
}

impl Vmm {
    /// A story at one of its steps.
    pub fn telling(story: Story, step: usize) -> Self {
        Self { story, step, ..Self::default() }
    }

    /// The sequence to step through.
    pub fn calls(&self) -> &[Call] {
        self.own.as_deref().unwrap_or(self.story.calls())
    }

    /// The driver as it is now, and what each call so far returned.
    pub fn so_far(&self) -> (Driver, Vec<(Call, Outcome)>) {
        let mut driver = Driver::default();
        let made = self.calls().iter().take(self.step).map(|&call| (call, driver.call(call))).collect();
        (driver, made)
    }

    /// Continues from the present step with a call of the reader's choice.
    pub fn make(&mut self, call: Call) {
        let mut calls = self.calls().to_vec();
        calls.truncate(self.step);
        if calls.len() >= MOST_CALLS {
            calls.clear();
        }
        calls.push(call);
        // What was just made is the handle that most people want next.
        let before = Self { step: calls.len() - 1, own: Some(calls.clone()), ..self.clone() }.so_far().0;
        self.step = calls.len();
        self.own = Some(calls);
        let made = self.so_far().0.memories.len();
        if made > before.memories.len() {
            self.next.memory = (made - 1).min(LIMITS.2);
        }
    }

    /// The multicast object that a team call means: the last one.
    pub fn team(&self) -> usize {
        let (driver, _) = self.so_far();
        let is_team = |m: &super::Memory| matches!(m.kind, super::Kind::Team { .. });
        driver.memories.iter().rposition(is_team).unwrap_or(self.next.memory)
    }
}

/// A call with who makes it.
pub fn tell(call: Call) -> String {
    format!("Process {}: {}", call.process(), call.text())
}

fn from_digits(text: &str) -> Option<Arguments> {
    let digits: Vec<u32> = text.chars().map(|c| c.to_digit(36)).collect::<Option<_>>()?;
    let [process, at, mib, memory, device, shareable] = digits[..] else { return None };
    let fits = process < 2 && at <= LIMITS.0 && (1..=LIMITS.1).contains(&mib) && memory as usize <= LIMITS.2;
    (fits && device < 2 && shareable < 2).then_some(Arguments {
        process: process as usize,
        at,
        mib,
        memory: memory as usize,
        device: device as usize,
        shareable: shareable == 1,
    })
}

fn to_digits(next: Arguments) -> String {
    let digits = [
        next.process as u32,
        next.at,
        next.mib,
        next.memory as u32,
        next.device as u32,
        u32::from(next.shareable),
    ];
    digits.into_iter().filter_map(|d| char::from_digit(d, 36)).collect()
}

impl FigureModel for Vmm {
    fn to_query(&self) -> Query {
        let default = Self::default();
        let own = self.own.as_ref().map(|calls| calls.iter().map(|c| c.code()).collect::<String>());
        Query::new()
            .set("story", self.story.id(), default.story.id())
            .set("own", own.unwrap_or_default(), String::new())
            .set("step", self.step, default.step)
            .set("next", to_digits(self.next), to_digits(default.next))
    }

    fn from_query(query: &Query) -> Self {
        let default = Self::default();
        let story = Story::ALL.into_iter().find(|s| Some(s.id()) == query.get("story")).unwrap_or_default();
        let own = query.get("own").map(|text| read_calls(text, MOST_CALLS)).filter(|calls| !calls.is_empty());
        let next = query.get("next").and_then(from_digits).unwrap_or(default.next);
        let mut state = Self { story, own, step: query.parse("step", default.step), next };
        state.step = state.step.min(state.calls().len());
        state
    }

    fn sentence(&self) -> String {
        let (_, made) = self.so_far();
        made.last().map_or_else(
            || self.story.opening().to_owned(),
            |(call, outcome)| match outcome.status {
                Status::Waits => format!("{} does not return. {}", tell(*call), outcome.why),
                status => format!("{} returns {}. {}", tell(*call), status.name(), outcome.why),
            },
        )
    }

    fn note(&self) -> Option<String> {
        let (_, made) = self.so_far();
        let source = match made.last().map(|(_, outcome)| outcome.evidence) {
            None => "Each call is checked as the driver checks it.",
            Some(Evidence::Seen) => "Seen on the H200 host, driver 580.159.04.",
            Some(Evidence::Manual) => "As CUDA's driver API manual has it; not tried on the H200 host.",
        };
        Some(format!(
            "{source} Granularity 2 MiB, the ranges and GPUs are small on purpose: PyTorch reserves 157 GiB on an H200 for one segment."
        ))
    }

    fn table(&self) -> DataTable {
        let mut table =
            DataTable::new(&["call", "process", "function", "arguments", "returns", "why", "known from"]);
        let mut driver = Driver::default();
        for (i, &call) in self.calls().iter().enumerate() {
            let outcome = driver.call(call);
            let later = i >= self.step;
            table.row([
                if later { format!("{}, to come", i + 1) } else { (i + 1).to_string() },
                call.process().to_string(),
                call.function().to_owned(),
                call.arguments(),
                outcome.status.name().into(),
                outcome.why.into(),
                if outcome.evidence == Evidence::Seen { "H200 host" } else { "manual" }.into(),
            ]);
        }
        table
    }

    fn counters(&self) -> Vec<Counter> {
        let (driver, made) = self.so_far();
        let reserved: u32 = driver.reservations.iter().map(|r| r.2).sum();
        let mapped: u32 = driver.mappings.iter().map(|m| m.mib).sum();
        let handles: u32 = driver.memories.iter().map(|m| m.handles.iter().sum::<u32>()).sum();
        let failed = made.iter().filter(|(_, outcome)| !outcome.is_success()).count();
        let used = [0, 1].map(|device| driver.used_mib(device));
        vec![
            Counter::new("Addresses reserved", format!("{reserved}\u{a0}MiB")),
            Counter::new("Addresses mapped", format!("{mapped}\u{a0}MiB")),
            Counter::new("GPU 0, GPU 1 taken", format!("{}, {} of {DEVICE_MIB}\u{a0}MiB", used[0], used[1])),
            Counter::new("Handles held", handles.to_string()),
            Counter::new("Calls that failed", failed.to_string()),
            Counter::new("Next call names", self.next.names()),
        ]
    }
}

/// What refers to a memory, in few letters: handles, mappings, descriptor.
pub fn references(driver: &Driver, memory: usize) -> String {
    let of = &driver.memories[memory];
    let handles: u32 = of.handles.iter().sum();
    let descriptor = if of.descriptor { " fd" } else { "" };
    format!("h{handles} m{}{descriptor}", driver.mapped(memory))
}

/// What a memory is called in the picture.
pub fn name(memory: usize) -> String {
    letter(memory).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_its_address() {
        for story in Story::ALL {
            let mut state = Vmm::telling(story, 3);
            assert_eq!(Vmm::from_query(&state.to_query()), state);
            for call in story.calls() {
                state.make(*call);
            }
            state.next = Arguments { process: 1, at: 13, mib: 16, memory: 5, device: 1, shareable: false };
            assert_eq!(Vmm::from_query(&state.to_query()), state);
        }
        assert!(Vmm::default().to_query().is_empty());
    }

    #[test]
    fn nonsense_in_an_address_is_harmless() {
        for hash in [
            "#fig-x?story=tragedy&own=ZZZ&step=999&next=zzzzzz",
            "#fig-x?own=R0&step=-1&next=9",
            "#fig-x?own=Rzzz%F0%9F%92%A9&step=77",
            "#fig-x?own=M00gzW0fg&step=2",
        ] {
            let state = Vmm::from_query(&Query::from_hash("x", hash).expect("is ours"));
            assert!(state.step <= state.calls().len());
            assert_eq!(state.so_far().1.len(), state.step);
            assert!(!state.sentence().is_empty());
        }
    }

    #[test]
    fn stories_end_as_they_should() {
        let end = |story: Story| Vmm::telling(story, story.calls().len()).so_far();
        let (life, made) = end(Story::Life);
        assert!(made.iter().all(|(_, o)| o.is_success()));
        assert!(life.reservations.is_empty() && life.used_mib(0) == 0);
        let (segment, made) = end(Story::Segment);
        assert_eq!(made.iter().filter(|(_, o)| !o.is_success()).count(), 1, "only 4 MiB in one piece fail");
        assert_eq!((segment.used_mib(0), segment.mappings.len()), (8, 4));
        let (peer, made) = end(Story::Peer);
        assert!(made.iter().all(|(_, o)| o.is_success()));
        assert_eq!(peer.used_mib(0), 0);
        let (_, made) = end(Story::Multicast);
        let waits: Vec<bool> = made.iter().map(|(_, o)| o.status == Status::Waits).collect();
        assert_eq!(waits.iter().filter(|w| **w).count(), 1);
        assert!(made.iter().all(|(_, o)| o.is_success() || o.status == Status::Waits));
    }

    #[test]
    fn the_wrong_order_shows_every_error_that_was_seen() {
        let (driver, made) = Vmm::telling(Story::WrongOrder, Story::WrongOrder.calls().len()).so_far();
        let failed: Vec<Status> =
            made.iter().filter(|(_, o)| !o.is_success()).map(|(_, o)| o.status).collect();
        assert_eq!(failed.iter().filter(|s| **s == Status::InvalidValue).count(), 11);
        assert_eq!(failed.iter().filter(|s| **s == Status::NotSupported).count(), 1);
        assert!(made.iter().all(|(_, o)| o.evidence == Evidence::Seen));
        assert_eq!(driver.used_mib(0), 4, "released, and not freed");
    }

    #[test]
    fn own_calls_continue_from_the_present_step_and_never_grow_without_end() {
        let mut state = Vmm::default();
        state.make(Call::Create { process: 0, mib: 2, device: 0, shareable: false });
        assert_eq!((state.step, state.calls().len(), state.next.memory), (5, 5, 1));
        for _ in 0..200 {
            state.make(Call::Import { process: 0 });
        }
        assert!(state.calls().len() <= MOST_CALLS && state.to_query().to_hash("vmm").len() < 2_000);
    }

    #[test]
    fn every_step_of_every_story_reads_differently() {
        for story in Story::ALL {
            for step in 1..=story.calls().len() {
                let (now, before) = (Vmm::telling(story, step), Vmm::telling(story, step - 1));
                assert_ne!((now.sentence(), now.counters()), (before.sentence(), before.counters()));
            }
        }
    }
}
