//! Controls, presets, the reader's numbers.

use drills_results::Report;

use super::choice::{Deed, Storage};
use super::model::{COLUMNS, ForkCow, SHARES, Yours};
use super::picture::picture;
use crate::kit::units::percent;
use crate::kit::{Control, Figure, Layout, Node, Preset};

impl Figure for ForkCow {
    const ID: &'static str = "fork-cow";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let (last_share, last_column) = ((SHARES.len() - 1) as f64, COLUMNS as f64);
        let column = self.column + 1;
        vec![
            Control::choice(
                "Samples are stored as",
                &Storage::ALL.map(|s| (s, s.name())),
                self.storage,
                |m, v| {
                    m.storage = v;
                },
            ),
            Control::choice("Workers", &Deed::ALL.map(|d| (d, d.name())), self.deed, |m, v| m.deed = v),
            Control::slider(
                "Done by each worker",
                (0.0, last_share),
                self.share as f64,
                percent(self.progress()),
                |m: &mut Self, v| m.share = v.round() as usize,
            ),
            Control::slider(
                "Look into page",
                (1.0, last_column),
                column as f64,
                column.to_string(),
                |m: &mut Self, v| m.column = (v.round() as usize).saturating_sub(1),
            ),
            index("Base page", &["4 KiB", "16 KiB", "64 KiB"], self.page, |m, i| m.page = i),
            index("Number of workers", &["1", "2", "4", "8"], self.workers, |m, i| m.workers = i),
            index("Bytes per sample", &["32 B", "160 B", "1 KiB", "16 KiB"], self.size, |m, i| m.size = i),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn press(&mut self, column: usize) {
        self.column = column.min(COLUMNS - 1);
    }

    fn read(&mut self, report: Option<&Report>) {
        let value = |key| report.and_then(|report| report.value(key));
        self.yours = Yours {
            page_bytes: value("topo.page"),
            all: value("cow.object_headers.uss"),
            one_percent: value("cow.one_percent.uss"),
            one_header: value("cow.one_header.uss"),
            fork_ns_per_gib: value("cow.fork"),
        };
    }
}

/// A choice among the places of a list.
fn index(
    label: &'static str,
    texts: &[&'static str],
    now: usize,
    set: fn(&mut ForkCow, usize),
) -> Control<ForkCow> {
    let options: Vec<_> = texts.iter().copied().enumerate().collect();
    Control::choice(label, &options, now, set)
}

fn presets() -> Vec<Preset<ForkCow>> {
    let start = ForkCow::default;
    let all = SHARES.len() - 1;
    vec![
        Preset { name: "1 % of a list", state: start() },
        Preset { name: "just forked", state: ForkCow { share: 0, ..start() } },
        Preset { name: "a whole epoch and more", state: ForkCow { share: all, ..start() } },
        Preset { name: "gc.freeze()", state: ForkCow { share: all, storage: Storage::Frozen, ..start() } },
        Preset { name: "numpy", state: ForkCow { share: all, storage: Storage::Numpy, ..start() } },
        Preset { name: "64 KiB pages, 1 %", state: ForkCow { page: 2, ..start() } },
        Preset {
            name: "as the drill",
            state: ForkCow { size: 0, workers: 0, share: all, deed: Deed::ReadInOrder, ..start() },
        },
        Preset { name: "write a tensor", state: ForkCow { deed: Deed::WriteTensor, share: 11, ..start() } },
    ]
}
