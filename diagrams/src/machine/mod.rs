//! Figures of module `machine`: how the box is wired.

pub mod latency;

use crate::kit::FigureEntry;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[FigureEntry {
    id: "latency",
    module: "machine",
    title: "Latency and bandwidth explorer",
    view: latency::view,
}];
