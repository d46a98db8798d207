//! The table of machines side by side, the same in the static page and in the browser.

mod table;

pub use table::comparison_table;

pub use crate::compare::Column;
