//! `drills rack numa`.

use crate::run::{Context, Sink};

/// Runs the drill.
pub fn run(_ctx: &Context, _sink: &Sink) {}
