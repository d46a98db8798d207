//! How the box is wired: CPUs, caches, NUMA nodes, PCIe devices and the distances between them.
//!
//! Every field that a machine may fail to tell is optional: absent means "the machine does not say".

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The wiring of one machine as the kernel and the driver see it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Topology {
    /// Online logical CPUs.
    pub cpus: u64,
    /// Physical cores, if siblings are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// Packages (sockets), if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packages: Option<u64>,
    /// Kinds of core, fastest first. One entry on a homogeneous machine.
    pub core_kinds: Vec<CoreKind>,
    /// Caches, grouped by level, kind and size.
    pub caches: Vec<Cache>,
    /// NUMA nodes.
    pub nodes: Vec<NumaNode>,
    /// GPUs, NICs, storage controllers and the bridges above them.
    pub devices: Vec<PciDevice>,
    /// Distance code of each GPU-GPU and GPU-NIC pair, once per pair.
    pub distances: Vec<Distance>,
    /// Fields of newer versions.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A kind of core on a hybrid machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreKind {
    /// "P-core", "E-core", "Cortex-X925", or "core" when there is only one kind.
    pub name: String,
    /// CPU list, such as "0-15".
    pub cpus: String,
    /// How the kind was told: `pmu`, `pmu+l3`, `midr`, `capacity`, `base-frequency`, `max-frequency` or
    /// `single`.
    pub evidence: String,
}

/// Equal caches of one level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cache {
    /// 1, 2, 3, ...
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Size of one instance in bytes; 0 when the machine does not tell.
    pub bytes: u64,
    /// Line size in bytes, if told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_bytes: Option<u64>,
    /// CPU list of each instance.
    pub shared_by: Vec<String>,
}

/// What a NUMA node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeClass {
    /// CPUs and memory: the ordinary kind.
    CpuAndMemory,
    /// CPUs without memory.
    CpuOnly,
    /// Memory without CPUs: CXL or HBM.
    MemoryOnly,
    /// Memory of a GPU (coherent machines in NUMA mode).
    Gpu,
    /// Neither: a placeholder.
    Empty,
}

/// One NUMA node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumaNode {
    /// Kernel's number; may be sparse.
    pub id: u32,
    /// What it holds.
    pub class: NodeClass,
    /// CPU list, empty when none.
    pub cpus: String,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// SLIT distance to each node, in the order of `Topology::nodes`.
    #[serde(default)]
    pub distances: Vec<u32>,
    /// PCI address of the GPU that owns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
}

/// What a PCI device is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeviceClass {
    /// Display or 3D controller of a GPU vendor.
    Gpu,
    /// Network or InfiniBand controller.
    Nic,
    /// Storage controller (NVMe, SATA, virtio-blk).
    Storage,
    /// PCI bridge: root port or switch port.
    Bridge,
    /// NVSwitch.
    NvSwitch,
}

/// One PCIe device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PciDevice {
    /// Address with a 32-bit domain, "0000:17:00.0".
    pub address: String,
    /// What it is for.
    pub class: DeviceClass,
    /// Name for people: NVML's for a GPU, the netdev or RDMA device for a NIC, else vendor:device.
    pub name: String,
    /// PCI vendor and device id, "10de:2335".
    pub id: String,
    /// Addresses of the bridges above it, nearest first, up to the root port.
    #[serde(default)]
    pub parents: Vec<String>,
    /// NUMA node, absent when the kernel says -1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numa_node: Option<u32>,
    /// CPUs the kernel calls local.
    #[serde(default)]
    pub local_cpus: String,
    /// Link to the parent, absent where it means nothing (coherent GPUs, virtual devices).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// A GPU that is attached to the CPU by NVLink-C2C or on the same package (GB10, GH200, GB200): its
    /// PCIe link carries control only and is never graded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub coherent: bool,
    /// RDMA devices and network interfaces of a NIC ("mlx5_0", "ens1f0np0").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<String>,
    /// Speed of a NIC's fastest active port in Gbit/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port_gbit_per_s: Option<f64>,
    /// Fields of newer versions.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// State of one PCIe link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// GT/s now.
    pub gt_per_s: f64,
    /// Lanes now.
    pub width: u32,
    /// GT/s at most.
    pub max_gt_per_s: f64,
    /// Lanes at most.
    pub max_width: u32,
}

/// Distance between two devices, in the words of `nvidia-smi topo -m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum PathCode {
    /// Bonded NVLinks.
    Nv,
    /// At most one PCIe switch.
    Pix,
    /// Several PCIe switches, no host bridge.
    Pxb,
    /// Through one PCIe host bridge (the CPU's root complex).
    Phb,
    /// Between host bridges of one NUMA node.
    Node,
    /// Across NUMA nodes: the socket interconnect.
    Sys,
}

/// One pair and its distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Distance {
    /// PCI address of one device.
    pub from: String,
    /// PCI address of the other.
    pub to: String,
    /// How far.
    pub code: PathCode,
    /// Number of bonded NVLinks, with `NV`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nvlinks: Option<u32>,
}
