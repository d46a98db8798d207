//! The state in words and numbers.

use super::failure::{Daemon, Gpu, Kernel, Outcome, Start};
use super::model::{Fault, Job, Mode, Pick, Rack, Stage};
use super::plant::{ABOVE, JOB_TRAYS, LINKS, SWITCHES, TRAY_GPUS, TRAYS, tray_of};
use crate::kit::units::{number, rate};
use crate::kit::{Counter, DataTable};

/// Ranks of all jobs.
pub fn ranks(job: Job) -> u8 {
    TRAY_GPUS * if job == Job::Spares { JOB_TRAYS } else { TRAYS }
}

/// A tray, as people count.
pub fn tray_name(tray: u8) -> String {
    format!("tray {}", tray + 1)
}

/// A GPU: place and rank.
pub fn gpu_name(gpu: u8) -> String {
    format!("GPU {} of {}", gpu % TRAY_GPUS, tray_name(tray_of(gpu)))
}

/// What a kernel reports.
pub fn kernel_word(kernel: Kernel) -> &'static str {
    ["nothing", "cleaned up", "Xid", "down"][kernel as usize]
}

/// State of a daemon.
pub fn daemon_word(daemon: Daemon) -> &'static str {
    ["connected", "lost a peer", "alone", "down", "new instance"][daemon as usize]
}

/// State of a GPU.
pub fn gpu_word(gpu: Gpu) -> &'static str {
    ["works", "fewer links", "waits", "stopped", "spare", "parked", "lost"][gpu as usize]
}

/// What the chosen part is.
pub fn about(state: &Rack) -> String {
    match state.pick {
        Pick::Tray => format!(
            "{}: one Linux, two Grace CPUs with 144 cores and 960 GB, four GPUs with 744 GB, four NICs. Nothing that this kernel manages ends in another tray.",
            capital(tray_name(state.tray()))
        ),
        Pick::Gpu => format!(
            "{}, rank {}: one NVLink to each of the 18 switch chips, 900 GB/s out and 900 in, so all 71 others are one hop away. Its kernel sees a PCI device and no NVLink.",
            gpu_name(state.gpu),
            state.gpu
        ),
        Pick::Switch => format!(
            "Switch tray {}: two chips, two links of each of the 72 GPUs, 14.4 TB/s both ways together. It runs an operating system of its own, and no kernel of a compute tray has it in a list.",
            state.switch + 1
        ),
        Pick::Daemon => format!(
            "The IMEX daemon of {} talks to 17 others over TCP. It is asked when a process maps memory of another tray, and never when it uses that memory.",
            tray_name(state.tray())
        ),
    }
}

