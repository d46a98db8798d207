//! A fabric handle through all its steps. The attribute says only that the driver knows such handles, so
//! each step is done for real. No multicast object is made.

use drills_results::{Measurement, Unit};

use super::vmm::{self, FABRIC, Memory};
use super::{Bench, Outcome, attributes, library};
use crate::gpu::child;
use crate::gpu::trouble::Trouble;
use crate::measure::methods;

/// Create, export, import of the own export, release.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let device = bench.ctx.cu_device();
    let known = library::attribute(device, attributes::HANDLE_TYPE_FABRIC_SUPPORTED);
    let unknown = !known.as_ref().is_ok_and(|value| *value != 0);
    attributes::push(bench, "fabric.attribute", Unit::Count, known.map(f64::from), None);
    if unknown {
        return Err(Trouble::Meaningless("This driver knows no fabric handles for this GPU.".into()));
    }
    let bytes = vmm::granularity(device, FABRIC)?;
    let memory = step(bench, "fabric.create", bytes, Memory::for_fabric(device, bytes))?;
    let exported = step(bench, "fabric.export", bytes, memory.export())?;
    // A second handle to the same memory; both are released at the end of this function.
    step(bench, "fabric.import_own", bytes, Memory::import(&exported)).map(drop)
}

/// Says whether a step went well. What the driver refuses is an answer, and ends the steps.
fn step<T>(bench: &Bench, key: &str, bytes: usize, done: Outcome<T>) -> Outcome<T> {
    let push = |value, state: &str| {
        let m = Measurement::ok(key, Unit::Count, value, methods::FABRIC_HANDLE);
        child::measured(bench.label(m.param("size_bytes", bytes as u64).param("state", state)));
    };
    match done {
        Ok(value) => {
            push(1.0, "success");
            Ok(value)
        }
        Err(Trouble::Call { call, code }) if code != OUT_OF_MEMORY => {
            let trouble = Trouble::Call { call, code };
            push(0.0, &format!("{} {}", trouble, suspect(key, code)));
            Err(Trouble::Meaningless(format!("There is nothing to go on with: {trouble}")))
        }
        Err(trouble) => Err(trouble),
    }
}

/// CUDA_ERROR_OUT_OF_MEMORY says nothing about the fabric.
const OUT_OF_MEMORY: i32 = 2;

/// The first suspect behind a code.
fn suspect(key: &str, code: i32) -> &'static str {
    match (key, code) {
        (_, 800) => "No IMEX channel that this process may open.",
        (_, 801) => "No multi-node fabric, or two IMEX domains on one clique.",
        (_, 802) => "The GPU has not joined the fabric yet.",
        ("fabric.import_own", 400 | 999) => "The IMEX daemon is down, or a peer is missing.",
        _ => "See the fabric's state and `nvidia-imex-ctl -N`.",
    }
}
