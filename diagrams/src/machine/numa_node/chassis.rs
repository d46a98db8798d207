//! The tree of PCIe: sockets, host bridges, switches and devices, and the distance between two devices.

/// What a node of the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A CPU socket with its memory: one NUMA node.
    Socket,
    /// Root of a PCIe hierarchy inside a socket.
    HostBridge,
    /// A PCIe switch.
    Switch,
    /// A GPU.
    Gpu,
    /// A network card.
    Nic,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Number among its kind, from 0.
    pub number: u8,
    /// Name that people read.
    pub name: String,
    /// The node above; none for a socket.
    pub parent: Option<usize>,
}

/// How the box is cabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cabling {
    /// Four switches, each with two GPUs and one NIC.
    Healthy,
    /// As healthy, but NIC 2 sits below switch A.
    Badly,
    /// Eight NICs: below each of the four switches two smaller ones, each with one GPU and one NIC.
    EightRails,
    /// No switches: two GPUs and a NIC at the root ports of each host bridge.
    NoSwitches,
    /// One NIC sits below the wrong switch, and the wiring is not shown. The number picks the fault.
    Hidden(u8),
}

/// Faults of the boxes to diagnose: which NIC, and below which switch it was plugged in.
pub const FAULTS: [(u8, u8); 4] = [(1, 3), (3, 2), (0, 2), (2, 1)];

/// Distance between two devices as `nvidia-smi topo -m` prints it, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// At most one PCIe switch between them.
    Pix,
    /// Several PCIe switches, no host bridge.
    Pxb,
    /// Through one host bridge, typically in the CPU.
    Phb,
    /// Through two host bridges of one NUMA node.
    Node,
    /// Through the link between sockets.
    Sys,
}

impl Code {
    /// As printed.
    pub fn text(self) -> &'static str {
        match self {
            Self::Pix => "PIX",
            Self::Pxb => "PXB",
            Self::Phb => "PHB",
            Self::Node => "NODE",
            Self::Sys => "SYS",
        }
    }
}

/// A cabled box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chassis {
    /// All nodes; parents come before their children.
    pub nodes: Vec<Node>,
}

/// GPUs in the box.
pub const GPUS: u8 = 8;
/// Switches (or host bridges) in the box, two per socket.
const QUARTERS: u8 = 4;

impl Chassis {
    /// The box with this cabling.
    pub fn new(cabling: Cabling) -> Self {
        match cabling {
            Cabling::Healthy => Self::four_nics(None),
            Cabling::Badly => Self::four_nics(Some((2, 0))),
            Cabling::Hidden(fault) => Self::four_nics(Some(FAULTS[usize::from(fault) % FAULTS.len()])),
            Cabling::EightRails => Self::eight_nics(),
            Cabling::NoSwitches => Self::no_switches(),
        }
    }

    fn add(&mut self, kind: Kind, name: String, parent: Option<usize>) -> usize {
        let number = self.nodes.iter().filter(|n| n.kind == kind).count() as u8;
        self.nodes.push(Node { kind, number, name, parent });
        self.nodes.len() - 1
    }

    /// Sockets and host bridges, two per socket; returns the host bridges.
    fn roots() -> (Self, Vec<usize>) {
        let mut chassis = Self { nodes: Vec::new() };
        let sockets = [0, 1].map(|s| chassis.add(Kind::Socket, format!("socket {s}"), None));
        let bridge = |chassis: &mut Self, q: u8| {
            let socket = sockets[usize::from(q / 2)];
            chassis.add(Kind::HostBridge, format!("host bridge {q}"), Some(socket))
        };
        let bridges = (0..QUARTERS).map(|q| bridge(&mut chassis, q)).collect();
        (chassis, bridges)
    }

    fn with_switches() -> (Self, Vec<usize>) {
        let (mut chassis, bridges) = Self::roots();
        let switch = |(letter, bridge): (char, usize)| {
            chassis.add(Kind::Switch, format!("switch {letter}"), Some(bridge))
        };
        let switches = "ABCD".chars().zip(bridges).map(switch).collect();
        (chassis, switches)
    }