fn capital(mut text: String) -> String {
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The outcome in two short sentences.
pub fn headline(state: &Rack, outcome: &Outcome) -> [String; 2] {
    let (all, stopped, kernels) = (ranks(state.job), outcome.stopped(state.job), outcome.reporting());
    let first = match stopped {
        0 if outcome.links < LINKS => format!("{all} ranks go on, slower."),
        0 => format!("{all} ranks compute."),
        _ => format!("{stopped} of {all} ranks stop."),
    };
    let second = match kernels {
        _ if state.stage == Stage::NextJob => format!("The next job {}.", next(outcome.start)),
        0 => "No kernel reports anything.".into(),
        1 => "17 kernels report nothing.".into(),
        _ => format!("{kernels} kernels report it."),
    };
    [first, second]
}

/// What failed, as the subject of a sentence.
fn subject(state: &Rack) -> String {
    let (tray, gpu) = (tray_name(state.tray()), gpu_name(state.gpu));
    match state.fault {
        Fault::None => String::new(),
        Fault::Process => format!("The process of rank {}", state.gpu),
        Fault::Gpu => gpu,
        Fault::Link => format!("One NVLink of {gpu}"),
        Fault::Tray => capital(tray),
        Fault::Switch => format!("Switch tray {}", state.switch + 1),
        Fault::Daemon => format!("The IMEX daemon of {tray}"),
        Fault::Management => "The management network".into(),
    }
}

/// The sentence.
pub fn sentence(state: &Rack) -> String {
    let outcome = state.outcome();
    if state.fault == Fault::None {
        return about(state);
    }
    if state.stage == Stage::Back {
        return back(state, &outcome);
    }
    let mut text =
        format!("{} fails: {}. {}.", subject(state), ranks_line(state, &outcome), kernels_line(&outcome));
    if outcome.invalid > 0 {
        text.push_str(&format!(
            " The grace time is over: {} imports are invalid, and the next access to one is an error.",
            outcome.invalid
        ));
    }
    if state.stage == Stage::NextJob {
        text.push_str(" Another such job ");
        text.push_str(&start(outcome.start));
        text.push('.');
    }
    text
}

fn ranks_line(state: &Rack, outcome: &Outcome) -> String {
    let (all, stopped) = (ranks(state.job), outcome.stopped(state.job));
    if stopped > 0 {
        return format!("{stopped} of {all} ranks stop");
    }
    if outcome.links == LINKS {
        return format!("all {all} ranks run on");
    }
    let rate = rate(outcome.slowest_gb_per_s() * 1e9);
    if outcome.gpus.contains(&Gpu::Waits) {
        format!("its rank goes on with {rate}, and in each collective the others wait for it")
    } else {
        format!("all {all} ranks run on with {rate} instead of 900")
    }
}

fn kernels_line(outcome: &Outcome) -> String {
    let down = outcome.kernels.contains(&Kernel::Down);
    match outcome.reporting() {
        0 => "No kernel reports anything".into(),
        1 if down => "Its kernel is gone, the other 17 report nothing".into(),
        1 => "Its kernel reports it, the other 17 report nothing".into(),
        many => format!("{many} kernels report errors"),
    }
}

fn start(start: Start) -> String {
    match start {
        Start::Yes => "starts".into(),
        Start::Some(count) => format!("starts on {count} of 18 trays"),
        Start::TooFew => "waits: too few trays are whole".into(),
        Start::NoFabric => "does not start: the partition is unhealthy".into(),
        Start::ImportFails => "fails when it imports memory of another tray (error 400 was reported)".into(),
    }
}

fn back(state: &Rack, outcome: &Outcome) -> String {
    let what = subject(state);
    if outcome.invalid > 0 {
        return format!(
            "{what} is started again, as a new instance: now the driver marks the imports of {} trays invalid, and {} ranks stop at the next access. The fault itself had stopped nobody.",
            outcome.invalid,
            outcome.stopped(state.job)
        );
    }
    let was = Rack { stage: Stage::Fails, ..state.clone() };
    let rest = if was.outcome().stopped(state.job) > 0 {
        "what had stopped starts again, from its last checkpoint"
    } else if state.fault == Fault::Management {
        "the same daemons find each other again, so nothing is cleaned up and nothing stops"
    } else {
        "nothing had stopped, and nothing has to start again"
    };
    format!("{what} is back: {rest}.")
}

/// Why, and what a restart needs.
pub fn note(state: &Rack) -> String {
    let full = state.mode == Mode::Full;
    let text = match state.fault {
        Fault::None => {
            "All NVLinks run to the switch trays, not even the two GPUs of a superchip are wired to each other. Linux ends at the edge of a tray."
        }
        Fault::Process => {
            "Its kernel frees memory and descriptors. A communicator cannot lose a member, so its whole job starts again."
        }
        Fault::Gpu => {
            "The Xid stands in dmesg of one tray. To go on: a reset or another GPU, and the whole job from its last checkpoint."
        }
        Fault::Link if full => {
            "Full bandwidth mode: a GPU without all links is parked, and the others keep their rate. To go on: another GPU, or the link repaired."
        }
        Fault::Link => {
            "Adaptive bandwidth mode: the GPU goes on with 17 of 18 links. nvidia-smi nvlink -s on its tray shows it, a test of all pairs finds it, and the job merely gets slower."
        }
        Fault::Tray => {
            "Four GPUs leave the domain. The other daemons miss a peer and keep their references until it is back as a new instance. A job that leaves two trays in reserve starts again at once."
        }
        Fault::Switch if full => {
            "Full bandwidth mode: no GPU has all its links, and the partition counts as unhealthy. To go on: the switch tray replaced, or the other mode."
        }
        Fault::Switch => {
            "Each GPU loses two of its 18 links, a ninth. Adaptive bandwidth mode lets the partition go on with 16."
        }
        Fault::Daemon => {
            "No data passes through it, so a healthy job says nothing about it. By default IMEX cleans up only when the peer comes back as a new instance, or after IMEX_NODE_DISCONNECTED_GRACE_TIME."
        }
        Fault::Management => {
            "Daemons meet over it, data does not. Mappings stay; new ones across trays cannot be made. Jobs of one tray need no daemon."
        }
    };
    text.to_owned()
}

/// How another job would fare, in few words.
fn next(start: Start) -> String {
    match start {
        Start::Yes => "starts".into(),
        Start::Some(count) => format!("starts on {count} of 18"),
        Start::TooFew => "waits for trays".into(),
        Start::NoFabric => "has no fabric".into(),
        Start::ImportFails => "fails at an import".into(),
    }
}

/// The key numbers.
pub fn counters(state: &Rack) -> Vec<Counter> {
    let outcome = state.outcome();
    let imports = match (outcome.imports, outcome.invalid) {
        (_, invalid) if invalid > 0 => format!("{invalid} invalid"),
        (0, _) => "none".into(),
        (live, _) => format!("{live} live"),
    };
    vec![
        Counter::new("Ranks that stop", format!("{} of {}", outcome.stopped(state.job), ranks(state.job))),
        Counter::new("Kernels concerned", format!("{} of 18", outcome.reporting())),
        Counter::new("NVLink of the slowest rank", rate(outcome.slowest_gb_per_s() * 1e9)),
        Counter::new("Imports between trays", imports),
        Counter::new("Another such job", next(outcome.start)),
    ]
}

/// Trays from top to bottom of the rack: ten compute trays, the switch trays, eight compute trays.
pub fn rows() -> Vec<(Pick, u8)> {
    let compute = |trays: std::ops::Range<u8>| trays.rev().map(|t| (Pick::Tray, t));
    let mut rows: Vec<_> = compute(TRAYS - ABOVE..TRAYS).collect();
    rows.extend((0..SWITCHES).rev().map(|s| (Pick::Switch, s)));
    rows.extend(compute(0..TRAYS - ABOVE));
    rows
}

/// All trays.
pub fn table(state: &Rack) -> DataTable {
    let outcome = state.outcome();
    let mut table = DataTable::new(&[
        "tray",
        "ranks",
        "GPUs",
        "links per GPU in use",
        "its kernel reports",
        "IMEX daemon",
    ]);
    for (kind, index) in rows() {
        if kind == Pick::Switch {
            let failed = state.fault == Fault::Switch && state.switch == index && state.stage != Stage::Back;
            let word = if failed { "failed" } else { "works" };
            table.row([
                format!("switch tray {}", index + 1),
                "–".into(),
                word.into(),
                "–".into(),
                "–".into(),
                "–".into(),
            ]);
            continue;
        }
        let first = usize::from(index * TRAY_GPUS);
        let four = &outcome.gpus[first..first + usize::from(TRAY_GPUS)];
        let words: Vec<_> = four.iter().map(|g| gpu_word(*g)).collect();
        let lacking = four.contains(&Gpu::Slow);
        let spare = four.contains(&Gpu::Spare);
        table.row([
            tray_name(index),
            if spare { "none".into() } else { format!("{first} to {}", first + 3) },
            words.join(", "),
            number(f64::from(if lacking { outcome.links } else { LINKS })),
            kernel_word(outcome.kernels[usize::from(index)]).to_owned(),
            daemon_word(outcome.daemons[usize::from(index)]).to_owned(),
        ]);
    }
    table
}
