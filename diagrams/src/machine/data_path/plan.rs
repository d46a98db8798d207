//! The steps of a payload from disk to GPU to network, for every combination of shortcuts.

use super::cost::{Faults, Syscalls};

/// A place that holds the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The file on the drive.
    Drive,
    /// The kernel's page cache.
    PageCache,
    /// An ordinary buffer of the process, pageable or pinned.
    UserBuffer,
    /// The CUDA driver's pinned staging buffer.
    Staging,
    /// GPU memory.
    Gpu,
    /// NCCL's pinned buffer on the way out.
    Bounce,
    /// The network card.
    Nic,
}

/// Who moves the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// A CPU core, load by load.
    Core,
    /// The drive's DMA engine.
    Drive,
    /// The GPU's copy engine.
    CopyEngine,
    /// The NIC's DMA engine.
    Nic,
}

impl Mover {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Core => "a CPU core",
            Self::Drive => "the drive's DMA",
            Self::CopyEngine => "the GPU's copy engine",
            Self::Nic => "the NIC's DMA",
        }
    }
}

/// One move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the payload is before.
    pub from: Spot,
    /// Where it is afterwards.
    pub to: Spot,
    /// Who moves it.
    pub mover: Mover,
    /// Kernel functions or API calls behind it.
    pub calls: &'static str,
    /// System calls it takes.
    pub syscalls: Syscalls,
    /// Page faults it takes.
    pub faults: Faults,
}

impl Spot {
    /// Whether it lies in host DRAM.
    pub fn in_dram(self) -> bool {
        matches!(self, Self::PageCache | Self::UserBuffer | Self::Staging | Self::Bounce)
    }
}

impl Step {
    /// Times the payload is written to host DRAM: once if it lands there.
    pub fn dram_writes(self) -> u32 {
        u32::from(self.to.in_dram())
    }

    /// Times the payload is read from host DRAM: once if it comes from there. Caches may save a part of
    /// it; a payload larger than the last level leaves them.
    pub fn dram_reads(self) -> u32 {
        u32::from(self.from.in_dram())
    }

    /// Times a core copies the payload.
    pub fn cpu_copies(self) -> u32 {
        u32::from(self.mover == Mover::Core)
    }

    /// Times a DMA engine carries it.
    pub fn dma_transfers(self) -> u32 {
        u32::from(self.mover != Mover::Core)
    }
}

/// Shortcuts the reader switches on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shortcuts {
    /// The file is in the page cache already.
    pub warm: bool,
    /// The file is mapped instead of read.
    pub mmap: bool,
    /// The file is opened with `O_DIRECT`.
    pub direct: bool,
    /// The program's buffer is pinned.
    pub pinned: bool,
    /// GPUDirect Storage: `cuFileRead` into GPU memory.
    pub gds: bool,
    /// GPUDirect RDMA: the NIC reads GPU memory.
    pub rdma: bool,
}

/// The steps, and what of the wish had no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In order.
    pub steps: Vec<Step>,
    /// Why a switch has no effect, or another one than its name says.
    pub notes: Vec<&'static str>,
}

impl Plan {
    /// The plan for a set of shortcuts.
    pub fn new(want: Shortcuts) -> Self {
        let mut steps = if want.gds { vec![storage_to_gpu()] } else { through_host(want) };
        if want.rdma {
            steps.push(gpu_to_nic());
        } else {
            steps.extend(bounce_out());
        }
        Self { steps, notes: notes(want) }
    }

    /// Sum of a count over the first `until` steps.
    pub fn total(&self, until: usize, count: impl Fn(Step) -> u32) -> u32 {
        self.steps.iter().take(until).map(|&s| count(s)).sum()
    }
}

/// Drive to GPU through host memory. Each combination follows from three questions: does the page cache
/// hold the payload, is there a buffer of the program, and may a device read what is there?
fn through_host(want: Shortcuts) -> Vec<Step> {
    let cached = want.mmap || !want.direct;
    let mut steps = Vec::new();
    if cached && !want.warm {
        steps.push(read_ahead(want.mmap));
    }
    match (want.mmap, want.direct, want.pinned) {
        (true, _, true) => steps.push(copy_mapping(want.warm)),
        (true, _, false) => {}
        (false, true, _) => steps.push(direct_read(want.pinned)),
        (false, false, _) => steps.push(copy_to_user(want.pinned)),
    }
    if want.pinned {
        steps.push(to_gpu(Spot::UserBuffer));
    } else {
        let from = if want.mmap { Spot::PageCache } else { Spot::UserBuffer };
        steps.push(stage(from, want));
        steps.push(to_gpu(Spot::Staging));
    }
    steps
}

