//! Routes through the machines, their slowest wire and the time they take.

use super::machines::{Machine, MachineId, Place, Wire};
use crate::kit::units::{bytes_decimal, duration_ns, number, rate, round_number};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// Machines of the discrete side.
pub const LEFT: [MachineId; 2] = [MachineId::Rtx4090, MachineId::HgxH200];
/// Machines of the coherent side.
pub const RIGHT: [MachineId; 2] = [MachineId::Spark, MachineId::Gb200];
/// Sizes run from 1 MB to 1 TB in round numbers; the slider holds the step.
pub const SIZE_STEPS: u8 = 36;

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// A file into GPU memory.
    DiskToGpu,
    /// A pinned host buffer into GPU memory.
    CpuToGpu,
    /// From one GPU to another.
    GpuToGpu,
}

impl Transfer {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DiskToGpu, Self::CpuToGpu, Self::GpuToGpu];

    /// Short name for addresses.
    pub fn slug(self) -> &'static str {
        match self {
            Self::DiskToGpu => "disk",
            Self::CpuToGpu => "cpu",
            Self::GpuToGpu => "gpu",
        }
    }
}

/// How the hops of a transfer follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A hop starts when the one before has finished.
    StoreAndForward,
    /// All hops run at the same time on small chunks.
    Pipelined,
}

/// One move from a place that stores to the next one that does.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// Places in order, both ends included.
    pub places: Vec<Place>,
    /// Who moves the bytes.
    pub mover: &'static str,
}

impl Hop {
    fn new(mover: &'static str, places: &[Place]) -> Self {
        Self { places: places.to_vec(), mover }
    }
}

/// A transfer on a machine: its hops and what limits them.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The machine.
    pub machine: Machine,
    /// The hops in order.
    pub hops: Vec<Hop>,
}

/// A wire under load: how often the payload crosses it in the direction that is used most, or in both
/// directions where they share the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The wire.
    pub wire: Wire,
    /// Times that the payload counts against its rate.
    pub times: u32,
}

impl Load {
    /// Rate that the transfer gets on this wire.
    pub fn bytes_per_s(self) -> f64 {
        self.wire.bytes_per_s / f64::from(self.times)
    }
}

impl Route {
    /// The route of a transfer.
    pub fn of(id: MachineId, transfer: Transfer) -> Self {
        Self { machine: id.machine(), hops: hops(id, transfer) }
    }

    fn wire(&self, a: Place, b: Place) -> Option<Wire> {
        self.machine.wires.iter().copied().find(|w| w.ends == (a, b) || w.ends == (b, a))
    }

    /// Wires that some hops load, in order of first use.
    pub fn loads(&self, hops: &[Hop]) -> Vec<Load> {
        let mut counts: Vec<(Wire, [u32; 2])> = Vec::new();
        for pair in hops.iter().flat_map(|hop| hop.places.windows(2)) {
            let Some(wire) = self.wire(pair[0], pair[1]) else { continue };
            let back = usize::from(wire.ends.0 != pair[0]);
            match counts.iter_mut().find(|(w, _)| w.ends == wire.ends) {
                Some((_, count)) => count[back] += 1,
                None => counts.push((wire, [1 - back as u32, back as u32])),
            }
        }
        let times = |shared: bool, [out, back]: [u32; 2]| if shared { out + back } else { out.max(back) };
        counts.into_iter().map(|(wire, count)| Load { wire, times: times(wire.shared, count) }).collect()
    }

    /// The load that limits some hops.
    pub fn slowest(&self, hops: &[Hop]) -> Option<Load> {
        self.loads(hops).into_iter().min_by(|a, b| a.bytes_per_s().total_cmp(&b.bytes_per_s()))
    }

    /// Time of one hop alone.
    pub fn hop_ns(&self, hop: &Hop, bytes: f64) -> f64 {
        self.slowest(std::slice::from_ref(hop)).map_or(0.0, |load| bytes / load.bytes_per_s() * 1e9)
    }

