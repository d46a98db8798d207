//! Where each node of the tree is drawn.
//!
//! Wide: both sockets side by side, devices below. Narrow: the sockets face each other in the middle,
//! and the upper one has its devices above. `depth` is the distance from the socket's outer edge.

use super::chassis::{Cabling, Chassis, Kind};
use crate::kit::Layout;
use crate::kit::scene::Rect;

/// Positions for one layout of one box.
pub struct Geometry<'a> {
    pub layout: Layout,
    pub chassis: &'a Chassis,
    /// The box whose slots are drawn: the healthy one while the wiring is hidden.
    pub slots: Chassis,
}

const SOCKET: (f64, f64) = (0.0, 40.0);
const BRIDGE: (f64, f64) = (40.0, 20.0);
const SWITCH: (f64, f64) = (84.0, 28.0);
const LEAF: (f64, f64) = (132.0, 24.0);
/// Depth of the devices, and their height.
pub const DEVICE: (f64, f64) = (184.0, 44.0);
/// Depth at which a NIC's cable ends.
pub const CABLE_END: f64 = 244.0;

impl<'a> Geometry<'a> {
    pub fn new(layout: Layout, chassis: &'a Chassis, hidden: bool) -> Self {
        let slots = if hidden { Chassis::new(Cabling::Healthy) } else { chassis.clone() };
        Self { layout, chassis, slots }
    }

    /// Height of the part with the tree.
    pub fn height(&self) -> f64 {
        self.layout.pick(308.0, 560.0)
    }

    /// The y of a depth below (or above) a socket.
    pub fn y(&self, socket: u8, depth: f64) -> f64 {
        match (self.layout, socket) {
            (Layout::Wide, _) => 56.0 + depth,
            (Layout::Narrow, 0) => 244.0 - depth,
            (Layout::Narrow, _) => 312.0 + depth,
        }
    }

    fn boxed(&self, socket: u8, x: f64, width: f64, (depth, height): (f64, f64)) -> Rect {
        let (a, b) = (self.y(socket, depth), self.y(socket, depth + height));
        Rect::new(x, a.min(b), width, height)
    }

    /// Left edge and width of the quarter that belongs to a host bridge.
    fn quarter(&self, bridge: u8) -> (f64, f64) {
        let column = f64::from(self.layout.pick(bridge, bridge % 2));
        let (step, width) = self.layout.pick((180.0, 172.0), (168.0, 164.0));
        (4.0 + column * step, width)
    }

    /// The host bridge above a node of the drawn box.
    fn bridge(&self, node: usize) -> u8 {
        let kind = |n: &usize| self.slots.nodes[*n].kind == Kind::HostBridge;
        self.slots.up(node).into_iter().find(kind).map_or(0, |n| self.slots.nodes[n].number)
    }

    /// Memory of a socket.
    pub fn dram(&self, socket: u8) -> Rect {
        match (self.layout, socket) {
            (Layout::Wide, s) => Rect::new(104.0 + 384.0 * f64::from(s), 4.0, 128.0, 28.0),
            (Layout::Narrow, 0) => Rect::new(4.0, 260.0, 124.0, 28.0),
            (Layout::Narrow, _) => Rect::new(212.0, 268.0, 124.0, 28.0),
        }
    }

    /// The line between a socket and its memory.
    pub fn dram_line(&self, socket: u8) -> [(f64, f64); 2] {
        let rect = self.dram(socket);
        let (x, _) = rect.center();
        let edge = self.y(socket, 0.0);
        let near = if edge > rect.y { rect.y + rect.height } else { rect.y };
        [(x, near), (x, edge)]
    }

    /// The line between the sockets.
    pub fn socket_line(&self) -> [(f64, f64); 2] {
        match self.layout {
            Layout::Wide => [(332.0, 76.0), (388.0, 76.0)],
            Layout::Narrow => [(170.0, 244.0), (170.0, 312.0)],
        }
    }

    /// Box of a node of the drawn box.
    pub fn rect(&self, node: usize) -> Rect {
        let it = &self.slots.nodes[node];
        let socket = self.slots.socket(node);
        let (x, width) = self.quarter(self.bridge(node));
        let centre = x + width / 2.0;
        match it.kind {
            Kind::Socket => {
                let x = self.layout.pick(4.0 + 384.0 * f64::from(socket), 4.0);
                self.boxed(socket, x, self.layout.pick(328.0, 332.0), SOCKET)
            }
            Kind::HostBridge => self.boxed(socket, centre - 52.0, 104.0, BRIDGE),
            Kind::Switch if self.is_leaf(node) => {
                let half = width / 2.0;
                let x = x + half * f64::from(it.number % 2) + 8.0;
                self.boxed(socket, x, half - 16.0, LEAF)
            }
            Kind::Switch => self.boxed(socket, centre - 56.0, 112.0, SWITCH),
            Kind::Gpu | Kind::Nic => self.device(node, socket, x, width),
        }
    }

    fn device(&self, node: usize, socket: u8, x: f64, width: f64) -> Rect {
        let row: Vec<usize> = (0..self.slots.nodes.len())
            .filter(|&n| matches!(self.slots.nodes[n].kind, Kind::Gpu | Kind::Nic))
            .filter(|&n| self.bridge(n) == self.bridge(node))
            .collect();
        // Devices of one parent stand together.
        let place = |n: usize| (self.slots.nodes[n].parent, n);
        let slot = row.iter().filter(|&&n| place(n) < place(node)).count() as f64;
        let count = row.len().max(3) as f64;
        let each = ((width - 8.0 * (count - 1.0)) / count).floor();
        self.boxed(socket, x + slot * (each + 8.0), each, DEVICE)
    }

    /// Whether a switch hangs below another switch.
    pub fn is_leaf(&self, node: usize) -> bool {
        let parent = self.slots.nodes[node].parent;
        self.slots.nodes[node].kind == Kind::Switch
            && parent.is_some_and(|p| self.slots.nodes[p].kind == Kind::Switch)
    }

    /// The wire from a node to its parent, with a bend where they are not in line.
    pub fn wire(&self, node: usize) -> Option<Vec<(f64, f64)>> {
        let parent = self.slots.nodes[node].parent?;
        let socket = self.slots.socket(node);
        let (own, above) = (self.rect(node), self.rect(parent));
        let (x, top) = (own.center().0, above.center().0);
        let down = self.y(socket, 1.0) > self.y(socket, 0.0);
        let (start, end) = if down { (above.y + above.height, own.y) } else { (above.y, own.y + own.height) };
        if x == top {
            return Some(vec![(top, start), (x, end)]);
        }
        let bend = end + if down { -12.0 } else { 12.0 };
        Some(vec![(top, start), (top, bend), (x, bend), (x, end)])
    }

    /// The cable of a NIC, out of the box.
    pub fn cable(&self, nic: usize) -> [(f64, f64); 2] {
        let socket = self.slots.socket(nic);
        let (x, _) = self.rect(nic).center();
        [(x, self.y(socket, DEVICE.0 + DEVICE.1)), (x, self.y(socket, CABLE_END))]
    }
}
