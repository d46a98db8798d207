//! The state of the figure: a setting, a list of steps, and how many of them have been done.

use super::nodes::{Distances, Mode, NODES, PerNode, is_grace};
use super::report::{free_line, largest_cuda, next_page, smi, spilled};
use super::rules::{Fate, Outcome, apply};
use super::step::{Step, What};
use super::tray::{Buffer, Tray};
use super::words::{line, size, told};
use crate::kit::units::number;
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// Steps that a list may have.
pub const MAX_STEPS: usize = 8;
/// The swap device, where it is on: within the quarter to half of HBM that NVIDIA's guide advises.
pub const SWAP_GB: u32 = 256;

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Who manages HBM.
    pub mode: Mode,
    /// What the firmware says about distances.
    pub distances: Distances,
    /// Whether there is swap.
    pub swap: bool,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// How many steps have been done.
    pub done: usize,
    /// What the controls are set to.
    pub next: Step,
    /// Distances on the reader's machine: from a CPU to the other CPUs' memory and to a GPU's.
    pub yours: Option<(f64, f64)>,
}

/// What all steps up to now have led to.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// What lies where.
    pub tray: Tray,
    /// What each step did.
    pub outcomes: Vec<Outcome>,
    /// What the last one was.
    pub last: Option<What>,
}

impl Replay {
    /// What the last step brought, if it put pages anywhere, and on which nodes.
    pub fn fresh(&self) -> Option<(What, PerNode)> {
        let last = self.outcomes.len().checked_sub(1)?;
        let outcome = &self.outcomes[last];
        let moved = |b: &&Buffer| b.step == outcome.other;
        match self.last {
            Some(What::Prefetch) if outcome.fate == Fate::Done => {
                Some((self.tray.buffers.iter().find(moved)?.what, outcome.at))
            }
            Some(what) if what.allocates() => Some((what, outcome.at)),
            _ => None,
        }
    }
}

const FIRST: [Step; 3] =
    [Step::new(What::Malloc, 0, 120), Step::new(What::Malloc, 2, 120), Step::new(What::Cuda, 4, 90)];

impl Default for Placement {
    fn default() -> Self {
        Self {
            mode: Mode::Numa,
            distances: Distances::GraceNearer,
            swap: false,
            steps: FIRST.to_vec(),
            done: 2,
            next: Step::new(What::Cuda, 2, 120),
            yours: None,
        }
    }
}

impl Placement {
    /// Does the first `done` steps on an empty tray.
    pub fn run(&self) -> Replay {
        let swap_mb = if self.swap { SWAP_GB * 1_000 } else { 0 };
        let mut tray = Tray { mode: self.mode, distances: self.distances, swap_mb, buffers: Vec::new() };
        let steps = self.steps.iter().take(self.done).enumerate();
        let outcomes = steps.map(|(number, step)| apply(&mut tray, step, number)).collect();
        let last = self.done.checked_sub(1).and_then(|last| self.steps.get(last)).map(|step| step.what);
        Replay { tray, outcomes, last }
    }

    /// Adds a step behind those that have been done and does it. What came after is forgotten.
    pub fn add(&mut self, step: Step) {
        self.steps.truncate(self.done);
        if self.steps.len() < MAX_STEPS {
            self.steps.push(step);
            self.done = self.steps.len();
        }
    }

    /// Goes to the state behind so many steps.
    pub fn go(&mut self, done: usize) {
        self.done = done.min(self.steps.len());
    }

    /// Sets the next step, as far as it makes sense: CPUs read files, and `numactl` binds what the kernel
    /// places.
    pub fn plan(&mut self, next: Step) {
        self.next = next.sound();
    }

    /// Adds what the controls are set to.
    pub fn allocate(&mut self) {
        self.add(self.next);
    }

    /// The figure's stories.
    pub fn presets() -> Vec<Preset<Self>> {
        STORIES.iter().map(|story| Preset { name: story.name, state: story.state() }).collect()
    }
}

/// A preset as data.
struct Story {
    name: &'static str,
    mode: Mode,
    steps: &'static str,
    done: usize,
    next: &'static str,
}

const STORIES: [Story; 6] = [
    Story { name: "First touch", mode: Mode::Numa, steps: "m0:120,m2:120,c4:90", done: 2, next: "c2:120" },
    Story {
        name: "A job outgrows LPDDR",
        mode: Mode::Numa,
        steps: "c4:150,m0:700,m0:400",
        done: 3,
        next: "c2:120",
    },
    Story { name: "A data set is read", mode: Mode::Numa, steps: "f0:1200,c2:150", done: 1, next: "c2:150" },
    Story {
        name: "Bound to 0,1",
        mode: Mode::Numa,
        steps: "c4:150,m0l:700,m0l:400,c2:150",
        done: 3,
        next: "m0l:200",
    },
    Story {
        name: "The same job, CDMM",
        mode: Mode::Cdmm,
        steps: "c4:150,m0:700,m0:400,c2:150",
        done: 3,
        next: "m0:200",
    },
    Story {
        name: "Prefetch, CDMM",
        mode: Mode::Cdmm,
        steps: "m0:150,p2:1,u0:150,p2:1",
        done: 2,
        next: "u0:150",
    },
];

