//! State of the figure and what follows from it.

use super::choice::{Algorithm, View};
use super::cost::{Fit, Phases, Standing, bus_factor};
use super::machine::{MACHINES, Machine};
use super::nccl;
use super::own::OwnRuns;
use super::presets;
use super::published::{RUNS, Run};
use crate::kit::{Counter, DataTable, FigureModel, Query};

/// Sizes as powers of two: 1 KiB to 32 GiB.
pub const SIZES: (u32, u32) = (10, 35);
/// From this power of two on a miss counts: below, the fixed part is all there is.
pub const MISS_FROM: u8 = 20;

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct AllReduce {
    /// Index into [`MACHINES`].
    pub machine: usize,
    /// GPUs per domain.
    pub gpus: u16,
    /// Domains.
    pub domains: u16,
    /// Size of the array as a power of two.
    pub size_exponent: u32,
    /// What the axis shows.
    pub view: View,
    /// How the bytes go.
    pub algorithm: Algorithm,
    /// Whether the phases of a hierarchy wait for each other.
    pub summed: bool,
    /// The reader's own run.
    pub yours: OwnRuns,
}

impl Default for AllReduce {
    fn default() -> Self {
        Self::on(presets::H100, 8, 1, 30)
    }
}

/// A published point against the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    /// Size as a power of two.
    pub exponent: u8,
    /// Published time.
    pub time_us: f64,
    /// Published time by modelled time; none where the model says nothing.
    pub ratio: Option<f64>,
    /// Who published it.
    pub source: &'static str,
}

impl Miss {
    /// How far the model lies above the published time, as a share of it; below if negative.
    pub fn off(&self) -> Option<f64> {
        self.ratio.map(|ratio| 1.0 / ratio - 1.0)
    }
}

impl AllReduce {
    /// A state with the default view.
    pub fn on(machine: usize, gpus: u16, domains: u16, size_exponent: u32) -> Self {
        Self {
            machine,
            gpus,
            domains,
            size_exponent,
            view: View::Time,
            algorithm: Algorithm::Fit,
            summed: false,
            yours: OwnRuns::default(),
        }
    }

    /// The machine.
    pub fn machine(&self) -> &'static Machine {
        &MACHINES[self.machine.min(MACHINES.len() - 1)]
    }

    /// The same with another machine: a full domain stays full, and nothing exceeds what there is.
    pub fn with_machine(mut self, machine: usize) -> Self {
        let full = self.gpus == self.machine().domain_gpus;
        let from_pair = !self.machine().has_domain();
        self.machine = machine.min(MACHINES.len() - 1);
        let stops = self.machine().gpu_stops();
        let most = self.machine().domain_gpus;
        self.gpus = if full { most } else { below(stops, self.gpus) };
        let domains = if from_pair { 1 } else { self.domains };
        self.domains = below(self.machine().domain_stops(), domains);
        self
    }

    /// GPUs of the communicator.
    pub fn ranks(&self) -> f64 {
        f64::from(self.gpus) * f64::from(self.domains)
    }

    /// Kernels that they run under.
    pub fn kernels(&self) -> u16 {
        self.gpus.div_ceil(self.machine().host_gpus) * self.domains
    }

    /// Size of the array.
    pub fn bytes(&self) -> f64 {
        bytes_of(self.size_exponent)
    }

    /// Phases at a size; none in one domain.
    pub fn phases(&self, bytes: f64) -> Option<Phases> {
        let machine = self.machine();
        let several = self.domains > 1 && machine.has_domain();
        several.then(|| Phases::of(machine, self.gpus, self.domains, bytes))
    }

    /// Smallest size of which the fit says something.
    pub fn from_bytes(&self) -> f64 {
        Fit::of(self.machine().fits, self.gpus).from_bytes
    }

    /// Time by an algorithm; none where nothing is known, or the machine cannot.
    pub fn time_us(&self, algorithm: Algorithm, bytes: f64) -> Option<f64> {
        if algorithm != Algorithm::Fit {
            return nccl::time_us(self.machine(), algorithm, (self.gpus, self.domains), bytes);
        }
        if bytes < self.from_bytes() {
            return None;
        }
        Some(match self.phases(bytes) {
            None => Fit::of(self.machine().fits, self.gpus).time_us(bytes),
            Some(phases) if self.summed => phases.summed_us(),
            Some(phases) => phases.overlapped_us(),
        })
    }

    /// Time by the chosen algorithm at the chosen size.
    pub fn chosen_us(&self) -> Option<f64> {
        self.time_us(self.algorithm, self.bytes())
    }

    /// A time as the axis shows it: microseconds, or GB/s.
    pub fn on_axis(&self, bytes: f64, time_us: f64) -> f64 {
        let array = bytes / time_us / 1e3;
        match self.view {
            View::Time => time_us,
            View::Array => array,
            View::Bus => array * bus_factor(self.ranks()),
        }
    }

    /// Factor of bus bandwidth by that of another state.
    pub fn bus_share(&self, other: &Self) -> f64 {
        bus_factor(self.ranks()) / bus_factor(other.ranks())
    }

    /// Published runs of this machine and these numbers, with the chosen algorithm or, for the fit, where
    /// NCCL chose.
    pub fn runs(&self) -> Vec<&'static Run> {
        let forced = (self.algorithm != Algorithm::Fit).then_some(self.algorithm);
        let id = self.machine().id;
        let same = |run: &&Run| run.machine == id && run.size == (self.gpus, self.domains);
        RUNS.iter().filter(same).filter(|run| run.algorithm == forced).collect()
    }

    /// Published points against the model.
    pub fn misses(&self) -> Vec<Miss> {
        let mut all = Vec::new();
        for run in self.runs() {
            for &(exponent, time_us) in run.points {
                let time_us = f64::from(time_us);
                let model = self.time_us(self.algorithm, bytes_of(exponent.into()));
                let ratio = model.map(|model| time_us / model);
                all.push(Miss { exponent, time_us, ratio, source: run.source });
            }
        }
        all
    }

    /// Median distance of published points from the model, from 1 MiB up, as a share.
    pub fn median_miss(&self) -> Option<f64> {
        let distance = |m: &Miss| m.off().filter(|_| m.exponent >= MISS_FROM).map(f64::abs);
        let mut all: Vec<f64> = self.misses().iter().filter_map(distance).collect();
        all.sort_by(f64::total_cmp);
        let middle = [all.len().saturating_sub(1) / 2, all.len() / 2];
        let [low, high] = middle.map(|i| all.get(i).copied());
        Some((low? + high?) / 2.0)
    }

    /// What the fitted curve is worth here.
    pub fn standing(&self) -> Standing {
        let fit = Self { algorithm: Algorithm::Fit, ..self.clone() };
        Standing::of(
            self.machine(),
            self.gpus,
            self.domains,
            !fit.runs().is_empty() && self.machine().published,
        )
    }
}

