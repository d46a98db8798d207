//! What an all-reduce costs: a fit inside a domain, phases across domains.

use super::machine::Machine;

/// Share of the slower phase's rate that is reached when phases overlap. Chosen on the published runs of
/// 8 GiB with two nodes, eight nodes and two racks: a fit, no prediction.
pub const OVERLAP: f64 = 0.9;
/// One way across the network, for the floor of small messages: 2 x 8 H20 take 46 µs, 18 more than eight H100.
pub const TRIP_US: f64 = 9.0;
/// Bytes of the runs with which phases were compared.
pub const EIGHT_GIB: f64 = 8_589_934_592.0;

/// T = a + S/B + sqrt(a S/B), fitted to a published run: a fixed part, a transfer, and what lies between a
/// pipeline that never overlaps (Hockney) and one that is cut anew for each size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// GPUs of the run.
    pub gpus: u16,
    /// Fixed part.
    pub alpha_us: f64,
    /// Rate of the array, GB/s.
    pub gb_per_s: f64,
    /// What 8 GiB took in a published run; 0 if none is known.
    pub eight_gib_us: f64,
    /// Smallest size for which the fit was made; 0 for all sizes.
    pub from_bytes: f64,
}

impl Fit {
    /// Time of an all-reduce.
    pub fn time_us(&self, bytes: f64) -> f64 {
        let transfer_us = bytes / (self.gb_per_s * 1e3);
        self.alpha_us + transfer_us + (self.alpha_us * transfer_us).sqrt()
    }

    /// How far the published run of 8 GiB lies from the fit; 1 if there is none. The phases of a hierarchy
    /// were compared with that run.
    pub fn scale(&self) -> f64 {
        if self.eight_gib_us > 0.0 { self.eight_gib_us / self.time_us(EIGHT_GIB) } else { 1.0 }
    }

    /// The fit for a number of GPUs; in between, along the logarithm of the number.
    pub fn of(fits: &[Self], gpus: u16) -> Self {
        let above = fits.iter().position(|f| f.gpus >= gpus).unwrap_or(fits.len() - 1);
        let high = fits[above];
        if above == 0 || high.gpus <= gpus {
            return high;
        }
        let low = fits[above - 1];
        let log = |n: u16| f64::from(n).log2();
        let share = (log(gpus) - log(low.gpus)) / (log(high.gpus) - log(low.gpus));
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self {
            gpus,
            alpha_us: mix(low.alpha_us, high.alpha_us),
            gb_per_s: mix(low.gb_per_s, high.gb_per_s),
            eight_gib_us: mix(low.eight_gib_us, high.eight_gib_us),
            from_bytes: high.from_bytes,
        }
    }
}

/// The phases of an all-reduce over several domains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phases {
    /// Reduce-scatter and all-gather inside the domains.
    pub inside_us: f64,
    /// Slices across the network, each over its own NIC: 2(N-1)/N x S/d.
    pub across_us: f64,
    /// Less is not possible: the fixed part and two trips for each level of a tree over the domains.
    pub floor_us: f64,
}

impl Phases {
    /// The phases for `bytes` on `domains` domains of `gpus` GPUs.
    pub fn of(machine: &Machine, gpus: u16, domains: u16, bytes: f64) -> Self {
        let fit = Fit::of(machine.fits, gpus);
        let n = f64::from(domains);
        let slice_bytes = bytes / f64::from(gpus);
        let levels = if domains > 1 { n.log2().ceil() } else { 0.0 };
        Self {
            inside_us: fit.time_us(bytes) * fit.scale(),
            across_us: 2.0 * (n - 1.0) / n * slice_bytes / (machine.nic_gb_per_s * 1e3),
            floor_us: fit.alpha_us + 2.0 * levels * TRIP_US,
        }
    }

    /// Time if the phases overlap: the slower one sets the pace.
    pub fn overlapped_us(&self) -> f64 {
        (self.inside_us.max(self.across_us) / OVERLAP).max(self.floor_us)
    }

    /// Time if one phase waits for the other.
    pub fn summed_us(&self) -> f64 {
        (self.inside_us + self.across_us).max(self.floor_us)
    }
}

/// How much a curve is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Made from published runs of this machine and number of GPUs.
    Fitted,
    /// Not made from them, but published runs are there to check it, and they agree.
    Checked,
    /// Nobody published a run.
    Expected,
    /// Published runs disagree: the model lacks what limits this machine.
    Misfit,
}

/// Domains of 72 GPUs from which on the model is known to fail.
pub const MISFIT_RACKS: u16 = 20;

impl Standing {
    /// Standing of the fitted curve for a machine.
    pub fn of(machine: &Machine, gpus: u16, domains: u16, checked: bool) -> Self {
        if machine.domain_gpus == 72 && domains >= MISFIT_RACKS {
            Self::Misfit
        } else if machine.published && domains == 1 && machine.fits.iter().any(|f| f.gpus == gpus) {
            Self::Fitted
        } else if checked {
            Self::Checked
        } else {
            Self::Expected
        }
    }
}

/// Factor between the rate of the array and bus bandwidth: 2(n-1)/n.
pub fn bus_factor(ranks: f64) -> f64 {
    2.0 * (ranks - 1.0) / ranks
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;
