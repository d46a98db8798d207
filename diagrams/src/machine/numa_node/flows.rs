//! What bandwidth is left when several GPUs send at once: wires as shared resources.

use super::chassis::{Chassis, Kind};

/// PCIe 5.0 x16 per direction after line coding (PCI-SIG): every link of the tree.
pub const PCIE5_X16: f64 = 63.0e9;
/// A 400 Gb/s port.
pub const NIC_400G: f64 = 50.0e9;
/// Eight channels of DDR5-4800 per socket, reads and writes together: 8 x 38.4.
pub const DRAM: f64 = 307.0e9;

/// Rate of the link between the sockets, per direction, for device traffic.
///
/// Public numbers disagree, so the reader chooses. NCCL's planning constants (`src/graph/topo.h`) are 10
/// for Skylake, 22 for Sapphire Rapids, 40 for Emerald Rapids; on an eight-GPU PCIe 5.0 node four copies
/// that crossed got 25.4 GB/s each at the same time (cuda-samples issue 357), 102 together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketLink {
    /// NCCL's constant for Skylake.
    Skylake,
    /// NCCL's constant for Sapphire Rapids.
    SapphireRapids,
    /// NCCL's constant for Emerald Rapids.
    EmeraldRapids,
    /// Four copies measured at once.
    Measured,
}

impl SocketLink {
    /// All, slowest first.
    pub const ALL: [Self; 4] = [Self::Skylake, Self::SapphireRapids, Self::EmeraldRapids, Self::Measured];

    /// Bytes per second and direction.
    pub fn bytes_per_s(self) -> f64 {
        match self {
            Self::Skylake => 10.0e9,
            Self::SapphireRapids => 22.0e9,
            Self::EmeraldRapids => 40.0e9,
            Self::Measured => 102.0e9,
        }
    }
}

/// Something that flows share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The link from a node of the tree to the node above, towards the root.
    Up(usize),
    /// The same link, away from the root.
    Down(usize),
    /// The link between sockets, out of this one.
    Sockets(u8),
    /// Memory of a socket; both directions share it.
    Dram(u8),
    /// The cable of a NIC.
    Cable(usize),
}

/// A GPU that sends through a NIC.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// What it uses, and how often each byte counts there.
    pub loads: Vec<(Limit, f64)>,
}

impl Flow {
    /// From `gpu` to `nic` (indices of nodes). Directly, or staged in the memory of the GPU's socket.
    pub fn new(chassis: &Chassis, gpu: usize, nic: usize, direct: bool) -> Self {
        let meet = if direct { chassis.common(gpu, nic) } else { None };
        let links = |node: usize| {
            let up = chassis.up(node);
            let until = meet.and_then(|m| up.iter().position(|&n| n == m)).unwrap_or(up.len());
            up.into_iter().take(until).filter(|&n| is_link(chassis, n)).collect::<Vec<_>>()
        };
        let (from, to) = (chassis.socket(gpu), chassis.socket(nic));
        let mut loads: Vec<(Limit, f64)> = links(gpu).into_iter().map(|n| (Limit::Up(n), 1.0)).collect();
        if !direct {
            loads.push((Limit::Dram(from), 2.0));
        }
        if from != to {
            loads.push((Limit::Sockets(from), 1.0));
        }
        loads.extend(links(nic).into_iter().map(|n| (Limit::Down(n), 1.0)));
        loads.push((Limit::Cable(nic), 1.0));
        Self { loads }
    }

    fn weight(&self, limit: Limit) -> f64 {
        self.loads.iter().filter(|(l, _)| *l == limit).map(|(_, weight)| weight).sum()
    }
}

/// Whether the step from a node to its parent is a cable or trace: host bridges are inside the CPU.
fn is_link(chassis: &Chassis, node: usize) -> bool {
    matches!(chassis.nodes[node].kind, Kind::Switch | Kind::Gpu | Kind::Nic)
}

fn capacity(limit: Limit, link: SocketLink) -> f64 {
    match limit {
        Limit::Up(_) | Limit::Down(_) => PCIE5_X16,
        Limit::Sockets(_) => link.bytes_per_s(),
        Limit::Dram(_) => DRAM,
        Limit::Cable(_) => NIC_400G,
    }
}

/// Rate and limit of each flow under max-min fairness: all rates rise together until a resource is full;
/// the flows through it stop there, the others go on.
pub fn share(flows: &[Flow], link: SocketLink) -> Vec<(f64, Limit)> {
    let mut rates: Vec<Option<(f64, Limit)>> = vec![None; flows.len()];
    let limits: Vec<Limit> = flows.iter().flat_map(|f| f.loads.iter().map(|(l, _)| *l)).collect();
    while rates.iter().any(Option::is_none) {
        // Rate at which a resource would be full if all flows that still rise went on.
        let full_at = |&limit: &Limit| {
            let used: f64 =
                flows.iter().zip(&rates).filter_map(|(f, r)| r.map(|(r, _)| r * f.weight(limit))).sum();
            let rising: f64 =
                flows.iter().zip(&rates).filter(|(_, r)| r.is_none()).map(|(f, _)| f.weight(limit)).sum();
            (rising > 0.0).then(|| ((capacity(limit, link) - used) / rising, limit))
        };
        let next = limits.iter().filter_map(full_at).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((rate, limit)) = next else { break };
        for (flow, slot) in flows.iter().zip(&mut rates) {
            if slot.is_none() && flow.weight(limit) > 0.0 {
                *slot = Some((rate.max(0.0), limit));
            }
        }
    }
    rates.into_iter().map(|r| r.unwrap_or((0.0, Limit::Sockets(0)))).collect()
}

/// Share of the busier direction of the socket link that is in use.
pub fn sockets_used(flows: &[Flow], rates: &[(f64, Limit)], link: SocketLink) -> f64 {
    let out_of = |socket: u8| {
        let carried = |(f, (rate, _)): (&Flow, &(f64, Limit))| rate * f.weight(Limit::Sockets(socket));
        flows.iter().zip(rates).map(carried).sum::<f64>() / link.bytes_per_s()
    };
    out_of(0).max(out_of(1))
}
