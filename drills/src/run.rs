//! What a drill is given and where it puts its results.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drills_results::topology::Topology;
use drills_results::{Measurement, Reason};

use crate::host::Root;
use crate::output::progress::Progress;

/// Which GPUs a drill may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GpuChoice {
    /// Every GPU the driver shows.
    #[default]
    All,
    /// None: the driver is not touched at all.
    None,
    /// Those whose index, UUID prefix or PCI address is listed.
    Only(Vec<String>),
}

/// Why nothing is measured under `--root`.
pub fn recorded_root() -> Reason {
    Reason::new(
        "recorded-root",
        "--root shows a recorded machine, which can be read but not measured",
        "run this drill on the machine itself, without --root",
    )
}

/// Options of `drills rack`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RackOptions {
    /// Put buffers on the GPUs' own NUMA nodes as well.
    pub gpu_nodes: bool,
    /// libnccl, or the folder that it is in.
    pub nccl: Option<PathBuf>,
    /// Where ranks meet: a path with a slash in it, or "host:port".
    pub rendezvous: Option<String>,
    /// All ranks of the job take part in an all-reduce, and not only this host's GPUs.
    pub all_ranks: bool,
}

/// What the user asked for. The same for every drill of a run.
#[derive(Clone, Debug)]
pub struct Context {
    /// Where `/sys` and `/proc` are read from. Anything but `/` is a recorded machine: nothing can be
    /// measured on it, only read.
    pub root: Root,
    /// Fewer samples and smaller sweeps.
    pub quick: bool,
    /// GPUs to use.
    pub gpu: GpuChoice,
    /// Where drills make the files that they measure with.
    pub dir: PathBuf,
    /// The user allowed names that identify the machine (`--no-redact`).
    pub names: bool,
    /// What only the drills of the rack look at.
    pub rack: RackOptions,
}

impl Context {
    /// Whether the root is this machine, so that measuring makes sense.
    pub fn is_live(&self) -> bool {
        self.root.is_live()
    }
}

/// Everything collected so far.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Finished measurements, in order.
    pub measurements: Vec<Measurement>,
    /// Sentences about what may have disturbed the run.
    pub warnings: Vec<String>,
    /// Wiring of the machine, once read.
    pub topology: Option<Topology>,
}

/// Where a drill puts its results. A cheap handle: clones share one collection, so what was pushed
/// survives whatever happens to the drill.
#[derive(Clone, Debug)]
pub struct Sink {
    collected: Arc<Mutex<Collected>>,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

impl Sink {
    /// An empty sink. `stop` becomes true when the user ends the run.
    pub fn new(progress: Progress, stop: Arc<AtomicBool>) -> Self {
        Self { collected: Arc::default(), stop, progress }
    }

    /// Keeps one finished measurement.
    pub fn push(&self, measurement: Measurement) {
        self.progress.measured(&measurement);
        self.lock().measurements.push(measurement);
    }

    /// Tells the user what is being done now ("pinned copies, 4 of 12").
    pub fn step(&self, text: &str) {
        self.progress.step(text);
    }

    /// Keeps a sentence about what may have disturbed the run. Said once, however often it is pushed.
    pub fn warn(&self, text: impl Into<String>) {
        let text = text.into();
        let mut collected = self.lock();
        if !collected.warnings.contains(&text) {
            collected.warnings.push(text);
        }
    }

    /// Keeps the wiring of the machine.
    pub fn topology(&self, topology: Topology) {
        self.lock().topology = Some(topology);
    }

    /// The wiring, once it has been read.
    pub fn known_topology(&self) -> Option<Topology> {
        self.lock().topology.clone()
    }

    /// True once the user has ended the run: a drill looks at it between samples and returns early.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A copy of everything collected so far.
    pub fn collected(&self) -> Collected {
        self.lock().clone()
    }

    /// A drill that panicked while it held the lock has pushed whole measurements only.
    fn lock(&self) -> MutexGuard<'_, Collected> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
