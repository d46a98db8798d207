//! Figures of module `rack`: GB200 and GB300 NVL72 as one machine.

use crate::kit::{Figure, FigureEntry};

pub mod fabric_handle;
pub mod placement;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry::<placement::Placement>("Where an allocation lands"),
    entry::<fabric_handle::FabricHandle>("Who authorises a mapping"),
];

const fn entry<M: Figure>(title: &'static str) -> FigureEntry {
    FigureEntry::of::<M>("rack", title)
}
