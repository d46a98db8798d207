//! The machines as graphs: places where bytes live or pass, and the wires between them.

use crate::kit::scene::Role;

/// A place in a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The drive.
    Disk,
    /// Memory of the CPU, or the one pool of a unified machine.
    Dram,
    /// The CPU with its root complex and memory controllers.
    Cpu,
    /// First GPU.
    Gpu0,
    /// Memory of the first GPU.
    Vram0,
    /// Second GPU.
    Gpu1,
    /// Memory of the second GPU.
    Vram1,
    /// Network card.
    Nic,
    /// A second machine of the same kind, at the other end of the cable.
    Peer,
    /// The memory pool of that second machine; drawn inside [`Place::Peer`].
    PeerDram,
}

/// A wire between two places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wire {
    /// Name with generation and width.
    pub name: &'static str,
    /// Bytes per second: per direction, or reads and writes together if `shared`.
    pub bytes_per_s: f64,
    /// Whether both directions share the rate, as memory does.
    pub shared: bool,
    /// Whether it leads to host DRAM, so that crossing it is a DRAM pass.
    pub host_dram: bool,
    /// Its ends.
    pub ends: (Place, Place),
}

/// Which machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineId {
    /// Workstation with two RTX 4090.
    Rtx4090,
    /// One socket's part of an HGX H200 node: two of its GPUs.
    HgxH200,
    /// DGX Spark: GB10, one pool.
    Spark,
    /// One GB200 superchip: a Grace and two Blackwell GPUs.
    Gb200,
}

/// A machine as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Its name.
    pub name: &'static str,
    /// What kind of design it is.
    pub design: &'static str,
    /// Places with label, detail and role, in drawing order.
    pub places: Vec<(Place, &'static str, &'static str, Role)>,
    /// All wires.
    pub wires: Vec<Wire>,
}

impl MachineId {
    /// Short name for addresses.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Rtx4090 => "rtx4090",
            Self::HgxH200 => "hgx-h200",
            Self::Spark => "spark",
            Self::Gb200 => "gb200",
        }
    }

    /// The machine with this short name, among those allowed at one side.
    pub fn from_slug(slug: &str, among: &[Self]) -> Option<Self> {
        among.iter().copied().find(|id| id.slug() == slug)
    }

    /// Whether CPU and GPU share one pool of memory.
    pub fn one_pool(self) -> bool {
        self == Self::Spark
    }

    /// Whether GPUs are joined by NVLink.
    pub fn has_nvlink(self) -> bool {
        matches!(self, Self::HgxH200 | Self::Gb200)
    }

    /// Its data.
    pub fn machine(self) -> Machine {
        match self {
            Self::Rtx4090 => rtx4090(),
            Self::HgxH200 => hgx_h200(),
            Self::Spark => spark(),
            Self::Gb200 => gb200(),
        }
    }
}

/// Sequential read of one Gen4 drive. Vendors say 7; the eight drives of Azure's H100 node read 55.3
/// together (Azure AI benchmarking guide, ND H100 v5), 6.9 each.
const DRIVE: f64 = 7.0e9;
/// PCIe 4.0 x16 per direction after 128b/130b coding (PCI-SIG).
const PCIE4_X16: f64 = 31.5e9;
/// PCIe 5.0 x16 per direction after 128b/130b coding (PCI-SIG).
const PCIE5_X16: f64 = 63.0e9;
/// Two channels of DDR5-5600 (i9-13900K specification).
const DDR5_2CH: f64 = 89.6e9;
/// Eight channels of DDR5-4800, one socket of a Xeon 8480C: 8 x 38.4.
const DDR5_8CH: f64 = 307.0e9;
/// GDDR6X of the RTX 4090 (vendor).
const RTX4090_VRAM: f64 = 1_008.0e9;
/// HBM3e of the H200 (vendor).
const H200_HBM: f64 = 4_800.0e9;
/// NVLink 4: 18 links of 25 GB/s per direction (vendor).
const NVLINK4: f64 = 450.0e9;
/// NVLink 5: 18 links of 50 GB/s per direction (vendor).
const NVLINK5: f64 = 900.0e9;
/// LPDDR5X of the DGX Spark, 256 bits, reads and writes together (DGX Spark hardware overview).
const SPARK_POOL: f64 = 273.0e9;
/// C2C inside GB10: about 600 GB/s for both directions (Hot Chips 2025); NVML reports 345 per direction.
const GB10_C2C: f64 = 300.0e9;
/// The two PCIe 5.0 x4 links between GB10 and its ConnectX-7: 2 x 15.75 (forum and press measurements of
/// about 100 Gb/s per half).
const SPARK_NIC_PCIE: f64 = 31.5e9;
/// 200 Gb/s cable between two Sparks.
const CX7_200G: f64 = 25.0e9;
/// LPDDR5X of one Grace in an NVL72 rack: 14 TB/s over 36 CPUs (GB200 NVL72 product page).
const GRACE_LPDDR: f64 = 389.0e9;
/// Five C2C links of 44.712 GB/s per direction that each GPU of a superchip owns (NCCL topology file of
/// a GB300 tray).
const GB200_C2C: f64 = 223.6e9;
/// HBM3e of one GB200 GPU (GB200 NVL72 product page).
const GB200_HBM: f64 = 8_000.0e9;

fn link(name: &'static str, bytes_per_s: f64, a: Place, b: Place) -> Wire {
    Wire { name, bytes_per_s, shared: false, host_dram: false, ends: (a, b) }
}

fn memory(name: &'static str, bytes_per_s: f64, a: Place, b: Place) -> Wire {
    let host_dram = matches!(a, Place::Dram | Place::PeerDram);
    Wire { name, bytes_per_s, shared: true, host_dram, ends: (a, b) }
}

