//! What parent and child say to each other: one JSON job in, JSON lines out.

use std::path::PathBuf;

use drills_results::Measurement;
use drills_results::topology::Link;
use serde::{Deserialize, Serialize};

use crate::gpu::facts::GpuFacts;
pub use crate::gpu::step::{Step, StepKey};
use crate::gpu::trouble::Trouble;
use crate::rack::allreduce::Effort;
use crate::rack::allreduce::seat::Seat;

/// What the child is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// List the GPUs by NVML.
    Inventory,
    /// What NVML tells about each GPU beyond the list.
    Facts,
    /// Measure.
    Measure(Work),
}

/// Measurements to take on one GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// PCI address, UUID prefix or index; the first GPU when absent.
    pub gpu: Option<String>,
    /// Fewer samples and sizes.
    pub quick: bool,
    /// What to measure, in this order.
    pub steps: Vec<Step>,
    /// Where on the host the copying thread and its memory are to be.
    pub place: Option<Place>,
    /// Host memory that may be used, in bytes.
    pub host_bytes: u64,
    /// A file to load, for [`Step::ToGpu`].
    pub file: Option<SourceFile>,
    /// Who takes part, for [`Step::AllReduce`].
    pub gang: Option<Box<Gang>>,
}

/// This process's part in an all-reduce.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gang {
    /// GPUs by index, PCI address or UUID prefix; all when empty.
    pub gpus: Vec<String>,
    /// Which rank it is, when there are several processes; then it has one GPU.
    pub seat: Option<Seat>,
    /// libnccl or the folder that it is in; where the loader finds it when absent.
    pub library: Option<PathBuf>,
    /// How much to measure.
    pub effort: Effort,
}

/// An open file that the child inherits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its descriptor, the same number in the child.
    pub descriptor: i32,
    /// Size of the file.
    pub bytes: u64,
    /// Where the data begins: a multiple of what direct reads need.
    pub data_at: u64,
    /// Bytes of data.
    pub data_bytes: u64,
    /// What the data's words are mixed from.
    pub seed: u64,
    /// Name of its file system.
    pub filesystem: Option<String>,
}

/// A part of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Name in keys and params, such as `node0`.
    pub name: String,
    /// CPUs of the place; none for memory without CPUs, which the GPU's own CPUs then use.
    pub cpus: Vec<u32>,
    /// NUMA node, when the place is one.
    pub node: Option<u32>,
}

/// One line from the child.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The child is about to do something that takes at most this long.
    Working {
        /// Short phrase.
        what: String,
        /// Deadline in milliseconds from now.
        within_ms: u64,
    },
    /// All GPUs.
    Inventory(Vec<GpuInfo>),
    /// All GPUs once more, with what the list leaves out.
    Facts(Vec<GpuFacts>),
    /// A step begins.
    Begin(Step),
    /// One finished measurement of the step.
    Measured(Box<Measurement>),
    /// The step could not be done, or not whole.
    Trouble(Step, Trouble),
    /// Nothing could be done at all.
    Refused(Trouble),
    /// The job is whole.
    Done,
}

/// A GPU as NVML tells it. Everything that a driver may not tell is optional.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuInfo {
    /// NVML's index. Not CUDA's: join by address.
    pub index: u32,
    /// Name, such as "NVIDIA H200".
    pub name: String,
    /// PCI address as sysfs writes it, "0000:17:00.0".
    pub address: String,
    /// UUID. Identifies the card: never written into results.
    pub uuid: Option<String>,
    /// Driver version.
    pub driver_version: Option<String>,
    /// PCIe link; meaningless on GPUs that are not attached by PCIe (C2C, integrated).
    pub link: Option<Link>,
    /// Device memory in bytes; absent on GPUs that share the host's memory.
    pub memory_bytes: Option<u64>,
    /// Active NVLinks by peer.
    pub nvlinks: Vec<NvLinkPeer>,
    /// Whether the GPU is cut into MIG instances.
    pub mig: Option<bool>,
}

/// What a GPU's NVLinks lead to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NvLinkPeer {
    /// PCI address of the other end; absent when the driver does not tell (an NVSwitch passed by).
    pub address: Option<String>,
    /// Whether the other end is an NVSwitch, behind which all GPUs on it are reached.
    pub is_switch: bool,
    /// Number of links.
    pub links: u32,
}
