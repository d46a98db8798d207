//! What an NVL72 tray has to answer, on any box: `drills rack`.

pub mod allreduce;
pub mod bw;
pub mod fabric;
pub mod numa;
pub mod place;
pub mod platform;
pub mod tune;

use drills_results::topology::Topology;
use drills_results::{Measurement, Reason, Status, Unit, keys};

use crate::gpu::Trouble;
use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::machine::topo;
use crate::run::{self, Context, Sink};

/// Unit of a key of the list; patterns included.
fn unit_of(key: &str) -> Unit {
    keys::find(key).map_or(Unit::Count, |info| info.unit)
}

fn fact(key: &str, value: f64, method: &str) -> Measurement {
    Measurement::ok(key, unit_of(key), value, method)
}

fn skip(sink: &Sink, key: &str, method: &str, reason: &Reason) {
    sink.push(Measurement::skipped(key, unit_of(key), method, reason.clone()));
}

fn not_told() -> Reason {
    Reason::new("not-told", "the kernel of this machine does not tell it", "")
}

/// A key that the driver could not be asked for.
fn untold(sink: &Sink, key: &str, method: &str, trouble: &Trouble) {
    let reason = Reason::from(trouble);
    let measurement = match trouble.status() {
        Status::Skipped => Measurement::skipped(key, unit_of(key), method, reason),
        status => Measurement { status, ..Measurement::failed(key, unit_of(key), method, reason) },
    };
    sink.push(measurement);
}

/// A measurement that is in the report already: drills of other modules take some of these too.
fn known(sink: &Sink, key: &str) -> Option<Measurement> {
    sink.collected().measurements.into_iter().find(|m| m.key == key)
}

fn topology(ctx: &Context, sink: &Sink) -> Topology {
    sink.known_topology().unwrap_or_else(|| topo::read(ctx, sink))
}

/// GPU steps in a child of their own, or, of a recorded machine, a reason for each of their keys.
fn on_gpu(ctx: &Context, sink: &Sink, steps: &[Step], with: job::With) {
    if ctx.is_live() {
        return job::take(ctx, sink, steps, with);
    }
    for (key, _, method) in steps.iter().flat_map(|step| step.keys()) {
        skip(sink, key, method, &run::recorded_root());
    }
}
