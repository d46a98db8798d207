//! Figures of module `machine`: how the box is wired.

use leptos::prelude::AnyView;

use crate::kit::{FigureEntry, FigureProps};

pub mod false_sharing;
pub mod latency;
pub mod links;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[
    entry("false-sharing", "False sharing, access by access", false_sharing::view),
    entry("latency", "Latency and bandwidth explorer", latency::view),
    entry("links", "Links: marketed, per direction, measured", links::view),
];

const fn entry(id: &'static str, title: &'static str, view: fn(FigureProps) -> AnyView) -> FigureEntry {
    FigureEntry { id, module: "machine", title, view }
}
