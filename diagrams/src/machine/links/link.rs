//! What the figure knows about one link.

use crate::kit::scene::Role;

use super::pcie::{self, Lanes};

/// Families of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// PCI Express of a generation; the lanes are the reader's choice.
    Pcie(u8),
    /// NVLink between GPUs.
    NvLink,
    /// NVLink-C2C between CPU and GPU.
    C2c,
    /// Network interface.
    Nic,
}

impl Family {
    /// Colour of the family. All links are wires; GPU to GPU has the GPU's colour.
    pub fn role(self) -> Role {
        match self {
            Self::NvLink => Role::Gpu,
            Self::C2c => Role::Cpu,
            Self::Pcie(_) | Self::Nic => Role::Wire,
        }
    }
}

/// How a rate came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Measured for this course.
    Measured,
    /// Published by somebody else.
    Published,
    /// A constant that NCCL's cost model counts on: an assumption of software, no measurement.
    Assumed,
}

/// A rate that software saw or counts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Bytes per second, one direction.
    pub bytes_per_s: f64,
    /// How it came about.
    pub kind: Kind,
    /// Machine and direction, such as "H200 host, to the GPU".
    pub what: &'static str,
}

/// One link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Short id, as in links to the figure.
    pub id: &'static str,
    /// Name; lanes are added for PCIe.
    pub name: &'static str,
    /// Family.
    pub family: Family,
    /// Bytes per second as data sheets count; for PCIe that of 16 lanes.
    pub marketed: f64,
    /// What the headline counts.
    pub counts: &'static str,
    /// Bytes per second in one direction for one GPU or port; for PCIe that of 16 lanes.
    pub direction: f64,
    /// What was seen.
    pub seen: &'static [Seen],
    /// Its story.
    pub story: &'static str,
    /// Source in a few words.
    pub source: &'static str,
}

impl Link {
    /// The link at a number of lanes. What was seen on 16 lanes says nothing about fewer.
    pub fn with_lanes(self, lanes: Lanes) -> Self {
        let Family::Pcie(generation) = self.family else { return self };
        Self {
            marketed: 2.0 * pcie::raw_bytes_per_s(generation, lanes),
            direction: pcie::bytes_per_s(generation, lanes),
            seen: if lanes == Lanes::FULL { self.seen } else { &[] },
            ..self
        }
    }

    /// Name with lanes where it has some.
    pub fn full_name(&self, lanes: Lanes) -> String {
        match self.family {
            Family::Pcie(_) => format!("{} x{}", self.name, lanes.count()),
            _ => self.name.to_owned(),
        }
    }

    /// The best rate that was measured or published; constants do not count.
    pub fn best_seen(&self) -> Option<Seen> {
        let real = self.seen.iter().filter(|s| s.kind != Kind::Assumed);
        real.copied().max_by(|a, b| a.bytes_per_s.total_cmp(&b.bytes_per_s))
    }

    /// How often the headline is as large as what was seen, or as one direction where nothing was.
    pub fn shrinks(&self) -> f64 {
        self.marketed / self.best_seen().map_or(self.direction, |s| s.bytes_per_s)
    }
}
