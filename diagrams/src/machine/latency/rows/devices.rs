//! Devices and networks.

use super::super::row::{Group::Devices, Row, Span, Yours};
use super::{GB, US};
use crate::kit::scene::Role::{Gpu, Kernel, Wire};

pub(super) const ROWS: &[Row] = &[
    Row {
        latency_ns: Some(Span::ballpark(0.5 * US, 1.5 * US)),
        bytes_per_s: Some(Span::expected(0.005 * GB, 0.016 * GB)),
        note: "A CPU load from a device's window over PCIe, out and back. It cannot be cached, so 8 bytes at a time make a few MB/s. Nobody reads a GPU in bulk like this.",
        source: "ballpark; bandwidth: 8 bytes per round trip",
        ..Row::new("pcie-read", "PCIe round trip, CPU load", Devices, Wire)
    },
    Row {
        latency_ns: Some(Span::measured(1.201 * US, 1.203 * US)),
        bytes_per_s: Some(Span::measured(50.9 * GB, 51.2 * GB)),
        yours_bandwidth: Yours::Key("copy.h2d.sm"),
        note: "An SM loads from pinned host memory over PCIe 5.0: 1,203 ns by nvbandwidth, 1,201 by our own chase. Yet all SMs together read 51 GB/s: many loads in flight.",
        source: "measured on the H200 host",
        ..Row::new("gpu-host-load", "Host memory from an SM", Devices, Wire)
    },
    Row {
        latency_ns: Some(Span::published(1.8 * US, 2.3 * US)),
        bytes_per_s: Some(Span::published(450.0 * GB, 900.0 * GB)),
        note: "A copy of 16 bytes to a peer GPU. The wire is a small part of it. Per direction NVLink 4 has 450 GB/s, NVLink 5 has 900; NCCL counts on four fifths.",
        source: "p2pBandwidthLatencyTest output in cuda-samples issue 230; vendor peaks",
        ..Row::new("nvlink-copy", "NVLink, tiny peer copy", Devices, Gpu)
    },
    Row {
        latency_ns: Some(Span::published(0.8 * US, 3.0 * US)),
        bytes_per_s: Some(Span::published(48.0 * GB, 96.5 * GB)),
        note: "User space to user space, no kernel on the way: 0.8 µs with two hosts and one cable, 3 µs through a leaf switch. Faster than waking a thread on your own machine.",
        source: "published ib_send_lat and ib_write_lat; 384 of 400 Gb/s, and 96.5 of 100 GB/s in an all-to-all over 800 Gb/s NICs",
        ..Row::new("rdma", "RDMA write, same rack", Devices, Wire)
    },
    Row {
        latency_ns: Some(Span::ballpark(3.0 * US, 10.0 * US)),
        note: "Two or three more switches at some hundred ns each, and tens of metres of fibre at 5 ns per metre. Distance is cheap; queues are not.",
        source: "ballpark",
        ..Row::new("rdma-far", "RDMA write, another rack", Devices, Wire)
    },
    Row {
        latency_ns: Some(Span::ballpark(5.0 * US, 15.0 * US)),
        h200_ns: Some((6.8 * US, 8.0 * US)),
        bytes_per_s: Some(Span::measured(0.51 * GB, 0.60 * GB)),
        note: "From the call until a spinning wait returns. The wire needs 0.07 µs of the 7.3; the rest is fixed. At 0.56 GB/s such copies use 1 % of the link: pack them.",
        source: "measured on the H200 host; ballpark for others",
        ..Row::new("copy-4k", "Pinned copy of 4 KiB", Devices, Wire)
    },
    Row {
        latency_ns: Some(Span::published(25.0 * US, 28.0 * US)),
        note: "1 KiB over eight GPUs of one NVSwitch box. A tensor-parallel layer pays it twice, so small batches meet this and not the bandwidth.",
        source: "nccl-tests on H100 and H200, Azure's published results",
        ..Row::new("allreduce", "NCCL all-reduce, 8 GPUs", Devices, Gpu)
    },
    Row {
        latency_ns: Some(Span::published(46.0 * US, 46.0 * US)),
        note: "The same small all-reduce over two nodes of eight H20. The second node nearly doubles the wait.",
        source: "a published nccl-tests log",
        ..Row::new("allreduce-2", "NCCL all-reduce, 2 nodes", Devices, Wire)
    },
    Row {
        latency_ns: Some(Span::ballpark(20.0 * US, 100.0 * US)),
        bytes_per_s: Some(Span::ballpark(2.5 * GB, 5.2 * GB)),
        note: "System call, copy, interrupt and wake-up on both sides. NCCL on sockets waits like this where it found no RDMA device. One core copies about 5 GB/s.",
        source: "ballpark; one core's rate from Cai et al., SIGCOMM 2021",
        ..Row::new("tcp", "TCP round trip, same rack", Devices, Kernel)
    },
    Row {
        latency_ns: Some(Span::ballpark(100.0 * US, 500.0 * US)),
        note: "What the rendezvous of a job, an object store or a parameter server feels. Gradients should not travel like this.",
        source: "Colin Scott's list has 500 µs within a data centre; ballpark",
        ..Row::new("tcp-far", "TCP round trip, other racks", Devices, Kernel)
    },
    Row {
        latency_ns: Some(Span::published(70.0 * US, 100.0 * US)),
        bytes_per_s: Some(Span::published(7.0 * GB, 12.0 * GB)),
        note: "One random read: the flash cell sets it, not the bus. One at a time that is 50 MB/s; 137 in flight fill 7 GB/s. A memory-mapped checkpoint read by one thread is the first case.",
        source: "published figures of data-centre drives; 73 µs per page in the RTX 4090 box",
        ..Row::new("nvme", "NVMe read, 4 KiB", Devices, Wire)
    },
];
