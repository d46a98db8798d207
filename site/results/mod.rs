//! Tables of machines side by side, the same in the static page and in the browser.

pub mod layout;
mod odd;
mod table;

pub use crate::compare::Column;
pub use odd::odd_table;
pub use table::comparison_table;
