//! Registers, caches and memories.

use super::super::row::{Group::Memory, Row, Span, Yours};
use super::{GB, NS};
use crate::kit::scene::Role::{Cpu, Gpu, Wire};

pub(super) const ROWS: &[Row] = &[
    Row {
        latency_ns: Some(Span::ballpark(0.2 * NS, 0.33 * NS)),
        note: "One cycle at 3 to 5 GHz. Everything below is counted in multiples of this.",
        source: "clock rates of current server and desktop CPUs",
        ..Row::new("register", "Register", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(0.8 * NS, 1.6 * NS)),
        h200_ns: Some((1.85 * NS, 1.90 * NS)),
        bytes_per_s: Some(Span::ballpark(100.0 * GB, 600.0 * GB)),
        yours: Yours::Key("latency.chase.l1"),
        note: "4 to 5 cycles, 32 to 64 KiB per core. Interpreter state and the head of a queue live here while the launch loop is hot.",
        source: "cycle counts of recent cores; bandwidth per core, 32 to 128 bytes a cycle",
        ..Row::new("l1", "L1 hit", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(3.0 * NS, 6.0 * NS)),
        h200_ns: Some((5.9 * NS, 6.6 * NS)),
        bytes_per_s: Some(Span::ballpark(100.0 * GB, 300.0 * GB)),
        yours: Yours::Key("latency.chase.l2"),
        note: "14 to 18 cycles, 1 to 2 MiB per core on servers. A tokenizer's tables fit, a batch does not.",
        source: "cycle counts of recent cores; bandwidth per core",
        ..Row::new("l2", "L2 hit", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(10.0 * NS, 80.0 * NS)),
        h200_ns: Some((33.0 * NS, 45.0 * NS)),
        bytes_per_s: Some(Span::ballpark(15.0 * GB, 80.0 * GB)),
        yours: Yours::Key("latency.chase.l3"),
        note: "10 to 20 ns on a desktop die, 30 to 80 ns across a server's mesh. A small staging buffer can stay here and never reach DRAM.",
        source: "Chips and Cheese and vendor guides; bandwidth per core",
        ..Row::new("l3", "L3 hit", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(75.0 * NS, 130.0 * NS)),
        h200_ns: Some((117.0 * NS, 138.0 * NS)),
        bytes_per_s: Some(Span::published(89.6 * GB, 614.0 * GB)),
        yours: Yours::Key("latency.chase.dram"),
        yours_bandwidth: Yours::Key("memcpy.all_threads"),
        note: "Two DDR5 channels peak at 89.6 GB/s, the sixteen of an H100 server at 614. One core reaches a part of that, since it keeps few misses in flight. Your bandwidth is memcpy, counted in bytes copied.",
        source: "Colin Scott and Chips and Cheese; peaks from channel counts",
        ..Row::new("dram", "DRAM, own socket", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(130.0 * NS, 230.0 * NS)),
        note: "50 to 100 % more than local; 140 against 81 ns on a published two-socket Xeon. A buffer that a thread on the wrong socket touched first stays there.",
        source: "Intel MLC output published for Cascade Lake; ballpark for others",
        ..Row::new("dram-remote", "DRAM, other socket", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::published(17.0 * NS, 50.0 * NS)),
        h200_ns: Some((126.0 * NS, 179.0 * NS)),
        yours: Yours::Key("latency.line.shared_l3"),
        note: "One-way handover of a line that a neighbour wrote. Two counters in one line pay it at each write. In the H200 guest even cores that share an L3 took 153 ns: a large mesh, and no say in where a vCPU runs.",
        source: "core-to-core-latency README: 17 (Ryzen 5950X) to 50 ns (i9-12900K); measured on the H200 host's CPU",
        ..Row::new("line-near", "Line from a near core", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::published(85.0 * NS, 145.0 * NS)),
        yours: Yours::Key("latency.line.cross_cluster"),
        note: "The same across clusters of one socket: core complexes on AMD, the two clusters of a Spark. As dear as DRAM, so a shared flag belongs to one cluster.",
        source: "core-to-core-latency README: Ryzen 5950X, EPYC 7R13, M1 Pro",
        ..Row::new("line-far", "Line from a far cluster", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(100.0 * NS, 250.0 * NS)),
        yours: Yours::Key("latency.line.cross_socket"),
        note: "The same across the socket link. A proxy thread on the wrong socket pays it for each flag it polls.",
        source: "ballpark; few public measurements of current servers",
        ..Row::new("line-socket", "Line from another socket", Memory, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(10.0 * NS, 300.0 * NS)),
        h200_ns: Some((80.7 * NS, 80.8 * NS)),
        yours: Yours::Difference("latency.chase.dram_page_per_line", "latency.chase.dram_huge"),
        note: "Comes on top of the load: up to four dependent reads of page tables, cheap if they are cached. Yours, like the H200 host's 81 ns, is the walk over 4 KiB pages less the same on 2 MiB pages. Huge pages exist for this row.",
        source: "ballpark from the number of reads; drill by difference",
        ..Row::new("tlb-walk", "TLB miss, page walk", Memory, crate::kit::scene::Role::Kernel)
    },
    Row {
        latency_ns: Some(Span::ballpark(120.0 * NS, 300.0 * NS)),
        h200_ns: Some((142.0 * NS, 142.1 * NS)),
        note: "281 cycles on the H200 host for 1 to 20 MiB. A GPU's L2 is as far from its SM as DRAM is from a CPU core; thousands of warps hide it.",
        source: "measured on the H200 host; ballpark for others",
        ..Row::new("gpu-l2", "GPU L2 hit", Memory, Gpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(300.0 * NS, 700.0 * NS)),
        h200_ns: Some((345.5 * NS, 350.4 * NS)),
        bytes_per_s: Some(Span::published(1_008.0 * GB, 8_000.0 * GB)),
        yours_bandwidth: Yours::Key("copy.d2d"),
        note: "Several times the latency of CPU DRAM, ten times its bandwidth: a GPU needs parallel work, not short waits. A kernel on the H200 host read 4.32 TB/s of 4.8.",
        source: "latency measured on the H200 host; peaks from data sheets, RTX 4090 to B200",
        ..Row::new("gpu-memory", "GPU memory (HBM, GDDR)", Memory, Gpu)
    },
    Row {
        note: "No trustworthy public figure was found for one line bounced between a Grace CPU and its GPU; hundreds of ns is a guess. If you have such a machine, you can be the first.",
        source: "none",
        ..Row::new("c2c-line", "Line across NVLink-C2C", Memory, Wire)
    },
];
