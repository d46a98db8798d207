//! State of the figure: what is looked at, what fails, and when.

use super::failure::Outcome;
use super::plant::{GPUS, SWITCHES, TRAY_GPUS, TRAYS, tray_of};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// What fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// The process of one rank.
    Process,
    /// A GPU.
    Gpu,
    /// One NVLink of a GPU.
    Link,
    /// A compute tray.
    Tray,
    /// A switch tray.
    Switch,
    /// The IMEX daemon of a tray.
    Daemon,
    /// The management network.
    Management,
}

impl Fault {
    /// All, from small to large.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Process,
        Self::Gpu,
        Self::Link,
        Self::Tray,
        Self::Switch,
        Self::Daemon,
        Self::Management,
    ];

    /// Word in links and on the button.
    pub fn word(self) -> &'static str {
        ["nothing", "process", "GPU", "NVLink", "tray", "switch", "IMEX", "management"][self as usize]
    }
}

/// The moment that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// When it fails.
    #[default]
    Fails,
    /// While it is broken, somebody starts another job.
    NextJob,
    /// It is back.
    Back,
}

impl Stage {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Fails, Self::NextJob, Self::Back];

    /// Word in links.
    pub fn word(self) -> &'static str {
        ["fails", "next-job", "back"][self as usize]
    }
}

/// Who computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Job {
    /// One job of 72 ranks.
    #[default]
    Whole,
    /// One job of 64 ranks on 16 trays, two trays in reserve.
    Spares,
    /// Eighteen jobs of one tray each.
    PerTray,
}

impl Job {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Spares, Self::PerTray];

    /// Word in links.
    pub fn word(self) -> &'static str {
        ["72", "64", "per-tray"][self as usize]
    }
}

/// What the fabric's manager does with GPUs that lack links (NMX: resiliency mode of a partition).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Adaptive bandwidth: goes on with fewer.
    #[default]
    Adaptive,
    /// Full bandwidth: all links or none.
    Full,
}

/// What is looked at. Where it lies is in the state, and a fault hits that place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// A tray with its kernel.
    Tray,
    /// A GPU.
    #[default]
    Gpu,
    /// A switch tray.
    Switch,
    /// The IMEX daemon of a tray.
    Daemon,
}

impl Pick {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Tray, Self::Gpu, Self::Switch, Self::Daemon];

    /// Word in links.
    pub fn word(self) -> &'static str {
        ["tray", "gpu", "switch", "daemon"][self as usize]
    }
}

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Rack {
    /// Kind of the part that is looked at.
    pub pick: Pick,
    /// GPU, 0 to 71; with it its tray.
    pub gpu: u8,
    /// Switch tray, 0 to 8.
    pub switch: u8,
    /// What fails.
    pub fault: Fault,
    /// When.
    pub stage: Stage,
    /// Who computes.
    pub job: Job,
    /// What happens to GPUs that lack links.
    pub mode: Mode,
    /// Whether `IMEX_NODE_DISCONNECTED_GRACE_TIME` is set, and has passed.
    pub grace: bool,
}

impl Default for Rack {
    fn default() -> Self {
        Self {
            pick: Pick::Gpu,
            gpu: 45,
            switch: 3,
            fault: Fault::None,
            stage: Stage::Fails,
            job: Job::Whole,
            mode: Mode::Adaptive,
            grace: false,
        }
    }
}

/// Numbers of the parts that can be pressed: GPUs from 0, then trays, switches, daemons.
pub const PART_TRAY: usize = 100;
/// First number of a switch tray.
pub const PART_SWITCH: usize = 200;
/// First number of a daemon.
pub const PART_DAEMON: usize = 300;

impl Rack {
    /// The chosen tray.
    pub fn tray(&self) -> u8 {
        tray_of(self.gpu)
    }

    /// What the present state does to everybody.
    pub fn outcome(&self) -> Outcome {
        Outcome::of(self)
    }

    /// Looks at a part.
    pub fn choose(&mut self, part: usize) {
        let (kind, index) = (part / 100, (part % 100) as u8);
        match kind {
            0 if index < GPUS => (self.pick, self.gpu) = (Pick::Gpu, index),
            1 if index < TRAYS => self.go_to_tray(Pick::Tray, index),
            2 if index < SWITCHES => (self.pick, self.switch) = (Pick::Switch, index),
            3 if index < TRAYS => self.go_to_tray(Pick::Daemon, index),
            _ => {}
        }
    }

