//! `vmm`: addresses, physical memory and what joins them, call by call.
//!
//! The reader makes the driver's virtual-memory calls in any order on two small address ranges and two
//! small GPUs. Wrong orders fail with the error that a real driver returned. The surprise: releasing a
//! handle frees nothing while something is mapped.

mod call;
mod driver;
mod outcome;
mod picture;
mod scripts;
mod state;
mod view;

pub use call::Call;
pub use driver::{Driver, Kind, Mapping, Memory};
pub use outcome::{Evidence, Outcome, Status};
pub use state::Vmm;
