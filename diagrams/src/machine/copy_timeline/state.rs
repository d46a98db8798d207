//! What the reader chose, and what follows from it in words.

use std::rc::Rc;

use super::model::{Direction, Job, Machine, Memory, Registration, Trace};
use crate::kit::units::{bytes, duration_ns, number, percent, rate};
use crate::kit::{Counter, DataTable, FigureModel, LogScale, Query, Recall};

/// Sizes of a copy as powers of two: 4 KiB to 1 GiB.
pub const SIZE_EXPONENTS: (u32, u32) = (12, 30);
/// Sizes of a staging buffer as powers of two: 256 KiB to 32 MiB.
pub const CHUNK_EXPONENTS: (u32, u32) = (18, 25);
/// Memcpy rates: a slow core to more than any link here.
pub const MEMCPY: LogScale = LogScale { min: 1e9, max: 128e9, steps: 84 };
/// Link rates: PCIe 3.0 x4 to NVLink-C2C.
pub const LINK: LogScale = LogScale { min: 3e9, max: 450e9, steps: 84 };
/// Kernel run times.
pub const KERNEL_NS: LogScale = LogScale { min: 1e4, max: 1e8, steps: 80 };
/// Copies in a row at most.
pub const MAX_COPIES: usize = 4;

/// State of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyTimeline {
    /// What the machine can do.
    pub machine: Machine,
    /// Size of one copy as a power of two.
    pub size_exponent: u32,
    /// Size of a staging buffer as a power of two.
    pub chunk_exponent: u32,
    /// Number of staging buffers.
    pub buffers: usize,
    /// Which way.
    pub direction: Direction,
    /// Copies in a row.
    pub copies: usize,
    /// Run time of the kernel on the SMs.
    pub kernel_ns: f64,
    /// How often the third variant registers.
    pub registration: Registration,
    /// What was measured on the reader's machine, with its label.
    pub yours: Option<(String, Machine)>,
}

impl Default for CopyTimeline {
    fn default() -> Self {
        Self {
            machine: Machine::H200,
            size_exponent: 28,
            chunk_exponent: 22,
            buffers: 2,
            direction: Direction::default(),
            copies: 1,
            kernel_ns: 4e6,
            registration: Registration::default(),
            yours: None,
        }
    }
}

impl CopyTimeline {
    /// The job to run.
    pub fn job(&self) -> Job {
        Job {
            machine: self.machine,
            direction: self.direction,
            bytes: f64::from(2u32.pow(self.size_exponent)),
            chunk_bytes: f64::from(2u32.pow(self.chunk_exponent)),
            buffers: self.buffers,
            copies: self.copies,
            kernel_ns: self.kernel_ns,
            registration: self.registration,
        }
    }

    /// The three variants, in the order of [`Memory::ALL`].
    pub fn traces(&self) -> Rc<[Trace; 3]> {
        thread_local! {
            static LAST: Recall<Job, Rc<[Trace; 3]>> = const { Recall::new() };
        }
        let job = self.job();
        LAST.with(|last| last.get(job, || Rc::new(Memory::ALL.map(|memory| job.run(memory)))))
    }

    /// Whether the numbers are those of the reader's machine.
    pub fn is_yours(&self) -> bool {
        self.yours.as_ref().is_some_and(|(_, machine)| *machine == self.machine)
    }

    fn pace(&self) -> &'static str {
        if self.machine.memcpy_bytes_per_s < self.machine.link_bytes_per_s {
            "one core's memcpy sets the pace"
        } else {
            "the link sets the pace"
        }
    }

    fn pageable_reading(&self, job: &Job, trace: &Trace) -> String {
        let held = duration_ns(trace.held_ns);
        if job.is_inline() {
            return format!(
                "The driver packs so few bytes into the command itself (its own affair, not documented): the pageable call is back after {held}"
            );
        }
        let calls = if self.copies == 1 { "call holds" } else { "calls hold" };
        format!(
            "The pageable {calls} the thread for {held}: {}, and the copy engine idles {} of the time",
            self.pace(),
            percent(trace.engine_idle())
        )
    }
}

