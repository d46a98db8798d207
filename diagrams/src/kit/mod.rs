//! What the figures share: the frame around a picture, controls, units, the URL, exports.

mod control;
mod entry;
mod export;
mod frame;
mod layout;
mod model;
pub mod plot;
mod query;
mod readings;
mod recall;
mod scale;
pub mod scene;
pub mod timeline;
pub mod units;

pub use control::{Choice, Slider, Stepper, Switch};
pub use entry::{FigureEntry, FigureProps};
pub use frame::Frame;
pub use layout::Layout;
pub use model::{Counter, DataTable, FigureModel, Preset};
pub use query::Query;
pub use readings::{Reading, Readings, Taken};
pub use recall::Recall;
pub use scale::LogScale;

/// Whether this build renders still pictures (the page writer) rather than live figures (the browser).
pub const STILL: bool = cfg!(feature = "ssr");
