//! `address-spaces`: two processes and the page cache over one physical memory.
//!
//! The reader maps, touches, forks and unmaps, and chooses a page to see its frame and everybody who maps
//! it. The surprise: `malloc` raises VIRT by a gigabyte and takes no frame, and even reading the memory
//! takes none: all pages are the one page of zeros until somebody writes.

mod frames;
mod machine;
mod model;
mod picture;
#[cfg(test)]
mod random_tests;
mod view;

pub use frames::{Frame, Frames, Kind};
pub use machine::{Backing, Deed, Machine, Op, Outcome};
pub use model::AddressSpaces;
