//! Who does what when a buffer is copied between host and device: calling thread, staging buffers, copy
//! engine, and the kernel that the thread launches after each copy call.

pub use super::machine::Machine;
use crate::kit::timeline::{Span, total_ns};

/// Largest pageable copy that the driver packs into the command itself. Driver internal, not documented;
/// the limit is where copies of pageable memory are seen to change their behaviour.
pub const INLINE_BYTES: f64 = 65_536.0;
/// From the submission until bytes flow. Chosen so that, with a link of 54.7 GB/s, pinned copies of 1 MiB
/// take the 28.6 µs that PyTorch events showed on an H200.
pub const START_NS: f64 = 5_000.0;
/// Submitting an empty kernel on the H200 host: 3.4 and 4.2 µs at the median of two runs.
pub const LAUNCH_NS: f64 = 4_000.0;
/// What each staged chunk costs besides its bytes. An assumption: the driver's loop is not documented.
pub const CHUNK_NS: f64 = 1_000.0;

const GIB: f64 = 1_073_741_824.0;

/// Which way the bytes go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Host to device.
    #[default]
    ToDevice,
    /// Device to host.
    ToHost,
}

/// How often the buffer is registered in the third variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registration {
    /// Before the first copy, and kept.
    #[default]
    Once,
    /// Before each copy, and released behind it.
    EachTime,
}

/// Where the host side of a copy lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Ordinary memory: staged by the driver.
    Pageable,
    /// Allocated as pinned.
    Pinned,
    /// Ordinary memory, registered by the program.
    Registered,
}

impl Memory {
    /// All three, as the picture shows them.
    pub const ALL: [Self; 3] = [Self::Pageable, Self::Pinned, Self::Registered];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pageable => "Pageable",
            Self::Pinned => "Pinned",
            Self::Registered => "Registered",
        }
    }
}

/// What is to be copied and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// What the machine can do.
    pub machine: Machine,
    /// Which way.
    pub direction: Direction,
    /// Size of one copy.
    pub bytes: f64,
    /// Size of a staging buffer.
    pub chunk_bytes: f64,
    /// Number of staging buffers.
    pub buffers: usize,
    /// Copies, one behind the other, each followed by a kernel launch.
    pub copies: usize,
    /// Run time of the kernel.
    pub kernel_ns: f64,
    /// How often the third variant registers.
    pub registration: Registration,
}

/// What happened, lane by lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The thread copies bytes.
    pub staging: Vec<Span>,
    /// The thread submits copies and launches kernels.
    pub submitting: Vec<Span>,
    /// The thread registers or releases memory, inside the kernel.
    pub registering: Vec<Span>,
    /// The thread waits inside a call.
    pub waiting: Vec<Span>,
    /// When each staging buffer holds data.
    pub buffers: Vec<Vec<Span>>,
    /// The copy engine moves bytes.
    pub engine: Vec<Span>,
    /// Kernels run on the SMs.
    pub kernels: Vec<Span>,
    /// When each copy call returned.
    pub returned_ns: Vec<f64>,
    /// Time spent inside copy calls, registration included.
    pub held_ns: f64,
    /// When the last byte had arrived.
    pub arrived_ns: f64,
}

impl Trace {
    /// When everything was over: copies, kernels, clean-up.
    pub fn end_ns(&self) -> f64 {
        let lanes = [&self.staging, &self.submitting, &self.registering, &self.engine, &self.kernels];
        let ends = lanes.iter().filter_map(|lane| lane.last()).map(|s| s.end_ns);
        ends.fold(self.arrived_ns, f64::max)
    }

    /// When the engine waits, from the first call until the last byte.
    pub fn engine_waits(&self) -> Vec<Span> {
        let mut from = 0.0;
        let mut waits = Vec::new();
        for work in &self.engine {
            if work.start_ns > from {
                waits.push(Span::new(from, work.start_ns));
            }
            from = work.end_ns;
        }
        waits
    }

    /// Share of the time from the first call to the engine's last byte in which the engine had nothing to do.
    pub fn engine_idle(&self) -> f64 {
        let end = self.engine.last().map_or(0.0, |s| s.end_ns);
        if end > 0.0 { 1.0 - total_ns(&self.engine) / end } else { 0.0 }
    }

    /// Time in which a kernel ran while bytes were on their way.
    pub fn overlap_ns(&self) -> f64 {
        let common = |a: &Span, b: &Span| (a.end_ns.min(b.end_ns) - a.start_ns.max(b.start_ns)).max(0.0);
        self.kernels.iter().map(|k| self.engine.iter().map(|e| common(k, e)).sum::<f64>()).sum()
    }
}

impl Job {
    /// Effective bytes per second of all copies, from the first call to the last byte.
    pub fn rate(&self, trace: &Trace) -> f64 {
        self.bytes * self.copies as f64 / (trace.arrived_ns / 1e9)
    }

    /// Whether a pageable copy of this size goes inside the command.
    pub fn is_inline(&self) -> bool {
        self.direction == Direction::ToDevice && self.bytes <= INLINE_BYTES
    }

    /// Runs the job from one kind of memory.
    pub fn run(&self, memory: Memory) -> Trace {
        Run::new(self).all(memory)
    }
}

/// Clocks of the actors while a job runs.
struct Run<'a> {
    job: &'a Job,
    trace: Trace,
    thread_ns: f64,
    engine_free_ns: f64,
    sms_free_ns: f64,
    buffer_free_ns: Vec<f64>,
    next_buffer: usize,
}

