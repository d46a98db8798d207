//! What the user sees: progress on stderr, results on stdout or in a file.

pub mod progress;