impl Story {
    fn state(&self) -> Placement {
        let default = Placement::default();
        let next = Step::parse(self.next).unwrap_or(default.next);
        Placement { mode: self.mode, steps: parse_steps(self.steps), done: self.done, next, ..default }
    }
}

fn parse_steps(codes: &str) -> Vec<Step> {
    codes.split(',').filter_map(Step::parse).take(MAX_STEPS).collect()
}

fn codes(steps: &[Step]) -> String {
    if steps.is_empty() {
        return "none".into();
    }
    steps.iter().map(Step::code).collect::<Vec<_>>().join(",")
}

impl FigureModel for Placement {
    fn to_query(&self) -> Query {
        let base = Self::default();
        Query::new()
            .set("mode", if self.mode == Mode::Cdmm { "cdmm" } else { "numa" }, "numa")
            .set("far", if self.distances == Distances::AllEqual { "equal" } else { "grace" }, "grace")
            .set("swap", u8::from(self.swap), 0)
            .set("steps", codes(&self.steps), codes(&base.steps))
            .set("done", self.done, self.steps.len().min(base.done))
            .set("next", self.next.code(), base.next.code())
    }

    fn from_query(query: &Query) -> Self {
        let base = Self::default();
        let steps = query.get("steps").map_or(base.steps, parse_steps);
        let done = query.parse("done", base.done).min(steps.len());
        Self {
            mode: if query.get("mode") == Some("cdmm") { Mode::Cdmm } else { Mode::Numa },
            distances: if query.get("far") == Some("equal") {
                Distances::AllEqual
            } else {
                Distances::GraceNearer
            },
            swap: query.get("swap") == Some("1"),
            next: query.get("next").and_then(Step::parse).unwrap_or(base.next),
            steps,
            done,
            yours: None,
        }
    }

    fn sentence(&self) -> String {
        let result = self.run();
        match (self.done.checked_sub(1), result.outcomes.last()) {
            (Some(last), Some(outcome)) => told(&result.tray, &self.steps, &self.steps[last], outcome),
            _ => "The tray is empty. Choose what to allocate, or step through a story.".into(),
        }
    }

    fn note(&self) -> Option<String> {
        let text = match self.mode {
            _ if self.done == MAX_STEPS => "The list is full. Step back, or reset.",
            Mode::Numa => {
                "NUMA mode: HBM is ordinary memory of the kernel, movable pages only. It takes free memory of all nodes in its list before it reclaims any. Assumed: the distances."
            }
            Mode::Cdmm => {
                "CDMM: the driver keeps HBM, and the kernel sees two nodes. Since driver R615 this is the default."
            }
        };
        let mut text = text.to_owned();
        if let Some((cpu, gpu)) = self.yours {
            text = text
                + " Distances on your machine: "
                + &number(cpu)
                + " to the other CPUs, "
                + &number(gpu)
                + " to a GPU.";
        }
        Some(text)
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours, ..self }
    }

    fn counters(&self) -> Vec<Counter> {
        let tray = self.run().tray;
        let most = (2..NODES.len()).map(|n| (largest_cuda(&tray, n) / 1_000).to_string());
        let next = |grace| next_page(&tray, grace).map_or("none free", |n| NODES[n].name);
        vec![
            Counter::new("The next step", line(&self.next)),
            Counter::new("Linux counts as memory", size(free_line(&tray).total)),
            Counter::new("Kernel's pages in HBM", size(spilled(&tray))),
            Counter::new("Next page of CPU 0 and CPU 1", next(0).to_owned() + ", " + next(1)),
            Counter::new(
                "cudaMalloc could get, GPU 0 to 3",
                most.collect::<Vec<_>>().join(", ") + "\u{a0}GB",
            ),
        ]
    }

    fn table(&self) -> DataTable {
        let tray = self.run().tray;
        let mut table = DataTable::new(&[
            "Node",
            "Capacity",
            "malloc",
            "Page cache",
            "Pinned",
            "cudaMalloc",
            "Managed",
            "Free",
            "nvidia-smi: used, processes",
        ]);
        let kinds = [What::Malloc, What::File, What::Pinned, What::Cuda, What::Managed];
        for (n, node) in NODES.iter().enumerate() {
            let mut cells = vec![node.name.to_owned(), size(node.mb)];
            cells.extend(kinds.iter().map(|&kind| size(tray.held(n, kind))));
            cells.push(size(tray.free(n)));
            let (used, listed) = smi(&tray, n);
            cells.push(if is_grace(n) { "–".into() } else { size(used) + ", " + &listed.to_string() });
            table.row(cells);
        }
        let dash = || "–".to_owned();
        let swap_mb = tray.swap_mb;
        let mut cells = vec!["Swap".to_owned(), size(swap_mb), size(tray.swapped())];
        cells.extend([dash(), dash(), dash(), dash(), size(swap_mb - tray.swapped()), dash()]);
        table.row(cells);
        table
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
