//! The state of the figure: shortcuts, size, rates, and how far the payload has come.

use super::cost::Faults;
use super::plan::{Plan, Shortcuts, Spot, Step};
use super::times::{Drive, Rates};
use crate::kit::units::{bytes_decimal, duration_ns, number, round_number};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// Sizes run from 1 MB to 1 TB in round numbers.
pub const SIZE_STEPS: u8 = 36;
/// Rates of one core's memcpy that the slider offers, in GB/s.
pub const MEMCPY_GB: std::ops::RangeInclusive<f64> = 2.0..=30.0;

/// State of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPath {
    /// Switches.
    pub want: Shortcuts,
    /// Steps done; 0 is the file on the drive.
    pub step: usize,
    /// Size of the payload as a step of the slider.
    pub size_step: u8,
    /// The drives.
    pub drive: Drive,
    /// Rate of one core's memcpy in GB/s.
    pub memcpy_gb_per_s: f64,
}

impl Default for DataPath {
    /// A 70B checkpoint in bf16 (140 GB), a Gen4 drive, and 10 GB/s of memcpy per core.
    fn default() -> Self {
        Self { want: Shortcuts::default(), step: 0, size_step: 31, drive: Drive::Gen4, memcpy_gb_per_s: 10.0 }
    }
}

impl DataPath {
    /// The steps.
    pub fn plan(&self) -> Plan {
        Plan::new(self.want)
    }

    /// Bytes of the payload.
    pub fn bytes(&self) -> f64 {
        1e6 * round_number(self.size_step)
    }

    /// Rates of the machine.
    pub fn rates(&self) -> Rates {
        Rates { drive: self.drive, memcpy_bytes_per_s: self.memcpy_gb_per_s * 1e9 }
    }

    /// Steps done, at most all of them.
    pub fn done(&self, plan: &Plan) -> usize {
        self.step.min(plan.steps.len())
    }

    /// Where the payload is before the first step.
    pub fn start(plan: &Plan) -> Spot {
        plan.steps.first().map_or(Spot::Drive, |s| s.from)
    }

    /// Sets the shortcuts; what was done under other ones is void.
    pub fn choose(&mut self, change: impl FnOnce(&mut Shortcuts)) {
        change(&mut self.want);
        self.step = self.step.min(self.plan().steps.len());
    }

    /// The figure's stories.
    pub fn presets() -> Vec<Preset<Self>> {
        let base = Self::default();
        let none = Shortcuts::default();
        let preset = |name, want| Preset { name, state: Self { want, ..base } };
        vec![
            preset("torch.load, pickled", none),
            preset("safetensors, mmap", Shortcuts { mmap: true, ..none }),
            preset("O_DIRECT into pinned", Shortcuts { direct: true, pinned: true, ..none }),
            preset("GPUDirect Storage", Shortcuts { gds: true, ..none }),
            preset("All direct", Shortcuts { gds: true, rdma: true, ..none }),
        ]
    }
}

