//! Two threads, two counters, one or two lines: what each access costs and what a thousand cost.

use super::mesi::{Access, Action, Line, Source, State};

/// Adds that each thread makes in the long run.
pub const RUN_LENGTH: usize = 1_000;

/// Uncontended atomic add, the line already owned: about 20 cycles at 4 GHz (instruction tables of Agner
/// Fog, `LOCK ADD`: 18 to 21 cycles on recent Intel and AMD cores).
pub const ADD_NS: f64 = 5.0;
/// Load that hits the first-level cache: 4 to 5 cycles at 4 to 5 GHz.
pub const READ_NS: f64 = 1.0;
/// Line fetched from local memory: within the 75 to 130 ns of current clients and servers.
pub const MEMORY_NS: f64 = 90.0;

/// Where the two threads run. The price of handing a line over follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Two threads of one core.
    Siblings,
    /// Two cores that share a cache.
    #[default]
    Cluster,
    /// Two clusters of one socket.
    Clusters,
    /// Two sockets.
    Sockets,
}

impl Placement {
    /// All, nearest first.
    pub const ALL: [Self; 4] = [Self::Siblings, Self::Cluster, Self::Clusters, Self::Sockets];

    /// Time to hand a line over, one way, in nanoseconds. Medians published in the README of
    /// core-to-core-latency (N. Viennot): Xeon 8275CL hyper-threads 7.6; EPYC 7R13 inside a group 23;
    /// Ryzen 5950X across groups 85; two Xeon 8275CL 134.
    pub fn transfer_ns(self) -> f64 {
        match self {
            Self::Siblings => 7.6,
            Self::Cluster => 23.0,
            Self::Clusters => 85.0,
            Self::Sockets => 134.0,
        }
    }

    /// Key of the reader's own measurement.
    pub fn key(self) -> &'static str {
        match self {
            Self::Siblings => "latency.line.smt",
            Self::Cluster => "latency.line.shared_l3",
            Self::Clusters => "latency.line.cross_cluster",
            Self::Sockets => "latency.line.cross_socket",
        }
    }

    /// Short name for controls and addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Siblings => "one core (SMT)",
            Self::Cluster => "one cluster",
            Self::Clusters => "two clusters",
            Self::Sockets => "two sockets",
        }
    }

    /// The cache that a thread works through: siblings share theirs.
    pub fn cache_of(self, thread: usize) -> usize {
        if self == Self::Siblings { 0 } else { thread }
    }
}

/// What the two threads do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workload {
    /// Each adds to a counter of its own.
    #[default]
    OwnCounters,
    /// Both add to the same counter.
    OneCounter,
    /// Each reads its counter again and again.
    ReadOnly,
}

impl Workload {
    /// What a thread does in this workload.
    pub fn action(self) -> Action {
        if self == Self::ReadOnly { Action::Read } else { Action::Add }
    }
}

/// One access of one thread to its counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Which thread, 0 or 1.
    pub thread: usize,
    /// What it does.
    pub action: Action,
}

/// Where counters lie and what moving costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Where the threads run.
    pub placement: Placement,
    /// Whether each counter has a line of its own.
    pub padded: bool,
    /// Whether both threads use one counter.
    pub one_counter: bool,
    /// Time to hand a line over, in nanoseconds.
    pub transfer_ns: f64,
}

impl Setup {
    /// Counter that a thread uses: 0 or 1.
    pub fn counter_of(&self, thread: usize) -> usize {
        if self.one_counter { 0 } else { thread }
    }

    /// Line and slot of a counter.
    pub fn place_of(&self, counter: usize) -> (usize, usize) {
        if self.padded { (counter, 0) } else { (0, counter) }
    }
}

/// What one access did and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// The access.
    pub op: Op,
    /// Line it went to.
    pub line: usize,
    /// What the caches did.
    pub access: Access,
    /// Its price in nanoseconds.
    pub cost_ns: f64,
    /// Time at which it was over, in nanoseconds from the start.
    pub end_ns: f64,
    /// Value of the counter that the thread saw.
    pub value: u32,
    /// Whether the line came from the other core's hands.
    pub bounced: bool,
    /// Whether it had to pass the store of a sibling, inside one cache.
    pub passes_sibling: bool,
    /// State of the line in both caches afterwards.
    pub states: [State; 2],
}

