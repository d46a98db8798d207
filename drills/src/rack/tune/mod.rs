//! `drills rack tune`: settings of the host beside the advice for its kind. Nothing is changed.

mod devices;
mod line;
mod memory;
mod pages;

use drills_results::{Measurement, Reason, Unit};

use super::{fact, topology};
use crate::gpu::facts;
use crate::measure::methods;
use crate::run::{Context, GpuChoice, Sink};
use line::{Host, Line, Verdict};

/// The list, in the order of the course's text; what helps on any machine follows.
const CHECKS: &[fn(&Host<'_>) -> Line] = &[
    pages::page_size,
    pages::thp_512mib,
    pages::thp_2mib,
    memory::init_on_alloc,
    memory::numa_balancing,
    memory::memory_mode,
    memory::swap,
    memory::min_free,
    memory::compaction,
    devices::iommu,
    devices::governor,
    pages::thp_defrag,
    memory::zone_reclaim,
    devices::persistence,
    devices::pcie_aspm,
    devices::perf,
];

/// Reads each setting.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = topology(ctx, sink);
    let host = Host::new(&ctx.root, &topology, persistent(ctx, sink));
    let lines: Vec<Line> = CHECKS.iter().map(|check| check(&host)).collect();
    let to_look_at: Vec<&str> =
        lines.iter().filter(|l| matches!(l.verdict, Verdict::Look { .. })).map(|l| l.name).collect();
    let mut count = fact("tune.warnings", to_look_at.len() as f64, methods::SETTING_READ);
    if !to_look_at.is_empty() {
        count = count.param("state", to_look_at.join(", "));
    }
    lines.iter().for_each(|line| sink.push(measurement(line)));
    sink.push(count);
}

/// Whether the driver keeps all GPUs ready, where it can be asked. A daemon of the host is out of sight of
/// a container; NVML is not.
fn persistent(ctx: &Context, sink: &Sink) -> Option<bool> {
    if !ctx.is_live() || ctx.gpu == GpuChoice::None || !ctx.root.exists("dev/nvidiactl") {
        return None;
    }
    let gpus = facts::chosen(ctx, sink).ok()?;
    gpus.iter().map(|gpu| gpu.persistent.ok()).reduce(|all, one| Some(all? && one?))?
}

fn measurement(line: &Line) -> Measurement {
    let key = format!("tune.line.{}", line.name);
    let judged = |value| {
        let m = Measurement::ok(&key, Unit::Count, value, methods::SETTING_READ);
        m.param("state", line.found.as_str()).param("advice", line.advice)
    };
    let skipped = |code, text: &str| {
        let reason = Reason::new(code, text, "");
        let m = Measurement::skipped(&key, Unit::Count, methods::SETTING_READ, reason);
        if line.found.is_empty() { m } else { m.param("state", line.found.as_str()) }
    };
    match &line.verdict {
        Verdict::AsAdvised => judged(1.0),
        Verdict::Look { fix } => judged(0.0).param("fix", fix.as_str()),
        Verdict::NotApplicable(why) => skipped("not-applicable", why),
        Verdict::NotTold(why) => skipped("not-told", why),
    }
}