fn bits(want: Shortcuts) -> [(&'static str, bool); 6] {
    [
        ("warm", want.warm),
        ("mmap", want.mmap),
        ("direct", want.direct),
        ("pinned", want.pinned),
        ("gds", want.gds),
        ("rdma", want.rdma),
    ]
}

impl FigureModel for DataPath {
    fn to_query(&self) -> Query {
        let base = Self::default();
        let flags = bits(self.want).into_iter().filter(|(_, on)| *on).map(|(name, _)| name);
        Query::new()
            .set("with", flags.collect::<Vec<_>>().join(","), String::new())
            .set("step", self.step, base.step)
            .set("size", self.size_step, base.size_step)
            .set("drive", self.drive.slug(), base.drive.slug())
            .set("memcpy", self.memcpy_gb_per_s, base.memcpy_gb_per_s)
    }

    fn from_query(query: &Query) -> Self {
        let base = Self::default();
        let has = |name| query.get("with").unwrap_or_default().split(',').any(|flag| flag == name);
        let drive = |slug| Drive::ALL.into_iter().find(|d| d.slug() == slug);
        let want = Shortcuts {
            warm: has("warm"),
            mmap: has("mmap"),
            direct: has("direct"),
            pinned: has("pinned"),
            gds: has("gds"),
            rdma: has("rdma"),
        };
        let steps = Plan::new(want).steps.len() as f64;
        Self {
            want,
            step: query.number("step", 0.0, 0.0..=steps) as usize,
            size_step: query.number("size", f64::from(base.size_step), 0.0..=f64::from(SIZE_STEPS)) as u8,
            drive: query.get("drive").and_then(drive).unwrap_or(base.drive),
            memcpy_gb_per_s: query.number("memcpy", base.memcpy_gb_per_s, MEMCPY_GB).round(),
        }
    }

    fn sentence(&self) -> String {
        let plan = self.plan();
        let done = self.done(&plan);
        let now = match done.checked_sub(1).and_then(|i| plan.steps.get(i)) {
            None => format!(
                "{} lie {}; {} steps to the network.",
                bytes_decimal(self.bytes()),
                place_text(Self::start(&plan)),
                plan.steps.len()
            ),
            Some(step) => format!(
                "Step {done}: {} moves the payload from {} to {}.",
                step.mover.text(),
                spot_text(step.from),
                spot_text(step.to)
            ),
        };
        let (bound, seconds) = self.rates().bound(&plan, self.bytes());
        let time = format!(
            " With all steps overlapped {} needs longest: {}.",
            bound_text(bound),
            duration_ns(seconds * 1e9)
        );
        let notes: String = plan.notes.iter().map(|n| format!(" {n}")).collect();
        now + &time + &notes
    }

    fn counters(&self) -> Vec<Counter> {
        let plan = self.plan();
        let done = self.done(&plan);
        let all = plan.steps.len();
        let of =
            |count: fn(Step) -> u32| format!("{} of {}", plan.total(done, count), plan.total(all, count));
        let bytes = self.bytes();
        let sum = |count: &dyn Fn(&Step) -> f64| number(plan.steps.iter().map(count).sum());
        let passes = f64::from(plan.total(all, |s| s.dram_writes() + s.dram_reads()));
        vec![
            Counter::new("CPU copies", of(Step::cpu_copies)),
            Counter::new("Written to DRAM", of(Step::dram_writes)),
            Counter::new("Read from DRAM", of(Step::dram_reads)),
            Counter::new("DMA transfers", of(Step::dma_transfers)),
            Counter::new("System calls", sum(&|s| s.syscalls.count(bytes))),
            Counter::new(fault_label(&plan), sum(&|s| s.faults.count(bytes))),
            Counter::new("DRAM traffic", bytes_decimal(passes * bytes)),
            Counter::new("One by one", duration_ns(self.rates().serial_s(&plan, bytes) * 1e9)),
            Counter::new("Overlapped", duration_ns(self.rates().bound(&plan, bytes).1 * 1e9)),
        ]
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&[
            "Step",
            "From",
            "To",
            "Who moves the bytes",
            "Calls",
            "DRAM writes",
            "DRAM reads",
            "System calls",
            "Page faults",
            "Alone",
        ]);
        for (i, step) in self.plan().steps.iter().enumerate() {
            let faults = step.faults.count(self.bytes());
            let faults = match faults > 0.0 {
                true => format!("{} ({})", number(faults), step.faults.class()),
                false => "0".into(),
            };
            table.row([
                (i + 1).to_string(),
                spot_text(step.from).to_owned(),
                spot_text(step.to).to_owned(),
                step.mover.text().to_owned(),
                step.calls.to_owned(),
                step.dram_writes().to_string(),
                step.dram_reads().to_string(),
                number(step.syscalls.count(self.bytes())),
                faults,
                duration_ns(self.rates().step_s(*step, self.bytes()) * 1e9),
            ]);
        }
        table
    }
}

fn fault_label(plan: &Plan) -> &'static str {
    let takes = |faults: &[Faults]| plan.steps.iter().any(|s| faults.contains(&s.faults));
    if takes(&[Faults::MappedCold]) {
        "Page faults, some major"
    } else if takes(&[Faults::FreshBuffer, Faults::Mapped]) {
        "Page faults, minor"
    } else {
        "Page faults"
    }
}

/// A place in words.
pub fn spot_text(spot: Spot) -> &'static str {
    match spot {
        Spot::Drive => "the drive",
        Spot::PageCache => "the page cache",
        Spot::UserBuffer => "the user buffer",
        Spot::Staging => "the driver's staging buffer",
        Spot::Gpu => "GPU memory",
        Spot::Bounce => "a pinned bounce buffer",
        Spot::Nic => "the NIC",
    }
}

fn place_text(spot: Spot) -> &'static str {
    if spot == Spot::PageCache { "in the page cache" } else { "on the drive" }
}

fn bound_text(resource: super::Resource) -> &'static str {
    use super::Resource::*;
    match resource {
        Drive => "the drive",
        Core => "the copying core",
        PcieIn => "PCIe towards the GPU",
        PcieOut => "PCIe from the GPU",
        Nic => "the NIC",
        Dram => "host DRAM",
    }
}

#[cfg(test)]
mod tests;
