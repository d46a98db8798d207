//! What the workers do, and how samples are stored.

/// What the workers do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deed {
    /// Look at samples in random order, as a shuffling loader does.
    #[default]
    ReadShuffled,
    /// Look at samples one after the other.
    ReadInOrder,
    /// Write a tensor of the data's size that was there before the fork.
    WriteTensor,
    /// Run a full cyclic collection.
    Collect,
}

impl Deed {
    /// In the order of the control.
    pub const ALL: [Self; 4] = [Self::ReadShuffled, Self::ReadInOrder, Self::WriteTensor, Self::Collect];

    /// On the control.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadShuffled => "read, shuffled",
            Self::ReadInOrder => "read in order",
            Self::WriteTensor => "write a tensor",
            Self::Collect => "collect garbage",
        }
    }
}

/// How samples are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// A list of objects.
    #[default]
    List,
    /// The same after `gc.collect(); gc.freeze()` in the parent.
    Frozen,
    /// One numpy array: one header for all values.
    Numpy,
}

impl Storage {
    /// In the order of the control.
    pub const ALL: [Self; 3] = [Self::List, Self::Frozen, Self::Numpy];

    /// On the control.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "Python list",
            Self::Frozen => "list, gc.freeze()",
            Self::Numpy => "numpy array",
        }
    }
}