/// Bytes of a power of two.
pub fn bytes_of(exponent: u32) -> f64 {
    f64::from(exponent).exp2()
}

/// The largest stop that is not above a number.
fn below(stops: &[u16], number: u16) -> u16 {
    stops.iter().rev().copied().find(|stop| *stop <= number).unwrap_or(stops[0])
}

fn word_of<T: Copy>(all: &[T], word: fn(T) -> &'static str, query: Option<&str>) -> Option<T> {
    query.and_then(|q| all.iter().copied().find(|v| word(*v) == q))
}

impl FigureModel for AllReduce {
    fn to_query(&self) -> Query {
        let d = Self::default();
        let full = self.machine().domain_gpus;
        Query::new()
            .set("machine", self.machine().id, d.machine().id)
            .set("gpus", self.gpus, full)
            .set("domains", self.domains, self.machine().domain_stops()[0])
            .set("size", self.size_exponent, d.size_exponent)
            .set("view", self.view.word(), d.view.word())
            .set("by", self.algorithm.word(), d.algorithm.word())
            .set("sum", self.summed, false)
    }

    fn from_query(query: &Query) -> Self {
        let d = Self::default();
        let id = query.get("machine").unwrap_or(d.machine().id);
        let index = MACHINES.iter().position(|m| m.id == id).unwrap_or(d.machine);
        let machine = &MACHINES[index];
        let size = query.parse("size", d.size_exponent);
        Self {
            machine: index,
            gpus: below(machine.gpu_stops(), query.parse("gpus", machine.domain_gpus)),
            domains: below(machine.domain_stops(), query.parse("domains", 1)),
            size_exponent: if (SIZES.0..=SIZES.1).contains(&size) { size } else { d.size_exponent },
            view: word_of(&View::ALL, View::word, query.get("view")).unwrap_or(d.view),
            algorithm: word_of(&Algorithm::ALL, Algorithm::word, query.get("by")).unwrap_or(d.algorithm),
            summed: query.parse("sum", false),
            yours: OwnRuns::default(),
        }
    }

    fn sentence(&self) -> String {
        super::words::sentence(self)
    }

    fn note(&self) -> Option<String> {
        Some(super::words::note(self))
    }

    fn table(&self) -> DataTable {
        super::words::table(self)
    }

    fn counters(&self) -> Vec<Counter> {
        super::words::counters(self)
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
