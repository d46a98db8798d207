//! `page-fault`: the kernel's fault handler as a map to step through, one branch at a time.
//!
//! The reader chooses what was touched and follows the fault from the instruction through hardware and
//! kernel and back, with function names, locks, the page-table entry and the time of each step. The
//! surprise: in one branch the thread does nothing for 99 % of the time; the other: in the plainest of
//! faults most of the time goes into clearing memory.

mod case;
mod machine;
mod map;
mod model;
mod picture;
mod steps;
mod view;

pub use case::{Case, World};
pub use machine::{Machine, Source};
pub use model::PageFault;
pub use steps::{Lock, Station, Step};
