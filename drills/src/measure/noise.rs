//! What else the machine did while a number was taken.
//!
//! A benchmark on a busy machine prints a number that looks like any other. So each measurement is
//! watched: time that tasks waited for a CPU (pressure stall information), time that the hypervisor
//! took away, how often the measuring thread was thrown off its CPU, and the spread of the samples.

use std::fs;

use drills_results::{Measurement, Reason, Stats, Status, Unit};

use crate::measure::clock::now_ns;

/// Share of the time that some task waited for a CPU, above which a number is not trusted.
pub const MOST_CPU_PRESSURE: f64 = 0.10;
/// Share of CPU time taken by the hypervisor, above which a number is not trusted.
pub const MOST_STEAL: f64 = 0.02;
/// Preemptions of the measuring thread per second, above which a number is not trusted. A thread alone
/// on its CPU sees a few; one that shares it sees at least one for each scheduler slice of 3 to 10 ms.
pub const MOST_PREEMPTIONS_PER_S: f64 = 50.0;
/// Median absolute deviation over median, above which a number is not trusted.
pub const MOST_SPREAD: f64 = 0.10;

/// A reading of the counters at the start of a measurement, on the thread that measures.
#[derive(Clone, Debug)]
pub struct Watch {
    start: Counters,
}

impl Watch {
    /// Reads the counters.
    pub fn start() -> Self {
        Self { start: Counters::read() }
    }

    /// What happened since the start.
    pub fn so_far(&self) -> Surroundings {
        Surroundings::between(&self.start, &Counters::read())
    }

    /// The measurement as it is, or as `unstable` with the reason.
    pub fn judge(&self, measurement: Measurement) -> Measurement {
        judge(measurement, &self.so_far())
    }
}

/// What surrounded a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// Share of the time that some task waited for a CPU; absent without pressure information.
    pub cpu_pressure: Option<f64>,
    /// Share of all CPUs' time that the hypervisor took.
    pub steal: Option<f64>,
    /// How often the measuring thread was thrown off its CPU, per second.
    pub preemptions_per_s: f64,
}

impl Surroundings {
    fn between(start: &Counters, end: &Counters) -> Self {
        let ns = end.at_ns.saturating_sub(start.at_ns).max(1) as f64;
        let pressure_us = end.pressure_us.zip(start.pressure_us).map(|(e, s)| e.saturating_sub(s));
        let ticks = end.ticks.zip(start.ticks).map(|(e, s)| {
            (e.stolen.saturating_sub(s.stolen) as f64, e.all.saturating_sub(s.all).max(1) as f64)
        });
        Self {
            cpu_pressure: pressure_us.map(|us| us as f64 * 1e3 / ns),
            steal: ticks.map(|(stolen, all)| stolen / all),
            preemptions_per_s: end.preemptions.saturating_sub(start.preemptions) as f64 * 1e9 / ns,
        }
    }
}

/// Marks a measurement `unstable` when its surroundings or its spread say so. The first reason wins, in
/// the order in which a reader can do something about it.
pub fn judge(mut measurement: Measurement, around: &Surroundings) -> Measurement {
    if measurement.status != Status::Ok {
        return measurement;
    }
    // Where the distribution is the result, and for shares near zero, spread is no sign of noise.
    let spread_is_noise = measurement.histogram.is_none() && measurement.unit != Unit::Ratio;
    let stats = measurement.stats.as_ref().filter(|_| spread_is_noise);
    if let Some(reason) = trouble(stats, around) {
        measurement.status = Status::Unstable;
        measurement.reason = Some(reason);
    }
    measurement
}

fn trouble(stats: Option<&Stats>, around: &Surroundings) -> Option<Reason> {
    if let Some(share) = around.cpu_pressure.filter(|share| *share > MOST_CPU_PRESSURE) {
        return Some(Reason::new(
            "cpu-pressure",
            format!("Some task waited for a CPU {:.0} % of the time.", share.min(1.0) * 100.0),
            "Run again while nothing else runs.",
        ));
    }
    if let Some(share) = around.steal.filter(|share| *share > MOST_STEAL) {
        return Some(Reason::new(
            "stolen-time",
            format!("The hypervisor took {:.0} % of the CPU time.", share * 100.0),
            "Run again when the host is quieter, or on dedicated CPUs.",
        ));
    }
    if around.preemptions_per_s > MOST_PREEMPTIONS_PER_S {
        return Some(Reason::new(
            "preempted",
            format!(
                "The measuring thread was thrown off its CPU {:.0} times a second.",
                around.preemptions_per_s
            ),
            "Run again while nothing else runs.",
        ));
    }
    let spread = stats.filter(|s| s.p50 != 0.0).map(|s| (s.mad / s.p50).abs())?;
    (spread > MOST_SPREAD).then(|| {
        Reason::new(
            "wide-spread",
            format!("Half of the samples are more than {:.0} % away from the median.", spread * 100.0),
            "Compare several runs; frequency scaling and shared caches do this.",
        )
    })
}

