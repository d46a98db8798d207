//! Figures of module `rack`: eighteen hosts, one fabric.

use crate::kit::{Figure, FigureEntry};

pub mod all_reduce;
pub mod fabric_handle;
pub mod placement;
// The figure that shows the whole rack has the name of its module.
#[allow(clippy::module_inception)]
pub mod rack;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry::<rack::Rack>("A rack, and what fails together"),
    entry::<placement::Placement>("Where an allocation lands"),
    entry::<fabric_handle::FabricHandle>("Who authorises a mapping"),
    entry::<all_reduce::AllReduce>("All-reduce: model and published runs"),
];

const fn entry<M: Figure>(title: &'static str) -> FigureEntry {
    FigureEntry::of::<M>("rack", title)
}