fn step(from: Spot, to: Spot, mover: Mover, calls: &'static str) -> Step {
    Step { from, to, mover, calls, syscalls: Syscalls::None, faults: Faults::None }
}

fn read_ahead(mapped: bool) -> Step {
    let calls = if mapped {
        "filemap_fault, page_cache_ra_order, the drive's completion"
    } else {
        "filemap_read, page_cache_ra_order, the drive's completion"
    };
    step(Spot::Drive, Spot::PageCache, Mover::Drive, calls)
}

fn copy_to_user(pinned: bool) -> Step {
    let faults = if pinned { Faults::None } else { Faults::FreshBuffer };
    let base = step(Spot::PageCache, Spot::UserBuffer, Mover::Core, "read, filemap_read, copy_to_user");
    Step { syscalls: Syscalls::PerBlock, faults, ..base }
}

/// `O_DIRECT` pins the pages of the buffer for the time of each request; fresh pages are faulted in by
/// that pinning.
fn direct_read(pinned: bool) -> Step {
    let faults = if pinned { Faults::None } else { Faults::FreshBuffer };
    let calls = "pread with O_DIRECT, iomap_dio_rw, pin_user_pages";
    let base = step(Spot::Drive, Spot::UserBuffer, Mover::Drive, calls);
    Step { syscalls: Syscalls::PerBlock, faults, ..base }
}

fn mapping_faults(warm: bool) -> Faults {
    if warm { Faults::Mapped } else { Faults::MappedCold }
}

fn copy_mapping(warm: bool) -> Step {
    let base =
        step(Spot::PageCache, Spot::UserBuffer, Mover::Core, "mmap, filemap_map_pages, your own memcpy");
    Step { syscalls: Syscalls::Once, faults: mapping_faults(warm), ..base }
}

fn stage(from: Spot, want: Shortcuts) -> Step {
    let base = step(from, Spot::Staging, Mover::Core, "cudaMemcpy of pageable memory: memcpy in the driver");
    match from {
        Spot::PageCache => Step { syscalls: Syscalls::Once, faults: mapping_faults(want.warm), ..base },
        _ => base,
    }
}

fn to_gpu(from: Spot) -> Step {
    let calls = match from {
        Spot::Staging => "the driver queues the copy, the engine reads over PCIe",
        _ => "cudaMemcpyAsync, the engine reads over PCIe",
    };
    step(from, Spot::Gpu, Mover::CopyEngine, calls)
}

fn storage_to_gpu() -> Step {
    let calls = "cuFileRead, nvidia-fs or PCI P2PDMA, the drive writes over PCIe";
    Step { syscalls: Syscalls::PerBlock, ..step(Spot::Drive, Spot::Gpu, Mover::Drive, calls) }
}

fn gpu_to_nic() -> Step {
    step(Spot::Gpu, Spot::Nic, Mover::Nic, "ibv_post_send, the NIC reads the GPU's BAR over PCIe")
}

/// Without GPUDirect RDMA the GPU writes into a pinned host buffer and the NIC reads that.
fn bounce_out() -> [Step; 2] {
    [
        step(Spot::Gpu, Spot::Bounce, Mover::CopyEngine, "NCCL's kernel or the engine writes over PCIe"),
        step(Spot::Bounce, Spot::Nic, Mover::Nic, "ibv_post_send, the NIC reads host memory"),
    ]
}

/// Combinations that do not do what they say.
fn notes(want: Shortcuts) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if want.gds {
        if want.mmap {
            notes.push(
                "GPUDirect Storage reads into GPU memory, so there is nothing to map: mmap has no effect.",
            );
        }
        if want.pinned {
            notes.push("GPUDirect Storage leaves the host buffer out, pinned or not.");
        }
        if want.direct {
            notes.push("GPUDirect Storage bypasses the page cache by itself; O_DIRECT adds nothing.");
        }
        if want.warm {
            notes.push("GPUDirect Storage reads the drive although the file is in the page cache.");
        }
        return notes;
    }
    if want.mmap && want.direct {
        notes.push("O_DIRECT changes read and write only; a mapping always goes through the page cache.");
    } else if want.direct && want.warm {
        notes.push("O_DIRECT reads the drive although the file is in the page cache.");
    }
    if want.mmap && want.pinned {
        notes.push("Pages of a mapping are not pinned: a core has to copy them into the pinned buffer.");
    }
    notes
}
