//! Where the parts of the picture are: boxes and the wires between them, for both drawings.

use super::steps::{Path, Spot};
use crate::kit::Layout;
use crate::kit::scene::Rect;

/// The boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Process A, or the only one.
    ProcessA,
    /// Process B.
    ProcessB,
    /// Driver of tray A, or kernel and driver of the only host.
    DriverA,
    /// Driver of tray B.
    DriverB,
    /// IMEX channel of A.
    ChannelA,
    /// IMEX channel of B.
    ChannelB,
    /// IMEX daemon of tray A.
    ImexA,
    /// IMEX daemon of tray B.
    ImexB,
    /// The GPU that holds the buffer.
    Gpu0,
    /// The GPU that wants to load from it.
    Gpu1,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::ProcessA,
        Self::ProcessB,
        Self::DriverA,
        Self::DriverB,
        Self::ChannelA,
        Self::ChannelB,
        Self::ImexA,
        Self::ImexB,
        Self::Gpu0,
        Self::Gpu1,
    ];

    /// Whether the path has it.
    pub fn exists(self, path: Path) -> bool {
        match path {
            Path::Trays => true,
            Path::Host => {
                !matches!(self, Self::DriverB | Self::ChannelA | Self::ChannelB | Self::ImexA | Self::ImexB)
            }
            Path::Process => matches!(self, Self::ProcessA | Self::DriverA | Self::Gpu0 | Self::Gpu1),
        }
    }

    /// Its box.
    pub fn rect(self, path: Path, layout: Layout) -> Rect {
        // Left edge and width in the wide and in the narrow drawing, top.
        let (wide, narrow, y) = match self {
            Self::ProcessA if path == Path::Process => ((20.0, 680.0), (12.0, 316.0), 36.0),
            Self::ProcessA => ((20.0, 236.0), (12.0, 132.0), 36.0),
            Self::ProcessB => ((464.0, 236.0), (196.0, 132.0), 36.0),
            Self::DriverA if path != Path::Trays => ((20.0, 680.0), (12.0, 316.0), 108.0),
            Self::DriverA => ((20.0, 136.0), (12.0, 60.0), 108.0),
            Self::ChannelA => ((168.0, 88.0), (76.0, 68.0), 108.0),
            Self::ChannelB => ((464.0, 88.0), (196.0, 68.0), 108.0),
            Self::DriverB => ((564.0, 136.0), (268.0, 60.0), 108.0),
            Self::ImexA => ((80.0, 176.0), (36.0, 108.0), 180.0),
            Self::ImexB => ((464.0, 176.0), (196.0, 108.0), 180.0),
            Self::Gpu0 => ((20.0, 236.0), (12.0, 132.0), 252.0),
            Self::Gpu1 => ((464.0, 236.0), (196.0, 132.0), 252.0),
        };
        let (x, width) = layout.pick(wide, narrow);
        Rect::new(x, y, width, 44.0)
    }
}

/// The frames: hosts with a kernel each.
pub fn frames(path: Path, layout: Layout) -> [Rect; 2] {
    let [whole, left, right] = layout
        .pick([(4.0, 712.0), (4.0, 268.0), (448.0, 268.0)], [(4.0, 332.0), (4.0, 148.0), (188.0, 148.0)]);
    let frame = |(x, width): (f64, f64)| Rect::new(x, 24.0, width, 284.0);
    match path {
        Path::Trays => [frame(left), frame(right)],
        _ => [frame(whole), Rect::default()],
    }
}

/// Lower end of the scene.
pub const BOTTOM: f64 = 308.0;

/// A wire, and the steps that use it.
pub struct Wire {
    /// Between these; the label stands between them.
    pub ends: (Place, Place),
    /// Corners in the wide and in the narrow drawing.
    pub line: [[f64; 4]; 2],
    /// Steps that use it.
    pub spots: &'static [Spot],
}

const fn wire(ends: (Place, Place), wide: [f64; 4], narrow: [f64; 4], spots: &'static [Spot]) -> Wire {
    Wire { ends, line: [wide, narrow], spots }
}

/// All wires.
pub const WIRES: [Wire; 8] = [
    wire((Place::ProcessA, Place::DriverA), [88.0, 80.0, 88.0, 108.0], [42.0, 80.0, 42.0, 108.0], &[Spot::A]),
    wire(
        (Place::ProcessB, Place::DriverB),
        [632.0, 80.0, 632.0, 108.0],
        [298.0, 80.0, 298.0, 108.0],
        &[Spot::B, Spot::Import],
    ),
    wire(
        (Place::ProcessA, Place::ProcessB),
        [256.0, 58.0, 464.0, 58.0],
        [144.0, 58.0, 196.0, 58.0],
        &[Spot::Between],
    ),
    wire(
        (Place::DriverA, Place::ImexA),
        [120.0, 152.0, 120.0, 180.0],
        [54.0, 152.0, 54.0, 180.0],
        &[Spot::Import],
    ),
    wire(
        (Place::DriverB, Place::ImexB),
        [600.0, 152.0, 600.0, 180.0],
        [286.0, 152.0, 286.0, 180.0],
        &[Spot::Import],
    ),
    wire(
        (Place::ImexA, Place::ImexB),
        [256.0, 202.0, 464.0, 202.0],
        [144.0, 202.0, 196.0, 202.0],
        &[Spot::Import],
    ),
    wire((Place::DriverA, Place::Gpu0), [44.0, 152.0, 44.0, 252.0], [24.0, 152.0, 24.0, 252.0], &[Spot::A]),
    wire(
        (Place::DriverB, Place::Gpu1),
        [676.0, 152.0, 676.0, 252.0],
        [316.0, 152.0, 316.0, 252.0],
        &[Spot::B],
    ),
];

/// The NVLink between the GPUs.
pub const NVLINK: [[f64; 4]; 2] = [[256.0, 274.0, 464.0, 274.0], [144.0, 274.0, 196.0, 274.0]];

impl Wire {
    /// Whether the path has it. A host has one driver, which both processes call.
    pub fn exists(&self, path: Path) -> bool {
        let one_driver = path != Path::Trays && self.ends.1 != Place::ImexB;
        let there = |place: Place| place.exists(path) || (one_driver && place == Place::DriverB);
        there(self.ends.0) && there(self.ends.1)
    }
}
