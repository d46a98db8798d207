//! What the kernel does with free, far and used memory.

use std::io::Read;

use drills_results::Unit;

use super::line::{Host, Line, Title};
use crate::host::memory_mode::Mode;
use crate::host::system;
use crate::output::units;

const GIB: u64 = 1 << 30;
/// A reserve above this is the work of huge pages of 512 MiB, or of somebody who can say why.
const MOST_RESERVE: u64 = 4 * GIB;
const NOT_NUMA_MODE: &str = "Linux hands out no GPU memory here.";

/// Clearing of pages as they are handed out.
pub(super) fn init_on_alloc(host: &Host<'_>) -> Line {
    let title = Title("init_on_alloc", "0 on a coherent machine");
    let (on, source) = match host.boot_parameter("init_on_alloc") {
        Some(value) => (Some(matches!(value, "1" | "on" | "y" | "yes")), "boot parameter"),
        None => (built_in(host), "default of this kernel"),
    };
    let found = on.map(|on| format!("{} ({source})", if on { "on" } else { "off" }));
    if !host.is_coherent() {
        let why =
            "No GPU takes memory from the kernel here; for the host alone it is a question of security.";
        return title.not_here(found.unwrap_or_default(), why);
    }
    let Some(found) = found else {
        return title
            .not_told("Neither the command line nor a readable configuration of the kernel says it.");
    };
    let fix = match host.mode {
        Some(Mode::Numa) => {
            "Boot with init_on_alloc=0: cudaMalloc waits now while a CPU clears GPU memory across C2C. The \
             price is security, since pages keep their content until they are overwritten."
        }
        _ => {
            "Boot with init_on_alloc=0: buffers that are overwritten anyway are cleared first now. It \
             matters less than in NUMA mode; the price is security."
        }
    };
    title.judged(on == Some(false), found, fix)
}

/// `CONFIG_INIT_ON_ALLOC_DEFAULT_ON` of the running kernel.
fn built_in(host: &Host<'_>) -> Option<bool> {
    let release = system::kernel(host.root);
    let plain = [format!("boot/config-{release}"), format!("lib/modules/{release}/config")];
    let text = plain.iter().find_map(|path| host.root.read(path)).or_else(|| {
        let mut text = String::new();
        let packed = host.root.bytes("proc/config.gz")?;
        // A configuration has some 300 kB; nothing larger is read.
        let unpacked = flate2::read::GzDecoder::new(packed.as_slice()).take(4 << 20);
        { unpacked }.read_to_string(&mut text).ok()?;
        Some(text)
    })?;
    Some(text.lines().any(|line| line.trim() == "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y"))
}

/// Faults that the kernel makes to learn who uses a page.
pub(super) fn numa_balancing(host: &Host<'_>) -> Line {
    let title = Title("numa_balancing", "0");
    let Some(mode) = host.root.number::<u32>("proc/sys/kernel/numa_balancing") else {
        return title.not_here("", "This kernel does not balance.");
    };
    if host.nodes_with_memory() < 2 {
        return title.not_here(mode.to_string(), "No two nodes with memory: nothing to balance between.");
    }
    let fix = if host.is_coherent() {
        "sysctl kernel.numa_balancing=0: access rights are taken from pages to see who faults, and a GPU \
         that translates through the same table faults as well."
    } else {
        "sysctl kernel.numa_balancing=0 where ranks are bound to nodes: its faults then find out nothing new."
    };
    title.judged(mode == 0, mode.to_string(), fix)
}

/// NUMA mode or CDMM.
pub(super) fn memory_mode(host: &Host<'_>) -> Line {
    let title = Title("memory_mode", "CDMM");
    match host.mode {
        None => title.not_told("The kernel shows neither nodes nor a memory map."),
        Some(Mode::NotCoherent | Mode::OneMemory) => {
            title.not_here("", "No GPU here has coherent memory of its own.")
        }
        Some(mode) => {
            let fix = "Set NVreg_CoherentGPUMemoryMode=driver for the module nvidia and rebuild the initramfs, \
                       above all under Kubernetes: programs then cannot spill into GPU memory.";
            title.judged(mode == Mode::Driver, mode.text(), fix)
        }
    }
}

/// Where anonymous pages on GPU nodes can go.
pub(super) fn swap(host: &Host<'_>) -> Line {
    let title = Title("swap", "a quarter to a half of GPU memory, in NUMA mode");
    if !host.is_numa_mode() {
        return title.not_here("", NOT_NUMA_MODE);
    }
    let Some(swap) = meminfo(host, "SwapTotal:") else {
        return title.not_told("The kernel does not tell it.");
    };
    let gpu = host.gpu_node_bytes();
    let found = format!("{} of swap for {} of GPU memory", bytes(swap), bytes(gpu));
    let fix =
        "Add swap, or use CDMM: anonymous pages that spilled onto a GPU's node leave only through swap.";
    title.judged(swap >= gpu / 4, found, fix)
}

/// The reserve that nobody may use.
pub(super) fn min_free(host: &Host<'_>) -> Line {
    let title = Title("min_free_kbytes", "no more than 4 GiB");
    let Some(kib) = host.root.number::<u64>("proc/sys/vm/min_free_kbytes") else {
        return title.not_told("The kernel does not tell it.");
    };
    let reserve = kib.saturating_mul(1024);
    let fix = "Switch THP of 512 MiB off and lower vm.min_free_kbytes: khugepaged raises the reserve by 11 \
               huge pages for each memory zone, on GPU nodes too.";
    title.judged(reserve <= MOST_RESERVE, bytes(reserve), fix)
}

/// Moving pages in the background.
pub(super) fn compaction(host: &Host<'_>) -> Line {
    let title = Title("compaction_proactiveness", "0 in NUMA mode");
    let Some(level) = host.root.number::<u32>("proc/sys/vm/compaction_proactiveness") else {
        return title.not_here("", "This kernel does not compact before it has to.");
    };
    if !host.is_numa_mode() {
        return title.not_here(level.to_string(), "Compaction never touches GPU memory here.");
    }
    let fix =
        "sysctl vm.compaction_proactiveness=0: pages are moved inside GPU memory, and cudaMalloc waits.";
    title.judged(level == 0, level.to_string(), fix)
}

/// Reclaim on one node before another node is used.
pub(super) fn zone_reclaim(host: &Host<'_>) -> Line {
    let title = Title("zone_reclaim_mode", "0");
    let Some(mode) = host.root.number::<u32>("proc/sys/vm/zone_reclaim_mode") else {
        return title.not_here("", "This kernel has no such switch.");
    };
    if host.nodes_with_memory() < 2 {
        return title.not_here(mode.to_string(), "No two nodes with memory.");
    }
    if host.is_numa_mode() {
        let why = "No advice in NUMA mode: 0 spills into GPU memory before old pages are dropped, 1 drops first. \
                   Bind instead.";
        return title.not_here(mode.to_string(), why);
    }
    let fix = "sysctl vm.zone_reclaim_mode=0: page cache is dropped now while another node has free memory.";
    title.judged(mode == 0, mode.to_string(), fix)
}

fn meminfo(host: &Host<'_>, field: &str) -> Option<u64> {
    let text = host.root.read("proc/meminfo")?;
    let line = text.lines().find_map(|line| line.trim().strip_prefix(field))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

fn bytes(bytes: u64) -> String {
    units::quantity(Unit::Bytes, bytes as f64)
}
