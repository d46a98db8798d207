//! The figures of the course.
//!
//! A figure is a folder `<word>/<figure>/`: `model.rs` is a pure model (plain data, units in names,
//! no DOM, no Leptos), `view.rs` draws it, `mod.rs` introduces both. What figures share is in
//! [`kit`]. [`figures`] lists them all.
//!
//! Invariants: no figure without a model that implements [`kit::FigureModel`]; no model that knows
//! the DOM; no inline style (the page's policy forbids it): colours are CSS classes.

// A figure is one deep type of nested views; the default of 128 is too low for the compiler to lay it out.
#![recursion_limit = "256"]

pub mod kit;
pub mod machine;
pub mod memory;

pub use kit::{FigureEntry, FigureProps};

/// Every figure, in the order of the course.
pub fn figures() -> &'static [FigureEntry] {
    FIGURES
}

const COUNT: usize = machine::FIGURES.len() + memory::FIGURES.len();
static FIGURES: &[FigureEntry] = &joined();

/// The modules' lists, one behind the other.
const fn joined() -> [FigureEntry; COUNT] {
    let mut all = [machine::FIGURES[0]; COUNT];
    let mut at = 0;
    while at < COUNT {
        let first = machine::FIGURES.len();
        all[at] = if at < first { machine::FIGURES[at] } else { memory::FIGURES[at - first] };
        at += 1;
    }
    all
}

/// The figure with this id.
pub fn find(id: &str) -> Option<&'static FigureEntry> {
    figures().iter().find(|figure| figure.id == id)
}
