//! What NCCL decides by distance, and what the other ranks do.

use super::chassis::Code;

/// `NCCL_NET_GDR_LEVEL`: the greatest distance at which NCCL lets a NIC read and write GPU memory itself.
///
/// NCCL documents these five. It knows no `NODE`: its graph has one CPU node per NUMA node, so two host
/// bridges of one node are `PHB` to it (`src/graph/paths.cc`). Unset it starts from `PXB`; the exception
/// for C2C machines does not reach x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GdrLevel {
    /// Never.
    Loc,
    /// Same switch.
    Pix,
    /// Several switches; the default.
    Pxb,
    /// Same NUMA node.
    Phb,
    /// Always.
    Sys,
}

impl GdrLevel {
    /// All, nearest first.
    pub const ALL: [Self; 5] = [Self::Loc, Self::Pix, Self::Pxb, Self::Phb, Self::Sys];

    /// As NCCL spells it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Loc => "LOC",
            Self::Pix => "PIX",
            Self::Pxb => "PXB",
            Self::Phb => "PHB",
            Self::Sys => "SYS",
        }
    }

    /// Whether GPUDirect RDMA stays on at this distance.
    pub fn allows(self, code: Code) -> bool {
        match self {
            Self::Loc => false,
            Self::Pix => code <= Code::Pix,
            Self::Pxb => code <= Code::Pxb,
            Self::Phb => code <= Code::Node,
            Self::Sys => true,
        }
    }
}

/// What the other seven ranks do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Nothing.
    Quiet,
    /// Each sends through the NIC of its own number.
    OwnNic,
    /// Each sends through its nearest NIC, as NCCL chooses if it may.
    Nearest,
    /// All send through the picked NIC, as if `NCCL_IB_HCA` named it alone.
    PickedNic,
}

impl Others {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Quiet, Self::OwnNic, Self::Nearest, Self::PickedNic];

    /// Short name for addresses.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::OwnNic => "own",
            Self::Nearest => "nearest",
            Self::PickedNic => "picked",
        }
    }
}
