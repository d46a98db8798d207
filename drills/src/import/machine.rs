//! The machine, as far as the output of a benchmark names it.

use drills_results::Machine;

use super::Run;

/// GPUs by their name and number; nothing else of the machine is in such output.
pub(super) fn of(runs: &[Run]) -> Machine {
    let class = runs.iter().find_map(class).unwrap_or_else(|| "not named in the output".into());
    let driver = runs.iter().find_map(|run| match run {
        Run::Bandwidth(run) => run.driver_version.clone(),
        Run::Collective(_) => None,
    });
    Machine { class, nvidia_driver: driver, ..Machine::default() }
}

fn class(run: &Run) -> Option<String> {
    let (gpus, gpu, hosts) = match run {
        Run::Collective(run) => (run.ranks.unwrap_or(1), run.gpu.as_ref()?, run.hosts.unwrap_or(1)),
        Run::Bandwidth(run) => (run.gpus, run.gpu.as_ref()?, 1),
    };
    let hosts = if hosts > 1 { format!("{hosts} hosts, ") } else { String::new() };
    Some(if gpus > 1 { format!("{hosts}{gpus} x {gpu}") } else { format!("{hosts}{gpu}") })
}
