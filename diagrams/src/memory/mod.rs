//! Figures of module `memory`: what virtual memory does to your bytes.

use leptos::prelude::AnyView;

use crate::kit::{FigureEntry, FigureProps};

pub mod page_walk;
pub mod tlb_reach;
pub mod vmm;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry("page-walk", "A page walk, read by read", page_walk::view),
    entry("tlb-reach", "TLB reach and what a miss costs", tlb_reach::view),
    entry("vmm", "GPU memory: addresses, handles, mappings", vmm::view),
];

const fn entry(id: &'static str, title: &'static str, view: fn(FigureProps) -> AnyView) -> FigureEntry {
    FigureEntry { id, module: "memory", title, view }
}
