//! Sequences with a story.

use super::call::Call::{self, *};

/// A story.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Story {
    /// From reserving to freeing.
    #[default]
    Life,
    /// A segment that grows, gives memory back, and grows again.
    Segment,
    /// One process maps the memory of another's GPU.
    Peer,
    /// One address for the memory of two GPUs.
    Multicast,
    /// Whatever can go wrong.
    WrongOrder,
}

impl Story {
    /// All, in the order of the presets.
    pub const ALL: [Self; 5] = [Self::Life, Self::Segment, Self::Peer, Self::Multicast, Self::WrongOrder];

    /// Short name for addresses.
    pub fn id(self) -> &'static str {
        match self {
            Self::Life => "life",
            Self::Segment => "segment",
            Self::Peer => "peer",
            Self::Multicast => "multicast",
            Self::WrongOrder => "wrong-order",
        }
    }

    /// What it is about, before its first call.
    pub fn opening(self) -> &'static str {
        match self {
            Self::Life => {
                "Two processes, each with 16 MiB of addresses and a GPU of 8 MiB. Nothing is reserved, nothing is created."
            }
            Self::Segment => {
                "An allocator with expandable segments: it reserves far more addresses than it needs and maps memory at the end as it grows."
            }
            Self::Peer => "Process 0 makes memory on GPU 0, and process 1 wants to read it from GPU 1.",
            Self::Multicast => {
                "Two processes put memory of two GPUs behind one address. A single H200, passed through to a guest, reports MULTICAST_SUPPORTED 0."
            }
            Self::WrongOrder => "Every wrong order that was tried on the H200 host, one after the other.",
        }
    }

    /// Its calls.
    pub fn calls(self) -> &'static [Call] {
        match self {
            Self::Life => LIFE,
            Self::Segment => SEGMENT,
            Self::Peer => PEER,
            Self::Multicast => MULTICAST,
            Self::WrongOrder => WRONG_ORDER,
        }
    }
}

const LIFE: &[Call] = &[
    Reserve { process: 0, at: 0, mib: 8 },
    Create { process: 0, mib: 4, device: 0, shareable: true },
    Map { process: 0, at: 2, mib: 4, memory: 0 },
    SetAccess { process: 0, at: 2, mib: 4, device: 0 },
    Write { process: 0, at: 2, mib: 4 },
    Release { process: 0, memory: 0 },
    Write { process: 0, at: 2, mib: 4 },
    Unmap { process: 0, at: 2, mib: 4 },
    Free { process: 0, at: 0, mib: 8 },
];

const SEGMENT: &[Call] = &[
    Reserve { process: 0, at: 0, mib: 16 },
    Create { process: 0, mib: 2, device: 0, shareable: false },
    Map { process: 0, at: 0, mib: 2, memory: 0 },
    SetAccess { process: 0, at: 0, mib: 2, device: 0 },
    Create { process: 0, mib: 2, device: 0, shareable: false },
    Map { process: 0, at: 2, mib: 2, memory: 1 },
    SetAccess { process: 0, at: 2, mib: 2, device: 0 },
    Create { process: 0, mib: 2, device: 0, shareable: false },
    Map { process: 0, at: 4, mib: 2, memory: 2 },
    SetAccess { process: 0, at: 4, mib: 2, device: 0 },
    // A batch one larger than the last: 4 MiB in one piece, and only 2 are free.
    Create { process: 0, mib: 4, device: 0, shareable: false },
    Unmap { process: 0, at: 2, mib: 2 },
    Release { process: 0, memory: 1 },
    Create { process: 0, mib: 2, device: 0, shareable: false },
    Map { process: 0, at: 6, mib: 2, memory: 3 },
    SetAccess { process: 0, at: 6, mib: 2, device: 0 },
    Create { process: 0, mib: 2, device: 0, shareable: false },
    Map { process: 0, at: 8, mib: 2, memory: 4 },
    SetAccess { process: 0, at: 8, mib: 2, device: 0 },
    Write { process: 0, at: 4, mib: 6 },
];

const PEER: &[Call] = &[
    Create { process: 0, mib: 4, device: 0, shareable: true },
    Reserve { process: 0, at: 0, mib: 4 },
    Map { process: 0, at: 0, mib: 4, memory: 0 },
    SetAccess { process: 0, at: 0, mib: 4, device: 0 },
    Write { process: 0, at: 0, mib: 4 },
    Export { process: 0, memory: 0 },
    Import { process: 1 },
    Reserve { process: 1, at: 8, mib: 4 },
    Map { process: 1, at: 8, mib: 4, memory: 0 },
    SetAccess { process: 1, at: 8, mib: 4, device: 1 },
    Write { process: 1, at: 8, mib: 4 },
    Unmap { process: 0, at: 0, mib: 4 },
    Release { process: 0, memory: 0 },
    Write { process: 1, at: 8, mib: 4 },
    Release { process: 1, memory: 0 },
    Unmap { process: 1, at: 8, mib: 4 },
];

const MULTICAST: &[Call] = &[
    TeamCreate { process: 0, mib: 2 },
    Export { process: 0, memory: 0 },
    Import { process: 1 },
    TeamAdd { process: 0, team: 0, device: 0 },
    Create { process: 0, mib: 2, device: 0, shareable: false },
    // Too early: GPU 1 has not joined.
    TeamBind { process: 0, team: 0, memory: 1 },
    TeamAdd { process: 1, team: 0, device: 1 },
    TeamBind { process: 0, team: 0, memory: 1 },
    Create { process: 1, mib: 2, device: 1, shareable: false },
    TeamBind { process: 1, team: 0, memory: 2 },
    Reserve { process: 0, at: 4, mib: 2 },
    Map { process: 0, at: 4, mib: 2, memory: 0 },
    SetAccess { process: 0, at: 4, mib: 2, device: 0 },
    Reserve { process: 1, at: 4, mib: 2 },
    Map { process: 1, at: 4, mib: 2, memory: 0 },
    SetAccess { process: 1, at: 4, mib: 2, device: 1 },
    Write { process: 0, at: 4, mib: 2 },
];

const WRONG_ORDER: &[Call] = &[
    Create { process: 0, mib: 1, device: 0, shareable: false },
    Reserve { process: 0, at: 0, mib: 1 },
    Create { process: 0, mib: 4, device: 0, shareable: false },
    Map { process: 0, at: 0, mib: 4, memory: 0 },
    Reserve { process: 0, at: 0, mib: 8 },
    Map { process: 0, at: 1, mib: 4, memory: 0 },
    Map { process: 0, at: 0, mib: 2, memory: 0 },
    Map { process: 0, at: 0, mib: 4, memory: 0 },
    Map { process: 0, at: 0, mib: 4, memory: 0 },
    Write { process: 0, at: 0, mib: 4 },
    SetAccess { process: 0, at: 4, mib: 4, device: 0 },
    SetAccess { process: 0, at: 0, mib: 4, device: 0 },
    Map { process: 0, at: 4, mib: 4, memory: 0 },
    Unmap { process: 0, at: 0, mib: 2 },
    Free { process: 0, at: 0, mib: 8 },
    Export { process: 0, memory: 0 },
    Release { process: 0, memory: 0 },
    Release { process: 0, memory: 0 },
    Write { process: 0, at: 0, mib: 4 },
];
