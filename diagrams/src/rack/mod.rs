//! Figures of module `rack`: eighteen hosts, one fabric.

// The figure that shows the whole rack has the name of its module.
#[allow(clippy::module_inception)]
pub mod rack;

pub mod all_reduce;

use crate::kit::{Figure, FigureEntry};

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry::<rack::Rack>("A rack, and what fails together"),
    entry::<all_reduce::AllReduce>("All-reduce: model and published runs"),
];

const fn entry<M: Figure>(title: &'static str) -> FigureEntry {
    FigureEntry::of::<M>("rack", title)
}
