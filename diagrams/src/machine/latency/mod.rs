//! Latency and bandwidth from a register to another rack, on one log axis.
//!
//! The surprise: the slowest thing inside a box is not a wire. Waking a sleeping thread costs more
//! than writing into the memory of the next server, and a slice of CPU time lost to a neighbour costs more
//! than any trip through the network.

mod chart;
mod choice;
mod model;
mod row;
mod rows;
mod view;

pub use choice::{Gpu, Quantity, Scale};
pub use model::Latency;
pub use row::{Evidence, Group, Row, Span, Yours};
pub use rows::all as rows;
