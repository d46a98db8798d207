//! Controls and picture.

use drills_results::Report;

use super::chart;
use super::choice::{Algorithm, View};
use super::machine::MACHINES;
use super::model::{AllReduce, SIZES};
use super::own::OwnRuns;
use super::presets::presets;
use crate::kit::units::{bytes, number};
use crate::kit::{Control, Figure, Layout, Node, Preset};

/// Machines by their short names.
const NAMES: [(usize, &str); MACHINES.len()] = [
    (0, "A100"),
    (1, "H100"),
    (2, "H200"),
    (3, "B200"),
    (4, "B300"),
    (5, "GB200"),
    (6, "GB300"),
    (7, "Rubin"),
    (8, "Spark"),
];
const VIEWS: [(View, &str); 3] =
    [(View::Time, "Time"), (View::Array, "Array rate"), (View::Bus, "Bus bandwidth")];
const ALGORITHMS: [(Algorithm, &str); 4] = [
    (Algorithm::Fit, "As published"),
    (Algorithm::Ring, "Ring"),
    (Algorithm::Tree, "Tree"),
    (Algorithm::Nvls, "NVLS"),
];

impl Figure for AllReduce {
    const ID: &'static str = "all-reduce";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let machine = self.machine();
        let rack = machine.domain_gpus > 8;
        let per = if rack { "GPUs in a rack" } else { "GPUs in a node" };
        let many = if rack { "Racks" } else { "Nodes" };
        vec![
            Control::choice("Machine", &NAMES, self.machine, |s, machine| {
                *s = s.clone().with_machine(machine)
            }),
            Control::choice("Axis", &VIEWS, self.view, |s, view| s.view = view),
            Control::choice("Algorithm", &ALGORITHMS, self.algorithm, |s, by| s.algorithm = by),
            Control::slider(
                "Size of the array",
                (f64::from(SIZES.0), f64::from(SIZES.1)),
                f64::from(self.size_exponent),
                bytes(self.bytes()),
                |s: &mut Self, v| s.size_exponent = v.round() as u32,
            ),
            stops(per, machine.gpu_stops(), self.gpus, |s, stop| {
                s.gpus = s.machine().gpu_stops().get(stop).copied().unwrap_or(s.gpus);
            }),
            stops(many, machine.domain_stops(), self.domains, |s, stop| {
                s.domains = s.machine().domain_stops().get(stop).copied().unwrap_or(s.domains);
            }),
            Control::switch("Add the phases up", self.summed, |s, on| s.summed = on),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        chart::picture(self, layout)
    }

    fn point(&mut self, _part: usize, share: f64) {
        let steps = f64::from(SIZES.1 - SIZES.0);
        self.size_exponent = SIZES.0 + (share.clamp(0.0, 1.0) * steps).round() as u32;
    }

    fn read(&mut self, report: Option<&Report>) {
        self.yours = report.map(OwnRuns::of).unwrap_or_default();
    }
}

/// A slider over the numbers that a machine offers.
fn stops(
    label: &'static str,
    all: &'static [u16],
    now: u16,
    set: fn(&mut AllReduce, usize),
) -> Control<AllReduce> {
    let position = all.iter().position(|stop| *stop == now).unwrap_or(0);
    let last = all.len().saturating_sub(1).max(1);
    Control::slider(label, (0.0, last as f64), position as f64, number(now.into()), move |s, v| {
        set(s, v.round() as usize)
    })
}
