//! All drills, by module.

use std::fmt::Write as _;

use drills_results::keys::{KEYS, KeyInfo};
use serde_json::json;

use crate::machine;
use crate::memory;
use crate::output::table::{Align, Table};
use crate::rack;
use crate::run::{Context, Sink};

/// One drill.
#[derive(Debug)]
pub struct Drill {
    /// Module it belongs to.
    pub module: &'static str,
    /// Its own name.
    pub name: &'static str,
    /// The command that runs it, as in `drills_results::keys`.
    pub command: &'static str,
    /// What it measures.
    pub what: &'static str,
    /// What it needs beyond a Linux box.
    pub needs: &'static str,
    /// Rough duration in seconds, full and quick.
    pub seconds: (u32, u32),
    /// Whether it only reads, so that a recorded machine serves as well.
    pub reads_only: bool,
    /// The work.
    pub run: fn(&Context, &Sink),
}

/// In the order a report runs them.
pub const DRILLS: &[Drill] = &[
    Drill {
        module: "machine",
        name: "topo",
        command: "drills machine topo",
        what: "CPUs, kinds of core, caches, NUMA nodes, PCIe tree, GPU-NIC distances",
        needs: "nothing",
        seconds: (1, 1),
        reads_only: true,
        run: machine::topo::run,
    },
    Drill {
        module: "machine",
        name: "latency",
        command: "drills machine latency",
        what: "loads from L1 to DRAM, lines between cores, false sharing, calls, faults, wake-ups, launches",
        needs: "nothing; kernel launches need an NVIDIA GPU",
        seconds: (30, 10),
        reads_only: false,
        run: machine::latency::run,
    },
    Drill {
        module: "machine",
        name: "bw",
        command: "drills machine bw",
        what: "copies between host and GPU by size and kind of memory, price of pinning, memcpy",
        needs: "an NVIDIA GPU, else memcpy only",
        seconds: (40, 10),
        reads_only: false,
        run: machine::bw::run,
    },
    Drill {
        module: "machine",
        name: "place",
        command: "drills machine place",
        what: "the same copies from each kind of core or each NUMA node",
        needs: "an NVIDIA GPU, else memcpy only",
        seconds: (10, 4),
        reads_only: false,
        run: machine::place::run,
    },
    Drill {
        module: "memory",
        name: "info",
        command: "drills memory info",
        what: "page sizes, huge pages, overcommit, what CPU and GPU share, and a test of it",
        needs: "nothing; what the GPU shares needs an NVIDIA GPU",
        seconds: (5, 2),
        reads_only: false,
        run: memory::info::run,
    },
    Drill {
        module: "memory",
        name: "faults",
        command: "drills memory faults",
        what: "page faults by kind of memory, counts beside predictions; copies on write, shootdowns",
        needs: "nothing; a hugetlb pool for its row",
        seconds: (40, 10),
        reads_only: false,
        run: memory::faults::run,
    },
    Drill {
        module: "memory",
        name: "tlb",
        command: "drills memory tlb",
        what: "loads by number of pages, on base and huge pages; reach of the TLB",
        needs: "transparent huge pages for comparison",
        seconds: (20, 4),
        reads_only: false,
        run: memory::tlb::run,
    },
    Drill {
        module: "memory",
        name: "load",
        command: "drills memory load",
        what: "a safetensors file by read, mmap, O_DIRECT and the library; cold and warm, faults",
        needs: "a folder on a drive (--dir)",
        seconds: (90, 10),
        reads_only: false,
        run: memory::load::run,
    },
    Drill {
        module: "memory",
        name: "to-gpu",
        command: "drills memory to-gpu",
        what: "the same file into GPU memory by four routes; rate and processor time",
        needs: "an NVIDIA GPU and a folder on a drive (--dir)",
        seconds: (60, 8),
        reads_only: false,
        run: memory::to_gpu::run,
    },
    Drill {
        module: "memory",
        name: "cow",
        command: "drills memory cow",
        what: "memory of workers that only read, beside its prediction; the price of a fork",
        needs: "nothing",
        seconds: (10, 3),
        reads_only: false,
        run: memory::cow::run,
    },
    Drill {
        module: "rack",
        name: "platform",
        command: "drills rack platform",
        what: "how coherent CPU and GPU are, read and tested; C2C links, who owns GPU memory, MIG",
        needs: "nothing; what concerns the GPU needs an NVIDIA GPU",
        seconds: (5, 3),
        reads_only: true,
        run: rack::platform::run,
    },
    Drill {
        module: "rack",
        name: "numa",
        command: "drills rack numa",
        what: "NUMA nodes that are GPU memory, what lies on them, distances",
        needs: "nothing",
        seconds: (1, 1),
        reads_only: true,
        run: rack::numa::run,
    },
    Drill {
        module: "rack",
        name: "tune",
        command: "drills rack tune",
        what: "settings of kernel and driver beside the advice for this kind of machine",
        needs: "nothing; it changes nothing",
        seconds: (1, 1),
        reads_only: true,
        run: rack::tune::run,
    },
    Drill {
        module: "rack",
        name: "fabric",
        command: "drills rack fabric",
        what: "state of the NVLink fabric, IMEX, and a fabric handle made, exported and imported",
        needs: "nothing; what concerns the GPU needs an NVIDIA GPU",
        seconds: (5, 3),
        reads_only: true,
        run: rack::fabric::run,
    },
    Drill {
        module: "rack",
        name: "bw",
        command: "drills rack bw",
        what: "the copy engine beside SMs: pinned, managed, malloc and device memory",
        needs: "an NVIDIA GPU; malloc memory where kernels may use it",
        seconds: (20, 6),
        reads_only: false,
        run: rack::bw::run,
    },
    Drill {
        module: "rack",
        name: "place",
        command: "drills rack place",
        what: "copies and SM reads of memory on each NUMA node",
        needs: "an NVIDIA GPU",
        seconds: (10, 3),
        reads_only: false,
        run: rack::place::run,
    },
    Drill {
        module: "rack",
        name: "allreduce",
        command: "drills rack allreduce",
        what: "an all-reduce by NCCL over sizes: rate, bus bandwidth, time of the smallest",
        needs: "NCCL and two NVIDIA GPUs, or ranks of a job",
        seconds: (60, 15),
        reads_only: false,
        run: rack::allreduce::run,
    },
];

