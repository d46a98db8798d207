//! Clocks, sampling, statistics and noise detection, used by all drills.
//!
//! The order is always the same: [`noise::Watch::start`], [`sample::sample`], [`stats::summarise`],
//! [`noise::Watch::judge`]. A number whose surroundings were noisy is kept, but marked.

pub mod child;
pub mod clock;
pub mod histogram;
pub mod mapping;
pub mod methods;
pub mod noise;
pub mod numa;
pub(crate) mod pattern;
pub mod pin;
pub mod random;
pub mod result;
pub mod room;
pub mod sample;
pub mod smaps;
pub mod stats;
pub mod usage;
pub(crate) mod walk;
