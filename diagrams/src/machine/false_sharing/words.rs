//! The state in words: the sentence and the table.

use super::mesi::{Action, Message, Source};
use super::model::{Done, RUN_LENGTH, Totals, Workload};
use super::state::FalseSharing;
use crate::kit::units::{duration_ns, number};
use crate::kit::{DataTable, capital};

/// What is about to happen, before the first step.
pub fn opening(model: &FalseSharing) -> String {
    let place = match (model.workload, model.padded) {
        (Workload::OneCounter, _) => "Both threads use one counter.",
        (_, true) => "Each counter has a line of its own.",
        (_, false) => "Both counters lie in one line, still in DRAM.",
    };
    format!(
        "{place} {} {} each take two threads {}; one thread doing the work of both needs {}.",
        number(RUN_LENGTH as f64),
        model.deed(),
        duration_ns(model.two_threads().elapsed_ns),
        duration_ns(model.race()[0].elapsed_ns),
    )
}

/// What the last access did and why it cost what it cost.
pub fn reading(model: &FalseSharing, done: &Done) -> String {
    let (actor, other) = (model.who(done.op.thread), model.who(1 - done.op.thread));
    let counter = ["A", "B"][model.setup().counter_of(done.op.thread)];
    let deed = match done.op.action {
        Action::Add => format!("{actor} adds 1 to {counter}, now {}", done.value),
        Action::Read => format!("{actor} reads {counter}, {}", done.value),
    };
    format!("{}. {}: {}.", capital(&deed), reason(done, &other), duration_ns(done.cost_ns))
}

/// Why an access cost what it cost.
fn reason(done: &Done, other: &str) -> String {
    let kept = if done.access.written_back { ", writes its changes back" } else { "" };
    match (done.access.message, done.access.source) {
        (None, _) if done.passes_sibling => {
            "Both threads share one L1, so nothing moves, but it has to pass the sibling's store".into()
        }
        (None, _) if done.op.action == Action::Add => "It owns the line, nobody is asked".into(),
        (None, _) => "It has a valid copy, nobody is asked".into(),
        (Some(Message::BusUpgr), _) => {
            format!("It has a copy and may not write yet: {other} must drop its own")
        }
        (Some(Message::BusRd), Source::Memory) => "Nobody has the line, so memory sends it".into(),
        (Some(Message::BusRd), _) => format!("It asks; {other} sends a copy{kept}, and both share the line"),
        (Some(_), Source::Memory) => "Nobody has the line, so memory sends it".into(),
        (Some(_), _) => format!("It asks; {other} hands the line over and drops its copy"),
    }
}

/// Every access of the script, then the long runs.
pub fn table(model: &FalseSharing) -> DataTable {
    let mut table =
        DataTable::new(&["step", "done", "who", "does", "message", "data from", "core 0", "core 1", "ns"]);
    let (mut system, mut all) = model.so_far();
    all.extend(model.script().into_iter().skip(model.step).map(|op| system.perform(op)));
    for (i, done) in all.iter().enumerate() {
        table.row([
            (i + 1).to_string(),
            if i < model.step { "yes" } else { "not yet" }.to_owned(),
            model.who(done.op.thread),
            if done.op.action == Action::Add { "add" } else { "read" }.to_owned(),
            done.access.message.map_or("none", Message::name).to_owned(),
            source(done).to_owned(),
            done.states[0].letter().to_owned(),
            done.states[1].letter().to_owned(),
            number(done.cost_ns),
        ]);
    }
    let mut run = |name: &str, totals: Totals| {
        let each = number(totals.elapsed_ns / RUN_LENGTH as f64);
        let what = format!("1,000 {} each: {name}", model.deed());
        let bounces = format!("{} bounces", number(totals.bounces as f64));
        let row = [what, "".into(), "".into(), "".into(), bounces, "".into(), "".into(), "".into(), each];
        table.row(row);
    };
    let names = ["one thread for both", "two threads, one line", "two threads, padded"];
    names.into_iter().zip(model.race()).for_each(|(name, totals)| run(name, totals));
    table
}

fn source(done: &Done) -> &'static str {
    match done.access.source {
        Source::Own => "own cache",
        Source::OtherCache => "other cache",
        Source::Memory => "DRAM",
    }
}
