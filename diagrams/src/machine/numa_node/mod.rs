//! A training node as a tree: two sockets, eight GPUs, four or eight NICs.
//!
//! Pick a GPU and a NIC: the path between them, its `topo -m` code, whether NCCL leaves GPUDirect RDMA
//! on, and what bandwidth is left. The surprise: a code is a distance and no share. Two ranks that send
//! through one NIC both see a perfect PIX, and each gets half.

mod chassis;
mod controls;
mod flows;
mod geometry;
mod model;
mod policy;
mod view;

pub use chassis::{Cabling, Chassis, Code, Kind};
pub use flows::{Limit, SocketLink};
pub use model::NumaNode;
pub use policy::{GdrLevel, Others};
