//! Figures of module `machine`: how the box is wired.

use crate::kit::{Figure, FigureEntry};

pub mod copy_timeline;
pub mod data_path;
pub mod discrete_unified;
pub mod false_sharing;
pub mod latency;
pub mod links;
pub mod numa_node;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry::<discrete_unified::DiscreteUnified>("Discrete and unified machines"),
    entry::<false_sharing::FalseSharing>("False sharing, access by access"),
    entry::<latency::Latency>("Latency and bandwidth explorer"),
    entry::<numa_node::NumaNode>("A training node and its distances"),
    entry::<links::Links>("Links: marketed, per direction, measured"),
    entry::<copy_timeline::CopyTimeline>("Three copies on one timeline"),
    entry::<data_path::DataPath>("From disk to GPU to network"),
];

const fn entry<M: Figure>(title: &'static str) -> FigureEntry {
    FigureEntry::of::<M>("machine", title)
}