impl<'a> Run<'a> {
    fn new(job: &'a Job) -> Self {
        let buffers = job.buffers.max(1);
        Self {
            job,
            trace: Trace { buffers: vec![Vec::new(); buffers], ..Trace::default() },
            thread_ns: 0.0,
            engine_free_ns: 0.0,
            sms_free_ns: 0.0,
            buffer_free_ns: vec![0.0; buffers],
            next_buffer: 0,
        }
    }

    fn all(mut self, memory: Memory) -> Trace {
        let job = self.job;
        let each_time = job.registration == Registration::EachTime;
        for copy in 0..job.copies.max(1) {
            let called_ns = self.thread_ns;
            if memory == Memory::Registered && (copy == 0 || each_time) {
                self.register(job.machine.register_ns_per_gib);
            }
            match memory {
                Memory::Pageable if job.is_inline() => self.inline(),
                Memory::Pageable if job.direction == Direction::ToDevice => self.stage_in(),
                Memory::Pageable => self.stage_out(),
                Memory::Pinned | Memory::Registered => self.direct(),
            }
            self.trace.returned_ns.push(self.thread_ns);
            self.trace.held_ns += self.thread_ns - called_ns;
            self.launch();
            if memory == Memory::Registered && each_time {
                // The buffer must not be released under the engine.
                let before_ns = self.thread_ns;
                self.wait_until(self.engine_free_ns);
                self.register(job.machine.unregister_ns_per_gib);
                self.trace.held_ns += self.thread_ns - before_ns;
            }
        }
        self.trace
    }

    fn busy(&mut self, length_ns: f64) -> Span {
        let span = Span::new(self.thread_ns, self.thread_ns + length_ns);
        self.thread_ns = span.end_ns;
        span
    }

    fn submit(&mut self, length_ns: f64) {
        let span = self.busy(length_ns);
        self.trace.submitting.push(span);
    }

    fn register(&mut self, ns_per_gib: f64) {
        let span = self.busy(self.job.bytes / GIB * ns_per_gib);
        self.trace.registering.push(span);
    }

    fn wait_until(&mut self, at_ns: f64) {
        if at_ns > self.thread_ns {
            self.trace.waiting.push(Span::new(self.thread_ns, at_ns));
            self.thread_ns = at_ns;
        }
    }

    fn memcpy(&mut self, bytes: f64) -> Span {
        let span = self.busy(bytes / self.job.machine.memcpy_bytes_per_s * 1e9);
        self.trace.staging.push(span);
        span
    }

    /// The engine moves bytes as soon as it is free and `ready_ns` has come.
    fn transfer(&mut self, ready_ns: f64, bytes: f64, extra_ns: f64) -> Span {
        let start_ns = ready_ns.max(self.engine_free_ns);
        let length_ns = bytes / self.job.machine.link_bytes_per_s * 1e9 + extra_ns;
        let span = Span::new(start_ns, start_ns + length_ns);
        self.engine_free_ns = span.end_ns;
        self.trace.engine.push(span);
        self.trace.arrived_ns = self.trace.arrived_ns.max(span.end_ns);
        span
    }

    fn launch(&mut self) {
        if self.job.kernel_ns > 0.0 {
            self.submit(LAUNCH_NS);
            let start_ns = self.thread_ns.max(self.sms_free_ns);
            self.sms_free_ns = start_ns + self.job.kernel_ns;
            self.trace.kernels.push(Span::new(start_ns, self.sms_free_ns));
        }
    }

    /// Pinned or registered memory: the engine does it all.
    fn direct(&mut self) {
        self.submit(self.job.machine.submit_ns);
        self.transfer(self.thread_ns + START_NS, self.job.bytes, 0.0);
    }

    /// A small copy: the bytes travel in the command.
    fn inline(&mut self) {
        self.memcpy(self.job.bytes);
        self.direct();
    }

    fn chunks(&self) -> impl Iterator<Item = f64> + use<> {
        let (bytes, chunk) = (self.job.bytes, self.job.chunk_bytes.max(4_096.0));
        (0..(bytes / chunk).ceil() as usize).map(move |i| chunk.min(bytes - i as f64 * chunk))
    }

    fn take_buffer(&mut self) -> usize {
        let buffer = self.next_buffer;
        self.next_buffer = (buffer + 1) % self.buffer_free_ns.len();
        buffer
    }

    fn release(&mut self, buffer: usize, held: Span) {
        self.buffer_free_ns[buffer] = held.end_ns;
        self.trace.buffers[buffer].push(held);
    }

    /// Host to device: the thread fills a buffer, the engine empties it.
    fn stage_in(&mut self) {
        self.submit(self.job.machine.submit_ns);
        for bytes in self.chunks() {
            let buffer = self.take_buffer();
            self.wait_until(self.buffer_free_ns[buffer]);
            let filled = self.memcpy(bytes);
            let sent = self.transfer(filled.end_ns, bytes, CHUNK_NS);
            self.release(buffer, Span::new(filled.start_ns, sent.end_ns));
        }
    }

    /// Device to host: the engine fills a buffer, the thread empties it.
    fn stage_out(&mut self) {
        self.submit(self.job.machine.submit_ns);
        let first_ns = self.thread_ns + START_NS;
        for bytes in self.chunks() {
            let buffer = self.take_buffer();
            let came = self.transfer(first_ns.max(self.buffer_free_ns[buffer]), bytes, CHUNK_NS);
            self.wait_until(came.end_ns);
            let copied = self.memcpy(bytes);
            self.release(buffer, Span::new(came.start_ns, copied.end_ns));
            self.trace.arrived_ns = self.trace.arrived_ns.max(copied.end_ns);
        }
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
