//! The state of the figure: a picked pair, what the other ranks do, and what NCCL decides.

use super::chassis::{Cabling, Chassis, Code, FAULTS, GPUS, Kind};
use super::flows::{Flow, Limit, NIC_400G, SocketLink, share, sockets_used};
use super::policy::{GdrLevel, Others};
use crate::kit::units::{percent, rate};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// State of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumaNode {
    /// How the box is cabled.
    pub cabling: Cabling,
    /// Picked GPU.
    pub gpu: u8,
    /// Picked NIC.
    pub nic: u8,
    /// `NCCL_NET_GDR_LEVEL`.
    pub level: GdrLevel,
    /// What the other ranks do.
    pub others: Others,
    /// Rate of the link between the sockets.
    pub link: SocketLink,
    /// The NIC that the reader holds for the wrong one, in a box to diagnose.
    pub accused: Option<u8>,
}

impl Default for NumaNode {
    fn default() -> Self {
        Self {
            cabling: Cabling::Healthy,
            gpu: 0,
            nic: 0,
            level: GdrLevel::Pxb,
            others: Others::Quiet,
            link: SocketLink::SapphireRapids,
            accused: None,
        }
    }
}

/// What happens to the picked pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Nodes from GPU to NIC.
    pub path: Vec<usize>,
    /// Distance.
    pub code: Code,
    /// Whether GPUDirect RDMA is on.
    pub direct: bool,
    /// Bytes per second that the pair gets.
    pub bytes_per_s: f64,
    /// What limits it.
    pub limit: Limit,
    /// Share of the socket link in use by all ranks.
    pub sockets_used: f64,
}

impl NumaNode {
    /// The cabled box.
    pub fn chassis(&self) -> Chassis {
        Chassis::new(self.cabling)
    }

    /// Picked NIC, or the last one where the box has fewer.
    pub fn nic_in(&self, chassis: &Chassis) -> u8 {
        self.nic.min(chassis.count(Kind::Nic) - 1)
    }

    /// Whether the wiring is hidden from the reader.
    pub fn hides_wiring(&self) -> bool {
        matches!(self.cabling, Cabling::Hidden(_)) && self.solved() != Some(true)
    }

    /// In a box to diagnose: whether the accused NIC is the wrong one, if any is accused.
    pub fn solved(&self) -> Option<bool> {
        let Cabling::Hidden(fault) = self.cabling else { return None };
        self.accused.map(|nic| nic == FAULTS[usize::from(fault) % FAULTS.len()].0)
    }

    /// NIC that a rank other than the picked one sends through.
    fn nic_of(&self, chassis: &Chassis, gpu: u8) -> Option<u8> {
        let nics = chassis.count(Kind::Nic);
        let own = gpu * nics / GPUS;
        match self.others {
            Others::Quiet => None,
            Others::OwnNic => Some(own),
            Others::PickedNic => Some(self.nic_in(chassis)),
            Others::Nearest => Some(nearest(chassis, gpu)),
        }
    }

    /// Decides everything about the picked pair.
    pub fn verdict(&self, chassis: &Chassis) -> Verdict {
        let flow = |gpu: u8, nic: u8| {
            let (gpu, nic) = (chassis.device(Kind::Gpu, gpu), chassis.device(Kind::Nic, nic));
            Flow::new(chassis, gpu, nic, self.level.allows(chassis.code(gpu, nic)))
        };
        let nic = self.nic_in(chassis);
        let others = (0..GPUS).filter(|&g| g != self.gpu).filter_map(|g| Some((g, self.nic_of(chassis, g)?)));
        let flows: Vec<Flow> =
            std::iter::once((self.gpu, nic)).chain(others).map(|(g, n)| flow(g, n)).collect();
        let rates = share(&flows, self.link);
        let (gpu, nic) = (chassis.device(Kind::Gpu, self.gpu), chassis.device(Kind::Nic, nic));
        let code = chassis.code(gpu, nic);
        Verdict {
            path: chassis.path(gpu, nic),
            code,
            direct: self.level.allows(code),
            bytes_per_s: rates[0].0,
            limit: rates[0].1,
            sockets_used: sockets_used(&flows, &rates, self.link),
        }
    }

    /// The figure's stories.
    pub fn presets() -> Vec<Preset<Self>> {
        let base = Self::default();
        let preset = |name, state| Preset { name, state };
        vec![
            preset("Healthy", base),
            preset("Badly cabled", Self { cabling: Cabling::Badly, nic: 2, ..base }),
            preset("One NIC for all", Self { gpu: 4, others: Others::PickedNic, ..base }),
            preset("Eight rails", Self { cabling: Cabling::EightRails, others: Others::OwnNic, ..base }),
            preset("No switches", Self { cabling: Cabling::NoSwitches, ..base }),
            preset("Diagnose me", Self { cabling: Cabling::Hidden(0), ..base }),
        ]
    }
}

/// Nearest NIC of a GPU; among equals GPUs take turns.
fn nearest(chassis: &Chassis, gpu: u8) -> u8 {
    let code = |nic| chassis.code(chassis.device(Kind::Gpu, gpu), chassis.device(Kind::Nic, nic));
    let nics = || 0..chassis.count(Kind::Nic);
    let best = nics().map(code).min();
    let equals: Vec<u8> = nics().filter(|&nic| Some(code(nic)) == best).collect();
    equals.get(usize::from(gpu) % equals.len().max(1)).copied().unwrap_or(0)
}

/// A limit in words.
pub fn limit_text(chassis: &Chassis, limit: Limit) -> String {
    let name = |n: usize| chassis.nodes[n].name.as_str();
    match limit {
        Limit::Up(n) | Limit::Down(n) => format!("the PCIe link of {}", name(n)),
        Limit::Sockets(_) => "the link between the sockets".into(),
        Limit::Dram(s) => format!("the DRAM of socket {s}"),
        Limit::Cable(n) => format!("the cable of {}", name(n)),
    }
}

