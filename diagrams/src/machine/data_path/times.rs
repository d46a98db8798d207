//! How long each resource is busy with a payload.

use super::plan::{Mover, Plan, Spot, Step};

/// The storage the payload is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// One PCIe 4.0 x4 drive: about 7 GB/s (vendors; 55.3 / 8 below).
    Gen4,
    /// One PCIe 5.0 x4 drive: about 14 GB/s (vendors).
    Gen5,
    /// Eight Gen4 drives read together: 55.3 GB/s (Azure AI benchmarking guide, ND H100 v5).
    EightGen4,
}

impl Drive {
    /// All, slowest first.
    pub const ALL: [Self; 3] = [Self::Gen4, Self::Gen5, Self::EightGen4];

    /// Bytes per second.
    pub fn bytes_per_s(self) -> f64 {
        match self {
            Self::Gen4 => 7.0e9,
            Self::Gen5 => 14.0e9,
            Self::EightGen4 => 55.3e9,
        }
    }

    /// Short name for addresses.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Gen4 => "gen4",
            Self::Gen5 => "gen5",
            Self::EightGen4 => "8-gen4",
        }
    }
}

/// Pinned copy over PCIe 5.0 x16: nvbandwidth on an H200 measured 54.7 GB/s to the device and 55.3 back.
pub const PCIE: f64 = 54.7e9;
/// A 400 Gb/s port.
pub const NIC: f64 = 50.0e9;
/// Eight channels of DDR5-4800, one socket, reads and writes together.
pub const DRAM: f64 = 307.0e9;

/// Something that is busy while bytes move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The drives.
    Drive,
    /// One CPU core that copies.
    Core,
    /// The GPU's link, towards the GPU.
    PcieIn,
    /// The GPU's link, away from the GPU.
    PcieOut,
    /// The NIC's cable.
    Nic,
    /// Host DRAM, all passes together.
    Dram,
}

impl Resource {
    /// All, in drawing order.
    pub const ALL: [Self; 6] = [Self::Drive, Self::Core, Self::PcieIn, Self::PcieOut, Self::Nic, Self::Dram];

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Drive => "drive",
            Self::Core => "core, memcpy",
            Self::PcieIn => "PCIe to GPU",
            Self::PcieOut => "PCIe from GPU",
            Self::Nic => "NIC",
            Self::Dram => "host DRAM",
        }
    }
}

/// Rates of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The drives.
    pub drive: Drive,
    /// Bytes per second that one core copies.
    pub memcpy_bytes_per_s: f64,
}

impl Rates {
    /// Rate of a resource.
    pub fn of(self, resource: Resource) -> f64 {
        match resource {
            Resource::Drive => self.drive.bytes_per_s(),
            Resource::Core => self.memcpy_bytes_per_s,
            Resource::PcieIn | Resource::PcieOut => PCIE,
            Resource::Nic => NIC,
            Resource::Dram => DRAM,
        }
    }

    /// Seconds that a resource is busy with the whole plan.
    pub fn busy_s(self, plan: &Plan, resource: Resource, bytes: f64) -> f64 {
        let times: u32 = plan.steps.iter().map(|&step| uses(step, resource)).sum();
        f64::from(times) * bytes / self.of(resource)
    }

    /// Seconds of one step alone: its slowest resource.
    pub fn step_s(self, step: Step, bytes: f64) -> f64 {
        let one = |r| f64::from(uses(step, r)) * bytes / self.of(r);
        Resource::ALL.into_iter().map(one).fold(0.0, f64::max)
    }

    /// Seconds if each step starts after the one before has finished.
    pub fn serial_s(self, plan: &Plan, bytes: f64) -> f64 {
        plan.steps.iter().map(|&step| self.step_s(step, bytes)).sum()
    }

    /// The resource that bounds the plan if all steps overlap, and its seconds.
    pub fn bound(self, plan: &Plan, bytes: f64) -> (Resource, f64) {
        let busy = |r| (r, self.busy_s(plan, r, bytes));
        let longer = |a: (Resource, f64), b: (Resource, f64)| if b.1 > a.1 { b } else { a };
        Resource::ALL.into_iter().map(busy).fold((Resource::Drive, 0.0), longer)
    }
}

/// How often a step moves the payload through a resource.
fn uses(step: Step, resource: Resource) -> u32 {
    let yes = match resource {
        Resource::Drive => step.from == Spot::Drive,
        Resource::Core => step.mover == Mover::Core,
        Resource::PcieIn => step.to == Spot::Gpu,
        Resource::PcieOut => step.from == Spot::Gpu,
        Resource::Nic => step.to == Spot::Nic,
        Resource::Dram => return step.dram_writes() + step.dram_reads(),
    };
    u32::from(yes)
}
