//! Controls, presets, the reader's numbers.

use drills_results::Report;

use super::case::{Case, World};
use super::machine::Machine;
use super::model::PageFault;
use super::picture::picture;
use crate::kit::{Control, Figure, Layout, Node, Preset};

impl Figure for PageFault {
    const ID: &'static str = "page-fault";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let steps = self.steps();
        let (cases, worlds) = (Case::ALL.map(|c| (c, c.name())), World::ALL.map(|w| (w, w.name())));
        vec![
            Control::stepper(self.at(&steps), steps.len(), |m, to| m.step = to),
            Control::choice("What is touched", &cases, self.case, |m, case| (m.case, m.step) = (case, 0)),
            Control::choice("Processor and base page", &worlds, self.world, |m, world| m.world = world),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn read(&mut self, report: Option<&Report>) {
        self.yours = report.and_then(read_machine);
    }
}

fn read_machine(report: &Report) -> Option<Machine> {
    let value = |key| report.value(key).filter(|v| *v > 0.0);
    let (page, faults) = (value("topo.page")?, value("fault.anon_base.count")?);
    let (base, huge) = (value("fault.anon_base.time")?, value("fault.thp.time")?);
    let machine = Machine::measured(report.label.clone(), page, faults, base, huge)?;
    let mapped = value("fault.file_map.time").zip(value("fault.file_map.count")).map(|(ns, n)| ns / n);
    Some(Machine { major_ns: value("fault.major"), cow_ns: value("fault.cow"), mapped_ns: mapped, ..machine })
}
