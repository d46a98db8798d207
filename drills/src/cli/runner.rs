//! One run: drills on a worker thread, so that Ctrl-C and panics cost no finished measurement.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use drills_results::{Measurement, Reason, Report, Status};

use super::args::Common;
use super::assemble::{self, Naming};
use super::catalogue::Drill;
use crate::host::{self, system};
use crate::machine;
use crate::output::progress::{Progress, Verbosity};
use crate::run::{self, Context, Sink};

/// How long a drill may take to notice that the user ended the run.
const GRACE: Duration = Duration::from_secs(2);
/// Method of measurements that no drill took.
const NOT_RUN: &str = "not-run";

/// How a drill ended.
#[derive(Debug)]
enum Ended {
    Finished,
    Panicked(String),
}

type Outcomes = Arc<Mutex<Vec<(&'static str, Ended)>>>;

/// Runs `drills` one after another. The flag says whether the user ended the run early.
pub fn run(ctx: &Context, common: &Common, drills: &[&'static Drill], naming: Naming) -> (Report, bool) {
    let stop = Arc::new(AtomicBool::new(false));
    let presses = catch_signals(&stop);
    let progress = Progress::new(match (common.quiet, common.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    });
    let sink = Sink::new(progress.clone(), Arc::clone(&stop));

    let taken_at = SystemTime::now();
    let mut environment = host::environment(&ctx.root);
    let ticks = system::steal_ticks(&ctx.root);
    let outcomes = Outcomes::default();
    let done = start(ctx, drills, &sink, &progress, &outcomes);
    wait(&done, &stop, &presses);
    progress.finish();

    assemble::close_environment(&ctx.root, &mut environment, ticks);
    let mut collected = sink.collected();
    let outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
    let mut interrupted = false;
    for drill in drills {
        let ended = outcomes.iter().find(|(command, _)| *command == drill.command).map(|(_, ended)| ended);
        interrupted |= ended.is_none();
        fill_in(drill, ended, &mut collected.measurements);
    }
    drop(outcomes);
    (assemble::report(ctx, taken_at, collected, environment, naming), interrupted)
}

/// The first signal asks drills to return, the second ends the waiting for them.
pub(super) fn catch_signals(stop: &Arc<AtomicBool>) -> Arc<AtomicUsize> {
    let presses = Arc::new(AtomicUsize::new(0));
    let (stop, counter) = (Arc::clone(stop), Arc::clone(&presses));
    let installed = ctrlc::set_handler(move || {
        stop.store(true, Ordering::Relaxed);
        counter.fetch_add(1, Ordering::Relaxed);
    });
    if let Err(error) = installed {
        // Then Ctrl-C ends the process as usual; measuring still works.
        anstream::eprintln!("drills: Ctrl-C will lose results: {error}");
    }
    presses
}

fn start(
    ctx: &Context,
    drills: &[&'static Drill],
    sink: &Sink,
    progress: &Progress,
    outcomes: &Outcomes,
) -> Receiver<()> {
    let (sender, receiver) = channel();
    let (ctx, sink, progress, outcomes) = (ctx.clone(), sink.clone(), progress.clone(), Arc::clone(outcomes));
    let drills = drills.to_vec();
    std::thread::spawn(move || {
        progress.drill("reading the machine");
        sink.topology(machine::topo::read(&ctx, &sink));
        for drill in drills {
            if sink.stopped() {
                break;
            }
            progress.drill(drill.command);
            let ended = one(drill, &ctx, &sink);
            if sink.stopped() {
                // It returned early: what it did not push counts as interrupted.
                break;
            }
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((drill.command, ended));
        }
        // Nobody listens any more when the user did not want to wait.
        let _ = sender.send(());
    });
    receiver
}

fn one(drill: &Drill, ctx: &Context, sink: &Sink) -> Ended {
    if !ctx.is_live() && !drill.reads_only {
        let reason = run::recorded_root();
        for key in drill.keys().filter(|key| !key.key.ends_with('*')) {
            sink.push(Measurement::skipped(key.key, key.unit, NOT_RUN, reason.clone()));
        }
        return Ended::Finished;
    }
    match catch_unwind(AssertUnwindSafe(|| (drill.run)(ctx, sink))) {
        Ok(()) => Ended::Finished,
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Ended::Panicked(text.to_owned())
        }
    }
}

fn wait(done: &Receiver<()>, stop: &AtomicBool, presses: &AtomicUsize) {
    let mut stopped_at: Option<Instant> = None;
    while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(Duration::from_millis(50)) {
        if stop.load(Ordering::Relaxed) {
            let since = *stopped_at.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE || presses.load(Ordering::Relaxed) > 1 {
                return;
            }
        }
    }
}

/// Gives every key that a drill owes and did not push a status that says why.
fn fill_in(drill: &Drill, ended: Option<&Ended>, measurements: &mut Vec<Measurement>) {
    let (status, reason) = match ended {
        Some(Ended::Finished) => return,
        Some(Ended::Panicked(text)) => (
            Status::Failed,
            Reason::new("bug", format!("the drill stopped: {text}"), "please report it with this file"),
        ),
        None => (
            Status::Interrupted,
            Reason::new("interrupted", "the run was ended before this was measured", "run it again"),
        ),
    };
    for key in drill.keys().filter(|key| !key.key.ends_with('*')) {
        if measurements.iter().all(|m| m.key != key.key) {
            let mut missing = Measurement::skipped(key.key, key.unit, NOT_RUN, reason.clone());
            missing.status = status;
            measurements.push(missing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Root;
    use crate::run::{GpuChoice, RackOptions};

    fn broken(_: &Context, sink: &Sink) {
        sink.push(Measurement::ok("latency.clock", drills_results::Unit::Ns, 20.0, "m"));
        panic!("the clock fell off the wall");
    }

    const BROKEN: Drill = Drill {
        module: "machine",
        name: "latency",
        command: "drills machine latency",
        what: "",
        needs: "",
        seconds: (0, 0),
        reads_only: false,
        run: broken,
    };

    fn measurements(ended: impl Fn(&Drill, &Context, &Sink) -> Option<Ended>) -> Vec<Measurement> {
        let ctx = Context {
            root: Root::new("/".as_ref()),
            quick: true,
            gpu: GpuChoice::None,
            dir: ".".into(),
            names: false,
            rack: RackOptions::default(),
        };
        let sink = Sink::new(Progress::new(Verbosity::Quiet), Arc::default());
        let ended = ended(&BROKEN, &ctx, &sink);
        let mut measurements = sink.collected().measurements;
        fill_in(&BROKEN, ended.as_ref(), &mut measurements);
        measurements
    }

    #[test]
    fn a_drill_that_panics_keeps_what_it_measured_and_owes_the_rest() {
        let found = measurements(|drill, ctx, sink| Some(one(drill, ctx, sink)));
        let of = |key: &str| found.iter().find(|m| m.key == key).expect("every key has a status");
        assert_eq!(of("latency.clock").value, Some(20.0));
        let wake = of("latency.wake");
        assert_eq!(wake.status, Status::Failed);
        assert!(wake.reason.as_ref().is_some_and(|r| r.text.contains("fell off the wall")), "{wake:?}");
        assert_eq!(found.len(), BROKEN.keys().count(), "each key once");
    }

    #[test]
    fn a_drill_that_never_ended_is_interrupted() {
        let found = measurements(|_, _, _| None);
        assert!(found.iter().all(|m| m.status == Status::Interrupted));
        assert_eq!(found.len(), BROKEN.keys().count());
    }
}
