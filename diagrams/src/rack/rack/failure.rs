//! What each failure takes down, who notices, and what survives.
//!
//! The rules, each with a test: NVIDIA's IMEX guide (connections, quorum, clean up), NMX Manager (partition
//! health), NCCL (a communicator cannot lose ranks), and the wiring of the rack.

use super::model::{Fault, Job, Mode, Rack, Stage};
use super::plant::{GPUS, JOB_TRAYS, LINK_GB_PER_S, LINKS, SWITCH_LINKS, TRAY_GPUS, TRAYS, tray_of};

/// A kernel, as its log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Nothing to report.
    Fine,
    /// A process ended; memory, descriptors and mappings were cleaned up.
    CleanedUp,
    /// An Xid in `dmesg`: a GPU or an NVLink of this tray.
    Xid,
    /// The host is down.
    Down,
}

/// The IMEX daemon of a tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Daemon {
    /// Connected to all others.
    Connected,
    /// Lost one of its peers.
    LostPeer,
    /// Reaches nobody.
    Alone,
    /// Not running.
    Down,
    /// Started again: another instance, which remembers nothing.
    NewInstance,
}

/// A GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpu {
    /// Computes.
    Works,
    /// Computes with fewer links.
    Slow,
    /// Computes, waiting in each collective for a slower one.
    Waits,
    /// In order, but its job stopped.
    Stopped,
    /// In order, and in reserve.
    Spare,
    /// Taken out of use by the fabric's manager, since it lacks links.
    Parked,
    /// Gone.
    Lost,
}

/// Whether another job like the running one would start now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It would.
    Yes,
    /// Only some of the eighteen small jobs.
    Some(u8),
    /// Too few GPUs are left.
    TooFew,
    /// The partition is not operational.
    NoFabric,
    /// An import from another tray fails.
    ImportFails,
}

/// What the state does to everybody.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Kernels, by tray.
    pub kernels: [Kernel; TRAYS as usize],
    /// Daemons, by tray.
    pub daemons: [Daemon; TRAYS as usize],
    /// GPUs.
    pub gpus: [Gpu; GPUS as usize],
    /// Links of the GPU that has fewest, of those in use.
    pub links: u8,
    /// Ordered pairs of trays of which one maps memory of the other.
    pub imports: u16,
    /// Those that the driver has marked invalid: the next access is an error.
    pub invalid: u16,
    /// Whether another such job would start.
    pub start: Start,
}

/// Trays that a job uses.
fn job_trays(job: Job) -> u8 {
    if job == Job::Spares { JOB_TRAYS } else { TRAYS }
}

impl Outcome {
    /// The outcome of a state.
    pub fn of(state: &Rack) -> Self {
        let mut this = Self::healthy(state.job);
        if state.stage == Stage::Back {
            this.repair(state);
            return this;
        }
        this.damage(state);
        this.start = this.next_start(state);
        this
    }

    fn healthy(job: Job) -> Self {
        let used = job_trays(job);
        let mut gpus = [Gpu::Works; GPUS as usize];
        gpus[usize::from(used * TRAY_GPUS)..].fill(Gpu::Spare);
        let pairs = u16::from(used) * u16::from(used - 1);
        Self {
            kernels: [Kernel::Fine; TRAYS as usize],
            daemons: [Daemon::Connected; TRAYS as usize],
            gpus,
            links: LINKS,
            imports: if job == Job::PerTray { 0 } else { pairs },
            invalid: 0,
            start: Start::Yes,
        }
    }

    fn damage(&mut self, state: &Rack) {
        let (gpu, tray) = (usize::from(state.gpu), usize::from(state.tray()));
        let first = tray * usize::from(TRAY_GPUS);
        match state.fault {
            Fault::None => {}
            Fault::Process => {
                // A tray in reserve runs no process of the job.
                if self.gpus[gpu] == Gpu::Works {
                    self.kernels[tray] = Kernel::CleanedUp;
                    self.stop(state.job, state.tray());
                }
            }
            Fault::Gpu => {
                self.kernels[tray] = Kernel::Xid;
                self.stop(state.job, state.tray());
                self.gpus[gpu] = Gpu::Lost;
            }
            Fault::Tray => {
                self.kernels[tray] = Kernel::Down;
                self.lose_peer(tray);
                self.stop(state.job, state.tray());
                self.gpus[first..first + usize::from(TRAY_GPUS)].fill(Gpu::Lost);
            }
            Fault::Link => {
                self.kernels[tray] = Kernel::Xid;
                if state.mode == Mode::Full {
                    self.stop(state.job, state.tray());
                    self.gpus[gpu] = Gpu::Parked;
                } else {
                    self.slow(state);
                }
            }
            Fault::Switch => {
                self.kernels.fill(Kernel::Xid);
                if state.mode == Mode::Full {
                    self.gpus.fill(Gpu::Parked);
                    self.imports = 0;
                } else {
                    self.links = LINKS - SWITCH_LINKS;
                    for gpu in self.gpus.iter_mut().filter(|g| **g == Gpu::Works) {
                        *gpu = Gpu::Slow;
                    }
                }
            }
            Fault::Daemon => {
                self.lose_peer(tray);
                if state.grace {
                    self.invalidate(state.job, state.tray());
                }
            }
            Fault::Management => {
                self.daemons.fill(Daemon::Alone);
                if state.grace && self.imports > 0 {
                    self.invalid = self.imports;
                    self.stop(state.job, 0);
                }
            }
        }
    }

