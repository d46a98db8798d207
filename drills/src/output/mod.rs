//! What the user sees: progress on stderr, results on stdout or in a file.

pub mod compare;
pub mod distances;
pub mod file;
pub mod progress;
pub mod report;
pub mod settings;
pub mod style;
pub mod table;
pub mod topo;
pub mod tree;
pub mod units;
pub mod width;
