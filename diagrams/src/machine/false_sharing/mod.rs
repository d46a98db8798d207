//! `false-sharing`: two cores, two counters, one cache line.
//!
//! The reader steps through accesses and sees what MESI makes of them: who asks, who hands the line over,
//! who loses it. The surprise: without padding two threads are slower than one that does both jobs, and
//! with padding the second thread costs nothing. The other one: the same adds in long turns are nearly
//! free even without padding.

mod caches;
mod history;
mod mesi;
mod model;
mod plan;
mod race;
mod state;
mod view;
mod words;

pub use mesi::{Access, Action, Line, Message, State};
pub use model::{Placement, Setup, System, Totals, Workload};
pub use state::FalseSharing;
