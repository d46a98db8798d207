//! `copy-timeline`: the same buffer copied from pageable, pinned and registered memory, on one time axis.
//!
//! Lanes show the calling thread, the staging buffers, the copy engine and a kernel on another stream. The
//! surprise: for pageable memory a faster link changes nothing and a faster core does; and even when the
//! engine never waits, the call still holds the thread.

mod machine;
mod model;
mod picture;
mod state;
mod view;

pub use model::{Direction, Job, Machine, Memory, Registration, Trace};
pub use state::CopyTimeline;
