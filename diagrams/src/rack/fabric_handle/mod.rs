//! `fabric-handle`: one GPU buffer, shared within a process, on a host, and across trays.
//!
//! A stepper through the driver's calls that says who checks what. The surprise: a dead daemon and a GPU in
//! another NVLink domain return one and the same error from one and the same call.

mod breaks;
mod model;
mod places;
mod steps;
mod view;

pub use model::FabricHandle;
