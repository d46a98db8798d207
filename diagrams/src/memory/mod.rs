//! Figures of module `memory`: what virtual memory does to your bytes.

use leptos::prelude::AnyView;

use crate::kit::{FigureEntry, FigureProps};

pub mod address_spaces;
pub mod fork_cow;
pub mod page_fault;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry("address-spaces", "Two processes over one memory", address_spaces::view),
    entry("page-fault", "A page fault, step by step", page_fault::view),
    entry("fork-cow", "A parent and its workers, page by page", fork_cow::view),
];

const fn entry(id: &'static str, title: &'static str, view: fn(FigureProps) -> AnyView) -> FigureEntry {
    FigureEntry { id, module: "memory", title, view }
}
