//! What the reader can choose.

/// What the axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Time until the first byte, or the duration of an event.
    Latency,
    /// Bytes per second once data flows.
    Bandwidth,
}

/// How times are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As they are.
    Real,
    /// As if an L1 hit of 1 ns took one second.
    Human,
}

/// GPU that could compute meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpu {
    /// GeForce RTX 4090.
    Rtx4090,
    /// H200.
    H200,
    /// B200.
    B200,
}

impl Gpu {
    /// All, slowest first.
    pub const ALL: [Self; 3] = [Self::Rtx4090, Self::H200, Self::B200];

    /// Name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rtx4090 => "RTX 4090",
            Self::H200 => "H200",
            Self::B200 => "B200",
        }
    }

    /// Name with its article, at the start of a sentence.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Rtx4090 => "An RTX 4090",
            Self::H200 => "An H200",
            Self::B200 => "A B200",
        }
    }

    /// Dense bf16 operations per second of its tensor cores; vendor figures.
    pub fn flops(self) -> f64 {
        match self {
            Self::Rtx4090 => 165e12,
            Self::H200 => 989e12,
            Self::B200 => 2_250e12,
        }
    }

    /// Short name in links.
    pub fn code(self) -> &'static str {
        match self {
            Self::Rtx4090 => "4090",
            Self::H200 => "h200",
            Self::B200 => "b200",
        }
    }
}
