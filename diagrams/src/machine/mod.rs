//! Figures of module `machine`: how the box is wired.

use leptos::prelude::AnyView;

use crate::kit::{FigureEntry, FigureProps};

pub mod copy_timeline;
pub mod data_path;
pub mod discrete_unified;
pub mod false_sharing;
pub mod latency;
pub mod links;
pub mod numa_node;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry("discrete-unified", "Discrete and unified machines", discrete_unified::view),
    entry("false-sharing", "False sharing, access by access", false_sharing::view),
    entry("latency", "Latency and bandwidth explorer", latency::view),
    entry("numa-node", "A training node and its distances", numa_node::view),
    entry("links", "Links: marketed, per direction, measured", links::view),
    entry("copy-timeline", "Three copies on one timeline", copy_timeline::view),
    entry("data-path", "From disk to GPU to network", data_path::view),
];

const fn entry(id: &'static str, title: &'static str, view: fn(FigureProps) -> AnyView) -> FigureEntry {
    FigureEntry { id, module: "machine", title, view }
}
