//! The reader's own link between CPU and GPU.

use crate::kit::{Reading, Taken};

use super::pcie::{self, Lanes};

const H2D: &str = "copy.h2d.pinned";
const D2H: &str = "copy.d2h.pinned";
const SPEED: &str = "copy.link.speed_busy";
const WIDTH: &str = "copy.link.width_busy";

/// Keys of the results format that the figure reads.
pub const KEYS: [&str; 4] = [H2D, D2H, SPEED, WIDTH];

/// The reader's own link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OwnLink {
    /// Pinned copy to the device, bytes per second.
    pub to_device: Option<Reading>,
    /// Pinned copy from the device, bytes per second.
    pub from_device: Option<Reading>,
    /// What the link carries in one direction at the speed and width it had while copying; none if it
    /// was not read or makes no sense, as on machines whose GPU hangs on C2C.
    pub direction: Option<f64>,
}

impl OwnLink {
    /// What a report says about it.
    pub fn of(taken: &Taken) -> Self {
        let positive = |key: &str| taken.get(key).filter(|r| r.value > 0.0);
        let (to_device, from_device) = (positive(H2D), positive(D2H));
        let generation = positive(SPEED).and_then(|r| pcie::generation_at(r.value));
        let lanes = positive(WIDTH).and_then(|r| Lanes::new(r.value as u8));
        let mut own = OwnLink { to_device, from_device, direction: None };
        let carries = generation.zip(lanes).map(|(generation, lanes)| pcie::bytes_per_s(generation, lanes));
        // A copy cannot be faster than its link: then the link that sysfs shows is not the one used.
        own.direction = carries.filter(|&limit| own.best().is_none_or(|best| best <= limit));
        own
    }

    /// The faster of the two copies.
    pub fn best(self) -> Option<f64> {
        let rates = [self.to_device, self.from_device].into_iter().flatten().map(|r| r.value);
        rates.max_by(f64::total_cmp)
    }
}
