//! Transfers as routes through a machine, their slowest wire and the time they take.

use super::machines::{Machine, MachineId, Place, Wire};

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

    /// The wire between two places, if there is one.
    pub fn wire(&self, a: Place, b: Place) -> Option<Wire> {
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
