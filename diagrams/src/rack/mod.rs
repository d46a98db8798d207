//! Figures of module `rack`: eighteen hosts, one fabric.

pub mod all_reduce;
