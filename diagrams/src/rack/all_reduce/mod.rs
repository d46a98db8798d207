//! `all-reduce`: time and bandwidth of one collective against its size, model and published runs.
//!
//! The surprises: at twenty racks the model is off by a factor of two and says so, and in bus bandwidth a
//! rack of 72 GPUs looks like eight.

mod chart;
mod choice;
mod cost;
mod frame;
mod machine;
mod model;
mod nccl;
mod own;
mod presets;
mod published;
mod view;
mod words;

pub use choice::{Algorithm, View};
pub use cost::{Fit, Phases, Standing};
pub use machine::{MACHINES, Machine};
pub use model::AllReduce;
pub use own::OwnRuns;