impl Drill {
    /// Keys that the drill measures, patterns included.
    pub fn keys(&self) -> impl Iterator<Item = &'static KeyInfo> {
        KEYS.iter().filter(|key| key.command == self.command)
    }
}

/// Every drill.
pub fn all() -> Vec<&'static Drill> {
    DRILLS.iter().collect()
}

/// The drills of a module, or one of them.
pub fn of(module: &str, name: Option<&str>) -> Vec<&'static Drill> {
    DRILLS.iter().filter(|d| d.module == module && name.is_none_or(|name| d.name == name)).collect()
}

/// The list for people.
pub fn table(width: usize) -> String {
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Right, Align::Right]);
    table.head(&["command", "measures", "needs", "full", "quick"]);
    for drill in DRILLS {
        let seconds = |s: u32| format!("{s} s");
        table.row([
            drill.command.to_owned(),
            drill.what.to_owned(),
            drill.needs.to_owned(),
            seconds(drill.seconds.0),
            seconds(drill.seconds.1),
        ]);
    }
    let mut text = table.render(width);
    let _ = writeln!(
        text,
        "\nNo drill needs root. Files to load are made in --dir without a name, so none is left behind, and take at\nmost a quarter of the free space. Durations are rough."
    );
    text
}

/// The list for programs.
pub fn json() -> String {
    let drills: Vec<_> = DRILLS
        .iter()
        .map(|drill| {
            json!({
                "command": drill.command,
                "measures": drill.what,
                "needs": drill.needs,
                "seconds_full": drill.seconds.0,
                "seconds_quick": drill.seconds.1,
                "keys": drill.keys().map(|key| key.key).collect::<Vec<_>>(),
            })
        })
        .collect();
    format!("{:#}\n", serde_json::Value::from(drills))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_measured_by_a_drill_of_the_list() {
        for key in KEYS {
            assert!(DRILLS.iter().any(|d| d.command == key.command), "{} has no drill", key.key);
        }
        for drill in DRILLS {
            assert!(drill.keys().next().is_some(), "{} measures nothing", drill.command);
            assert_eq!(drill.command, format!("drills {} {}", drill.module, drill.name));
        }
    }
}
