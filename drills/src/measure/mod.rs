//! Clocks, sampling, statistics and noise detection, used by all drills.
