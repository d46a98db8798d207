//! Keys of `drills memory`.

use super::{Better, KeyInfo, key};
use crate::Unit;

const INFO: &str = "drills memory info";
const FAULTS: &str = "drills memory faults";
const TLB: &str = "drills memory tlb";
const LOAD: &str = "drills memory load";
const TO_GPU: &str = "drills memory to-gpu";
const COW: &str = "drills memory cow";

const fn fact(name: &'static str, label: &'static str, unit: Unit) -> KeyInfo {
    key(name, label, unit, Better::Neither, INFO)
}
const fn count(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::Count, Better::Lower, FAULTS)
}
const fn time(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::NsPerGib, Better::Lower, FAULTS)
}
const fn ns(name: &'static str, label: &'static str, command: &'static str) -> KeyInfo {
    key(name, label, Unit::Ns, Better::Lower, command)
}
const fn reach(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::Bytes, Better::Higher, TLB)
}
const fn rate(name: &'static str, label: &'static str, command: &'static str) -> KeyInfo {
    key(name, label, Unit::BytesPerS, Better::Higher, command)
}
const fn loaded(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::Count, Better::Lower, LOAD)
}
const fn processor(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::NsPerGib, Better::Lower, TO_GPU)
}
const fn bytes(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::Bytes, Better::Lower, COW)
}
const fn fork(name: &'static str, label: &'static str) -> KeyInfo {
    key(name, label, Unit::NsPerGib, Better::Lower, COW)
}

/// In the order tables show them. Counts of faults are scaled to 1 GiB.
pub(super) const KEYS: &[KeyInfo] = &[
    fact("page.huge", "Huge page, one level above the base page", Unit::Bytes),
    fact("page.thp", "Transparent huge pages: 0 never, 1 on advice, 2 always", Unit::Count),
    fact("page.mthp", "Sizes of multi-size THP that are switched on", Unit::Count),
    fact("page.hugetlb", "Pages free in the hugetlb pools", Unit::Count),
    fact("page.overcommit", "vm.overcommit_memory", Unit::Count),
    fact("gpu.integrated", "GPU shares the host's memory (attribute)", Unit::Count),
    fact("gpu.pageable_access", "GPU may read malloc memory (attribute)", Unit::Count),
    fact("gpu.host_page_tables", "GPU uses the host's page tables (attribute)", Unit::Count),
    fact("gpu.concurrent_managed", "Managed memory migrates by faults (attribute)", Unit::Count),
    fact("gpu.host_atomics", "Native atomics between host and GPU (attribute)", Unit::Count),
    fact("gpu.coherence", "Class by attributes: 0 CUDA's memory only, 1 managed, 2 HMM, 3 ATS", Unit::Count),
    fact("gpu.malloc_read", "Kernel that reads malloc memory (tested)", Unit::Count),
    fact("gpu.vmm.granularity", "Granularity of GPU virtual memory", Unit::Bytes),
    fact("gpu.vmm.multicast", "Multicast objects (attribute)", Unit::Count),
    count("fault.anon_base.count", "Faults, base pages"),
    time("fault.anon_base.time", "First touch, base pages"),
    time("fault.anon_base.cold", "First touch, memory new to the machine"),
    time("fault.populate.time", "MADV_POPULATE_WRITE, base pages"),
    count("fault.thp.count", "Faults, transparent huge pages"),
    time("fault.thp.time", "First touch, transparent huge pages"),
    count("fault.mthp.count.*", "Faults, mTHP"),
    time("fault.mthp.time.*", "First touch, mTHP"),
    count("fault.hugetlb.count", "Faults, hugetlb pool"),
    time("fault.hugetlb.time", "First touch, hugetlb pool"),
    count("fault.file_map.count", "Faults, mapped file in the page cache, read"),
    time("fault.file_map.time", "Mapped file in the page cache, read"),
    count("fault.file_write.count", "Faults, private write to a mapped file"),
    ns("fault.major", "One major fault, readahead off", FAULTS),
    ns("fault.cow", "One COW break", FAULTS),
    ns("shootdown.alone", "munmap of a touched region, alone", FAULTS),
    ns("shootdown.threads", "munmap of a touched region, with running threads", FAULTS),
    ns("tlb.chase.base", "Dependent load, one line per page, base pages", TLB),
    ns("tlb.chase.huge", "Dependent load, one line per page, huge pages", TLB),
    reach("tlb.reach.base", "TLB reach, base pages"),
    reach("tlb.reach.huge", "TLB reach, huge pages"),
    rate("load.read.cold", "read, from the drive", LOAD),
    rate("load.read.warm", "read, from the page cache", LOAD),
    rate("load.mmap.cold", "mmap, touched in order, from the drive", LOAD),
    rate("load.mmap.warm", "mmap, touched in order, from the page cache", LOAD),
    rate("load.mmap_random.cold", "mmap, random pages, readahead off, from the drive (bytes touched)", LOAD),
    rate("load.mmap_random.warm", "mmap, random pages, from the page cache (bytes touched)", LOAD),
    rate("load.direct.cold", "O_DIRECT, from the drive", LOAD),
    rate("load.safetensors.cold", "safetensors, each tensor copied, from the drive", LOAD),
    rate("load.safetensors.warm", "safetensors, each tensor copied, from the page cache", LOAD),
    loaded("load.read.faults", "read: faults, warm load"),
    loaded("load.mmap.faults", "mmap: faults, warm load"),
    loaded("load.safetensors.faults", "safetensors: faults, warm load"),
    loaded("load.mmap_random.major", "mmap, random pages: major faults per GiB touched, cold"),
    rate("to_gpu.read_pageable.cold", "File to GPU: read, pageable copy, from the drive", TO_GPU),
    rate("to_gpu.read_pageable.warm", "File to GPU: read, pageable copy, from the page cache", TO_GPU),
    rate("to_gpu.read_pinned.cold", "File to GPU: read into pinned buffers, from the drive", TO_GPU),
    rate("to_gpu.read_pinned.warm", "File to GPU: read into pinned buffers, from the page cache", TO_GPU),
    rate("to_gpu.mmap_copy.cold", "File to GPU: copy out of the map, from the drive", TO_GPU),
    rate("to_gpu.mmap_copy.warm", "File to GPU: copy out of the map, from the page cache", TO_GPU),
    rate("to_gpu.direct_pinned.cold", "File to GPU: O_DIRECT into pinned buffers, from the drive", TO_GPU),
    processor("to_gpu.read_pageable.cpu", "Processor time: read, pageable copy"),
    processor("to_gpu.read_pinned.cpu", "Processor time: read into pinned buffers"),
    processor("to_gpu.mmap_copy.cpu", "Processor time: copy out of the map"),
    processor("to_gpu.direct_pinned.cpu", "Processor time: O_DIRECT into pinned buffers"),
    bytes("cow.object_headers.rss", "Worker after walking object headers: RSS"),
    bytes("cow.object_headers.pss", "Worker after walking object headers: PSS"),
    bytes("cow.object_headers.uss", "Worker after walking object headers: USS"),
    bytes("cow.one_percent.uss", "Worker after 1 % of the objects at random: USS"),
    bytes("cow.one_header.uss", "Worker after reading an array with one header: USS"),
    fork("cow.fork", "fork, base pages"),
    fork("cow.fork_huge", "fork, huge pages"),
];
