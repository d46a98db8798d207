//! States and steps in words.

use super::nodes::{Mode, NODES, PerNode, is_grace};
use super::report::smi;
use super::rules::{Fate, Outcome};
use super::step::{Bind, Step, What};
use super::tray::Tray;
use crate::kit::units::bytes_decimal;

/// Megabytes as people say them: `141 GB`.
pub fn size(mb: u32) -> String {
    if mb == 0 { "0\u{a0}GB".into() } else { bytes_decimal(f64::from(mb) * 1e6) }
}

/// Pieces in a row with commas and a last "and".
fn list(parts: &[String]) -> String {
    let mut text = String::new();
    for (i, part) in parts.iter().enumerate() {
        text += match i {
            0 => "",
            _ if i + 1 == parts.len() => " and ",
            _ => ", ",
        };
        text += part;
    }
    text
}

/// Where pages lie: `479 GB on Grace 0 and 141 GB on GPU 0`.
pub fn places(at: &PerNode, swap_mb: u32) -> String {
    let on = |(mb, node): (&u32, &super::nodes::Node)| (*mb > 0).then(|| size(*mb) + " on " + node.name);
    let mut parts: Vec<String> = at.iter().zip(&NODES).filter_map(on).collect();
    if swap_mb > 0 {
        parts.push(size(swap_mb) + " in swap");
    }
    if parts.is_empty() { "nowhere".into() } else { list(&parts) }
}

/// A step as a short line: `malloc 1.1 TB, CPU 0`.
pub fn line(step: &Step) -> String {
    let mut text = step.what.name().to_owned();
    if step.what.allocates() {
        text += " ";
        text += &size(step.gb * 1_000);
    }
    if !matches!(step.what, What::Drop | What::Exit) {
        text += ", ";
        text += &step.actor();
    }
    text += &binding(step);
    text
}

/// The binding of a step: `, -m 0,1`.
fn binding(step: &Step) -> String {
    match step.bind {
        Bind::Anywhere => String::new(),
        Bind::Graces => ", -m 0,1".into(),
        Bind::Gpu => ", -m ".to_owned() + &NODES[step.gpu()].id.to_string(),
    }
}

/// How a step ended, in one or two words.
pub fn verdict(step: &Step, outcome: &Outcome) -> &'static str {
    let in_hbm = outcome.at[2..].iter().any(|&mb| mb > 0);
    let asked_for_hbm = !is_grace(step.who) || step.bind == Bind::Gpu;
    match outcome.fate {
        Fate::Done if step.what.can_bind() && in_hbm && !asked_for_hbm => "spills",
        Fate::Done if outcome.swap_mb > 0 && step.what == What::Malloc => "swaps",
        Fate::Done => "ok",
        Fate::PartlyKept => "partly kept",
        Fate::OutOfMemory => "error 2",
        Fate::NoNode => "refused",
        Fate::Killed => "killed",
        Fate::KilledOther => "kills",
        Fate::Stays => "stays",
        Fate::Nothing => "nothing",
    }
}

/// What a step did, in a sentence or two. `tray` is the state behind it.
pub fn told(tray: &Tray, steps: &[Step], step: &Step, outcome: &Outcome) -> String {
    let other = |n: usize| {
        steps.get(n).map_or(String::new(), |s| s.what.name().to_owned() + " of step " + &(n + 1).to_string())
    };
    let what = if matches!(step.what, What::Malloc | What::Managed) {
        step.what.name().to_owned()
            + " "
            + &size(step.gb * 1_000)
            + ", touched first by "
            + &step.actor()
            + &binding(step)
    } else {
        line(step)
    };
    let mut text = match (outcome.fate, step.what) {
        (Fate::Done, What::Prefetch) => {
            "The pages of ".to_owned() + &other(outcome.other) + " move: " + &places(&outcome.at, 0) + "."
        }
        (Fate::Done, What::Drop) => "The page cache is dropped: ".to_owned() + &places(&outcome.at, 0) + ".",
        (Fate::Done, What::Exit) => {
            "The process with ".to_owned()
                + &other(outcome.other)
                + " ends and gives back "
                + &places(&outcome.at, outcome.swap_mb)
                + "."
        }
        (Fate::Done | Fate::KilledOther, _) => what + ": " + &places(&outcome.at, outcome.swap_mb) + ".",
        (Fate::PartlyKept, _) => {
            what + ": read to the end, and the page cache keeps " + &places(&outcome.at, 0) + "."
        }
        (Fate::OutOfMemory, _) => what + ": out of memory, error 2. " + &blame(tray, step),
        (Fate::NoNode, _) => what + ": refused, since the kernel has no memory on that node.",
        (Fate::Killed, _) => what + ": no node in its list has room, and the OOM killer ends this process.",
        (Fate::Stays, _) => {
            "CDMM migrates no system memory: ".to_owned()
                + &other(outcome.other)
                + " stays, "
                + &places(&outcome.at, 0)
                + ". The GPU reads it over C2C."
        }
        (Fate::Nothing, What::Prefetch) => "There is no malloc or managed buffer to move.".into(),
        (Fate::Nothing, _) => "No process holds memory. Files that were read stay in the page cache.".into(),
    };
    if outcome.fate == Fate::KilledOther {
        text += " The OOM killer ended the largest process for it: ";
        text += &other(outcome.other);
        text += ".";
    }
    if outcome.evicted_mb[0] > 0 {
        text = text + " " + &size(outcome.evicted_mb[0]) + " of page cache gave way.";
    }
    if outcome.evicted_mb[1] > 0 {
        text = text + " " + &size(outcome.evicted_mb[1]) + " of other processes went to swap.";
    }
    if verdict(step, outcome) == "spills" {
        text += " Nothing failed, and no limit was hit.";
    }
    text
}

/// Why CUDA got nothing.
fn blame(tray: &Tray, step: &Step) -> String {
    if step.what != What::Cuda {
        let free = "The Graces have ".to_owned() + &size(tray.free(0) + tray.free(1)) + " free, and ";
        let why = match tray.mode {
            Mode::Numa => "pinned pages may not lie in a movable zone.",
            Mode::Cdmm => "the kernel has no other memory.",
        };
        return free + why;
    }
    let node = step.gpu();
    let foreign = tray.held(node, What::Malloc);
    let (_, listed) = smi(tray, node);
    if tray.mode == Mode::Numa && foreign > 0 && listed == 0 {
        return size(foreign)
            + " of its "
            + &size(NODES[node].mb)
            + " belong to processes that never opened the GPU, and nvidia-smi lists none.";
    }
    size(tray.free(node)) + " of " + &size(NODES[node].mb) + " are free, and no other node will do."
}
