//! Controls and picture.

use drills_results::Report;

use super::chart;
use super::choice::{Number, Order, Unit};
use super::model::{Entry, Links};
use super::own::KEYS;
use super::pcie::Lanes;
use crate::kit::plot::{PickRow, row_picture};
use crate::kit::{Control, Figure, FigureModel, Layout, Node, Preset, Taken};

impl Figure for Links {
    const ID: &'static str = "links";

    fn presets(&self) -> Vec<Preset<Self>> {
        let four = Lanes::new(4).unwrap_or(Lanes::FULL);
        let wide = Self { order: Order::Width, ..Self::default() };
        vec![
            Preset { name: "What a wire carries", state: Self::default() },
            Preset {
                name: "As on the slide",
                state: Self { number: Number::Marketed, row: "nvlink6", ..wide.clone() },
            },
            Preset {
                name: "The largest loss",
                state: Self {
                    number: Number::Measured,
                    order: Order::Loss,
                    row: "c2c-gb200",
                    ..Self::default()
                },
            },
            Preset {
                name: "A 140 GB checkpoint",
                state: Self { number: Number::Measured, unit: Unit::Checkpoint, row: "pcie4", ..wide },
            },
            Preset {
                name: "In the wrong slot",
                state: Self { lanes: four, row: "pcie4", ..Self::default() },
            },
        ]
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let numbers = [
            (Number::Marketed, "As marketed"),
            (Number::Direction, "Per direction"),
            (Number::Measured, "Measured"),
        ];
        let units =
            [(Unit::Rate, "GB/s"), (Unit::Gigabyte, "Time for 1 GB"), (Unit::Checkpoint, "for 140 GB")];
        let orders = [(Order::Family, "By family"), (Order::Width, "By width"), (Order::Loss, "By loss")];
        let lanes = Lanes::ALL.iter().position(|l| *l == self.lanes).unwrap_or(4);
        vec![
            Control::choice("Number that counts", &numbers, self.number, |s, number| s.number = number),
            Control::choice("Axis", &units, self.unit, |s, unit| s.unit = unit),
            Control::choice("Order", &orders, self.order, |s, order| s.order = order),
            Control::slider(
                "PCIe lanes",
                (0.0, 4.0),
                lanes as f64,
                format!("x{}", self.lanes.count()),
                |s: &mut Self, v| {
                    s.lanes = Lanes::ALL.get(v.round() as usize).copied().unwrap_or(s.lanes);
                },
            ),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let grid = chart::grid(layout);
        let row = |entry: &Entry| PickRow {
            id: entry.id(),
            label: spoken(self, entry),
            chosen: entry.id() == self.row,
            enabled: true,
        };
        let rows = self.entries().iter().map(row).collect();
        let title = format!("Bandwidth of {} links. {}", grid.count - 1, self.sentence());
        row_picture(Self::ID, "Links", title, grid, rows, chart::draw(self, layout))
    }

    fn press(&mut self, row: usize) {
        self.row = self.entries().get(row).map_or(self.row, Entry::id);
    }

    fn read(&mut self, report: Option<&Report>) {
        self.yours = report.map(|report| Taken::from_report(report, KEYS)).unwrap_or_default();
    }
}

fn spoken(model: &Links, entry: &Entry) -> String {
    match entry {
        Entry::Known(link) => {
            let value = model.value(link).map_or("no public number".into(), |v| model.tell(v));
            format!("{}, {value}", link.full_name(model.lanes))
        }
        Entry::Own => {
            let value = model.own().best().map_or("no results file chosen".into(), |v| model.tell(v));
            format!("Your CPU–GPU link, {value}")
        }
    }
}