    /// What limits the transfer as a whole: with pipelining all hops load the wires at the same time.
    pub fn bottleneck(&self, mode: Mode) -> Option<Load> {
        match mode {
            Mode::Pipelined => self.slowest(&self.hops),
            Mode::StoreAndForward => self
                .hops
                .iter()
                .filter_map(|hop| self.slowest(std::slice::from_ref(hop)))
                .min_by(|a, b| a.bytes_per_s().total_cmp(&b.bytes_per_s())),
        }
    }

    /// Ends of every wire that is as slow as the bottleneck.
    pub fn slowest_wires(&self, mode: Mode) -> Vec<(Place, Place)> {
        let Some(limit) = self.bottleneck(mode) else { return Vec::new() };
        let loads: Vec<Load> = match mode {
            Mode::Pipelined => self.loads(&self.hops),
            Mode::StoreAndForward => {
                self.hops.iter().flat_map(|hop| self.loads(std::slice::from_ref(hop))).collect()
            }
        };
        let as_slow = |load: &Load| load.bytes_per_s() <= limit.bytes_per_s();
        loads.into_iter().filter(as_slow).map(|load| load.wire.ends).collect()
    }

    /// Time of the transfer.
    pub fn total_ns(&self, bytes: f64, mode: Mode) -> f64 {
        match mode {
            Mode::StoreAndForward => self.hops.iter().map(|hop| self.hop_ns(hop, bytes)).sum(),
            Mode::Pipelined => self.bottleneck(mode).map_or(0.0, |load| bytes / load.bytes_per_s() * 1e9),
        }
    }

    /// How often the payload is read from or written to host DRAM.
    pub fn dram_passes(&self) -> usize {
        self.crossings().filter(|wire| wire.host_dram).count()
    }

    /// How many wires the payload crosses, memory included, each crossing counted.
    pub fn wires_crossed(&self) -> usize {
        self.crossings().count()
    }

    fn crossings(&self) -> impl Iterator<Item = Wire> + '_ {
        self.hops.iter().flat_map(|hop| hop.places.windows(2)).filter_map(|pair| self.wire(pair[0], pair[1]))
    }
}

/// The hops of each transfer. Where GPUs cannot reach each other (two 4090, two Sparks), the payload is
/// staged in host memory: NVIDIA's stock driver refuses peer access between 4090s, and NCCL reports
/// `gdr=0` on a Spark.
fn hops(id: MachineId, transfer: Transfer) -> Vec<Hop> {
    use Place::*;
    const READ: &str = "the drive's DMA";
    const ENGINE: &str = "a copy engine";
    let twin_in = Hop::new(ENGINE, &[Dram, Cpu, Gpu0, Vram0]);
    let pool_copy = Hop::new(ENGINE, &[Dram, Cpu, Gpu0, Cpu, Dram]);
    let from_disk = Hop::new(READ, &[Disk, Cpu, Dram]);
    match (transfer, id) {
        (Transfer::CpuToGpu, MachineId::Spark) => vec![pool_copy],
        (Transfer::CpuToGpu, _) => vec![twin_in],
        (Transfer::DiskToGpu, MachineId::Spark) => vec![from_disk, pool_copy],
        (Transfer::DiskToGpu, _) => vec![from_disk, twin_in],
        (Transfer::GpuToGpu, MachineId::Rtx4090) => vec![
            Hop::new("copy engine of GPU 0", &[Vram0, Gpu0, Cpu, Dram]),
            Hop::new("copy engine of GPU 1", &[Dram, Cpu, Gpu1, Vram1]),
        ],
        (Transfer::GpuToGpu, MachineId::Spark) => vec![
            pool_copy,
            Hop::new("the NICs' DMA", &[Dram, Cpu, Nic, Peer, PeerDram]),
            Hop::new("copy engine of the second Spark", &[PeerDram, Peer, PeerDram]),
        ],
        (Transfer::GpuToGpu, _) => vec![Hop::new("SMs or a copy engine", &[Vram0, Gpu0, Gpu1, Vram1])],
    }
}

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
