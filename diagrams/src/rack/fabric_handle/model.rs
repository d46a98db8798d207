//! The state of the figure: a path, a broken piece, and how far the reader has stepped.

use super::breaks::{BREAKS, Break};
use super::steps::{PATHS, Path, Step};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// State of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FabricHandle {
    /// How far apart the users are.
    pub path: Path,
    /// Place in [`BREAKS`] of the piece that is broken.
    pub broken: Option<usize>,
    /// Steps taken. A step that fails counts as taken, and none comes behind it.
    pub step: usize,
}

impl Default for FabricHandle {
    fn default() -> Self {
        Self { path: Path::Trays, broken: None, step: 4 }
    }
}

/// Presets as data: name, path, break, steps taken.
const STORIES: [(&str, Path, &str, usize); 7] = [
    ("Two trays", Path::Trays, "", 4),
    ("One host", Path::Host, "", 3),
    ("One process", Path::Process, "", 3),
    ("No channel", Path::Trays, "channel", 1),
    ("A daemon is down", Path::Trays, "daemon", 4),
    ("Descriptor refused", Path::Host, "fd", 3),
    ("Access forgotten", Path::Process, "access", 4),
];

impl FabricHandle {
    /// The broken piece, if it concerns this path.
    pub fn break_now(&self) -> Option<&'static Break> {
        self.broken.map(|b| &BREAKS[b]).filter(|b| b.step(self.path).is_some())
    }

    /// Steps that can be taken: all, or those up to the one that fails.
    pub fn reach(&self) -> usize {
        let fails = self.break_now().and_then(|b| b.step(self.path));
        fails.map_or(self.path.steps().len(), |at| at + 1)
    }

    /// Whether the last step taken is the one that fails.
    pub fn failed(&self) -> Option<&'static Break> {
        self.break_now().filter(|_| self.step == self.reach())
    }

    /// Whether this piece is the broken one.
    pub fn is_broken(&self, id: &str) -> bool {
        self.break_now().is_some_and(|b| b.id == id)
    }

    /// The step that was taken last.
    pub fn last(&self) -> Option<&'static Step> {
        self.path.steps().get(self.step.checked_sub(1)?)
    }

    /// Goes to a step, as far as there is one.
    pub fn go(&mut self, step: usize) {
        self.step = step.min(self.reach());
    }

    /// Another path. The reader stays at the step they were at; a break that does not apply is mended.
    pub fn choose_path(&mut self, path: Path) {
        self.path = path;
        self.broken = self.broken.filter(|&b| BREAKS[b].step(path).is_some());
        self.go(self.step);
    }

    /// Breaks a piece, mends all with `None`, and goes to the step at which it shows. A piece that this
    /// path does not have leads to the longest path that has it.
    pub fn choose_break(&mut self, broken: Option<usize>) {
        self.broken = broken.filter(|&b| b < BREAKS.len());
        if self.broken.is_some() && self.break_now().is_none() {
            let has = |path: &Path| self.broken.is_some_and(|b| BREAKS[b].step(*path).is_some());
            self.path = [Path::Trays, Path::Host, Path::Process].into_iter().find(has).unwrap_or(self.path);
        }
        self.step = self.reach();
    }

    /// The figure's stories.
    pub fn presets() -> Vec<Preset<Self>> {
        let state = |path, id, step| Self { path, broken: BREAKS.iter().position(|b| b.id == id), step };
        STORIES.iter().map(|&(name, path, id, step)| Preset { name, state: state(path, id, step) }).collect()
    }
}

/// `A`, `B` or what lies between, for the table.
fn place(step: &Step) -> &'static str {
    use super::steps::Spot;
    match step.spot {
        Spot::A => "A",
        Spot::Between => "A to B",
        Spot::B | Spot::Import => "B",
        Spot::Load => "GPU 1",
    }
}

impl FigureModel for FabricHandle {
    fn to_query(&self) -> Query {
        let base = Self::default();
        let id = self.broken.map_or("none", |b| BREAKS[b].id);
        Query::new()
            .set("path", PATHS[self.path.index()].1, PATHS[base.path.index()].1)
            .set("broken", id, "none")
            .set("step", self.step, base.step)
    }

    fn from_query(query: &Query) -> Self {
        let base = Self::default();
        let word = query.get("path").unwrap_or_default();
        let path = PATHS.iter().find(|p| p.1 == word).map_or(base.path, |p| p.0);
        let id = query.get("broken").unwrap_or_default();
        let broken = BREAKS.iter().position(|b| b.id == id && b.step(path).is_some());
        let mut state = Self { path, broken, step: 0 };
        state.go(query.parse("step", base.step));
        state
    }

    fn sentence(&self) -> String {
        let Some(step) = self.last() else {
            return "Nothing has been called yet. Step forward.".into();
        };
        let mut text = "Step ".to_owned() + &self.step.to_string() + ", " + step.call + ": ";
        match self.failed() {
            Some(b) => {
                text = text + b.error + ". " + b.what;
                if let Some(twin) = b.twin(self.path) {
                    text = text + " The same call returns the same code for “" + twin.name + "”.";
                }
            }
            None => text = text + "checked by " + step.judge + ". " + &capital(step.check) + ".",
        }
        text
    }

    fn note(&self) -> Option<String> {
        match self.failed() {
            Some(b) => Some("Look: ".to_owned() + b.look + " Error " + b.known() + " (" + b.source + ")."),
            None if self.step == self.path.steps().len() => Some(AFTERWARDS[self.path.index()].into()),
            None => None,
        }
    }

    fn counters(&self) -> Vec<Counter> {
        let judge = self.last().map_or("nobody yet", |s| s.judge);
        let [travels, proof, cleaner] = FACTS[self.path.index()];
        vec![
            Counter::new("Checked now by", judge),
            Counter::new("What travels", travels),
            Counter::new("Proof of permission", proof),
            Counter::new("Cleaned up by", cleaner),
        ]
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&["Step", "Where", "Call", "Checked by", "What is checked", "Result"]);
        for (i, step) in self.path.steps().iter().enumerate() {
            let result = match self.failed() {
                _ if i >= self.step => "not reached",
                Some(b) if i + 1 == self.step => b.error,
                _ => "ok",
            };
            let number = (i + 1).to_string();
            table.row([&number, place(step), step.call, step.judge, step.check, result]);
        }
        table
    }
}

/// What travels, what proves permission, who cleans up.
const FACTS: [[&str; 3]; 3] = [
    ["nothing", "being the process", "the kernel, at exit"],
    ["a file descriptor", "holding it", "the kernel, at exit"],
    ["64 bytes", "access to the channel", "IMEX, when a tray leaves"],
];

/// What holds once everything is mapped.
const AFTERWARDS: [&str; 3] = [
    "From now on loads and stores go over NVLink. Only cuMemUnmap or the end of the process takes the page away.",
    "From now on loads and stores go over NVLink, without kernel or driver. If A ends, the memory stays until B lets go.",
    "From now on loads and stores go over NVLink. A daemon that dies now takes nothing down: data does not pass through it. When tray A returns as a new instance, or its grace time is over, the driver marks the import invalid, and the next access is an error.",
];

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
