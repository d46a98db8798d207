//! The links. GB is 10^9 bytes.

use super::link::{Family, Kind, Link, Seen};
use super::pcie::{self, Lanes};

/// Bytes per second in a GB/s.
const GB: f64 = 1e9;
/// Bytes per second in a Gb/s.
const GBIT: f64 = 1e9 / 8.0;

const fn measured(gb: f64, what: &'static str) -> Seen {
    Seen { bytes_per_s: gb * GB, kind: Kind::Measured, what }
}
const fn published(gb: f64, what: &'static str) -> Seen {
    Seen { bytes_per_s: gb * GB, kind: Kind::Published, what }
}
const fn assumed(gb: f64, what: &'static str) -> Seen {
    Seen { bytes_per_s: gb * GB, kind: Kind::Assumed, what }
}

/// A PCIe generation at 16 lanes.
const fn pcie(
    id: &'static str,
    name: &'static str,
    generation: u8,
    seen: &'static [Seen],
    story: &'static str,
    source: &'static str,
) -> Link {
    Link {
        id,
        name,
        family: Family::Pcie(generation),
        marketed: 2.0 * pcie::raw_bytes_per_s(generation, Lanes::FULL),
        counts: "both directions, before line coding",
        direction: pcie::bytes_per_s(generation, Lanes::FULL),
        seen,
        story,
        source,
    }
}

/// A generation of NVLink: links of a GPU, GB/s of a link in one direction.
const fn nvlink(
    id: &'static str,
    name: &'static str,
    (links, each): (f64, f64),
    seen: &'static [Seen],
    story: &'static str,
) -> Link {
    Link {
        id,
        name,
        family: Family::NvLink,
        marketed: 2.0 * links * each * GB,
        counts: "all links of a GPU, both directions",
        direction: links * each * GB,
        seen,
        story,
        source: "NVIDIA product pages; NCCL 2.30.7 src/graph/topo.h for what NCCL counts on",
    }
}

/// C2C: links of one GPU, GB/s of a link in one direction, headline of the superchip.
const fn c2c(
    id: &'static str,
    name: &'static str,
    (links, each): (f64, f64),
    headline: f64,
    seen: &'static [Seen],
) -> Link {
    Link {
        id,
        name,
        family: Family::C2c,
        marketed: headline * GB,
        counts: "a whole superchip, both directions",
        direction: links * each * GB,
        seen,
        story: "",
        source: "",
    }
}

/// A network port, in Gb/s.
const fn nic(
    id: &'static str,
    name: &'static str,
    gbit: f64,
    seen: &'static [Seen],
    story: &'static str,
    source: &'static str,
) -> Link {
    Link {
        id,
        name,
        family: Family::Nic,
        marketed: gbit * GBIT,
        counts: "one direction, sold in bits: divide by 8",
        direction: gbit * GBIT,
        seen,
        story,
        source,
    }
}

