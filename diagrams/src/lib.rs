//! The figures of the course.
//!
//! A figure is a folder `<word>/<figure>/`: `model.rs` is a pure model (plain data, units in names,
//! no DOM), `view.rs` adds its picture and its controls, which are plain data too, and `mod.rs`
//! introduces both. What figures share is in [`kit`]; only there Leptos and the browser are known.
//! [`figures`] lists them all.
//!
//! Invariants: no figure without a model that implements [`kit::FigureModel`]; no figure that knows
//! the DOM; no inline style (the page's policy forbids it): colours are CSS classes.

pub mod kit;
pub mod machine;
pub mod memory;
pub mod rack;

pub use kit::{FigureEntry, FigureProps};

/// Every figure, in the order of the course.
pub fn figures() -> impl Iterator<Item = &'static FigureEntry> {
    [machine::FIGURES, memory::FIGURES, rack::FIGURES].into_iter().flatten()
}

/// The figure with this id.
pub fn find(id: &str) -> Option<&'static FigureEntry> {
    figures().find(|figure| figure.id == id)
}
