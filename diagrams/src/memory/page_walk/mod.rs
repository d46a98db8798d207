//! `page-walk`: from the bits of a virtual address to a byte of memory, read by read.
//!
//! The reader types, drags or flips the bits of any address and sees which table entries the walker
//! reads on five kinds of machine. The surprise: a larger page makes the walk shorter, and a walk that
//! ends in a fault is often the shortest of all.

mod machine;
mod outcome;
mod picture;
mod space;
mod state;
mod view;
mod walk;

pub use machine::{Level, Machine};
pub use space::{Mapping, Region};
pub use state::PageWalk;
pub use walk::{Access, Finding, Outcome, Read, Walk};
