//! What the tests of the built site share: where it is, its pages, and a browser to open them in.
//!
//! `cargo xtask test` builds the site and names the browser before it runs these tests. Each test
//! program uses a part of this, hence the allowance.
#![allow(dead_code)]

pub(crate) mod browser;
pub(crate) mod built;
pub(crate) mod page;