/// What NCCL's channel line says about this connection.
pub fn log_suffix(nic: u8, direct: bool) -> String {
    let suffix = if direct { "/GDRDMA" } else { "" };
    format!("via NET/IB/{nic}{suffix}")
}

impl FigureModel for NumaNode {
    fn to_query(&self) -> Query {
        let base = Self::default();
        Query::new()
            .set("box", cabling_slug(self.cabling), cabling_slug(base.cabling))
            .set("gpu", self.gpu, base.gpu)
            .set("nic", self.nic, base.nic)
            .set("level", self.level.text(), base.level.text())
            .set("others", self.others.slug(), base.others.slug())
            .set("sockets", self.link.bytes_per_s() / 1e9, base.link.bytes_per_s() / 1e9)
            .set("accused", self.accused.map_or("none".into(), |n| n.to_string()), "none".into())
    }

    fn from_query(query: &Query) -> Self {
        let base = Self::default();
        let find = |key| query.get(key).unwrap_or_default();
        let number = |key, default, max: u8| query.number(key, default, 0.0..=f64::from(max)) as u8;
        let link = |l: &SocketLink| l.bytes_per_s() / 1e9 == query.parse("sockets", 0.0);
        Self {
            cabling: cabling(find("box")).unwrap_or(base.cabling),
            gpu: number("gpu", 0.0, GPUS - 1),
            nic: number("nic", 0.0, 7),
            level: GdrLevel::ALL.into_iter().find(|l| l.text() == find("level")).unwrap_or(base.level),
            others: Others::ALL.into_iter().find(|o| o.slug() == find("others")).unwrap_or(base.others),
            link: SocketLink::ALL.into_iter().find(link).unwrap_or(base.link),
            accused: query.get("accused").and_then(|n| n.parse().ok()).filter(|&n: &u8| n < 4),
        }
    }

    fn sentence(&self) -> String {
        let chassis = self.chassis();
        let now = self.verdict(&chassis);
        let nic = self.nic_in(&chassis);
        let rdma = match now.direct {
            true => "GPUDirect RDMA is on: the NIC reads GPU memory itself".to_owned(),
            false => format!(
                "GPUDirect RDMA is off: the payload is staged in the DRAM of socket {}",
                chassis.socket(chassis.device(Kind::Gpu, self.gpu))
            ),
        };
        let left = format!(
            "{} of {} are left, limited by {}",
            rate(now.bytes_per_s),
            rate(NIC_400G),
            limit_text(&chassis, now.limit)
        );
        let guess = match (self.solved(), self.accused) {
            (Some(true), Some(n)) => format!(" Found: NIC{n} sits below the wrong switch."),
            (Some(false), Some(n)) => format!(" NIC{n} sits where it should; look further."),
            _ if self.hides_wiring() => " One NIC sits below the wrong switch. Which?".into(),
            _ => String::new(),
        };
        format!(
            "GPU{} to NIC{nic} is {}, and at level {} {rdma}. {left}.{guess}",
            self.gpu,
            now.code.text(),
            self.level.text()
        )
    }

    fn counters(&self) -> Vec<Counter> {
        let chassis = self.chassis();
        let now = self.verdict(&chassis);
        vec![
            Counter::new("Distance", now.code.text()),
            Counter::new("GPUDirect RDMA", if now.direct { "on" } else { "off" }),
            Counter::new("Bandwidth left", rate(now.bytes_per_s)),
            Counter::new("DRAM passes", if now.direct { "0" } else { "2" }),
            Counter::new("Socket link in use", percent(now.sockets_used)),
        ]
    }

    /// The matrix that `nvidia-smi topo -m` prints for such a box.
    fn table(&self) -> DataTable {
        let chassis = self.chassis();
        let of = |kind| (0..chassis.count(kind)).map(move |n| (kind, n));
        let devices: Vec<(Kind, u8)> = of(Kind::Gpu).chain(of(Kind::Nic)).collect();
        let node = |(kind, n): (Kind, u8)| chassis.device(kind, n);
        let name = |d| chassis.nodes[node(d)].name.clone();
        let mut table = DataTable::new(&["Device"]);
        table.columns.extend(devices.iter().map(|&d| name(d)));
        table.columns.push("NUMA node".into());
        for &row in &devices {
            let cell = |&column: &(Kind, u8)| match (row.0, column.0) {
                _ if row == column => "X".into(),
                (Kind::Gpu, Kind::Gpu) => "NV18".into(),
                _ => chassis.code(node(row), node(column)).text().to_owned(),
            };
            let cells = std::iter::once(name(row)).chain(devices.iter().map(cell));
            table.row(cells.chain([chassis.socket(node(row)).to_string()]));
        }
        table
    }
}

fn cabling_slug(cabling: Cabling) -> &'static str {
    match cabling {
        Cabling::Healthy => "healthy",
        Cabling::Badly => "badly",
        Cabling::EightRails => "rails",
        Cabling::NoSwitches => "no-switches",
        Cabling::Hidden(0) => "puzzle-1",
        Cabling::Hidden(1) => "puzzle-2",
        Cabling::Hidden(2) => "puzzle-3",
        Cabling::Hidden(_) => "puzzle-4",
    }
}

fn cabling(slug: &str) -> Option<Cabling> {
    let hidden = (0..FAULTS.len() as u8).map(Cabling::Hidden);
    [Cabling::Healthy, Cabling::Badly, Cabling::EightRails, Cabling::NoSwitches]
        .into_iter()
        .chain(hidden)
        .find(|&c| cabling_slug(c) == slug)
}

#[cfg(test)]
mod tests;
