//! The parent's half: start the child, read its lines, never wait longer than a deadline.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use drills_results::{Measurement, Reason, Status};

use crate::gpu::child::CHILD_COMMAND;
use crate::gpu::facts::GpuFacts;
use crate::gpu::protocol::{Event, GpuInfo, Job, Step, Work};
use crate::gpu::trouble::Trouble;
use crate::rack::allreduce::NVLS_VARIABLE;
use crate::run::Sink;

/// Time for the child to start and read its job.
const START: Duration = Duration::from_secs(10);
/// Time for a killed child to go away. One in uninterruptible sleep does not.
const GRACE: Duration = Duration::from_secs(1);
/// How often the parent looks whether the user has ended the run.
const TICK: Duration = Duration::from_millis(100);
/// Fresh processes for the steps after one that crashed or hung.
const MOST_RESTARTS: usize = 2;

/// Lists the GPUs.
pub(super) fn inventory() -> Result<Vec<GpuInfo>, Trouble> {
    let mut gpus = None;
    talk(&Job::Inventory, &|| false, &mut |event| {
        if let Event::Inventory(list) = event {
            gpus = Some(list);
        }
    })?;
    gpus.ok_or_else(|| Trouble::Ended { during: "the list of GPUs".into(), code: 0 })
}

/// What NVML tells about each GPU.
pub(super) fn facts(stopped: &dyn Fn() -> bool) -> Result<Vec<GpuFacts>, Trouble> {
    let mut gpus = None;
    talk(&Job::Facts, stopped, &mut |event| {
        if let Event::Facts(list) = event {
            gpus = Some(list);
        }
    })?;
    gpus.ok_or_else(|| Trouble::Ended { during: "the questions to NVML".into(), code: 0 })
}

/// Has a child open the GPU.
///
/// # Errors
/// Why it could not.
pub fn probe(work: Work, sink: &Sink) -> Result<(), Trouble> {
    talk(&Job::Measure(work), &|| sink.stopped(), &mut |_| ())
}

/// Takes the measurements of `work` and pushes every one of them, whatever happens: measured, or with
/// the reason why not.
pub fn measure(mut work: Work, sink: &Sink) {
    let place = work.place.as_ref().map(|place| place.name.clone());
    let mut left: VecDeque<Step> = work.steps.iter().copied().collect();
    for _ in 0..=MOST_RESTARTS {
        if left.is_empty() {
            break;
        }
        work.steps = left.iter().copied().collect();
        let mut round = Round { sink, place: place.as_deref(), left: &mut left, open: Vec::new() };
        let job = Job::Measure(work.clone());
        let result = talk(&job, &|| sink.stopped(), &mut |event| round.take(event));
        let Err(trouble) = result else {
            round.close_current(&Trouble::Ended { during: "the end of the step".into(), code: 0 });
            break;
        };
        if trouble.is_of_one_step() && round.close_current(&trouble) {
            continue;
        }
        round.close_current(&trouble);
        round.close_all(&trouble);
        break;
    }
    let gave_up = Trouble::Ended { during: "an earlier step, again and again".into(), code: 0 };
    Round { sink, place: place.as_deref(), left: &mut left, open: Vec::new() }.close_all(&gave_up);
}

/// Pushes every key of the steps with one reason.
pub fn skip_all(steps: &[Step], place: Option<&str>, trouble: &Trouble, sink: &Sink) {
    let mut left = steps.iter().copied().collect();
    Round { sink, place, left: &mut left, open: Vec::new() }.close_all(trouble);
}

/// A measurement that was not taken, in the words of `trouble`.
pub fn not_taken(step: Step, index: usize, place: Option<&str>, trouble: &Trouble) -> Option<Measurement> {
    let (key, unit, method) = *step.keys().get(index)?;
    let key = full_key(step, key, place);
    let reason = Reason::from(trouble);
    Some(match trouble.status() {
        Status::Skipped => Measurement::skipped(key, unit, method, reason),
        status => Measurement { status, ..Measurement::failed(key, unit, method, reason) },
    })
}

/// The key a step's measurement has: places carry their name.
pub(super) fn full_key(step: Step, key: &str, place: Option<&str>) -> String {
    match place.filter(|_| step.is_of_place()) {
        Some(name) => format!("{key}.{name}"),
        None => key.to_owned(),
    }
}

/// What one child does to the list of steps.
struct Round<'a> {
    sink: &'a Sink,
    place: Option<&'a str>,
    left: &'a mut VecDeque<Step>,
    /// Step that runs now and those of its keys that are still to come.
    open: Vec<(Step, usize)>,
}

