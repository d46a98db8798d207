//! Three memory systems.

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * KIB;

/// A memory system with its translations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chip {
    /// Intel Golden Cove in a server.
    #[default]
    GoldenCove,
    /// Arm Neoverse V2 in Grace.
    NeoverseV2,
    /// An NVIDIA GPU that reads its own memory.
    Gpu,
}

/// A cache: how much it holds and how long a hit takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cache {
    /// What it is called.
    pub name: &'static str,
    /// Bytes.
    pub bytes: f64,
    /// Time of a hit in nanoseconds.
    pub hit_ns: f64,
}

impl Chip {
    /// All, in the order of the control.
    pub const ALL: [Self; 3] = [Self::GoldenCove, Self::NeoverseV2, Self::Gpu];

    /// Short name for addresses.
    pub fn id(self) -> &'static str {
        match self {
            Self::GoldenCove => "golden-cove",
            Self::NeoverseV2 => "neoverse-v2",
            Self::Gpu => "gpu",
        }
    }

    /// Name on the control.
    pub fn name(self) -> &'static str {
        match self {
            Self::GoldenCove => "Golden Cove",
            Self::NeoverseV2 => "Neoverse V2",
            Self::Gpu => "GPU",
        }
    }

    /// Entries of the last-level TLB. Intel's optimisation manual and Arm's technical reference manual
    /// say 2,048. NVIDIA publishes no number: 4,096 entries of 2 MiB give the 8 GiB that a
    /// microbenchmark found on V100 (Jia and others, 2018, recalled).
    pub fn entries(self) -> u32 {
        if self == Self::Gpu { 4_096 } else { 2_048 }
    }

    /// Nearer and farther cache. Golden Cove: 2 MiB and the 105 MiB of a Xeon 8480; hits as measured on
    /// the H200 host (5.9 to 6.6 and 33 to 45 ns). Neoverse V2: 1 MiB and Grace's 114 MiB; ballpark. GPU:
    /// 256 KiB in an SM, ballpark; 50 MiB of L2, 142 ns measured on the H200.
    pub fn caches(self) -> [Cache; 2] {
        match self {
            Self::GoldenCove => [
                Cache { name: "L2", bytes: 2.0 * MIB, hit_ns: 6.0 },
                Cache { name: "L3", bytes: 105.0 * MIB, hit_ns: 40.0 },
            ],
            Self::NeoverseV2 => [
                Cache { name: "L2", bytes: MIB, hit_ns: 5.0 },
                Cache { name: "L3", bytes: 114.0 * MIB, hit_ns: 50.0 },
            ],
            Self::Gpu => [
                Cache { name: "L1", bytes: 256.0 * KIB, hit_ns: 20.0 },
                Cache { name: "L2", bytes: 50.0 * MIB, hit_ns: 142.0 },
            ],
        }
    }

    /// Whether the walker reads through the nearer cache. A GPU's sits behind the SMs.
    pub fn walks_through_near_cache(self) -> bool {
        self != Self::Gpu
    }

    /// A read from memory in nanoseconds: 117 to 138 measured on the H200 host, a ballpark for Grace's
    /// LPDDR5X, 346 to 350 measured for HBM3e.
    pub fn memory_ns(self) -> f64 {
        match self {
            Self::GoldenCove => 120.0,
            Self::NeoverseV2 => 160.0,
            Self::Gpu => 348.0,
        }
    }

    /// What its memory is called.
    pub fn memory(self) -> &'static str {
        if self == Self::Gpu { "HBM" } else { "DRAM" }
    }
}
