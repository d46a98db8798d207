//! `all-reduce`: time and bandwidth of one collective against its size, model and published runs.
//!
//! The surprises: at twenty racks the model is off by a factor of two and says so, and in bus bandwidth a
//! rack of 72 GPUs looks like eight.

mod cost;
mod machine;
mod model;
mod nccl;
mod own;
mod published;
mod words;

pub use cost::{Fit, Phases, Standing};
pub use machine::{MACHINES, Machine};
pub use model::{Algorithm, AllReduce, View};
pub use own::OwnRuns;
