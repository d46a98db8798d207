//! Links on one axis: as marketed, per direction, as seen by software.
//!
//! The surprise: the "900 GB/s" of NVLink-C2C counts both directions of a whole superchip. One GPU of
//! a GB200 has 224 GB/s in the direction that a load waits for.

mod chart;
mod choice;
mod link;
mod model;
mod own;
mod pcie;
mod table;
mod view;

pub use choice::{Number, Order, Unit};
pub use link::{Family, Kind, Link, Seen};
pub use model::Links;
pub use own::OwnLink;
pub use pcie::{Lanes, bytes_per_s as pcie_bytes_per_s};
