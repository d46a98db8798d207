//! Every measurement the course knows by name: label, unit, which way is better.
//!
//! Keys name the subject, never a module number. A last segment `*` stands for a name that only the
//! machine knows, such as a core kind or a NUMA node.

mod memory;
mod rack;

use crate::Unit;

/// Which way a value is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better: latencies, costs.
    Lower,
    /// More is better: bandwidths.
    Higher,
    /// A fact, not a score.
    Neither,
}

/// What the course knows about one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyInfo {
    /// The key, or a pattern that ends in `.*`.
    pub key: &'static str,
    /// Row label in tables.
    pub label: &'static str,
    /// Unit of the value.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// Command that measures it.
    pub command: &'static str,
}

/// What is known about `key`, patterns included.
pub fn find(key: &str) -> Option<&'static KeyInfo> {
    KEYS.iter().find(|info| match info.key.strip_suffix(".*") {
        Some(prefix) => key.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.') && rest.len() > 1),
        None => info.key == key,
    })
}

const TOPO: &str = "drills machine topo";
const LATENCY: &str = "drills machine latency";
const BW: &str = "drills machine bw";
const PLACE: &str = "drills machine place";

const fn fact(key: &'static str, label: &'static str, unit: Unit) -> KeyInfo {
    KeyInfo { key, label, unit, better: Better::Neither, command: TOPO }
}
const fn ns(key: &'static str, label: &'static str, command: &'static str) -> KeyInfo {
    KeyInfo { key, label, unit: Unit::Ns, better: Better::Lower, command }
}
const fn rate(key: &'static str, label: &'static str, command: &'static str) -> KeyInfo {
    KeyInfo { key, label, unit: Unit::BytesPerS, better: Better::Higher, command }
}
const fn share(key: &'static str, label: &'static str) -> KeyInfo {
    KeyInfo { key, label, unit: Unit::Ratio, better: Better::Lower, command: BW }
}

/// All keys, in the order tables show them.
pub const KEYS: &[KeyInfo] = &joined::<{ MACHINE.len() + memory::KEYS.len() + rack::KEYS.len() }>(&[
    MACHINE,
    memory::KEYS,
    rack::KEYS,
]);

/// The lists of all modules as one. `N` is the sum of their lengths.
const fn joined<const N: usize>(lists: &[&[KeyInfo]]) -> [KeyInfo; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            all[at] = lists[list][i];
            (at, i) = (at + 1, i + 1);
        }
        list += 1;
    }
    assert!(at == N, "N is the sum of the lengths");
    all
}

const fn key(
    key: &'static str,
    label: &'static str,
    unit: Unit,
    better: Better,
    command: &'static str,
) -> KeyInfo {
    KeyInfo { key, label, unit, better, command }
}

