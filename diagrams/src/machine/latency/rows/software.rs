//! What the operating system and CUDA charge.

use super::super::row::{Group::Software, Row, Span, Yours};
use super::{GB, MS, NS, US};
use crate::kit::scene::Role::{Cpu, Gpu, Kernel};

pub(super) const ROWS: &[Row] = &[
    Row {
        latency_ns: Some(Span::ballpark(6.0 * NS, 25.0 * NS)),
        h200_ns: Some((6.3 * NS, 8.0 * NS)),
        note: "Lock and unlock, nobody else there: two atomic operations and no kernel. The kernel comes in only when somebody has to sleep.",
        source: "measured on the H200 host's CPU; ballpark for others",
        ..Row::new("mutex", "Mutex, uncontended", Software, Cpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(15.0 * NS, 30.0 * NS)),
        h200_ns: Some((30.8 * NS, 40.6 * NS)),
        yours: Yours::Key("latency.clock"),
        note: "The vDSO answers from a mapped page, without entering the kernel. Where a sandbox lacks it, timestamps cost a system call each and profilers lie.",
        source: "measured on the H200 host's CPU; ballpark for others",
        ..Row::new("clock", "clock_gettime (vDSO)", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::ballpark(50.0 * NS, 200.0 * NS)),
        h200_ns: Some((119.0 * NS, 158.0 * NS)),
        yours: Yours::Key("latency.syscall"),
        note: "In and out of the kernel with nothing done there. As far as DRAM: harmless alone, visible at a million a second. A kernel launch normally needs none.",
        source: "measured on the H200 host's CPU (getppid); ballpark for others",
        ..Row::new("syscall", "System call, cheapest", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::ballpark(0.5 * US, 1.0 * US)),
        h200_ns: Some((1.51 * US, 2.35 * US)),
        bytes_per_s: Some(Span::expected(4.1 * GB, 8.2 * GB)),
        yours: Yours::Key("latency.page_fault"),
        note: "First write to a 4 KiB page, clearing it included. Touching fresh memory thus runs at 4 to 8 GB/s however fast the DRAM is. Under a hypervisor it costs more: 2.1 µs in the H200 guest.",
        source: "ballpark for bare metal; measured in the H200 guest; bandwidth: 4 KiB per fault",
        ..Row::new("minor-fault", "Page fault, 4 KiB", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::ballpark(60.0 * US, 250.0 * US)),
        h200_ns: Some((377.0 * US, 429.0 * US)),
        bytes_per_s: Some(Span::expected(8.4 * GB, 35.0 * GB)),
        note: "One fault clears 2 MiB: longer each, but 512 times fewer. It helps throughput and hurts whoever waits on that one store.",
        source: "ballpark for bare metal; measured in the H200 guest; bandwidth: 2 MiB per fault",
        ..Row::new("thp-fault", "Page fault, 2 MiB (THP)", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::published(1.1 * US, 2.4 * US)),
        h200_ns: Some((1.47 * US, 2.12 * US)),
        note: "One hop of a pipe between two tasks on one CPU: two system calls and a switch. Cold caches afterwards cost more than the switch.",
        source: "published for an i7 on Linux 6.6, thread and process; measured on the H200 host's CPU",
        ..Row::new("switch", "Context switch", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::ballpark(3.0 * US, 50.0 * US)),
        h200_ns: Some((4.76 * US, 7.53 * US)),
        yours: Yours::Key("latency.wake"),
        note: "From the wake call to the first instruction of the thread that slept. A message by RDMA to the next server takes less. That is why NCCL's proxies spin.",
        source: "ballpark, idle states and hypervisors at the upper end; measured on the H200 host's CPU",
        ..Row::new("wake", "Wake a sleeping thread", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::measured(0.53 * US, 0.53 * US)),
        note: "Per kernel, in a graph of 200 empty ones: 106 µs for all after one launch of 2 µs. A seventh of a plain launch, and no host thread takes part.",
        source: "measured on the H200 host",
        ..Row::new("graph-node", "CUDA graph, per kernel", Software, Gpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(2.0 * US, 6.0 * US)),
        h200_ns: Some((2.57 * US, 4.85 * US)),
        yours: Yours::Key("gpu.launch.submit"),
        note: "CPU time to submit an empty kernel. If your kernels run shorter than this, the CPU sets the pace: fuse them or record a graph.",
        source: "measured on the H200 host; ballpark for others",
        ..Row::new("launch", "Kernel launch, submit", Software, Gpu)
    },
    Row {
        latency_ns: Some(Span::ballpark(7.0 * US, 15.0 * US)),
        h200_ns: Some((7.62 * US, 10.0 * US)),
        yours: Yours::Key("gpu.launch.round_trip"),
        note: "Empty kernel and a spinning wait for it. An .item() in the training loop pays at least this, and drains the queue as well.",
        source: "measured on the H200 host; ballpark for others",
        ..Row::new("launch-sync", "Launch and synchronise", Software, Gpu)
    },
    Row {
        latency_ns: Some(Span::measured(9.7 * US, 27.0 * US)),
        note: "A one-element add in PyTorch, time to submit: 9.7 µs median, 27 µs at the 99th percentile. More than half of it is Python and the dispatcher, the rest is the launch.",
        source: "measured on the H200 host, PyTorch 2.11",
        ..Row::new("eager-op", "PyTorch eager operation", Software, Gpu)
    },
    Row {
        latency_ns: Some(Span::measured(34.0 * US, 89.0 * US)),
        note: "What a blocking wait adds to a spinning one: the GPU interrupts, the kernel wakes the thread. 34 µs after a kernel of 0.15 ms, 89 µs after one of 0.6 ms, when the CPU had gone to sleep deeper.",
        source: "measured on the H200 guest: cuStreamSynchronize with CU_CTX_SCHED_BLOCKING_SYNC less the same with SPIN",
        ..Row::new("blocking-sync", "Blocking synchronise, extra", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::published(2.8 * MS, 3.0 * MS)),
        note: "What a launch thread loses to one equal neighbour on its CPU: a slice of the scheduler on 8 or more CPUs. Hundreds of small kernels fit into it.",
        source: "Linux 6.12 source: base slice 2.8 ms; 3.0 ms before",
        ..Row::new("slice", "A time slice lost", Software, Kernel)
    },
    Row {
        latency_ns: Some(Span::published(5.0 * MS, 5.0 * MS)),
        note: "How long a Python thread waits before it asks the holder of the GIL to let go. A helper thread beside a busy launch loop meets it at each turn.",
        source: "CPython source: default switch interval",
        ..Row::new("gil", "GIL hand-over, busy holder", Software, Cpu)
    },
];