    fn four_nics(moved: Option<(u8, u8)>) -> Self {
        let (mut chassis, switches) = Self::with_switches();
        chassis.add_gpus(&switches, 2);
        for nic in 0..QUARTERS {
            let switch = moved.filter(|&(moved, _)| moved == nic).map_or(nic, |(_, to)| to);
            chassis.add(Kind::Nic, format!("NIC{nic}"), Some(switches[usize::from(switch)]));
        }
        chassis
    }

    fn eight_nics() -> Self {
        let (mut chassis, switches) = Self::with_switches();
        let leaf = |(i, parent): (u8, usize)| {
            let letter = char::from(b'a' + i / 2);
            chassis.add(Kind::Switch, format!("switch {letter}{}", i % 2 + 1), Some(parent))
        };
        let parents = (0..GPUS).map(|i| (i, switches[usize::from(i / 2)]));
        let leaves: Vec<usize> = parents.map(leaf).collect();
        chassis.add_gpus(&leaves, 1);
        for (i, leaf) in leaves.into_iter().enumerate() {
            chassis.add(Kind::Nic, format!("NIC{i}"), Some(leaf));
        }
        chassis
    }

    fn no_switches() -> Self {
        let (mut chassis, bridges) = Self::roots();
        chassis.add_gpus(&bridges, 2);
        for (i, bridge) in bridges.into_iter().enumerate() {
            chassis.add(Kind::Nic, format!("NIC{i}"), Some(bridge));
        }
        chassis
    }

    fn add_gpus(&mut self, parents: &[usize], per_parent: u8) {
        for gpu in 0..GPUS {
            self.add(Kind::Gpu, format!("GPU{gpu}"), Some(parents[usize::from(gpu / per_parent)]));
        }
    }

    /// Index of a device; the last of its kind if the number is too high.
    pub fn device(&self, kind: Kind, number: u8) -> usize {
        let of_kind = |(_, n): &(usize, &Node)| n.kind == kind && n.number <= number;
        self.nodes.iter().enumerate().rev().find(of_kind).map_or(0, |(i, _)| i)
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: Kind) -> u8 {
        self.nodes.iter().filter(|n| n.kind == kind).count() as u8
    }

    /// A node and everything above it, from below.
    pub fn up(&self, node: usize) -> Vec<usize> {
        std::iter::successors(Some(node), |&n| self.nodes[n].parent).collect()
    }

    /// The socket above a node.
    pub fn socket(&self, node: usize) -> u8 {
        self.up(node).last().map_or(0, |&root| self.nodes[root].number)
    }

    /// Nearest node that lies above both, if they share a socket.
    pub fn common(&self, a: usize, b: usize) -> Option<usize> {
        let above_b = self.up(b);
        self.up(a).into_iter().find(|n| above_b.contains(n))
    }

    /// Nodes between two devices in order, both included. Where they share no socket the path goes over
    /// both sockets, and the link between those is crossed.
    pub fn path(&self, a: usize, b: usize) -> Vec<usize> {
        let meet = self.common(a, b);
        let leg = |from: usize| {
            let up = self.up(from);
            let until = meet.and_then(|m| up.iter().position(|&n| n == m)).unwrap_or(up.len());
            up[..until].to_vec()
        };
        let mut path = leg(a);
        path.extend(meet);
        path.extend(leg(b).into_iter().rev());
        path
    }

    /// Code of the distance between two devices, from their lowest common ancestor.
    pub fn code(&self, a: usize, b: usize) -> Code {
        let switches = || self.path(a, b).into_iter().filter(|&n| self.nodes[n].kind == Kind::Switch).count();
        match self.common(a, b).map(|n| self.nodes[n].kind) {
            None => Code::Sys,
            Some(Kind::Socket) => Code::Node,
            Some(Kind::HostBridge) => Code::Phb,
            Some(_) if switches() > 1 => Code::Pxb,
            Some(_) => Code::Pix,
        }
    }
}