/// Keys of `drills machine`.
const MACHINE: &[KeyInfo] = &[
    fact("topo.cpu.count", "Logical CPUs", Unit::Count),
    fact("topo.cpu.cores", "Physical cores", Unit::Count),
    fact("topo.cpu.packages", "Sockets", Unit::Count),
    fact("topo.cpu.kinds", "Kinds of core", Unit::Count),
    fact("topo.cache.line", "Cache line", Unit::Bytes),
    fact("topo.cache.l1d", "L1 data cache, per core", Unit::Bytes),
    fact("topo.cache.l2", "L2 cache, one instance", Unit::Bytes),
    fact("topo.cache.l3", "L3 cache, one instance", Unit::Bytes),
    fact("topo.page", "Base page", Unit::Bytes),
    fact("topo.numa.cpu_nodes", "NUMA nodes with CPUs", Unit::Count),
    fact("topo.numa.memory_only_nodes", "NUMA nodes with memory only", Unit::Count),
    fact("topo.gpu.count", "GPUs", Unit::Count),
    fact("topo.gpu.link.speed_max", "GPU link at most, per lane", Unit::GtPerS),
    fact("topo.gpu.link.width_max", "GPU link at most, lanes", Unit::Count),
    fact("topo.gpu.link.speed_idle", "GPU link when idle, per lane", Unit::GtPerS),
    fact("topo.gpu.link.width_idle", "GPU link when idle, lanes", Unit::Count),
    fact("topo.nic.count", "NICs", Unit::Count),
    ns("latency.chase.l1", "L1 hit, dependent load", LATENCY),
    ns("latency.chase.l2", "L2 hit, dependent load", LATENCY),
    ns("latency.chase.l3", "L3 hit, dependent load", LATENCY),
    ns("latency.chase.dram", "DRAM, dependent load", LATENCY),
    ns("latency.chase.dram_page_per_line", "DRAM, one line in each 4 KiB page (TLB misses)", LATENCY),
    ns("latency.chase.dram_huge", "DRAM, same walk on 2 MiB pages", LATENCY),
    ns("latency.chase.by_size", "Dependent load by buffer size", LATENCY),
    ns("latency.line.smt", "Line transfer between SMT siblings, one way", LATENCY),
    ns("latency.line.shared_l3", "Line transfer between cores that share a cache, one way", LATENCY),
    ns("latency.line.cross_cluster", "Line transfer across clusters of one socket, one way", LATENCY),
    ns("latency.line.cross_socket", "Line transfer across sockets, one way", LATENCY),
    ns("latency.line.cross_kind", "Line transfer between kinds of core, one way", LATENCY),
    ns("latency.false_sharing.shared", "Counter increment, two writers in one line", LATENCY),
    ns("latency.false_sharing.padded", "Counter increment, a line for each writer", LATENCY),
    ns("latency.syscall", "Cheapest system call", LATENCY),
    ns("latency.clock", "clock_gettime through the vDSO", LATENCY),
    ns("latency.page_fault", "Minor page fault, first write to a page the host already backs", LATENCY),
    ns("latency.page_fault_cold", "Minor page fault, memory never touched before", LATENCY),
    ns("latency.wake", "Wake a sleeping thread (futex)", LATENCY),
    ns("gpu.launch.submit", "Submit an empty kernel", LATENCY),
    ns("gpu.launch.round_trip", "Empty kernel and stream synchronise", LATENCY),
    rate("memcpy.one_thread", "memcpy, one thread (bytes copied)", BW),
    rate("memcpy.all_threads", "memcpy, a thread on each CPU (bytes copied)", BW),
    rate("copy.h2d.pinned", "Host to device, pinned", BW),
    rate("copy.h2d.pageable", "Host to device, pageable", BW),
    rate("copy.h2d.registered", "Host to device, registered", BW),
    rate("copy.d2h.pinned", "Device to host, pinned", BW),
    rate("copy.d2h.pageable", "Device to host, pageable", BW),
    rate("copy.d2h.registered", "Device to host, registered", BW),
    ns("copy.h2d.pinned.returned", "Host to device, pinned: time until the call returned", BW),
    ns("copy.h2d.pageable.returned", "Host to device, pageable: time until the call returned", BW),
    ns("copy.h2d.registered.returned", "Host to device, registered: time until the call returned", BW),
    ns("copy.d2h.pinned.returned", "Device to host, pinned: time until the call returned", BW),
    ns("copy.d2h.pageable.returned", "Device to host, pageable: time until the call returned", BW),
    ns("copy.d2h.registered.returned", "Device to host, registered: time until the call returned", BW),
    share("copy.h2d.pinned.blocked", "Host to device, pinned: share of the copy that the caller was blocked"),
    share(
        "copy.h2d.pageable.blocked",
        "Host to device, pageable: share of the copy that the caller was blocked",
    ),
    share(
        "copy.h2d.registered.blocked",
        "Host to device, registered: share of the copy that the caller was blocked",
    ),
    share("copy.d2h.pinned.blocked", "Device to host, pinned: share of the copy that the caller was blocked"),
    share(
        "copy.d2h.pageable.blocked",
        "Device to host, pageable: share of the copy that the caller was blocked",
    ),
    share(
        "copy.d2h.registered.blocked",
        "Device to host, registered: share of the copy that the caller was blocked",
    ),
    rate("copy.h2d.sm", "Host memory read by SMs (zero-copy)", BW),
    rate("copy.d2h.sm", "Host memory written by SMs (zero-copy)", BW),
    rate("copy.bidirectional.h2d", "Host to device while device to host runs", BW),
    rate("copy.bidirectional.d2h", "Device to host while host to device runs", BW),
    rate("copy.d2d", "Device to device, bytes read plus written", BW),
    KeyInfo {
        key: "pin.alloc",
        label: "Pinning: cuMemHostAlloc",
        unit: Unit::NsPerGib,
        better: Better::Lower,
        command: BW,
    },
    KeyInfo {
        key: "pin.register",
        label: "Pinning: cuMemHostRegister of touched memory",
        unit: Unit::NsPerGib,
        better: Better::Lower,
        command: BW,
    },
    KeyInfo {
        key: "pin.unregister",
        label: "Unpinning: cuMemHostUnregister",
        unit: Unit::NsPerGib,
        better: Better::Lower,
        command: BW,
    },
    KeyInfo {
        key: "copy.link.speed_busy",
        label: "GPU link while copying, per lane",
        unit: Unit::GtPerS,
        better: Better::Higher,
        command: BW,
    },
    KeyInfo {
        key: "copy.link.width_busy",
        label: "GPU link while copying, lanes",
        unit: Unit::Count,
        better: Better::Higher,
        command: BW,
    },
    rate("place.memcpy.*", "memcpy from", PLACE),
    rate("place.h2d.pinned.*", "Host to device, pinned, from", PLACE),
    rate("place.h2d.pageable.*", "Host to device, pageable, from", PLACE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_never_name_a_module() {
        let mut seen = std::collections::BTreeSet::new();
        for info in KEYS {
            assert!(seen.insert(info.key), "{} is listed twice", info.key);
            let first = info.key.split('.').next().unwrap_or_default();
            assert!(
                !first.starts_with('m') || !first[1..].starts_with(|c: char| c.is_ascii_digit()),
                "{}",
                info.key
            );
        }
    }

    #[test]
    fn a_pattern_matches_names_below_it_and_nothing_else() {
        assert!(find("place.memcpy.node0").is_some());
        assert!(find("place.memcpy").is_none());
        assert!(find("place.memcpyx.node0").is_none());
        assert_eq!(find("copy.h2d.pinned").map(|k| k.unit), Some(Unit::BytesPerS));
    }
}