#[derive(Clone, Copy, Debug, Default)]
struct Ticks {
    stolen: u64,
    all: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    at_ns: u64,
    pressure_us: Option<u64>,
    ticks: Option<Ticks>,
    preemptions: u64,
}

impl Counters {
    fn read() -> Self {
        let text = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            at_ns: now_ns(),
            pressure_us: pressure_us(&text("/proc/pressure/cpu")),
            ticks: ticks(&text("/proc/stat")),
            preemptions: preemptions(),
        }
    }
}

/// `total=` of the `some` line, in microseconds. Absent on kernels without pressure information.
fn pressure_us(text: &str) -> Option<u64> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    some.split_whitespace().find_map(|field| field.strip_prefix("total="))?.parse().ok()
}

/// Column 8 of the `cpu` line is stolen time; columns 9 and 10 are counted in the first two already.
fn ticks(text: &str) -> Option<Ticks> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let columns: Vec<u64> = line.split_whitespace().map_while(|column| column.parse().ok()).take(8).collect();
    Some(Ticks { stolen: *columns.get(7)?, all: columns.iter().sum() })
}

fn preemptions() -> u64 {
    // SAFETY: an all-zero rusage is a valid value of that plain struct.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel fills the struct it is given.
    let result = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &mut usage) };
    if result == 0 { usage.ru_nivcsw.max(0) as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(mad: f64) -> Measurement {
        let stats = Stats { n: 9, min: 90.0, p50: 100.0, p90: 110.0, p99: 111.0, max: 112.0, mad };
        Measurement { stats: Some(stats), ..Measurement::ok("latency.syscall", Unit::Ns, 100.0, "test") }
    }

    fn code(mad: f64, around: Surroundings) -> Option<String> {
        judge(measured(mad), &around).reason.map(|r| r.code)
    }

    #[test]
    fn a_quiet_machine_is_ok() {
        let quiet = Surroundings { cpu_pressure: Some(0.05), steal: Some(0.01), preemptions_per_s: 3.0 };
        let judged = judge(measured(5.0), &quiet);
        assert_eq!((judged.status, judged.reason), (Status::Ok, None));
        assert_eq!(code(5.0, Surroundings::default()), None, "no pressure information is no noise");
    }

    #[test]
    fn each_kind_of_noise_has_its_reason_and_keeps_the_value() {
        let with =
            |cpu_pressure, steal, preemptions_per_s| Surroundings { cpu_pressure, steal, preemptions_per_s };
        assert_eq!(code(1.0, with(Some(0.5), None, 0.0)).as_deref(), Some("cpu-pressure"));
        assert_eq!(code(1.0, with(Some(0.0), Some(0.2), 0.0)).as_deref(), Some("stolen-time"));
        assert_eq!(code(1.0, with(None, None, 400.0)).as_deref(), Some("preempted"));
        assert_eq!(code(11.0, with(None, None, 0.0)).as_deref(), Some("wide-spread"));
        let judged = judge(measured(11.0), &Surroundings::default());
        assert_eq!((judged.status, judged.value), (Status::Unstable, Some(100.0)));
    }

    #[test]
    fn a_distribution_may_be_wide() {
        let histogram = crate::measure::histogram::of(&[1.0, 100.0]);
        let wide = Measurement { histogram, ..measured(50.0) };
        assert_eq!(judge(wide, &Surroundings::default()).status, Status::Ok);
    }

    #[test]
    fn a_skip_stays_a_skip() {
        let skipped =
            Measurement::skipped("copy.d2d", Unit::BytesPerS, "copy.events", Reason::new("x", "y", ""));
        let noisy = Surroundings { cpu_pressure: Some(1.0), ..Surroundings::default() };
        assert_eq!(judge(skipped.clone(), &noisy), skipped);
    }

    #[test]
    fn files_of_old_and_new_kernels() {
        let new =
            "some avg10=1.5 avg60=0.1 avg300=0.0 total=123456\nfull avg10=0.0 avg60=0.0 avg300=0.0 total=0\n";
        assert_eq!(pressure_us(new), Some(123_456));
        assert_eq!(pressure_us("some avg10=0.0 total=7\n"), Some(7));
        assert_eq!(pressure_us(""), None);
        let t = ticks("cpu  10 20 30 40 50 60 70 80 5 6\ncpu0 1 2 3\n").expect("a cpu line");
        assert_eq!((t.stolen, t.all), (80, 360));
        assert!(ticks("cpu  10 20 30 40\n").is_none(), "too old to know stolen time");
    }

    #[test]
    fn shares_come_from_differences() {
        let start = Counters {
            at_ns: 0,
            pressure_us: Some(100),
            ticks: Some(Ticks { stolen: 0, all: 100 }),
            preemptions: 5,
        };
        let end = Counters {
            at_ns: 1_000_000_000,
            pressure_us: Some(250_100),
            ticks: Some(Ticks { stolen: 10, all: 300 }),
            preemptions: 25,
        };
        let around = Surroundings::between(&start, &end);
        assert_eq!(around.cpu_pressure, Some(0.25));
        assert_eq!(around.steal, Some(0.05));
        assert_eq!(around.preemptions_per_s, 20.0);
    }
}
