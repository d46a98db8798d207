//! What the reader chose, and what follows in words.

use super::case::{Case, World};
use super::machine::Machine;
use super::steps::{Lock, Station, Step, steps};
use crate::kit::units::{bytes, count, duration_ns, percent};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// State of the figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageFault {
    /// What is touched.
    pub case: Case,
    /// Processor and base page.
    pub world: World,
    /// Present step, from 0.
    pub step: usize,
    /// Times measured on the reader's machine.
    pub yours: Option<Machine>,
}

impl PageFault {
    /// The machine whose times are shown: the reader's if it has the base page that is chosen.
    pub fn machine(&self) -> Machine {
        let fits = |m: &&Machine| m.page_bytes == self.world.page_bytes();
        self.yours.as_ref().filter(fits).cloned().unwrap_or_else(Machine::rtx4090)
    }

    /// All steps of the case.
    pub fn steps(&self) -> Vec<Step> {
        steps(self.case, self.world, &self.machine())
    }

    /// The present step's index.
    pub fn at(&self, steps: &[Step]) -> usize {
        self.step.min(steps.len().saturating_sub(1))
    }

    /// Time of the whole fault, in nanoseconds.
    pub fn total_ns(steps: &[Step]) -> f64 {
        steps.iter().map(|s| s.ns).sum()
    }

    /// Moments worth a look.
    pub fn presets() -> Vec<Preset<Self>> {
        let at = |case, step| Self { case, step, ..Self::default() };
        let arm = |case, step| Self { world: World::Arm64k, ..at(case, step) };
        vec![
            Preset { name: "first touch", state: Self::default() },
            Preset { name: "clearing", state: at(Case::FirstTouch, 7) },
            Preset { name: "waiting for the drive", state: at(Case::Drive, 7) },
            Preset { name: "copy on write", state: at(Case::Cow, 7) },
            Preset { name: "2 MiB at once", state: at(Case::Huge, 7) },
            Preset { name: "64 KiB page", state: arm(Case::FirstTouch, 7) },
            Preset { name: "512 MiB at once", state: arm(Case::Huge, 7) },
            Preset { name: "wrong address", state: at(Case::NoArea, 4) },
        ]
    }

    fn opening(&self, steps: &[Step]) -> String {
        let total = duration_ns(Self::total_ns(steps));
        let end = match self.case.class() {
            "invalid" => "and ends in a signal".to_owned(),
            class => format!("a {class} fault"),
        };
        format!(
            "{}: {} steps, about {total}, {end}. Step forward and tell the story.",
            self.case.deed(),
            steps.len() - 1
        )
    }

    /// Faults for 1 GiB touched in this way from end to end.
    fn per_gib(&self) -> Option<f64> {
        let gib = 1_073_741_824.0;
        Some(match self.case {
            Case::FirstTouch | Case::ReadUntouched | Case::Cow | Case::LastSharer => {
                gib / self.world.page_bytes()
            }
            Case::PageCache => gib / 65_536.0,
            Case::Huge => gib / self.world.huge_bytes(),
            // With readahead off; with readahead on the thread rarely catches up with it.
            Case::Drive => gib / self.world.page_bytes(),
            Case::NoArea | Case::NoPermission | Case::Truncated => return None,
        })
    }
}

impl FigureModel for PageFault {
    fn to_query(&self) -> Query {
        let at = |all: &[Case], c| all.iter().position(|x| *x == c).unwrap_or_default();
        let world = World::ALL.iter().position(|w| *w == self.world).unwrap_or_default();
        Query::new().set("case", at(&Case::ALL, self.case), 0).set("on", world, 0).set("step", self.step, 0)
    }

    fn from_query(query: &Query) -> Self {
        let mut state = Self {
            case: Case::ALL.get(query.parse("case", 0)).copied().unwrap_or_default(),
            world: World::ALL.get(query.parse("on", 0)).copied().unwrap_or_default(),
            ..Self::default()
        };
        state.step = query.parse("step", 0).min(state.steps().len() - 1);
        state
    }

    fn sentence(&self) -> String {
        let steps = self.steps();
        match self.at(&steps) {
            0 => self.opening(&steps),
            i => {
                let step = &steps[i];
                let time = if step.ns > 0.0 {
                    format!(
                        " {} of {}, {}.",
                        duration_ns(step.ns),
                        duration_ns(Self::total_ns(&steps)),
                        step.source.name()
                    )
                } else {
                    String::new()
                };
                format!("{}{time}", step.tells)
            }
        }
    }

    fn note(&self) -> Option<String> {
        let steps = self.steps();
        let step = &steps[self.at(&steps)];
        Some(match (step.node, self.case) {
            (Station::Area, Case::NoArea) => "A wrong address always takes the long way: only mmap_lock lets the kernel be sure that nothing is there.".into(),
            (Station::Area, Case::Drive) if step.lock == Lock::Space => {
                "Sleeping with a lock would stop every mmap of the process, so the handler drops it and retries. The drive's time includes what submitting and completing the request cost the kernel.".into()
            }
            (Station::Area, _) => "Since Linux 6.4 faults on anonymous memory, and since 6.7 most faults on files, lock one VMA. Before, all faults of a process took mmap_lock, and one thread in mmap or munmap held up all others.".into(),
            (Station::Drive, _) => "For 4 KiB at random with readahead off. Reading in order, readahead asks for the next 128 KiB before the thread arrives, and most of these faults become minor ones.".into(),
            (Station::ClearHuge, _) => "This is the price of a huge page in one piece: a thread with a latency target may notice it.".into(),
            _ => format!(
                "Times: {}. The sum of the handling is measured, its division into steps is our estimate.",
                self.machine().name
            ),
        })
    }

    fn counters(&self) -> Vec<Counter> {
        let steps = self.steps();
        let total = Self::total_ns(&steps);
        let idle: f64 = steps.iter().filter(|s| s.waits()).map(|s| s.ns).sum();
        let memory = matches!(self.case, Case::FirstTouch | Case::Huge | Case::Cow);
        let work = [Station::Clear, Station::ClearHuge, Station::Copy];
        let bytes_ns: f64 = steps.iter().filter(|s| work.contains(&s.node)).map(|s| s.ns).sum();
        let per_gib = self.per_gib().map_or("none".to_owned(), count);
        vec![
            Counter::new("Class", self.case.class()),
            Counter::new("Whole fault", duration_ns(total)),
            Counter::new("Thread asleep", percent(idle / total)),
            Counter::new(
                "Clearing or copying",
                if memory { percent(bytes_ns / total) } else { "none".into() },
            ),
            Counter::new("Faults per GiB", per_gib),
            Counter::new("Base page", bytes(self.world.page_bytes())),
        ]
    }

    fn table(&self) -> DataTable {
        let steps = self.steps();
        let mut table =
            DataTable::new(&["step", "done", "functions", "ns", "source", "lock", "entry", "what"]);
        for (i, step) in steps.iter().enumerate() {
            table.row([
                i.to_string(),
                if i <= self.step { "yes" } else { "not yet" }.to_owned(),
                step.functions.to_owned(),
                format!("{:.0}", step.ns),
                if step.ns > 0.0 { step.source.name() } else { "" }.to_owned(),
                step.lock.name().to_owned(),
                step.entry.to_owned(),
                step.tells.clone(),
            ]);
        }
        table
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

#[cfg(test)]
mod tests;
