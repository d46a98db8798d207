//! What a PCIe link carries: lanes x transfer rate x line code.

/// Number of lanes of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lanes(u8);

impl Lanes {
    /// Widths that slots and devices have.
    pub const ALL: [Self; 5] = [Self(1), Self(2), Self(4), Self(8), Self(16)];
    /// The width of a GPU's slot.
    pub const FULL: Self = Self(16);

    /// Lanes from a number, if links of that width exist.
    pub fn new(count: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|lanes| lanes.0 == count)
    }

    /// How many.
    pub fn count(self) -> u8 {
        self.0
    }
}

/// Transfers per second and lane of a PCIe generation, in GT/s (PCI-SIG base specifications).
pub const fn gt_per_s(generation: u8) -> f64 {
    match generation {
        1 => 2.5,
        2 => 5.0,
        3 => 8.0,
        4 => 16.0,
        5 => 32.0,
        _ => 64.0,
    }
}

/// Share of the transferred bits that is left after line code and, in generation 6, checksum and error
/// correction of each flit: 8b/10b, 128b/130b, 242 of 256 bytes.
pub const fn coding(generation: u8) -> f64 {
    match generation {
        1 | 2 => 8.0 / 10.0,
        3..=5 => 128.0 / 130.0,
        _ => 242.0 / 256.0,
    }
}

/// Bytes per second in one direction after line coding. Packet headers still come out of this.
pub const fn bytes_per_s(generation: u8, lanes: Lanes) -> f64 {
    raw_bytes_per_s(generation, lanes) * coding(generation)
}

/// The same before line coding: what "GT/s" suggests.
pub const fn raw_bytes_per_s(generation: u8, lanes: Lanes) -> f64 {
    gt_per_s(generation) * 1e9 / 8.0 * lanes.0 as f64
}

/// The generation that runs at this rate per lane, if one does.
pub fn generation_at(gt: f64) -> Option<u8> {
    (1..=6).find(|&generation| (gt_per_s(generation) - gt).abs() < 0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gb(generation: u8, lanes: u8) -> f64 {
        let lanes = Lanes::new(lanes).expect("a width that exists");
        bytes_per_s(generation, lanes) / 1e9
    }

    #[test]
    fn x16_links_carry_what_is_published_for_them() {
        // GB/s per direction: PCI-SIG rates after line coding, and 121 for the flits of generation 6.
        for (generation, published) in [(1, 4.0), (2, 8.0), (3, 15.75), (4, 31.5), (5, 63.0), (6, 121.0)] {
            assert!(
                (gb(generation, 16) - published).abs() / published < 0.001,
                "{generation}: {}",
                gb(generation, 16)
            );
        }
    }

    #[test]
    fn a_narrow_link_carries_its_share() {
        assert!((gb(4, 4) - 7.877).abs() < 0.001, "an NVMe drive's link");
        assert!((gb(5, 4) * 4.0 - gb(5, 16)).abs() < 1e-9);
        assert_eq!(Lanes::new(3), None);
    }

    #[test]
    fn a_rate_names_its_generation() {
        assert_eq!(generation_at(32.0), Some(5));
        assert_eq!(generation_at(2.5), Some(1));
        assert_eq!(generation_at(20.0), None);
    }
}