/// Sums over a sequence of accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Copies that a message made invalid.
    pub invalidations: usize,
    /// Times a line changed hands.
    pub bounces: usize,
    /// Lines fetched from memory.
    pub memory_reads: usize,
    /// Lines written back to memory.
    pub write_backs: usize,
    /// Time until the last thread was done, in nanoseconds.
    pub elapsed_ns: f64,
}

impl Totals {
    fn add(&mut self, done: &Done) {
        self.invalidations += usize::from(done.access.invalidated);
        self.bounces += usize::from(done.bounced);
        self.memory_reads += usize::from(done.access.source == Source::Memory);
        self.write_backs += usize::from(done.access.written_back);
        self.elapsed_ns = self.elapsed_ns.max(done.end_ns);
    }
}

/// Two threads and the lines they use.
#[derive(Clone, Debug)]
pub struct System {
    setup: Setup,
    lines: [Line; 2],
    last_writer: [Option<usize>; 2],
    thread_clock_ns: [f64; 2],
    line_free_ns: [f64; 2],
    totals: Totals,
}

impl System {
    /// Both lines in memory, both caches empty.
    pub fn new(setup: Setup) -> Self {
        Self {
            setup,
            lines: [Line::default(), Line::default()],
            last_writer: [None; 2],
            thread_clock_ns: [0.0; 2],
            line_free_ns: [0.0; 2],
            totals: Totals::default(),
        }
    }

    /// A line with its copies.
    pub fn line(&self, line: usize) -> &Line {
        &self.lines[line]
    }

    /// Sums so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Carries out one access. Threads run side by side; an access waits while the other thread holds
    /// the line with a right that excludes it.
    pub fn perform(&mut self, op: Op) -> Done {
        let (line, slot) = self.setup.place_of(self.setup.counter_of(op.thread));
        let cache = self.setup.placement.cache_of(op.thread);
        let (value, access) = self.lines[line].access(cache, op.action, slot);
        // Siblings share a cache, so the protocol is silent, yet their stores have to pass each other.
        let passes_sibling = self.setup.placement == Placement::Siblings
            && access.message.is_none()
            && self.last_writer[line].is_some_and(|last| last != op.thread);
        let cost_ns = if passes_sibling { self.setup.transfer_ns } else { self.price_ns(access, op.action) };
        let waits = access.message.is_some() || passes_sibling;
        let begin_ns = self.thread_clock_ns[op.thread].max(if waits { self.line_free_ns[line] } else { 0.0 });
        let end_ns = begin_ns + cost_ns;
        self.thread_clock_ns[op.thread] = end_ns;
        if waits || op.action == Action::Add {
            self.line_free_ns[line] = end_ns;
        }
        if op.action == Action::Add {
            self.last_writer[line] = Some(op.thread);
        } else if passes_sibling {
            self.last_writer[line] = None;
        }
        let bounced = access.source == Source::OtherCache;
        let states = self.lines[line].states();
        let done = Done { op, line, access, cost_ns, end_ns, value, bounced, passes_sibling, states };
        self.totals.add(&done);
        done
    }

    fn price_ns(&self, access: Access, action: Action) -> f64 {
        let hit_ns = if action == Action::Add { ADD_NS } else { READ_NS };
        match (access.message, access.source) {
            (None, _) => hit_ns,
            (Some(_), Source::Memory) => MEMORY_NS,
            (Some(_), _) => self.setup.transfer_ns,
        }
    }
}

/// Accesses in turns of `burst`, `each` per thread.
pub fn turns(workload: Workload, burst: usize, each: usize) -> impl Iterator<Item = Op> {
    let burst = burst.clamp(1, each.max(1));
    let action = workload.action();
    (0..each.div_ceil(burst)).flat_map(move |turn| {
        let length = burst.min(each - turn * burst);
        (0..2).flat_map(move |thread| (0..length).map(move |_| Op { thread, action }))
    })
}

/// Sums over [`RUN_LENGTH`] accesses by each of two threads, in turns of `burst`.
pub fn run_two_threads(setup: Setup, workload: Workload, burst: usize) -> Totals {
    let mut system = System::new(setup);
    turns(workload, burst, RUN_LENGTH).for_each(|op| {
        system.perform(op);
    });
    system.totals()
}

/// Sums when one thread does the work of both.
pub fn run_one_thread(setup: Setup, workload: Workload) -> Totals {
    let mut system = System::new(Setup { one_counter: true, ..setup });
    for _ in 0..2 * RUN_LENGTH {
        system.perform(Op { thread: 0, action: workload.action() });
    }
    system.totals()
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
