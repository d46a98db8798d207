//! `drills rack`: one of its drills may run as one of several ranks, of which the first has the results.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::args::Common;
use super::rack_args::{RackArgs, RackDrill};
use super::{CliError, FAILED, INTERRUPTED, catalogue, context, measure_with, runner};
use crate::gpu::Trouble;
use crate::output::progress::{Progress, Verbosity};
use crate::rack::allreduce;
use crate::run::{Context, RackOptions, Sink};

/// Measures, or, as a rank above 0 of an all-reduce, takes part and writes nothing.
pub(super) fn run(
    common: &Common,
    drill: Option<RackDrill>,
    options: RackArgs,
) -> Result<ExitCode, CliError> {
    let all_ranks = drill == Some(RackDrill::Allreduce);
    let RackArgs { gpu_nodes, nccl, rendezvous } = options;
    let rack = RackOptions { gpu_nodes, nccl, rendezvous, all_ranks };
    if all_ranks && allreduce::follows() {
        return follow(&Context { rack, ..context(common)? });
    }
    measure_with(common, &catalogue::of("rack", drill.map(RackDrill::word)), rack)
}

fn follow(ctx: &Context) -> Result<ExitCode, CliError> {
    let stop = Arc::new(AtomicBool::new(false));
    runner::catch_signals(&stop);
    let sink = Sink::new(Progress::new(Verbosity::Quiet), stop);
    match allreduce::follow(ctx, &sink) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Trouble::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Err(trouble) => {
            let reason = drills_results::Reason::from(&trouble);
            anstream::eprintln!("drills: {} {}", reason.text, reason.fix);
            Ok(ExitCode::from(FAILED))
        }
    }
}
