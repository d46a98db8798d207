//! How the box is wired, and what its wires carry: `drills machine`.

pub mod bw;
pub mod latency;
mod memcpy;
pub mod place;
pub mod topo;
