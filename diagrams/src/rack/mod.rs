//! Figures of module `rack`: eighteen hosts, one fabric.

// The figure that shows the whole rack has the name of its module.
#[allow(clippy::module_inception)]
pub mod rack;

pub mod all_reduce;
