//! Figures of module `machine`: how the box is wired.

use crate::kit::FigureEntry;

/// The module's figures in reading order.
pub const FIGURES: &[FigureEntry] = &[];