impl FigureModel for CopyTimeline {
    fn to_query(&self) -> Query {
        let d = Self::default();
        let (m, h200) = (self.machine, d.machine);
        Query::new()
            .set("size", self.size_exponent, d.size_exponent)
            .set("memcpy", gb(m.memcpy_bytes_per_s), gb(h200.memcpy_bytes_per_s))
            .set("link", gb(m.link_bytes_per_s), gb(h200.link_bytes_per_s))
            .set("chunk", self.chunk_exponent, d.chunk_exponent)
            .set("buffers", self.buffers, d.buffers)
            .set("copies", self.copies, d.copies)
            .set("kernel", self.kernel_ns, d.kernel_ns)
            .set("back", self.direction == Direction::ToHost, false)
            .set("each", self.registration == Registration::EachTime, false)
            .set("submit", m.submit_ns, h200.submit_ns)
            .set("register", m.register_ns_per_gib, h200.register_ns_per_gib)
            .set("release", m.unregister_ns_per_gib, h200.unregister_ns_per_gib)
    }

    fn from_query(query: &Query) -> Self {
        let d = Self::default();
        let h200 = d.machine;
        let exponent = |key, default: u32, (low, high): (u32, u32)| {
            let value = query.number(key, f64::from(default), f64::from(low)..=f64::from(high));
            value.round() as u32
        };
        let rate = |key, default: f64, scale: LogScale| {
            query.number(key, default / 1e9, scale.min / 1e9..=scale.max / 1e9) * 1e9
        };
        Self {
            machine: Machine {
                memcpy_bytes_per_s: rate("memcpy", h200.memcpy_bytes_per_s, MEMCPY),
                link_bytes_per_s: rate("link", h200.link_bytes_per_s, LINK),
                submit_ns: query.number("submit", h200.submit_ns, 0.0..=1e7),
                register_ns_per_gib: query.number("register", h200.register_ns_per_gib, 0.0..=1e11),
                unregister_ns_per_gib: query.number("release", h200.unregister_ns_per_gib, 0.0..=1e11),
            },
            size_exponent: exponent("size", d.size_exponent, SIZE_EXPONENTS),
            chunk_exponent: exponent("chunk", d.chunk_exponent, CHUNK_EXPONENTS),
            buffers: query.parse("buffers", d.buffers).clamp(1, 4),
            direction: if query.parse("back", false) { Direction::ToHost } else { d.direction },
            copies: query.parse("copies", d.copies).clamp(1, MAX_COPIES),
            kernel_ns: query.number("kernel", d.kernel_ns, KERNEL_NS.min..=KERNEL_NS.max),
            registration: if query.parse("each", false) { Registration::EachTime } else { d.registration },
            yours: None,
        }
    }

    fn sentence(&self) -> String {
        let (job, traces) = (self.job(), self.traces());
        let [pageable, pinned, registered] = &*traces;
        let reading = self.pageable_reading(&job, pageable);
        let (whose, reading) = match &self.yours {
            Some((label, _)) if self.is_yours() => {
                (format!("With the numbers of {label}, "), reading.replacen("The", "the", 1))
            }
            _ => (String::new(), reading),
        };
        format!(
            "{whose}{reading}. Pinned holds it for {}, registered for {}.",
            duration_ns(pinned.held_ns),
            duration_ns(registered.held_ns),
        )
    }