/// Places of a machine whose two GPUs have memory of their own: labels of CPU, DRAM, GPU and GPU memory.
fn twin_places(
    cpu: [&'static str; 2],
    dram: [&'static str; 2],
    gpu: [&'static str; 2],
    vram: &'static str,
) -> Vec<(Place, &'static str, &'static str, Role)> {
    vec![
        (Place::Dram, dram[0], dram[1], Role::Cpu),
        (Place::Cpu, cpu[0], cpu[1], Role::Cpu),
        (Place::Disk, "NVMe", "one Gen4 drive", Role::Plain),
        (Place::Vram0, vram, "", Role::Gpu),
        (Place::Gpu0, gpu[0], "", Role::Gpu),
        (Place::Gpu1, gpu[1], "", Role::Gpu),
        (Place::Vram1, vram, "", Role::Gpu),
    ]
}

/// The cards sit in x16 slots each, as on a workstation board. A desktop i9-13900K has 16 lanes for
/// cards and would give two of them x8.
fn rtx4090() -> Machine {
    Machine {
        name: "RTX 4090 workstation",
        design: "discrete",
        places: twin_places(
            ["CPU", "root complex"],
            ["DDR5", "2 channels"],
            ["RTX 4090 #0", "RTX 4090 #1"],
            "24 GB GDDR6X",
        ),
        wires: vec![
            memory("DDR5, 2 channels", DDR5_2CH, Place::Dram, Place::Cpu),
            link("NVMe drive", DRIVE, Place::Disk, Place::Cpu),
            link("PCIe 4.0 x16 of GPU 0", PCIE4_X16, Place::Cpu, Place::Gpu0),
            link("PCIe 4.0 x16 of GPU 1", PCIE4_X16, Place::Cpu, Place::Gpu1),
            memory("GDDR6X of GPU 0", RTX4090_VRAM, Place::Gpu0, Place::Vram0),
            memory("GDDR6X of GPU 1", RTX4090_VRAM, Place::Gpu1, Place::Vram1),
        ],
    }
}

fn hgx_h200() -> Machine {
    Machine {
        name: "HGX H200 node",
        design: "discrete, one socket of two",
        places: twin_places(
            ["Xeon", "socket 0"],
            ["DDR5", "8 channels"],
            ["H200 #0", "H200 #1"],
            "141 GB HBM3e",
        ),
        wires: vec![
            memory("DDR5, 8 channels", DDR5_8CH, Place::Dram, Place::Cpu),
            link("NVMe drive", DRIVE, Place::Disk, Place::Cpu),
            link("PCIe 5.0 x16 of GPU 0", PCIE5_X16, Place::Cpu, Place::Gpu0),
            link("PCIe 5.0 x16 of GPU 1", PCIE5_X16, Place::Cpu, Place::Gpu1),
            link("NVLink 4 through NVSwitch", NVLINK4, Place::Gpu0, Place::Gpu1),
            memory("HBM3e of GPU 0", H200_HBM, Place::Gpu0, Place::Vram0),
            memory("HBM3e of GPU 1", H200_HBM, Place::Gpu1, Place::Vram1),
        ],
    }
}

/// The drive's generation is not published; a Gen4 drive is assumed as on the other machines.
fn spark() -> Machine {
    Machine {
        name: "DGX Spark",
        design: "unified, one pool",
        places: vec![
            (Place::Dram, "128 GB LPDDR5X", "one pool for both dies", Role::Cpu),
            (Place::Cpu, "CPU die", "20 Arm cores", Role::Cpu),
            (Place::Disk, "NVMe", "one Gen4 drive", Role::Plain),
            (Place::Gpu0, "GPU die", "no own DRAM", Role::Gpu),
            (Place::Nic, "ConnectX-7", "", Role::Wire),
            (Place::Peer, "second Spark", "", Role::Plain),
        ],
        wires: vec![
            memory("LPDDR5X pool", SPARK_POOL, Place::Dram, Place::Cpu),
            link("NVMe drive", DRIVE, Place::Disk, Place::Cpu),
            link("C2C on the package", GB10_C2C, Place::Cpu, Place::Gpu0),
            link("2 x PCIe 5.0 x4", SPARK_NIC_PCIE, Place::Cpu, Place::Nic),
            link("200 Gb/s cable", CX7_200G, Place::Nic, Place::Peer),
            memory("LPDDR5X pool of the second Spark", SPARK_POOL, Place::PeerDram, Place::Peer),
        ],
    }
}

fn gb200() -> Machine {
    Machine {
        name: "GB200 superchip",
        design: "coherent, three memories",
        places: twin_places(
            ["Grace", "72 Arm cores"],
            ["LPDDR5X", "480 GB"],
            ["Blackwell #0", "Blackwell #1"],
            "186 GB HBM3e",
        ),
        wires: vec![
            memory("LPDDR5X of Grace", GRACE_LPDDR, Place::Dram, Place::Cpu),
            link("NVMe drive", DRIVE, Place::Disk, Place::Cpu),
            link("NVLink-C2C of GPU 0", GB200_C2C, Place::Cpu, Place::Gpu0),
            link("NVLink-C2C of GPU 1", GB200_C2C, Place::Cpu, Place::Gpu1),
            link("NVLink 5 through a switch", NVLINK5, Place::Gpu0, Place::Gpu1),
            memory("HBM3e of GPU 0", GB200_HBM, Place::Gpu0, Place::Vram0),
            memory("HBM3e of GPU 1", GB200_HBM, Place::Gpu1, Place::Vram1),
        ],
    }
}