/// All links, family by family.
pub(super) const LINKS: &[Link] = &[
    pcie(
        "pcie3",
        "PCIe 3.0",
        3,
        &[published(12.2, "P100 box, to the GPU"), published(12.9, "P100 box, from the GPU")],
        "The wrong socket turned 12.2 into 3.8 GB/s on the same machine.",
        "gearshifft pull request 82",
    ),
    pcie(
        "pcie4",
        "PCIe 4.0",
        4,
        &[
            published(20.2, "i9-13900K and RTX 4090, to the GPU"),
            published(24.0, "eight RTX 4090, slowest to the GPU"),
            published(27.1, "eight RTX 4090, fastest from the GPU"),
        ],
        "Packet headers leave about 29 GB/s. One RTX 4090 box stays at 20.2, others reach 24 to 27: platforms differ more than cards.",
        "AI systems notes (RTX 4090); nvbandwidth issue 15",
    ),
    pcie(
        "pcie5",
        "PCIe 5.0",
        5,
        &[
            measured(54.7, "H200 host, to the GPU"),
            measured(55.3, "H200 host, from the GPU"),
            published(51.0, "H100, to the GPU"),
        ],
        "Sold as 128. Line coding and one direction leave 63, headers 58, and a healthy pinned copy 55: 87 % of what the wire carries.",
        "nvbandwidth 0.8 on this course's H200 host; Azure AI benchmarking guide",
    ),
    pcie(
        "pcie6",
        "PCIe 6.0",
        6,
        &[],
        "Flits of 256 bytes carry 242 after checksum and error correction, so 121 of 128 GB/s are left. No public copy rate was found.",
        "PCIe 6.0 flit layout",
    ),
    nvlink(
        "nvlink1",
        "NVLink 1, P100",
        (4.0, 20.0),
        &[assumed(72.0, "NCCL counts on 18 GB/s a link")],
        "In DGX-1 each of the four links leads to another GPU, so a pair has 20 GB/s and no more.",
    ),
    nvlink(
        "nvlink2",
        "NVLink 2, V100",
        (6.0, 25.0),
        &[assumed(120.0, "NCCL counts on 20 GB/s a link")],
        "With NVSwitch (DGX-2) all six links reach every peer.",
    ),
    nvlink(
        "nvlink3",
        "NVLink 3, A100",
        (12.0, 25.0),
        &[
            assumed(240.0, "NCCL counts on 20 GB/s a link"),
            published(231.6, "8 A100, all-reduce, bus bandwidth"),
        ],
        "The measured all-reduce lands within 4 % of what NCCL counts on.",
    ),
    nvlink(
        "nvlink4",
        "NVLink 4, H100, H200",
        (18.0, 25.0),
        &[
            assumed(370.8, "NCCL counts on 20.6 GB/s a link"),
            published(370.0, "8 H100, all-reduce on a ring, bus bandwidth"),
        ],
        "H100 sets report a bus bandwidth of 480 on this link of 450: the switch adds the numbers up, and the formula still assumes a ring. On a ring it is 370.",
    ),
    nvlink(
        "nvlink5",
        "NVLink 5, Blackwell",
        (18.0, 50.0),
        &[assumed(721.8, "NCCL counts on 40.1 GB/s a link"), published(676.0, "8 B300, all-to-all")],
        "72 GPUs x 1,800 GB/s are sold as 130 TB/s of rack. Each GPU still sends 900 at most and was seen to send 676.",
    ),
    nvlink(
        "nvlink6",
        "NVLink 6, Rubin",
        (36.0, 50.0),
        &[assumed(1_123.2, "NCCL 2.32.3 counted on 31.2 GB/s a link, before tuning")],
        "Twice the links of its forerunner. No public measurement was found; NCCL's first constant for it was written before any tuning.",
    ),
    Link {
        story: "Ten links of 44.7 GB/s and one GPU: half the headline, and all of it yours. Reading from the GPU is slower than writing to it.",
        source: "nvidia-smi c2c listing; Data movement in the NVIDIA GH200, datacrunch.io",
        ..c2c(
            "c2c-gh200",
            "C2C, GH200",
            (10.0, 44.712),
            900.0,
            &[published(375.0, "GH200, to the GPU"), published(297.0, "GH200, from the GPU")],
        )
    },
    Link {
        story: "The same headline, but two GPUs share the superchip's ten links. Each owns five: 224 GB/s in the direction that a load waits for. The link is not broken when a copy shows 201.",
        source: "NCCL topology dump of a GB300 tray; Azure ND GB200 v6 results",
        ..c2c(
            "c2c-gb200",
            "C2C, GB200, per GPU",
            (5.0, 44.712),
            900.0,
            &[published(201.0, "GB200, to the GPU"), published(193.0, "GB200, from the GPU")],
        )
    },
    Link {
        story: "Eight links of 56.4 GB/s would make the 1,800 of two GPUs. The one public dump lists seven, which is 395. Nobody has published a copy rate.",
        source: "NVIDIA Vera Rubin NVL72 page; links computed; seven links in a public NCCL note",
        ..c2c("c2c-rubin", "C2C, Rubin, per GPU", (8.0, 56.376), 1_800.0, &[])
    },
    Link {
        counts: "both directions, on package",
        story: "The vendor's talk says about 600 both ways, NVML reports eight links of 43.1 GB/s, which is 345 one way. Behind it lies a memory of 273 GB/s, so few will notice.",
        source: "GB10 at Hot Chips 2025; NCCL topology dump of a DGX Spark",
        ..c2c("c2c-spark", "C2C, DGX Spark", (1.0, 300.0), 600.0, &[])
    },
    nic(
        "nic100",
        "NIC, 100 Gb/s",
        100.0,
        &[],
        "A PCIe 3.0 x16 slot is enough for it. NICs are the only links here that are sold per direction, but in bits.",
        "IEEE 802.3, InfiniBand EDR",
    ),
    nic(
        "nic200",
        "NIC, 200 Gb/s",
        200.0,
        &[],
        "DGX Spark feeds its two ports of 200 Gb/s through two PCIe 5.0 x4 links: one such link carries 126 Gb/s.",
        "DGX Spark hardware overview; PCIe formula",
    ),
    nic(
        "nic400",
        "NIC, 400 Gb/s",
        400.0,
        &[published(48.0, "ib_write_bw, 384 of 400 Gb/s")],
        "One per GPU on HGX H100 and GB200. It needs most of a PCIe 5.0 x16 slot.",
        "Oracle's B300 guide: expected ib_write_bw",
    ),
    nic(
        "nic800",
        "NIC, 800 Gb/s, CX-8",
        800.0,
        &[published(96.5, "2 x 8 B300, all-to-all, per GPU")],
        "PCIe 5.0 x16 is too narrow for it: 63 against 100 GB/s. So it brings a PCIe 6.0 switch of its own.",
        "published nccl-tests log of two B300 nodes",
    ),
    nic(
        "nic1600",
        "2 x CX-9, per GPU",
        1_600.0,
        &[],
        "Vera Rubin NVL72 gives each GPU two ports of 800 Gb/s. NVLink stays nine times as wide as the network, as on GB300.",
        "NVIDIA Rubin platform article",
    ),
];
