//! The site in a real browser, one file per thing a reader relies on.
//!
//! Run by `cargo xtask test browser`, which builds the site and finds the browser.

#[path = "../common/mod.rs"]
mod common;

mod accessible;
mod exports;
mod figures;
mod keyboard;
mod links_to_state;
mod narrow;
mod no_script;
mod print;
mod progress;
mod quiet;
mod reading;
mod results;
mod search;
mod shots;
mod steady;
mod storage;
mod theme;
mod touch;
