//! The machines: how many GPUs share a switch, how fast links and network are, which fits exist.

use super::cost::Fit;

/// One kind of machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Id in links.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What a domain of it is called, one and many.
    pub domain: (&'static str, &'static str),
    /// GPUs that NVLink joins.
    pub domain_gpus: u16,
    /// GPUs of one kernel.
    pub host_gpus: u16,
    /// Domains that the figure offers at most.
    pub domains: u16,
    /// NVLink of one GPU, one direction; 0 without NVLink.
    pub link_gb_per_s: f64,
    /// Network of one GPU, one direction.
    pub nic_gb_per_s: f64,
    /// What NCCL counts on per GPU: links times usable rate of a link.
    pub usable_gb_per_s: f64,
    /// Highest bus bandwidth with the low-latency protocol in one domain.
    pub ll_gb_per_s: f64,
    /// Share of it that NVLS reaches; 0 where the switch cannot add.
    pub nvls: f64,
    /// Upper end of a bandwidth axis.
    pub axis_gb_per_s: f64,
    /// Fits, by number of GPUs.
    pub fits: &'static [Fit],
    /// Whether runs of this very machine stand behind the fits.
    pub published: bool,
    /// Where the fits come from, as a sentence.
    pub about: &'static str,
}

/// From here on the curves of a whole rack were fitted.
const RACK_FROM: f64 = 536_870_912.0;

const fn fit(gpus: u16, alpha_us: f64, gb_per_s: f64, eight_gib_us: f64) -> Fit {
    Fit { gpus, alpha_us, gb_per_s, eight_gib_us, from_bytes: 0.0 }
}

/// Fits to published nccl-tests output; `eight_gib_us` is what a run of 8 GiB took.
const A100: &[Fit] = &[fit(8, 38.5, 138.0, 64_912.0)];
/// Fewer than eight GPUs: the fit of eight with the rate that a user measured at 4 GiB (bus bandwidth 370,
/// 420, 440, 460 against 480).
const H100: &[Fit] = &[
    fit(4, 28.0, 262.0, 0.0),
    fit(5, 28.0, 278.0, 0.0),
    fit(6, 28.0, 280.0, 0.0),
    fit(7, 28.0, 284.0, 0.0),
    fit(8, 28.0, 291.0, 31_384.0),
];
const H200: &[Fit] = &[fit(8, 28.0, 297.0, 31_319.0)];
/// The fit of eight GB200: same NVLink, same number of GPUs. 8 GiB took 18,006 µs on eight B300.
const HGX_BLACKWELL: &[Fit] = &[fit(8, 27.5, 492.0, 18_006.0)];
const NVL72: &[Fit] = &[
    fit(4, 15.5, 471.0, 18_959.0),
    fit(8, 27.5, 492.0, 17_887.0),
    Fit { from_bytes: RACK_FROM, ..fit(72, 215.0, 488.0, 20_299.0) },
];
/// NVL72 with rates times 1,123.2 / 721.8: what NCCL 2.32.3 counts on for NVLink 6 against NVLink 5.
const RUBIN: &[Fit] = &[
    fit(4, 15.5, 733.0, 0.0),
    fit(8, 27.5, 766.0, 0.0),
    Fit { from_bytes: RACK_FROM, ..fit(72, 215.0, 759.0, 0.0) },
];
/// 29 µs from four small all-reduces, 20.95 GB/s from an all-gather of 16 GiB over one cable.
const SPARK: &[Fit] = &[fit(2, 29.0, 20.95, 0.0)];

const HGX: Machine = Machine {
    id: "",
    name: "",
    domain: ("node", "nodes"),
    domain_gpus: 8,
    host_gpus: 8,
    domains: 32,
    link_gb_per_s: 450.0,
    nic_gb_per_s: 50.0,
    usable_gb_per_s: 370.8,
    ll_gb_per_s: 141.0,
    nvls: 0.85,
    axis_gb_per_s: 800.0,
    fits: H100,
    published: true,
    about: "",
};

const HGX5: Machine = Machine {
    link_gb_per_s: 900.0,
    usable_gb_per_s: 721.8,
    ll_gb_per_s: 282.0,
    nvls: 0.74,
    axis_gb_per_s: 1_200.0,
    fits: HGX_BLACKWELL,
    ..HGX
};

