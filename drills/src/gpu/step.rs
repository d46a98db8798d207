//! What a GPU process can be asked to measure.

use drills_results::Unit;
use serde::{Deserialize, Serialize};

use crate::measure::methods;

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
    /// Whether the CPU reads managed memory where it lies on the GPU.
    DirectManaged,
    /// A fabric handle: made, exported, imported, released.
    Fabric,
    /// Copies and SM reads of memory on one NUMA node.
    FromNode,
    /// SM reads, writes and copies of device memory.
    SmDevice,
    /// SM reads and writes of managed memory on the host.
    SmManaged,
    /// SM reads and writes of ordinary memory. Alone in its process: it may end the context.
    SmMalloc,
    /// Sums over several GPUs. Alone in its process, which opens all of them.
    AllReduce,
}

/// Key, unit and method of a measurement that a step takes.
pub type StepKey = (&'static str, Unit, &'static str);

impl Step {
    /// What the step measures. Keys of a step that [is of a place](Step::is_of_place) get the place's name
    /// appended.
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
            Self::DirectManaged => &[("gpu.direct_managed", Count, ATTRIBUTE_READ)],
            Self::Fabric => &[
                ("fabric.attribute", Count, ATTRIBUTE_READ),
                ("fabric.create", Count, FABRIC_HANDLE),
                ("fabric.export", Count, FABRIC_HANDLE),
                ("fabric.import_own", Count, FABRIC_HANDLE),
            ],
            Self::FromNode => &[
                ("node.h2d", BytesPerS, NODE_COPY),
                ("node.d2h", BytesPerS, NODE_COPY),
                ("node.sm_read", BytesPerS, NODE_SM_READ),
            ],
            Self::SmDevice => &[
                ("sm.read.device", BytesPerS, SM_READ),
                ("sm.write.device", BytesPerS, SM_WRITE),
                ("sm.copy.device", BytesPerS, SM_COPY),
            ],
            Self::SmManaged => {
                &[("sm.read.managed", BytesPerS, SM_READ), ("sm.write.managed", BytesPerS, SM_WRITE)]
            }
            Self::SmMalloc => {
                &[("sm.read.malloc", BytesPerS, SM_READ), ("sm.write.malloc", BytesPerS, SM_WRITE)]
            }
            Self::AllReduce => &[
                ("allreduce.ranks", Count, ALLREDUCE_NCCL),
                ("allreduce.hosts", Count, ALLREDUCE_NCCL),
                ("allreduce.rate", BytesPerS, ALLREDUCE_NCCL),
                ("allreduce.bus", BytesPerS, ALLREDUCE_NCCL),
                ("allreduce.small", Ns, ALLREDUCE_NCCL),
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
            Self::DirectManaged => "managed memory, as the CPU reaches it",
            Self::Fabric => "a fabric handle",
            Self::FromNode => "memory of one NUMA node",
            Self::SmDevice => "SMs and the GPU's own memory",
            Self::SmManaged => "SMs and managed memory",
            Self::SmMalloc => "SMs and ordinary memory",
            Self::AllReduce => "an all-reduce",
        }
    }

    /// Whether the step is taken once for each place of the host.
    pub fn is_of_place(self) -> bool {
        matches!(self, Self::FromPlace | Self::FromNode)
    }
}
