//! What parent and child say to each other: one JSON job in, JSON lines out.

use drills_results::topology::Link;
use drills_results::{Measurement, Unit};
use serde::{Deserialize, Serialize};

use crate::gpu::trouble::Trouble;
use crate::measure::methods;

/// What the child is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// List the GPUs by NVML.
    Inventory,
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
    /// CPUs of the place.
    pub cpus: Vec<u32>,
    /// NUMA node, when the place is one.
    pub node: Option<u32>,
}

/// One group of measurements; what fails or hangs, fails or hangs as a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Launch costs.
    Launch,
    /// Copies of page-locked memory.
    Pinned,
    /// Copies of ordinary memory.
    Pageable,
    /// Copies of ordinary memory that was registered.
    Registered,
    /// Kernels that read and write host memory.
    Sm,
    /// Both directions at once.
    Bidirectional,
    /// Copies inside device memory.
    DeviceLocal,
    /// What pinning costs.
    PinPrice,
    /// Link state while copying.
    Link,
    /// Pinned and pageable copies from one place of the host.
    FromPlace,
    /// What the driver says about sharing memory.
    Attributes,
    /// A kernel that reads ordinary host memory. Alone in its process: it may end the context.
    MallocRead,
    /// A file into the GPU's memory.
    ToGpu,
}

/// Key, unit and method of a measurement that a step takes.
pub type StepKey = (&'static str, Unit, &'static str);

impl Step {
    /// What the step measures. Keys of [`Step::FromPlace`] get the place's name appended.
    pub fn keys(self) -> &'static [StepKey] {
        use Unit::{Bytes, BytesPerS, Count, GtPerS, Ns, NsPerGib, Ratio};
        use methods::*;
        match self {
            Self::Launch => {
                &[("gpu.launch.submit", Ns, LAUNCH_SUBMIT), ("gpu.launch.round_trip", Ns, LAUNCH_ROUND_TRIP)]
            }
            Self::Pinned => &[
                ("copy.h2d.pinned", BytesPerS, COPY_EVENTS),
                ("copy.h2d.pinned.returned", Ns, COPY_RETURNED),
                ("copy.h2d.pinned.blocked", Ratio, COPY_BLOCKED),
                ("copy.d2h.pinned", BytesPerS, COPY_EVENTS),
                ("copy.d2h.pinned.returned", Ns, COPY_RETURNED),
                ("copy.d2h.pinned.blocked", Ratio, COPY_BLOCKED),
            ],
            Self::Pageable => &[
                ("copy.h2d.pageable", BytesPerS, COPY_HOST_CLOCK),
                ("copy.h2d.pageable.returned", Ns, COPY_RETURNED),
                ("copy.h2d.pageable.blocked", Ratio, COPY_BLOCKED),
                ("copy.d2h.pageable", BytesPerS, COPY_HOST_CLOCK),
                ("copy.d2h.pageable.returned", Ns, COPY_RETURNED),
                ("copy.d2h.pageable.blocked", Ratio, COPY_BLOCKED),
            ],
            Self::Registered => &[
                ("copy.h2d.registered", BytesPerS, COPY_EVENTS),
                ("copy.h2d.registered.returned", Ns, COPY_RETURNED),
                ("copy.h2d.registered.blocked", Ratio, COPY_BLOCKED),
                ("copy.d2h.registered", BytesPerS, COPY_EVENTS),
                ("copy.d2h.registered.returned", Ns, COPY_RETURNED),
                ("copy.d2h.registered.blocked", Ratio, COPY_BLOCKED),
            ],
            Self::Sm => {
                &[("copy.h2d.sm", BytesPerS, COPY_SM_READ), ("copy.d2h.sm", BytesPerS, COPY_SM_WRITE)]
            }
            Self::Bidirectional => &[
                ("copy.bidirectional.h2d", BytesPerS, COPY_BIDIRECTIONAL),
                ("copy.bidirectional.d2h", BytesPerS, COPY_BIDIRECTIONAL),
            ],
            Self::DeviceLocal => &[("copy.d2d", BytesPerS, COPY_DEVICE_LOCAL)],
            Self::PinPrice => &[
                ("pin.alloc", NsPerGib, PIN_HOST_CLOCK),
                ("pin.register", NsPerGib, PIN_HOST_CLOCK),
                ("pin.unregister", NsPerGib, PIN_HOST_CLOCK),
            ],
            Self::Link => &[
                ("copy.link.speed_busy", GtPerS, LINK_SAMPLED),
                ("copy.link.width_busy", Count, LINK_SAMPLED),
            ],
            Self::FromPlace => &[
                ("place.h2d.pinned", BytesPerS, COPY_EVENTS),
                ("place.h2d.pageable", BytesPerS, COPY_HOST_CLOCK),
            ],
            Self::Attributes => &[
                ("gpu.integrated", Count, ATTRIBUTE_READ),
                ("gpu.pageable_access", Count, ATTRIBUTE_READ),
                ("gpu.host_page_tables", Count, ATTRIBUTE_READ),
                ("gpu.concurrent_managed", Count, ATTRIBUTE_READ),
                ("gpu.host_atomics", Count, ATTRIBUTE_READ),
                ("gpu.coherence", Count, ATTRIBUTE_READ),
                ("gpu.vmm.granularity", Bytes, ATTRIBUTE_READ),
                ("gpu.vmm.multicast", Count, ATTRIBUTE_READ),
            ],
            Self::MallocRead => &[("gpu.malloc_read", Count, ATTRIBUTE_TESTED)],
            Self::ToGpu => &[
                ("to_gpu.read_pageable.cold", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.read_pageable.warm", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.read_pageable.cpu", NsPerGib, TO_GPU_PIPELINE),
                ("to_gpu.read_pinned.cold", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.read_pinned.warm", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.read_pinned.cpu", NsPerGib, TO_GPU_PIPELINE),
                ("to_gpu.mmap_copy.cold", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.mmap_copy.warm", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.mmap_copy.cpu", NsPerGib, TO_GPU_PIPELINE),
                ("to_gpu.direct_pinned.cold", BytesPerS, TO_GPU_PIPELINE),
                ("to_gpu.direct_pinned.cpu", NsPerGib, TO_GPU_PIPELINE),
            ],
        }
    }

    /// What the user is told while it runs.
    pub fn title(self) -> &'static str {
        match self {
            Self::Launch => "kernel launches",
            Self::Pinned => "pinned copies",
            Self::Pageable => "pageable copies",
            Self::Registered => "registered copies",
            Self::Sm => "copies by SMs",
            Self::Bidirectional => "both directions at once",
            Self::DeviceLocal => "copies inside the GPU",
            Self::PinPrice => "price of pinning",
            Self::Link => "link state under load",
            Self::FromPlace => "copies from one place of the host",
            Self::Attributes => "what the driver says about sharing memory",
            Self::MallocRead => "a kernel that reads ordinary memory",
            Self::ToGpu => "a file into the GPU",
        }
    }
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