    /// A daemon is gone. The others keep their references: by default nothing is cleaned up.
    fn lose_peer(&mut self, tray: usize) {
        self.daemons.fill(Daemon::LostPeer);
        self.daemons[tray] = Daemon::Down;
    }

    /// One GPU of the chosen job has a link less; the others of its communicator wait for it.
    fn slow(&mut self, state: &Rack) {
        if self.gpus[usize::from(state.gpu)] == Gpu::Spare {
            return;
        }
        self.links = LINKS - 1;
        for other in 0..GPUS {
            if self.same_job(state.job, tray_of(other), state.tray()) {
                self.gpus[usize::from(other)] = Gpu::Waits;
            }
        }
        self.gpus[usize::from(state.gpu)] = Gpu::Slow;
    }

    fn same_job(&self, job: Job, a: u8, b: u8) -> bool {
        if job == Job::PerTray { a == b } else { a.max(b) < job_trays(job) }
    }

    /// The communicator that has ranks on `tray` stops: it cannot lose members.
    fn stop(&mut self, job: Job, tray: u8) {
        for gpu in 0..GPUS {
            if self.same_job(job, tray_of(gpu), tray) {
                self.gpus[usize::from(gpu)] = Gpu::Stopped;
                self.imports = 0;
            }
        }
    }

    /// The driver marks all imports from a tray invalid; their holders stop at the next access.
    fn invalidate(&mut self, job: Job, tray: u8) {
        if self.imports > 0 && tray < job_trays(job) {
            self.stop(job, tray);
            self.invalid = u16::from(job_trays(job)) - 1;
        }
    }

    /// It is back. What stopped has been started again; what went on is still running.
    fn repair(&mut self, state: &Rack) {
        let tray = usize::from(state.tray());
        match state.fault {
            // Another instance answers under the old address: now references are cleaned up.
            Fault::Daemon => {
                self.daemons[tray] = Daemon::NewInstance;
                if !state.grace {
                    self.invalidate(state.job, state.tray());
                }
            }
            Fault::Tray => self.daemons[tray] = Daemon::NewInstance,
            // The same instances find each other again: nothing to clean up.
            _ => {}
        }
    }

    fn next_start(&self, state: &Rack) -> Start {
        let spans = state.job != Job::PerTray;
        let missing = |tray: u8| {
            let first = usize::from(tray * TRAY_GPUS);
            self.gpus[first..first + usize::from(TRAY_GPUS)]
                .iter()
                .any(|g| matches!(g, Gpu::Lost | Gpu::Parked))
        };
        let usable = (0..TRAYS).filter(|&tray| !missing(tray)).count() as u8;
        match state.fault {
            Fault::Switch if state.mode == Mode::Full => Start::NoFabric,
            Fault::Management if spans => Start::ImportFails,
            // The scheduler does not see a dead daemon, so it uses the tray as before.
            Fault::Daemon if spans && state.tray() < job_trays(state.job) => Start::ImportFails,
            _ if !spans && usable < TRAYS => Start::Some(usable),
            _ if spans && usable < job_trays(state.job) => Start::TooFew,
            _ => Start::Yes,
        }
    }

    /// Ranks that stopped, GPUs that are gone included.
    pub fn stopped(&self, job: Job) -> u8 {
        let used = usize::from(job_trays(job) * TRAY_GPUS);
        let running = |g: &&Gpu| matches!(g, Gpu::Works | Gpu::Slow | Gpu::Waits);
        used as u8 - self.gpus[..used].iter().filter(running).count() as u8
    }

    /// Kernels that report something.
    pub fn reporting(&self) -> u8 {
        self.kernels.iter().filter(|k| **k != Kernel::Fine).count() as u8
    }

    /// NVLink of the slowest rank, one direction.
    pub fn slowest_gb_per_s(&self) -> f64 {
        f64::from(self.links) * LINK_GB_PER_S
    }
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
