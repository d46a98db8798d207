//! The ways to share one GPU buffer, step by step: who calls what, and who checks it.

/// How far apart the two users of the buffer are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Path {
    /// Two GPUs of one process.
    Process,
    /// Two processes under one kernel.
    Host,
    /// Two processes on two trays.
    #[default]
    Trays,
}

/// Where a step happens in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Process A calls its driver.
    A,
    /// Something goes from A to B.
    Between,
    /// Process B calls its driver.
    B,
    /// The import: B's driver asks further.
    Import,
    /// GPU 1 loads from GPU 0's memory.
    Load,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it happens.
    pub spot: Spot,
    /// The call, as short as a picture needs it.
    pub call: &'static str,
    /// Who checks it.
    pub judge: &'static str,
    /// What is checked, or what the step leaves behind.
    pub check: &'static str,
}

const fn step(spot: Spot, call: &'static str, judge: &'static str, check: &'static str) -> Step {
    Step { spot, call, judge, check }
}

/// Steps of one process. The calls are those of CUDA's virtual memory management.
const PROCESS: [Step; 4] = [
    step(Spot::A, "cuMemCreate", "the driver", "the size is a multiple of 2 MiB"),
    step(Spot::A, "cuMemMap", "the driver", "the addresses are reserved and the handle is whole"),
    step(Spot::A, "cuMemSetAccess", "the driver", "both GPUs are named, and GPU 1 can reach GPU 0"),
    step(Spot::Load, "ld.global on GPU 1", "the MMU of GPU 1", "its page table has the page"),
];

const HOST: [Step; 7] = [
    step(Spot::A, "cuMemCreate, type descriptor", "the driver", "the size is a multiple of 2 MiB"),
    step(
        Spot::A,
        "cuMemExportToShareableHandle",
        "the driver",
        "the type was asked for at creation; the result is a file descriptor",
    ),
    step(
        Spot::Between,
        "sendmsg, or pidfd_getfd",
        "the kernel",
        "A holds the descriptor; B gets one of its own (SCM_RIGHTS), and holding it is the permission",
    ),
    step(
        Spot::Import,
        "cuMemImportFromShareableHandle",
        "kernel and driver",
        "the descriptor is open in B, and B may use the GPU behind it",
    ),
    step(Spot::B, "cuMemMap", "the driver", "the addresses are reserved and the handle is whole"),
    step(Spot::B, "cuMemSetAccess", "the driver", "GPU 1 is named and can reach GPU 0"),
    step(
        Spot::Load,
        "ld.global on GPU 1",
        "the MMU of GPU 1",
        "its page table has the page; no software takes part",
    ),
];

const TRAYS: [Step; 7] = [
    step(Spot::A, "cuMemCreate, type fabric", "the driver of tray A", "A can open an IMEX channel"),
    step(
        Spot::A,
        "cuMemExportToShareableHandle",
        "the driver of tray A",
        "the type was asked for at creation; the result is 64 bytes",
    ),
    step(
        Spot::Between,
        "send 64 bytes by TCP",
        "nobody",
        "plain data can be copied, so having it proves nothing",
    ),
    step(
        Spot::Import,
        "cuMemImportFromShareableHandle",
        "driver and IMEX of both trays",
        "B is on A's channel; B's daemon asks A's",
    ),
    step(Spot::B, "cuMemMap", "the driver of tray B", "the addresses are reserved and the handle is whole"),
    step(Spot::B, "cuMemSetAccess", "the driver of tray B", "GPU 1 is named, and the fabric has a route"),
    step(
        Spot::Load,
        "ld.global on GPU 1",
        "the MMU of GPU 1",
        "its page table has the page; no software takes part, and no kernel or daemon hears of it",
    ),
];

/// Paths with their word in links and their name.
pub const PATHS: [(Path, &str, &str); 3] = [
    (Path::Process, "process", "One process"),
    (Path::Host, "host", "One host"),
    (Path::Trays, "trays", "Two trays"),
];

impl Path {
    /// Its steps.
    pub fn steps(self) -> &'static [Step] {
        match self {
            Self::Process => &PROCESS,
            Self::Host => &HOST,
            Self::Trays => &TRAYS,
        }
    }

    /// Its place in [`PATHS`].
    pub fn index(self) -> usize {
        self as usize
    }
}