impl Round<'_> {
    fn take(&mut self, event: Event) {
        match event {
            Event::Working { what, .. } => self.sink.step(&what),
            Event::Begin(step) => {
                self.close_current(&Trouble::Ended { during: "the end of the step".into(), code: 0 });
                self.left.retain(|other| *other != step);
                self.open = (0..step.keys().len()).map(|index| (step, index)).collect();
            }
            Event::Measured(measurement) => {
                let place = self.place;
                self.open
                    .retain(|(step, index)| full_key(*step, step.keys()[*index].0, place) != measurement.key);
                self.sink.push(*measurement);
            }
            Event::Trouble(_, trouble) => {
                self.close_current(&trouble);
            }
            Event::Inventory(_) | Event::Facts(_) | Event::Refused(_) | Event::Done => {}
        }
    }

    /// Gives each key still open its reason. False when none was.
    fn close_current(&mut self, trouble: &Trouble) -> bool {
        let open = std::mem::take(&mut self.open);
        for (step, index) in &open {
            self.push(not_taken(*step, *index, self.place, trouble));
        }
        !open.is_empty()
    }

    fn close_all(&mut self, trouble: &Trouble) {
        for step in std::mem::take(self.left) {
            for index in 0..step.keys().len() {
                self.push(not_taken(step, index, self.place, trouble));
            }
        }
    }

    fn push(&self, measurement: Option<Measurement>) {
        if let Some(measurement) = measurement {
            self.sink.push(measurement);
        }
    }
}

/// Starts a child, gives it the job and passes on its events.
fn talk(job: &Job, stopped: &dyn Fn() -> bool, on_event: &mut dyn FnMut(Event)) -> Result<(), Trouble> {
    let mut child = start(job)?;
    let lines = child.stdout.take().map(lines_of);
    let result = match lines {
        Some(lines) => listen(&mut child, &lines, stopped, on_event),
        None => Err(Trouble::NoProcess("it has no output".into())),
    };
    end(child, result.is_ok());
    result
}

fn start(job: &Job) -> Result<Child, Trouble> {
    let failed = |error: std::io::Error| Trouble::NoProcess(error.to_string());
    let mut child = Command::new("/proc/self/exe")
        .arg0("drills")
        .arg(CHILD_COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .envs(multicast_off())
        // Ctrl-C goes to the parent alone, which keeps what is done and ends the child itself.
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let text = serde_json::to_string(job).map_err(|error| Trouble::NoProcess(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A child that died at once is found out by reading from it.
        let _ = stdin.write_all(text.as_bytes());
    }
    Ok(child)
}

/// NCCL's NVLS makes multicast objects, which some hosts must not be asked for. Off, unless the user said
/// otherwise.
fn multicast_off() -> Option<(&'static str, &'static str)> {
    std::env::var_os(NVLS_VARIABLE).is_none().then_some((NVLS_VARIABLE, "0"))
}

/// Reads lines on a thread, because a pipe cannot be read with a deadline. The thread ends with the pipe.
fn lines_of(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

fn listen(
    child: &mut Child,
    lines: &Receiver<String>,
    stopped: &dyn Fn() -> bool,
    on_event: &mut dyn FnMut(Event),
) -> Result<(), Trouble> {
    let mut during = String::from("its start");
    let mut within = shortened(START);
    let mut since = Instant::now();
    loop {
        if stopped() {
            return Err(Trouble::Interrupted);
        }
        match lines.recv_timeout(TICK) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Event::Done) => return Ok(()),
                Ok(Event::Refused(trouble)) => return Err(trouble),
                Ok(event) => {
                    if let Event::Working { what, within_ms } = &event {
                        (during, within) = (what.clone(), shortened(Duration::from_millis(*within_ms)));
                    }
                    since = Instant::now();
                    on_event(event);
                }
                // Drivers have printed to stdout before; that is no event and no reason to stop.
                Err(_) => {}
            },
            Err(RecvTimeoutError::Disconnected) => return Err(why_it_ended(child, during)),
            Err(RecvTimeoutError::Timeout) if since.elapsed() > within => {
                return Err(Trouble::Hung { during, seconds: within.as_secs() });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn why_it_ended(child: &mut Child, during: String) -> Trouble {
    match wait_a_little(child) {
        Some(status) => match status.signal() {
            Some(signal) => Trouble::Crashed { during, signal },
            None => Trouble::Ended { during, code: status.code().unwrap_or(-1) },
        },
        None => Trouble::Hung { during, seconds: GRACE.as_secs() },
    }
}

/// Ends the child. One that finished its job is given a moment to leave by itself; one that the kernel
/// does not let die is left behind.
fn end(mut child: Child, finished: bool) {
    if finished && wait_a_little(&mut child).is_some() {
        return;
    }
    let _ = child.kill();
    let _ = wait_a_little(&mut child);
}

fn wait_a_little(child: &mut Child) -> Option<ExitStatus> {
    let until = Instant::now() + GRACE;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
            _ => return None,
        }
    }
}

fn shortened(deadline: Duration) -> Duration {
    let most = std::env::var("DRILLS_GPU_DEADLINE_S").ok().and_then(|text| text.parse().ok());
    most.map_or(deadline, |seconds| deadline.min(Duration::from_secs(seconds)))
}
