//! Two machine designs side by side: which wires a transfer crosses, and which of them is the slowest.
//!
//! The surprise: in the unified machine no wire between CPU and GPU is the limit. The "copy" reads and
//! writes the same DRAM, so it gets half of what that DRAM delivers.

mod machines;
mod model;
mod route;
mod view;

pub use machines::{Machine, MachineId, Place, Wire};
pub use model::DiscreteUnified;
pub use route::{Hop, Mode, Route, Transfer};
