//! `drills` measures the Linux box it runs on and writes a results file that the course reads.
//!
//! `host` reads `/sys` and `/proc` under a root, `gpu` is the only place that touches the NVIDIA
//! driver (in a child process), `measure` has clocks and statistics, `machine`, `memory` and `rack`
//! are the drills, `import` makes reports of what other programs printed, `output` prints and writes.
//! `run` is the thread between them: a drill gets a [`run::Context`] and pushes what it finished to a
//! [`run::Sink`].

pub mod cli;
pub mod gpu;
pub mod host;
pub mod import;
pub mod machine;
pub mod measure;
pub mod memory;
pub mod output;
pub mod rack;
pub mod run;