    fn table(&self) -> DataTable {
        let job = self.job();
        let mut table = DataTable::new(&[
            "memory",
            "thread held",
            "last call returned",
            "last byte arrived",
            "effective rate",
            "copy engine idle",
            "kernel beside copy",
            "all done",
        ]);
        for (memory, trace) in Memory::ALL.into_iter().zip(self.traces().iter()) {
            table.row([
                memory.name().to_owned(),
                duration_ns(trace.held_ns),
                duration_ns(trace.returned_ns.last().copied().unwrap_or_default()),
                duration_ns(trace.arrived_ns),
                rate(job.rate(trace)),
                percent(trace.engine_idle()),
                duration_ns(trace.overlap_ns()),
                duration_ns(trace.end_ns()),
            ]);
        }
        let copies = format!("{} × {}", self.copies, bytes(job.bytes));
        let machine = &job.machine;
        let given = [
            format!("{} at", copies),
            format!("memcpy {}", rate(machine.memcpy_bytes_per_s)),
            format!("link {}", rate(machine.link_bytes_per_s)),
            format!("{} buffers of {}", self.buffers, bytes(job.chunk_bytes)),
            format!("submit {}", duration_ns(machine.submit_ns)),
            format!("register {}/GiB", duration_ns(machine.register_ns_per_gib)),
            format!("release {}/GiB", duration_ns(machine.unregister_ns_per_gib)),
            format!("kernel {}", duration_ns(self.kernel_ns)),
        ];
        table.row(given);
        table
    }

    fn counters(&self) -> Vec<Counter> {
        let job = self.job();
        let traces = self.traces();
        let [pageable, pinned, registered] = &*traces;
        vec![
            Counter::new("Pageable", rate(job.rate(pageable))),
            Counter::new("Pinned", rate(job.rate(pinned))),
            Counter::new("Registered", rate(job.rate(registered))),
            Counter::new("Copy engine idle, pageable", percent(pageable.engine_idle())),
            Counter::new("Thread held ÷ pinned copy", number(pageable.held_ns / pinned.arrived_ns)),
        ]
    }

    fn carry_over(self, before: &Self) -> Self {
        Self { yours: before.yours.clone(), ..self }
    }
}

/// A rate for the address: GB/s with the digits it has.
fn gb(bytes_per_s: f64) -> f64 {
    (bytes_per_s / 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_its_address() {
        let state = CopyTimeline {
            machine: Machine { memcpy_bytes_per_s: 11.3e9, submit_ns: 3_512.0, ..Machine::RTX4090 },
            size_exponent: 14,
            direction: Direction::ToHost,
            copies: 3,
            registration: Registration::EachTime,
            ..Default::default()
        };
        assert_eq!(CopyTimeline::from_query(&state.to_query()), state);
        assert!(CopyTimeline::default().to_query().is_empty());
    }

    #[test]
    fn nonsense_in_an_address_gives_the_default() {
        let hash = "#fig-x?size=99&memcpy=NaN&link=-1&chunk=x&buffers=&copies=-2&kernel=1e99&back=7&each=maybe&submit=inf";
        let query = Query::from_hash("x", hash).expect("is ours");
        assert_eq!(CopyTimeline::from_query(&query), CopyTimeline::default());
        let huge = Query::from_hash("x", "#fig-x?copies=4000000&buffers=4000000").expect("is ours");
        let state = CopyTimeline::from_query(&huge);
        assert_eq!((state.copies, state.buffers), (MAX_COPIES, 4));
    }

    #[test]
    fn the_sentence_names_what_sets_the_pace() {
        let slow = CopyTimeline::default();
        assert!(slow.sentence().contains("memcpy sets the pace"), "{}", slow.sentence());
        let fast = Machine { memcpy_bytes_per_s: 100e9, ..Machine::H200 };
        let fast = CopyTimeline { machine: fast, ..slow };
        assert!(fast.sentence().contains("the link sets the pace"), "{}", fast.sentence());
    }

    #[test]
    fn readings_survive_a_preset_and_are_named() {
        let yours = CopyTimeline { yours: Some(("my box".into(), Machine::RTX4090)), ..Default::default() };
        let kept = CopyTimeline { machine: Machine::RTX4090, ..Default::default() }.carry_over(&yours);
        assert!(kept.sentence().starts_with("With the numbers of my box"));
        assert!(!yours.sentence().contains("my box"));
    }
}
