//! What the figures share: the frame around a picture, controls, units, the URL, exports.

mod address;
mod board;
mod control;
mod controls;
#[cfg(feature = "csr")]
mod drawing;
mod entry;
mod export;
mod figure;
mod frame;
mod gesture;
mod layout;
mod listbox;
mod model;
mod node;
mod order;
mod part;
pub mod plot;
mod query;
mod readings;
mod recall;
mod scale;
pub mod scene;
pub mod svg;
pub mod timeline;
pub mod units;
mod words;

pub use control::{Control, Face, Kind, Operation};
pub use entry::{FigureEntry, FigureProps};
pub use figure::Figure;
pub use frame::frame;
pub use layout::Layout;
pub use model::{Counter, DataTable, FigureModel, Preset};
pub use node::{Node, Value};
pub use order::ascending;
pub use part::{draggable, part, part_with_words, pointable, pressable};
pub use query::Query;
pub use readings::{Reading, Readings, Taken};
pub use recall::Recall;
pub use scale::LogScale;
pub use words::capital;

/// Whether this build renders still pictures (the page writer) rather than live figures (the browser).
pub const STILL: bool = cfg!(feature = "ssr");
