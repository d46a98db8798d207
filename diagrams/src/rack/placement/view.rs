//! Controls and the parts of the picture.

use drills_results::Report;

use super::bars::{Plan, bars, legend};
use super::log::{free, height, log};
use super::model::Placement;
use super::nodes::{Distances, Mode};
use super::step::{Bind, MAX_GB, Step, What};
use super::words::size;
use crate::kit::{Control, Figure, Layout, Node, Preset, svg};

/// The slider moves in steps of so many gigabytes.
const SLIDER_GB: u32 = 10;

impl Figure for Placement {
    const ID: &'static str = "placement";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let modes = [(Mode::Numa, "kernel (NUMA mode)"), (Mode::Cdmm, "driver (CDMM)")];
        let distances =
            [(Distances::GraceNearer, "other Grace"), (Distances::AllEqual, "GPUs (no distances)")];
        let whats = [
            (What::Malloc, "malloc"),
            (What::File, "file read"),
            (What::Pinned, "cudaHostAlloc"),
            (What::Cuda, "cudaMalloc"),
            (What::Managed, "managed"),
            (What::Prefetch, "prefetch"),
        ];
        let who = [(0, "CPU 0"), (1, "CPU 1"), (2, "GPU 0"), (3, "GPU 1"), (4, "GPU 2"), (5, "GPU 3")];
        let binds = [(Bind::Anywhere, "no"), (Bind::Graces, "-m 0,1"), (Bind::Gpu, "-m the GPU's node")];
        let next = &self.next;
        let amount = (f64::from(next.gb / SLIDER_GB), size(next.gb * 1_000));
        let most = f64::from(MAX_GB / SLIDER_GB);
        vec![
            Control::stepper(self.done, self.steps.len() + 1, |m: &mut Self, done| m.go(done)),
            Control::choice("HBM belongs to", &modes, self.mode, |m, v| m.mode = v),
            Control::choice("After its own node a CPU tries", &distances, self.distances, |m, v| {
                m.distances = v
            }),
            Control::switch("Swap of 256 GB", self.swap, |m, on| m.swap = on),
            Control::choice("Next step", &whats, next.what, |m, what| m.plan(Step { what, ..m.next })),
            Control::choice("First touch by, or on", &who, next.who, |m, who| m.plan(Step { who, ..m.next })),
            Control::choice("numactl, for malloc and files", &binds, next.bind, |m, bind| {
                m.plan(Step { bind, ..m.next })
            }),
            Control::slider("How much", (1.0, most), amount.0, amount.1, |m: &mut Self, v| {
                m.next.gb = v.round() as u32 * SLIDER_GB;
            }),
            Control::deeds(
                "Act",
                &["Do this step", "Drop the page cache", "The youngest process ends"],
                |m: &mut Self, deed| match deed {
                    0 => m.allocate(),
                    1 => m.add(Step::new(What::Drop, 0, 1)),
                    _ => m.add(Step::new(What::Exit, 0, 1)),
                },
            ),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let replay = self.run();
        let plan = Plan::of(layout);
        let legend_y = plan.bottom() + 16.0;
        let free_y = legend_y + layout.pick(32.0, 56.0);
        let log_y = free_y + 44.0;
        svg::picture(
            (layout.width(), log_y + height(layout) + 4.0),
            "Memory of a tray, node by node, to scale",
            true,
        )
        .with(bars(&plan, &replay, &self.next))
        .with(legend(layout, legend_y))
        .with(free(&replay, layout, free_y))
        .with(log(self, &replay, layout, log_y))
    }

    fn read(&mut self, report: Option<&Report>) {
        let value = |key| report.and_then(|report| report.value(key));
        self.yours = value("numa.distance.cpu").zip(value("numa.distance.gpu"));
    }

    fn press(&mut self, part: usize) {
        self.go(part + 1);
    }
}
