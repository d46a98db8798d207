//! What can be typed after `drills rack`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The drills of the rack module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RackDrill {
    /// How coherent CPU and GPU are: attributes, a test, C2C links, who owns GPU memory.
    Platform,
    /// NUMA nodes, those of GPUs among them, and what lies on them.
    Numa,
    /// Settings of the host beside the advice for it; nothing is changed.
    Tune,
    /// Fabric of NVLink, IMEX, and a real fabric handle.
    Fabric,
    /// The copy engine beside SMs, on each kind of memory.
    Bw,
    /// Copies from memory of each NUMA node.
    Place,
    /// An all-reduce by NCCL: all GPUs of this host; under srun, mpirun or torchrun all ranks.
    Allreduce,
}

impl RackDrill {
    /// The word that is typed.
    pub fn word(self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::Numa => "numa",
            Self::Tune => "tune",
            Self::Fabric => "fabric",
            Self::Bw => "bw",
            Self::Place => "place",
            Self::Allreduce => "allreduce",
        }
    }
}

/// Options of the rack's drills.
#[derive(Clone, Debug, Default, Args)]
pub struct RackArgs {
    /// `place` puts buffers on the GPUs' own NUMA nodes as well. That takes GPU memory from others.
    #[arg(long)]
    pub gpu_nodes: bool,
    /// libnccl.so.2 for `allreduce`, or the folder that it is in; DRILLS_NCCL says the same.
    #[arg(long, value_name = "PATH")]
    pub nccl: Option<PathBuf>,
    /// Where the ranks of `allreduce` meet: a file that all hosts see, or HOST:PORT of rank 0.
    ///
    /// Without it, rank 0 listens one port above MASTER_PORT of MASTER_ADDR. DRILLS_RENDEZVOUS says the
    /// same.
    #[arg(long, value_name = "FILE|HOST:PORT")]
    pub rendezvous: Option<String>,
}
