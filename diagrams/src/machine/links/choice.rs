//! What the reader can choose.

/// Which number of a link counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// The headline.
    Marketed,
    /// One direction, one GPU or port, after line coding.
    Direction,
    /// The best that was measured or published.
    Measured,
}

impl Number {
    /// Head of its column. What was measured has a column anyway: then this one shows the wire.
    pub fn head(self) -> &'static str {
        match self {
            Self::Marketed => "marketed",
            Self::Direction | Self::Measured => "one way",
        }
    }
}

/// What the axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes per second.
    Rate,
    /// Time to move 1 GB.
    Gigabyte,
    /// Time to move a checkpoint of 140 GB: 70 billion parameters in bf16.
    Checkpoint,
}

impl Unit {
    /// Bytes to move, where the axis shows a time.
    pub fn bytes(self) -> Option<f64> {
        match self {
            Self::Rate => None,
            Self::Gigabyte => Some(1e9),
            Self::Checkpoint => Some(140e9),
        }
    }
}

/// Order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Family by family.
    Family,
    /// Widest first, by the number that counts.
    Width,
    /// Largest loss from the headline first.
    Loss,
}
