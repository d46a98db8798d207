//! Figures of module `memory`: what virtual memory does to your bytes.

use crate::kit::{Figure, FigureEntry};

pub mod address_spaces;
pub mod fork_cow;
pub mod page_fault;
pub mod page_walk;
pub mod tlb_reach;
pub mod vmm;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry::<address_spaces::AddressSpaces>("Two processes over one memory"),
    entry::<page_walk::PageWalk>("A page walk, read by read"),
    entry::<tlb_reach::TlbReach>("TLB reach and what a miss costs"),
    entry::<page_fault::PageFault>("A page fault, step by step"),
    entry::<fork_cow::ForkCow>("A parent and its workers, page by page"),
    entry::<vmm::Vmm>("GPU memory: addresses, handles, mappings"),
];

const fn entry<M: Figure>(title: &'static str) -> FigureEntry {
    FigureEntry::of::<M>("memory", title)
}
