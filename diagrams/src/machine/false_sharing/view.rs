//! Controls, presets, the reader's numbers, and what can be pressed.

use drills_results::Report;

use super::caches::{self, caches};
use super::history::history;
use super::model::{Placement, Workload};
use super::plan::Plan;
use super::race::{height, race};
use super::state::{FalseSharing, MAX_TURN_EXPONENT, Yours};
use crate::kit::units::number;
use crate::kit::{Control, Figure, Layout, Node, Preset, svg};

impl Figure for FalseSharing {
    const ID: &'static str = "false-sharing";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let placements = Placement::ALL.map(|placement| (placement, placement.name()));
        let workloads = [
            (Workload::OwnCounters, "add to two counters"),
            (Workload::OneCounter, "add to one"),
            (Workload::ReadOnly, "only read"),
        ];
        vec![
            Control::stepper(self.step, self.script().len() + 1, |m, to| m.step = to),
            Control::switch("Pad: a line for each counter", self.padded, |m, padded| m.padded = padded),
            Control::choice("The two threads run on", &placements, self.placement, |m, v| m.placement = v),
            Control::choice("They", &workloads, self.workload, |m, workload| {
                start_over(m, |m| m.workload = workload);
            }),
            Control::slider(
                "Accesses in a row, each thread in turn",
                (0.0, f64::from(MAX_TURN_EXPONENT)),
                f64::from(self.turn_exponent),
                number(self.turn() as f64),
                |m: &mut Self, v| start_over(m, |m| m.turn_exponent = v.round() as u32),
            ),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let (system, done) = self.so_far();
        let size = (layout.width(), height(layout));
        svg::picture(size, "Two cores, their caches, the bus and memory", true)
            .with(caches(self, &Plan::of(layout), &system, done.last()))
            .with(history(self, layout, &done))
            .with(race(self, layout))
    }

    fn press(&mut self, part: usize) {
        if let Some(op) = caches::op_of(part) {
            self.act(op);
        }
    }

    fn read(&mut self, report: Option<&Report>) {
        let value = |key| report.and_then(|report| report.value(key));
        self.yours = Yours {
            shared_ns: value("latency.false_sharing.shared"),
            padded_ns: value("latency.false_sharing.padded"),
            transfer_ns: Placement::ALL.map(|placement| value(placement.key())),
        };
    }
}

/// Another workload is another sequence.
fn start_over(model: &mut FalseSharing, change: impl FnOnce(&mut FalseSharing)) {
    change(model);
    model.own.clear();
    model.step = model.step.min(model.script().len());
}

fn presets() -> Vec<Preset<FalseSharing>> {
    let start = FalseSharing::default;
    let shown = |state: FalseSharing| FalseSharing { step: 6, ..state };
    vec![
        Preset { name: "two counters, one line", state: start() },
        Preset { name: "padded", state: shown(FalseSharing { padded: true, ..start() }) },
        Preset {
            name: "across sockets",
            state: shown(FalseSharing { placement: Placement::Sockets, ..start() }),
        },
        Preset {
            name: "two threads of one core",
            state: shown(FalseSharing { placement: Placement::Siblings, ..start() }),
        },
        Preset {
            name: "truly shared counter",
            state: shown(FalseSharing { workload: Workload::OneCounter, padded: true, ..start() }),
        },
        Preset {
            name: "readers only",
            state: shown(FalseSharing { workload: Workload::ReadOnly, ..start() }),
        },
    ]
}