const RACK: Machine =
    Machine { domain: ("rack", "racks"), domain_gpus: 72, host_gpus: 4, fits: NVL72, ..HGX5 };

/// All machines, oldest first. Links and NCCL's constants: NCCL 2.30.7 and 2.32.3 (`topo.h`, `tuning.cc`);
/// networks: vendors' data sheets.
pub const MACHINES: [Machine; 9] = [
    Machine {
        id: "a100",
        name: "HGX A100",
        link_gb_per_s: 300.0,
        nic_gb_per_s: 25.0,
        usable_gb_per_s: 240.0,
        ll_gb_per_s: 87.7,
        nvls: 0.0,
        axis_gb_per_s: 400.0,
        fits: A100,
        about: "Fitted to Azure's published run of eight A100. Their switches cannot add, so this is a ring or a tree.",
        ..HGX
    },
    Machine {
        id: "h100",
        name: "HGX H100",
        about: "Fitted to Azure's published run of eight H100 with NVLS; a user's runs give the rate of four to seven.",
        ..HGX
    },
    Machine {
        id: "h200",
        name: "HGX H200",
        fits: H200,
        about: "Fitted to Azure's published run of eight H200 with NVLS.",
        ..HGX
    },
    Machine {
        id: "b200",
        name: "HGX B200",
        published: false,
        about: "The fit of eight GB200, which have the same links. For eight B200 a user reports a bus bandwidth of \"830+\" without the size (NCCL, issue 1807), so there is no point to draw.",
        ..HGX5
    },
    Machine {
        id: "b300",
        name: "HGX B300",
        nic_gb_per_s: 100.0,
        about: "The fit of eight GB200, which have the same links, and Oracle's published runs of 8 GiB.",
        ..HGX5
    },
    Machine {
        id: "gb200",
        name: "GB200 NVL72",
        about: "Fitted to three published runs: one tray (Azure), two trays (Oracle), the rack (CoreWeave). No public log of small messages on 72 GPUs was found, so the rack's curve begins at 512 MiB.",
        ..RACK
    },
    Machine {
        id: "gb300",
        name: "GB300 NVL72",
        nic_gb_per_s: 100.0,
        published: false,
        about: "The fits of GB200, which has the same NVLink, and a network twice as fast. No published run was found.",
        ..RACK
    },
    Machine {
        id: "rubin",
        name: "Vera Rubin NVL72",
        link_gb_per_s: 1_800.0,
        nic_gb_per_s: 200.0,
        usable_gb_per_s: 1_123.2,
        axis_gb_per_s: 2_000.0,
        fits: RUBIN,
        published: false,
        about: "The fits of GB200, faster by what NCCL 2.32.3 counts on: 31.2 GB/s for each of 36 links, a constant from before it was tuned. No published run was found.",
        ..RACK
    },
    Machine {
        id: "spark",
        name: "DGX Spark pair",
        domain: ("Spark", "Sparks"),
        domain_gpus: 1,
        host_gpus: 1,
        domains: 2,
        link_gb_per_s: 0.0,
        nic_gb_per_s: 25.0,
        usable_gb_per_s: 25.0,
        ll_gb_per_s: 39.0,
        nvls: 0.0,
        axis_gb_per_s: 40.0,
        fits: SPARK,
        published: false,
        about: "One cable of 200 Gb/s: 29 µs from small all-reduces, 20.95 GB/s from an all-gather of 16 GiB. Large all-reduces were not published.",
    },
];

impl Machine {
    /// Whether NVLink joins its GPUs at all.
    pub fn has_domain(&self) -> bool {
        self.domain_gpus > 1
    }

    /// Numbers of GPUs per domain that the figure offers.
    pub fn gpu_stops(&self) -> &'static [u16] {
        match self.domain_gpus {
            1 => &[1],
            8 => &[2, 3, 4, 5, 6, 7, 8],
            _ => &[2, 4, 8, 12, 16, 24, 32, 36, 48, 64, 72],
        }
    }

    /// Numbers of domains that the figure offers.
    pub fn domain_stops(&self) -> &'static [u16] {
        if self.has_domain() { &[1, 2, 3, 4, 6, 8, 12, 16, 20, 32] } else { &[2] }
    }
}
