//! Ink. Colour is added to words that say the same, and disappears in a pipe.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// Title of a section.
pub const TITLE: Style = Style::new().bold();
/// Column heads, spreads, explanations.
pub const MUTED: Style = Style::new().dimmed();
/// CPUs and their memory.
pub const CPU: Style = AnsiColor::Cyan.on_default();
/// GPUs and their memory.
pub const GPU: Style = AnsiColor::Green.on_default();
/// Something to look at.
pub const CAUTION: Style = AnsiColor::Yellow.on_default();
/// Something wrong.
pub const TROUBLE: Style = AnsiColor::Red.on_default().bold();

/// `text` in that ink.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