    fn go_to_tray(&mut self, pick: Pick, tray: u8) {
        self.pick = pick;
        if self.tray() != tray {
            self.gpu = tray * TRAY_GPUS;
        }
    }

    /// Lets something fail, at the chosen place, from the beginning.
    pub fn fail(&mut self, fault: Fault) {
        (self.fault, self.stage) = (fault, Stage::Fails);
        self.pick = match fault {
            Fault::Process | Fault::Gpu | Fault::Link => Pick::Gpu,
            Fault::Tray => Pick::Tray,
            Fault::Switch => Pick::Switch,
            Fault::Daemon => Pick::Daemon,
            Fault::None | Fault::Management => self.pick,
        };
    }
}

fn meaning<T: Copy>(all: &[T], word: fn(T) -> &'static str, query: Option<&str>, default: T) -> T {
    query.and_then(|q| all.iter().copied().find(|v| word(*v) == q)).unwrap_or(default)
}

impl FigureModel for Rack {
    fn to_query(&self) -> Query {
        let d = Self::default();
        Query::new()
            .set("look", self.pick.word(), d.pick.word())
            .set("gpu", self.gpu, d.gpu)
            .set("switch", self.switch, d.switch)
            .set("fails", self.fault.word(), d.fault.word())
            .set("when", self.stage.word(), d.stage.word())
            .set("job", self.job.word(), d.job.word())
            .set("full", self.mode == Mode::Full, false)
            .set("grace", self.grace, false)
    }

    fn from_query(query: &Query) -> Self {
        let d = Self::default();
        let index = |key, default: u8, count: u8| {
            let value = query.parse(key, default);
            if value < count { value } else { default }
        };
        Self {
            pick: meaning(&Pick::ALL, Pick::word, query.get("look"), d.pick),
            gpu: index("gpu", d.gpu, GPUS),
            switch: index("switch", d.switch, SWITCHES),
            fault: meaning(&Fault::ALL, Fault::word, query.get("fails"), d.fault),
            stage: meaning(&Stage::ALL, Stage::word, query.get("when"), d.stage),
            job: meaning(&Job::ALL, Job::word, query.get("job"), d.job),
            mode: if query.parse("full", false) { Mode::Full } else { Mode::Adaptive },
            grace: query.parse("grace", false),
        }
    }

    fn sentence(&self) -> String {
        super::words::sentence(self)
    }

    fn note(&self) -> Option<String> {
        Some(super::words::note(self))
    }

    fn table(&self) -> DataTable {
        super::words::table(self)
    }

    fn counters(&self) -> Vec<Counter> {
        super::words::counters(self)
    }
}

/// The stories.
pub fn presets() -> Vec<Preset<Rack>> {
    let broken = |fault, stage| {
        let mut state = Rack::default();
        state.fail(fault);
        Rack { stage, ..state }
    };
    let named = |name, state| Preset { name, state };
    vec![
        named("All well", Rack::default()),
        named("A GPU fails", broken(Fault::Gpu, Stage::Fails)),
        named("A tray reboots", broken(Fault::Tray, Stage::Fails)),
        named("Spare trays", Rack { job: Job::Spares, ..broken(Fault::Tray, Stage::NextJob) }),
        named("One bad link", broken(Fault::Link, Stage::Fails)),
        named("A switch tray, adaptive", broken(Fault::Switch, Stage::Fails)),
        named(
            "A switch tray, full bandwidth",
            Rack { mode: Mode::Full, ..broken(Fault::Switch, Stage::Fails) },
        ),
        named("A daemon dies", broken(Fault::Daemon, Stage::Fails)),
        named("The next job", broken(Fault::Daemon, Stage::NextJob)),
        named("The daemon is restarted", broken(Fault::Daemon, Stage::Back)),
        named("Management network gone", broken(Fault::Management, Stage::NextJob)),
        named("Eighteen small jobs", Rack { job: Job::PerTray, ..broken(Fault::Tray, Stage::Fails) }),
    ]
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
