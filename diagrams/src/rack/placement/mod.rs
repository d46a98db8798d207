//! `placement`: one GB200 tray, NUMA mode and CDMM, and where each kind of memory lands.
//!
//! A small page allocator with nodes, fallback lists, watermarks, page cache, swap and an OOM killer. The
//! surprise: free HBM is taken before anything is reclaimed, so a job without a GPU can leave none of it.

mod bars;
mod log;
mod model;
mod nodes;
mod report;
mod rules;
mod step;
mod tray;
mod view;
mod words;

pub use model::Placement;
