//! The child's half: read one job from stdin, do it, say how it goes in JSON lines on stdout.

use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use drills_results::Measurement;

use crate::gpu::cuda;
use crate::gpu::protocol::{Event, Job, Step, Work};
use crate::gpu::trouble::Trouble;
use crate::gpu::{nvml, nvml_facts};

/// First argument that turns this program into the GPU child. Not for people.
pub const CHILD_COMMAND: &str = "gpu-child";

/// Loading the driver and making a context: seconds on large machines without persistence mode.
const OPEN: Duration = Duration::from_secs(90);
/// One step of measurements between two signs of life.
const STEP: Duration = Duration::from_secs(60);

/// Last phase and last panic, for the report about one.
static LAST: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

/// Runs the child if this process is one.
pub fn main() -> Option<ExitCode> {
    if std::env::args_os().nth(1)? != CHILD_COMMAND {
        return None;
    }
    // A child whose parent is gone would hold the GPU for nobody.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    std::panic::set_hook(Box::new(|info| last().1 = message_of(info)));
    let last_word = match catch_unwind(do_job) {
        Ok(Ok(())) => Event::Done,
        Ok(Err(trouble)) => Event::Refused(trouble),
        Err(_) => Event::Refused(panic_trouble()),
    };
    say(&last_word);
    Some(ExitCode::SUCCESS)
}

fn do_job() -> Result<(), Trouble> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|e| Trouble::NoProcess(e.to_string()))?;
    match serde_json::from_str(&text).map_err(|e| Trouble::NoProcess(e.to_string()))? {
        Job::Inventory => {
            working("listing the GPUs", OPEN);
            say(&Event::Inventory(nvml::inventory()?));
            Ok(())
        }
        Job::Facts => {
            working("asking NVML about the GPUs", OPEN);
            say(&Event::Facts(nvml_facts::all()?));
            Ok(())
        }
        Job::Measure(work) => measure(&work),
    }
}

fn measure(work: &Work) -> Result<(), Trouble> {
    if let (Some(gang), true) = (&work.gang, work.steps.contains(&Step::AllReduce)) {
        say(&Event::Begin(Step::AllReduce));
        return cuda::all_reduce(gang);
    }
    working("opening the GPU", OPEN);
    let bench = cuda::Bench::open(work)?;
    for step in &work.steps {
        say(&Event::Begin(*step));
        working(step.title(), STEP);
        match catch_unwind(AssertUnwindSafe(|| cuda::take(&bench, *step))) {
            Ok(Ok(())) => {}
            Ok(Err(trouble)) => say(&Event::Trouble(*step, trouble)),
            Err(_) => say(&Event::Trouble(*step, panic_trouble())),
        }
    }
    // Destroying a context can hang; the kernel does it when the process ends.
    std::mem::forget(bench);
    Ok(())
}

/// Tells the parent what comes next and how long it may take.
pub(super) fn working(what: &str, within: Duration) {
    last().0 = what.to_owned();
    say(&Event::Working { what: what.to_owned(), within_ms: within.as_millis() as u64 });
}

/// Tells the parent that a step goes on, with a fresh deadline.
pub(super) fn still(step: Step, detail: &str) {
    working(&format!("{}, {detail}", step.title()), STEP);
}

/// Hands a finished measurement to the parent.
pub(super) fn measured(measurement: Measurement) {
    say(&Event::Measured(Box::new(measurement)));
}

fn say(event: &Event) {
    let Ok(line) = serde_json::to_string(event) else { return };
    let mut out = std::io::stdout().lock();
    // A parent that no longer listens ends this process by a signal.
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

fn last() -> std::sync::MutexGuard<'static, (String, String)> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

fn message_of(info: &std::panic::PanicHookInfo<'_>) -> String {
    info.payload_as_str().unwrap_or("no message").chars().take(300).collect()
}

/// cudarc panics when the driver lacks a function; that is no accident of ours.
fn panic_trouble() -> Trouble {
    let (during, message) = last().clone();
    match message.strip_prefix("Missing symbol ").and_then(|rest| rest.split(':').next()) {
        Some(name) => Trouble::MissingSymbol { name: name.to_owned() },
        None => Trouble::Panicked { during, message },
    }
}
