//! Controls and picture.

use super::model::{Fault, Job, Mode, Rack, Stage, presets};
use super::plant::GPUS;
use super::words::tray_name;
use crate::kit::{Control, Figure, Layout, Node, Preset};

const FAULTS: [(Fault, &str); 8] = [
    (Fault::None, "Nothing"),
    (Fault::Process, "Process"),
    (Fault::Gpu, "GPU"),
    (Fault::Link, "NVLink"),
    (Fault::Tray, "Tray"),
    (Fault::Switch, "Switch"),
    (Fault::Daemon, "IMEX"),
    (Fault::Management, "Management"),
];
const STAGES: [(Stage, &str); 3] =
    [(Stage::Fails, "It fails"), (Stage::NextJob, "The next job"), (Stage::Back, "It is back")];
const JOBS: [(Job, &str); 3] =
    [(Job::Whole, "72 ranks"), (Job::Spares, "64, two trays spare"), (Job::PerTray, "18 jobs of 4")];
const MODES: [(Mode, &str); 2] = [(Mode::Adaptive, "Adaptive bandwidth"), (Mode::Full, "Full bandwidth")];

impl Figure for Rack {
    const ID: &'static str = "rack";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let rank = f64::from(self.gpu);
        let told = format!("{}, {}", self.gpu, tray_name(self.tray()));
        vec![
            Control::choice("What fails", &FAULTS, self.fault, |s, fault| s.fail(fault)),
            Control::choice("When", &STAGES, self.stage, |s, stage| s.stage = stage),
            Control::choice("Who computes", &JOBS, self.job, |s, job| s.job = job),
            Control::choice("GPUs that lack links", &MODES, self.mode, |s, mode| s.mode = mode),
            Control::slider("Rank", (0.0, f64::from(GPUS - 1)), rank, told, |s: &mut Self, v| {
                s.choose(v.round() as usize)
            }),
            Control::switch("IMEX grace time is set, and over", self.grace, |s, on| s.grace = on),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        super::picture::picture(self, layout)
    }

    fn press(&mut self, part: usize) {
        self.choose(part);
    }
}
