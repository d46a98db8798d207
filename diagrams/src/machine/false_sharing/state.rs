//! What the reader chose, and what follows from it in words.

use super::mesi::Action;
use super::model::{
    Done, Op, Placement, RUN_LENGTH, Setup, System, Totals, Workload, run_one_thread, run_two_threads, turns,
};
use super::words;
use crate::kit::units::duration_ns;
use crate::kit::{Counter, DataTable, FigureModel, Query, Recall};

/// Accesses per thread that the stepper shows.
const SHOWN_EACH: usize = 10;
/// Accesses that a reader's own sequence may have.
const MAX_OWN: usize = 24;
/// Largest exponent of the turn length: 1,024 covers the whole run.
pub const MAX_TURN_EXPONENT: u32 = 10;

/// Measured on the reader's machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yours {
    /// One add while another core writes the same line, in nanoseconds.
    pub shared_ns: Option<f64>,
    /// One add with a line for each writer, in nanoseconds.
    pub padded_ns: Option<f64>,
    /// Handing a line over, for each of [`Placement::ALL`].
    pub transfer_ns: [Option<f64>; 4],
}

/// State of the figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FalseSharing {
    /// Where the threads run.
    pub placement: Placement,
    /// Whether each counter has a line of its own.
    pub padded: bool,
    /// What the threads do.
    pub workload: Workload,
    /// Accesses in a row before the other thread has its turn, as a power of two.
    pub turn_exponent: u32,
    /// The reader's own sequence; empty for that of the workload.
    pub own: Vec<Op>,
    /// Accesses done.
    pub step: usize,
    /// Measured on the reader's machine.
    pub yours: Yours,
}

impl FalseSharing {
    /// Where counters lie and what moving costs, with the reader's measured transfer time if there is one.
    pub fn setup(&self) -> Setup {
        let measured = Placement::ALL.iter().position(|&p| p == self.placement);
        let measured = measured.and_then(|i| self.yours.transfer_ns[i]);
        Setup {
            placement: self.placement,
            padded: self.padded,
            one_counter: self.workload == Workload::OneCounter,
            transfer_ns: measured.unwrap_or(self.placement.transfer_ns()),
        }
    }

    /// Accesses in a row before the other thread has its turn.
    pub fn turn(&self) -> usize {
        1 << self.turn_exponent
    }

    /// The sequence to step through.
    pub fn script(&self) -> Vec<Op> {
        if self.own.is_empty() {
            turns(self.workload, self.turn(), SHOWN_EACH).collect()
        } else {
            self.own.clone()
        }
    }

    /// Everything done up to the present step, and the caches as they are then.
    pub fn so_far(&self) -> (System, Vec<Done>) {
        let mut system = System::new(self.setup());
        let done = self.script().into_iter().take(self.step).map(|op| system.perform(op)).collect();
        (system, done)
    }

    /// Continues from the present step with an access of the reader's choice.
    pub fn act(&mut self, op: Op) {
        let mut ops = self.script();
        ops.truncate(self.step);
        if ops.len() >= MAX_OWN {
            ops.clear();
        }
        ops.push(op);
        self.step = ops.len();
        self.own = ops;
    }

    /// Sums of the long run: one thread that does the work of both, two threads in one line, two threads
    /// with padding.
    pub fn race(&self) -> [Totals; 3] {
        thread_local! {
            static LAST: Recall<(Setup, Workload, usize), [Totals; 3]> = const { Recall::new() };
        }
        let (setup, workload, turn) = (Setup { padded: false, ..self.setup() }, self.workload, self.turn());
        let padded = Setup { padded: true, ..setup };
        let run = || {
            let one = run_one_thread(setup, workload);
            [one, run_two_threads(setup, workload, turn), run_two_threads(padded, workload, turn)]
        };
        LAST.with(|last| last.get((setup, workload, turn), run))
    }

    /// Sums of the long run: two threads, as the counters lie now.
    pub fn two_threads(&self) -> Totals {
        self.race()[if self.padded { 2 } else { 1 }]
    }

    /// What the workload does, as a noun.
    pub fn deed(&self) -> &'static str {
        if self.workload == Workload::ReadOnly { "reads" } else { "adds" }
    }

    /// The actor's name: siblings are threads of one core.
    pub fn who(&self, thread: usize) -> String {
        let kind = if self.placement == Placement::Siblings { "thread" } else { "core" };
        format!("{kind} {thread}")
    }
}

