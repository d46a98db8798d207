//! From disk to GPU to network, step by step: who moves the bytes, and how often they pass through host
//! memory.
//!
//! The surprise: GPUDirect RDMA saves two DRAM passes and no CPU copy at all, and a drive that is slow
//! enough hides everything else.

mod cost;
mod geometry;
mod model;
mod plan;
mod times;
mod view;

pub use cost::{Faults, Syscalls};
pub use model::DataPath;
pub use plan::{Mover, Plan, Shortcuts, Spot, Step};
pub use times::{Drive, Resource};
