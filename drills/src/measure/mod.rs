//! Clocks, sampling, statistics and noise detection, used by all drills.
//!
//! The order is always the same: [`noise::Watch::start`], [`sample::sample`], [`stats::summarise`],
//! [`noise::Watch::judge`]. A number whose surroundings were noisy is kept, but marked.

pub mod clock;
pub mod histogram;
pub mod mapping;
pub mod methods;
pub mod noise;
pub mod numa;
pub mod pin;
pub mod result;
pub mod room;
pub mod sample;
pub mod stats;