impl FigureModel for FalseSharing {
    fn to_query(&self) -> Query {
        let default = Self::default();
        let at = |p| Placement::ALL.iter().position(|&q| q == p).unwrap_or_default();
        Query::new()
            .set("place", at(self.placement), at(default.placement))
            .set("padded", self.padded, default.padded)
            .set("work", self.workload as u8, default.workload as u8)
            .set("turn", self.turn_exponent, default.turn_exponent)
            .set("own", write_ops(&self.own), String::new())
            .set("step", self.step, default.step)
    }

    fn from_query(query: &Query) -> Self {
        let default = Self::default();
        let workload = match query.get("work") {
            Some("1") => Workload::OneCounter,
            Some("2") => Workload::ReadOnly,
            _ => default.workload,
        };
        let own = read_ops(query.get("own").unwrap_or_default());
        let mut state = Self {
            placement: Placement::ALL.get(query.parse("place", 1)).copied().unwrap_or_default(),
            padded: query.parse("padded", default.padded),
            workload,
            turn_exponent: query.parse("turn", default.turn_exponent).min(MAX_TURN_EXPONENT),
            own,
            ..default
        };
        state.step = query.parse("step", 0).min(state.script().len());
        state
    }

    fn sentence(&self) -> String {
        let (_, done) = self.so_far();
        done.last().map_or_else(|| words::opening(self), |last| words::reading(self, last))
    }

    fn table(&self) -> DataTable {
        words::table(self)
    }

    fn counters(&self) -> Vec<Counter> {
        let (system, _) = self.so_far();
        let now = system.totals();
        let each_ns = self.two_threads().elapsed_ns / RUN_LENGTH as f64;
        vec![
            Counter::new("Line changed hands", now.bounces.to_string()),
            Counter::new("Invalidations", now.invalidations.to_string()),
            Counter::new("Fetched from DRAM", now.memory_reads.to_string()),
            Counter::new("Time so far", duration_ns(now.elapsed_ns)),
            Counter::new("Long run, per access", duration_ns(each_ns)),
        ]
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

fn write_ops(ops: &[Op]) -> String {
    let letter = |op: &Op| match op.action {
        Action::Read => ["r", "R"][op.thread],
        Action::Add => ["a", "A"][op.thread],
    };
    ops.iter().map(letter).collect()
}

/// Lower case for thread 0, upper case for thread 1; whatever else is skipped.
fn read_ops(text: &str) -> Vec<Op> {
    let op = |letter: char| {
        let action = match letter.to_ascii_lowercase() {
            'r' => Action::Read,
            'a' => Action::Add,
            _ => return None,
        };
        Some(Op { thread: usize::from(letter.is_ascii_uppercase()), action })
    };
    text.chars().filter_map(op).take(MAX_OWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_its_address() {
        let mut state = FalseSharing { placement: Placement::Sockets, padded: true, ..Default::default() };
        state.act(Op { thread: 1, action: Action::Read });
        state.act(Op { thread: 0, action: Action::Add });
        assert_eq!(FalseSharing::from_query(&state.to_query()), state);
        assert!(FalseSharing::default().to_query().is_empty());
    }

    #[test]
    fn nonsense_in_an_address_is_harmless() {
        for hash in [
            "#fig-x?place=99&turn=77&step=9999&own=%F0%9F%92%A9zzz&work=x",
            "#fig-x?turn=-1&own=AAAA&step=-3",
        ] {
            let query = Query::from_hash("x", hash).expect("is ours");
            let state = FalseSharing::from_query(&query);
            assert!(state.step <= state.script().len());
            assert!(!state.sentence().is_empty());
            assert_eq!(state.so_far().1.len(), state.step);
        }
    }

    #[test]
    fn every_step_reads_differently() {
        let mut seen = std::collections::HashSet::new();
        for step in 0..=20 {
            let state = FalseSharing { step, ..Default::default() };
            assert!(
                seen.insert((
                    state.sentence(),
                    state.counters().iter().map(|c| c.value.clone()).collect::<Vec<_>>()
                )),
                "step {step}"
            );
        }
    }

    #[test]
    fn the_readers_transfer_time_replaces_the_published_one() {
        let mut state = FalseSharing::default();
        state.yours.transfer_ns[1] = Some(60.0);
        let published = FalseSharing::default().race()[1].elapsed_ns;
        assert!(state.race()[1].elapsed_ns > published * 2.0);
        let kept = FalseSharing::default().carry_over(&state);
        assert_eq!(kept.yours, state.yours);
    }

    #[test]
    fn own_moves_continue_from_the_present_step_and_never_grow_without_end() {
        let mut state = FalseSharing { step: 3, ..Default::default() };
        state.act(Op { thread: 0, action: Action::Read });
        assert_eq!((state.step, state.script().len()), (4, 4));
        for _ in 0..100 {
            state.act(Op { thread: 0, action: Action::Add });
        }
        assert!(state.script().len() <= MAX_OWN);
    }
}
