//! The explorer: controls and picture.

use drills_results::Report;

use super::chart;
use super::choice::{Gpu, Quantity, Scale};
use super::model::Latency;
use super::row::{Group, Row};
use crate::kit::plot::{PickRow, row_picture};
use crate::kit::{Control, Figure, FigureModel, Layout, Node, Preset, Taken};

impl Figure for Latency {
    const ID: &'static str = "latency";

    fn presets(&self) -> Vec<Preset<Self>> {
        let at = |row: &'static str| Self { row, ..Self::default() };
        vec![
            Preset { name: "One miss to DRAM", state: Self::default() },
            Preset { name: "A sleeper against the wire", state: Self { scale: Scale::Human, ..at("wake") } },
            Preset {
                name: "Launch-bound",
                state: Self { gpu: Gpu::B200, ..at("launch") }.filtered(Some(Group::Software)),
            },
            Preset {
                name: "Far but wide",
                state: Self { quantity: Quantity::Bandwidth, ..at("gpu-host-load") },
            },
        ]
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let quantities = [(Quantity::Latency, "Latency"), (Quantity::Bandwidth, "Bandwidth")];
        let groups = [
            (None, "All"),
            (Some(Group::Memory), "Memory"),
            (Some(Group::Software), "Software"),
            (Some(Group::Devices), "Devices"),
        ];
        let scales = [(Scale::Real, "As it is"), (Scale::Human, "L1 = 1 second")];
        let gpus = Gpu::ALL.map(|gpu| (gpu, gpu.name()));
        vec![
            Control::choice("Show", &quantities, self.quantity, |s, quantity| s.quantity = quantity),
            Control::choice("Group", &groups, self.filter, |s, filter| *s = s.clone().filtered(filter)),
            Control::choice("Time", &scales, self.scale, |s, scale| s.scale = scale),
            Control::choice("GPU that waits", &gpus, self.gpu, |s, gpu| s.gpu = gpu),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let grid = chart::grid(layout);
        let row = |row: &&'static Row| PickRow {
            id: row.id,
            label: spoken(self, row),
            chosen: row.id == self.row,
            enabled: self.enabled(row),
        };
        let rows = self.order().iter().map(row).collect();
        let title = format!("Latency and bandwidth of {} distances. {}", grid.count, self.sentence());
        row_picture(Self::ID, "Distances", title, grid, rows, chart::draw(self, layout))
    }

    fn press(&mut self, row: usize) {
        self.row = self.order().get(row).map_or(self.row, |row| row.id);
    }

    fn read(&mut self, report: Option<&Report>) {
        self.yours = report.map(|report| Taken::from_report(report, Self::keys())).unwrap_or_default();
    }
}

fn spoken(model: &Latency, row: &Row) -> String {
    let value = model.span(row).map_or("no number".into(), |s| model.tell_span(s.low, s.high));
    let own = model.yours(row).map_or(String::new(), |own| format!(", yours {}", model.tell(own.value)));
    format!("{}, {value}{own}", row.name)
}
