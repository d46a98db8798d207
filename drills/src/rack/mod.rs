//! What an NVL72 tray has to answer, on any box: `drills rack`.

// `pub mod allreduce;` and `pub mod bw;` come here.
pub mod fabric;
pub mod numa;
pub mod place;
pub mod platform;
pub mod tune;

use drills_results::{Measurement, Reason, Unit, keys};

use crate::run::Sink;

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

/// Whether a key is in the report already: drills of other modules measure some of these too.
fn is_known(sink: &Sink, key: &str) -> bool {
    sink.collected().measurements.iter().any(|m| m.key == key)
}
