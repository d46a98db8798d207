//! What the reader can choose.

/// How the bytes go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// As in published runs, where NCCL chose: the fit, or a hierarchy of fits and network.
    #[default]
    Fit,
    /// A ring, as NCCL expects it.
    Ring,
    /// A double binary tree, as NCCL expects it.
    Tree,
    /// The switches add, as NCCL expects it.
    Nvls,
}

impl Algorithm {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Fit, Self::Ring, Self::Tree, Self::Nvls];

    /// Word in links.
    pub fn word(self) -> &'static str {
        ["fit", "ring", "tree", "nvls"][self as usize]
    }

    /// Name for people.
    pub fn name(self) -> &'static str {
        ["Fit", "Ring", "Tree", "NVLS"][self as usize]
    }
}

/// What the vertical axis shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Time.
    #[default]
    Time,
    /// Rate of the array: size by time.
    Array,
    /// Bus bandwidth: the same times 2(n-1)/n.
    Bus,
}

impl View {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Time, Self::Array, Self::Bus];

    /// Word in links.
    pub fn word(self) -> &'static str {
        ["time", "algbw", "busbw"][self as usize]
    }
}
