//! The state of the figure: two machines, a transfer, a size.

use super::machines::MachineId;
use super::route::{Load, Mode, Route, Transfer};
use crate::kit::units::{bytes_decimal, duration_ns, number, rate, round_number};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// Machines of the discrete side.
pub const LEFT: [MachineId; 2] = [MachineId::Rtx4090, MachineId::HgxH200];
/// Machines of the coherent side.
pub const RIGHT: [MachineId; 2] = [MachineId::Spark, MachineId::Gb200];
/// Sizes run from 1 MB to 1 TB in round numbers; the slider holds the step.
pub const SIZE_STEPS: u8 = 36;

/// State of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteUnified {
    /// The discrete machine.
    pub left: MachineId,
    /// The coherent machine.
    pub right: MachineId,
    /// What moves.
    pub transfer: Transfer,
    /// Size of the payload as a step of the slider.
    pub size_step: u8,
    /// How hops follow each other.
    pub mode: Mode,
}

impl Default for DiscreteUnified {
    fn default() -> Self {
        Self {
            left: MachineId::Rtx4090,
            right: MachineId::Spark,
            transfer: Transfer::CpuToGpu,
            size_step: 18,
            mode: Mode::StoreAndForward,
        }
    }
}

impl DiscreteUnified {
    /// Bytes of the payload.
    pub fn bytes(&self) -> f64 {
        1e6 * round_number(self.size_step)
    }

    /// The routes of both machines.
    pub fn routes(&self) -> [(MachineId, Route); 2] {
        [self.left, self.right].map(|id| (id, Route::of(id, self.transfer)))
    }

    /// Longest of both transfers; the time axis of the picture.
    pub fn longest_ns(&self) -> f64 {
        self.routes().iter().map(|(_, r)| r.total_ns(self.bytes(), self.mode)).fold(0.0, f64::max)
    }

    /// The figure's stories.
    pub fn presets() -> Vec<Preset<Self>> {
        let base = Self::default();
        vec![
            Preset { name: "A batch to the GPU", state: base },
            Preset { name: "Cards that cannot meet", state: Self { transfer: Transfer::GpuToGpu, ..base } },
            Preset {
                name: "Two servers, one batch",
                state: Self { left: MachineId::HgxH200, right: MachineId::Gb200, ..base },
            },
            Preset {
                name: "A 70B checkpoint",
                state: Self {
                    left: MachineId::HgxH200,
                    right: MachineId::Gb200,
                    transfer: Transfer::DiskToGpu,
                    size_step: 31,
                    mode: Mode::Pipelined,
                },
            },
        ]
    }
}

/// The rate of a loaded wire in words: `31.5 GB/s`, or `273 GB/s shared by 2 passes, 137 GB/s each`.
pub fn load_text(load: Load) -> String {
    match load.times {
        1 => rate(load.wire.bytes_per_s),
        n => format!("{} shared by {n} passes, so {}", rate(load.wire.bytes_per_s), rate(load.bytes_per_s())),
    }
}

impl FigureModel for DiscreteUnified {
    fn to_query(&self) -> Query {
        let base = Self::default();
        Query::new()
            .set("left", self.left.slug(), base.left.slug())
            .set("right", self.right.slug(), base.right.slug())
            .set("move", self.transfer.slug(), base.transfer.slug())
            .set("size", self.size_step, base.size_step)
            .set("pipelined", self.mode == Mode::Pipelined, false)
    }

    fn from_query(query: &Query) -> Self {
        let base = Self::default();
        let machine =
            |key, among, or| query.get(key).and_then(|slug| MachineId::from_slug(slug, among)).unwrap_or(or);
        let transfer = |slug| Transfer::ALL.into_iter().find(|t| t.slug() == slug);
        Self {
            left: machine("left", &LEFT, base.left),
            right: machine("right", &RIGHT, base.right),
            transfer: query.get("move").and_then(transfer).unwrap_or(base.transfer),
            size_step: query.number("size", f64::from(base.size_step), 0.0..=f64::from(SIZE_STEPS)) as u8,
            mode: if query.parse("pipelined", false) { Mode::Pipelined } else { Mode::StoreAndForward },
        }
    }

    fn sentence(&self) -> String {
        let what = match self.transfer {
            Transfer::DiskToGpu => "from disk to GPU",
            Transfer::CpuToGpu => "from CPU to GPU",
            Transfer::GpuToGpu => "from GPU to GPU",
        };
        let side = |(_, route): &(MachineId, Route)| {
            let time = duration_ns(route.total_ns(self.bytes(), self.mode));
            let limit = route.bottleneck(self.mode);
            let (name, text) = limit.map_or(("nothing", String::new()), |l| (l.wire.name, load_text(l)));
            format!("at least {time} on the {} (slowest wire: {name}, {text})", route.machine.name)
        };
        let sides = self.routes().each_ref().map(side);
        format!("{} {what}: {}, and {}.", bytes_decimal(self.bytes()), sides[0], sides[1])
    }

    fn counters(&self) -> Vec<Counter> {
        let [(_, left), (_, right)] = self.routes();
        let both = |value: &dyn Fn(&Route) -> String| format!("{} | {}", value(&left), value(&right));
        let slowest = |r: &Route| r.bottleneck(self.mode).map_or("none".into(), |l| rate(l.bytes_per_s()));
        vec![
            Counter::new("Time", both(&|r| duration_ns(r.total_ns(self.bytes(), self.mode)))),
            Counter::new("Slowest wire", both(&slowest)),
            Counter::new("Passes through host DRAM", both(&|r| r.dram_passes().to_string())),
            Counter::new("Wires crossed", both(&|r| r.wires_crossed().to_string())),
        ]
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&[
            "Machine",
            "Hop",
            "Who moves the bytes",
            "Wires, GB/s each",
            "Slowest, GB/s",
            "Time of the hop",
        ]);
        for (_, route) in self.routes() {
            for (i, hop) in route.hops.iter().enumerate() {
                let one = std::slice::from_ref(hop);
                let wires = route.loads(one).iter().map(|l| wire_cell(*l)).collect::<Vec<_>>().join("; ");
                let slowest = route.slowest(one).map_or(0.0, Load::bytes_per_s);
                table.row([
                    route.machine.name.to_owned(),
                    (i + 1).to_string(),
                    hop.mover.to_owned(),
                    wires,
                    number(slowest / 1e9),
                    duration_ns(route.hop_ns(hop, self.bytes())),
                ]);
            }
        }
        table
    }
}

fn wire_cell(load: Load) -> String {
    let times = if load.times > 1 { format!(", {} times", load.times) } else { String::new() };
    format!("{} {}{times}", load.wire.name, number(load.wire.bytes_per_s / 1e9))
}

#[cfg(test)]
mod tests;
