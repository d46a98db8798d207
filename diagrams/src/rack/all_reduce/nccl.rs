//! What NCCL itself expects of ring, tree and NVLS: its cost model, with which it chooses among them.
//!
//! Latencies and rates: NCCL 2.30.7, `src/graph/tuning.cc`. Left out: corrections by size and by channel,
//! which need the graph that NCCL finds on a machine. So these are lines to compare with, not results.

use super::choice::Algorithm;
use super::machine::Machine;

/// A protocol: how bytes and their flags travel.
#[derive(Clone, Copy)]
struct Protocol {
    /// Once: ring, tree.
    base_us: (f64, f64),
    /// Per hop on NVLink: ring, tree.
    link_us: (f64, f64),
    /// Per hop on the network: ring, tree.
    net_us: (f64, f64),
    /// Share of the rate that carries data: ring; tree in one domain, tree over several.
    share: (f64, f64, f64),
    /// Whether the low-latency cap holds.
    capped: bool,
}

/// LL (half of the bytes are flags), LL128 (one sixteenth), Simple (none, but fences). Over several nodes
/// the hop of a Simple ring counts 1.4 times.
const PROTOCOLS: [Protocol; 3] = [
    Protocol {
        base_us: (6.6, 6.8),
        link_us: (0.6, 0.6),
        net_us: (2.7, 5.0),
        share: (0.5, 0.92 / 3.8, 0.92 / 3.8),
        capped: true,
    },
    Protocol {
        base_us: (14.0, 14.0),
        link_us: (1.9, 1.25),
        net_us: (4.0, 8.5),
        share: (0.92, 0.92 * 7.0 / 9.0, 0.92 * 0.9375),
        capped: false,
    },
    Protocol {
        base_us: (8.4, 8.4),
        link_us: (3.4, 4.0),
        net_us: (14.0 * 1.4, 14.0),
        share: (1.0, 0.92, 0.92),
        capped: false,
    },
];

/// Latency of NVLS in one domain, for any number of GPUs.
pub const NVLS_US: f64 = 25.0;
/// Per level of a tree of NVLS domains over the network.
pub const NVLS_TREE_US: f64 = 20.9;
/// Caps of the low-latency protocol over two nodes and over more (row of Intel CPUs).
const LL_NET: (f64, f64) = (39.0, 20.4);

/// What NCCL expects an algorithm to take, with the best protocol; none if the machine cannot.
pub fn time_us(
    machine: &Machine,
    algorithm: Algorithm,
    (gpus, domains): (u16, u16),
    bytes: f64,
) -> Option<f64> {
    let shape = Shape::of(machine, gpus, domains);
    let kilobytes = bytes / 1e3;
    match algorithm {
        Algorithm::Fit => None,
        Algorithm::Nvls => {
            let (latency_us, gb_per_s) = shape.nvls(machine)?;
            Some(latency_us + kilobytes / gb_per_s)
        }
        Algorithm::Ring | Algorithm::Tree => {
            let one = |protocol: &Protocol| {
                let (latency_us, gb_per_s) = shape.step(machine, algorithm == Algorithm::Ring, protocol);
                latency_us + kilobytes / gb_per_s
            };
            Some(PROTOCOLS.iter().map(one).fold(f64::INFINITY, f64::min))
        }
    }
}

/// Size of a communicator, as its formulas need it.
struct Shape {
    ranks: f64,
    gpus: f64,
    domains: f64,
    /// Rate of the narrower of NVLink and all NICs of a domain.
    wire_gb_per_s: f64,
    ll_gb_per_s: f64,
}

impl Shape {
    fn of(machine: &Machine, gpus: u16, domains: u16) -> Self {
        let (gpus, domains) = (f64::from(gpus), f64::from(domains));
        let net = machine.nic_gb_per_s * gpus;
        let (wire_gb_per_s, ll_gb_per_s) = if domains == 1.0 {
            (machine.usable_gb_per_s, machine.ll_gb_per_s)
        } else if domains == 2.0 {
            (machine.usable_gb_per_s.min(net), LL_NET.0)
        } else {
            (machine.usable_gb_per_s.min(net), LL_NET.1)
        };
        Self { ranks: gpus * domains, gpus, domains, wire_gb_per_s, ll_gb_per_s }
    }

    /// Latency, and rate of the array.
    fn step(&self, machine: &Machine, ring: bool, protocol: &Protocol) -> (f64, f64) {
        // Without NVLink every hop is one over the network.
        let (rs, ts) = if machine.has_domain() { protocol.link_us } else { protocol.net_us };
        let single = self.domains == 1.0;
        let cap = if protocol.capped { self.ll_gb_per_s } else { f64::INFINITY };
        if ring {
            let inter = if single { 0.0 } else { 2.0 * (self.domains - 1.0) };
            let steps = 2.0 * (self.ranks - 1.0);
            let latency_us = protocol.base_us.0 + (steps - inter) * rs + inter * protocol.net_us.0;
            let bus = (self.wire_gb_per_s * protocol.share.0).min(cap);
            (latency_us, bus / super::cost::bus_factor(self.ranks))
        } else {
            let levels = self.domains.log2();
            let latency_us = protocol.base_us.1 + 2.0 * ((self.gpus - 1.0) * ts + levels * protocol.net_us.1);
            let share = if single { protocol.share.1 } else { protocol.share.2 };
            (latency_us, (self.wire_gb_per_s * share).min(cap) / 2.0)
        }
    }

    /// Both halves run at once, so what a GPU sends counts twice in the ring's terms: eta B n/(n-1).
    fn nvls(&self, machine: &Machine) -> Option<(f64, f64)> {
        if machine.nvls == 0.0 || self.gpus < 2.0 {
            return None;
        }
        let inside = machine.nvls * machine.usable_gb_per_s * self.gpus / (self.gpus - 1.0);
        if self.domains == 1.0 {
            return Some((NVLS_US, inside));
        }
        let across = machine.nic_gb_per_s * self.gpus / super::cost::bus_factor(self.domains);
        Some((NVLS_US + 2.0 * self.domains.log2() * NVLS_TREE_US, inside.min(across)))
    }
}
