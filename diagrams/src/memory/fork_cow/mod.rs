//! `fork-cow`: a parent, its workers, and the pages they stop sharing.
//!
//! The reader sets how samples are stored, what the workers do with them and how far they are, and sees
//! which pages are copied, who still shares what, and what RSS, PSS and USS make of it. The surprise:
//! `gc.freeze()` changes nothing while workers merely read, since each look at an object writes its
//! reference count. The other one: with 64 KiB pages the sharing is over after 1 % of the samples.

mod choice;
mod heap;
mod model;
mod picture;
mod view;

pub use choice::{Deed, Storage};
pub use heap::{Account, Heap, Spread};
pub use model::ForkCow;
