//! `tlb-reach`: entries × page size against the working set.
//!
//! The reader turns one knob at a time and sees reach, miss rate and time per access. The surprise:
//! over 64 GiB larger pages hardly change the miss rate and still save most of the walking, since the
//! page tables shrink into a cache. Pages of 64 KiB multiply the reach by 16, of 2 MiB by 512; the
//! cliff moves, it does not vanish.

mod chart;
mod chips;
mod model;
mod own;
mod state;
mod view;

pub use chips::Chip;
pub use model::{Cost, Pattern, Setup};
pub use own::OwnChase;
pub use state::TlbReach;
