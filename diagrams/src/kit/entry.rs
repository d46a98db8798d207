//! What the site needs to know about a figure.

use leptos::prelude::AnyView;

/// One figure of the course.
#[derive(Clone, Copy)]
pub struct FigureEntry {
    /// Kebab-case id, unique in the course: `copy-timeline`.
    pub id: &'static str,
    /// Word of the module it belongs to.
    pub module: &'static str,
    /// Short title for lists.
    pub title: &'static str,
    /// Builds the figure, its `<figure id="fig-…">` included.
    pub view: fn(FigureProps) -> AnyView,
}

impl FigureEntry {
    /// The entry of figure `M` in a module.
    pub const fn of<M: super::Figure>(module: &'static str, title: &'static str) -> Self {
        Self { id: M::ID, module, title, view: super::frame::<M> }
    }
}

/// What the page passes to a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureProps {
    /// Caption from the course text.
    pub caption: String,
}
