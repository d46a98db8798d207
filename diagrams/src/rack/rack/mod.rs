//! `rack`: an NVL72 as hardware and as eighteen kernels see it, and what fails together.
//!
//! The surprises: the failure that stops all 72 ranks is noticed by one kernel, a dead IMEX daemon by none,
//! and restarting that daemon under a running job is what breaks it.

mod failure;
mod layout;
mod model;
mod picture;
mod plant;
mod view;
mod words;

pub use failure::{Daemon, Gpu, Kernel, Outcome, Start};
pub use model::{Fault, Job, Mode, Pick, Rack, Stage};
