//! The course site: the compiler of its content, its pages (feature `ssr`) and its islands
//! (feature `csr`).
//!
//! Invariants: every page can be read without WebAssembly; the browser half holds no course text;
//! no request leaves the origin; nothing that comes from storage or from a file is trusted.

pub mod compare;
pub mod html;
pub mod keys;
pub mod results;
pub mod search;

#[cfg(feature = "ssr")]
pub mod compile;
#[cfg(feature = "ssr")]
pub mod page;
#[cfg(feature = "ssr")]
pub mod writer;

#[cfg(feature = "csr")]
pub mod island;
#[cfg(feature = "csr")]
pub mod storage;

pub(crate) use diagrams::kit::units;
