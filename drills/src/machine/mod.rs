//! How the box is wired, and what its wires carry: `drills machine`.

pub mod topo;
