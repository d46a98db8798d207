//! `drills rack allreduce`: an all-reduce by NCCL over all GPUs of this host, or over all ranks of a job.

pub mod meeting;
pub mod plan;
pub mod seat;
pub mod team;

use serde::{Deserialize, Serialize};

use crate::gpu::job;
use crate::gpu::protocol::{Gang, Step};
use crate::gpu::{Trouble, parent};
use crate::run::{Context, GpuChoice, Sink};

/// The variable that says whether NCCL may use multicast.
pub const NVLS_VARIABLE: &str = "NCCL_NVLS_ENABLE";
/// Where libnccl is, when not given on the command line.
const LIBRARY_VARIABLE: &str = "DRILLS_NCCL";
/// Where ranks meet, when not given on the command line.
const RENDEZVOUS_VARIABLE: &str = "DRILLS_RENDEZVOUS";

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effort {
    /// Each power of two.
    Full,
    /// A few sizes.
    Quick,
}

/// Measures, or says for each key why not.
pub fn run(ctx: &Context, sink: &Sink) {
    let gang = match gang(ctx) {
        Ok(gang) => gang,
        Err(trouble) => return parent::skip_all(&[Step::AllReduce], None, &trouble, sink),
    };
    if let (None, Some((_, ranks))) = (&gang.seat, seat::ranks(&variable)) {
        sink.warn(format!(
            "This is one of {ranks} ranks; the all-reduce was of this host's GPUs alone. `drills rack allreduce` joins all ranks."
        ));
    }
    job::gang(ctx, sink, gang);
    let measured = |m: &drills_results::Measurement| m.key == "allreduce.rate" && m.status.has_value();
    if sink.collected().measurements.iter().any(measured) && variable(NVLS_VARIABLE).is_none() {
        sink.warn(format!(
            "NCCL was kept from NVLS, which makes multicast objects; set {NVLS_VARIABLE}=2 to measure with it."
        ));
    }
}

/// Whether this process is a rank that only takes part: rank 0 has the results.
pub fn follows() -> bool {
    seat::ranks(&variable).is_some_and(|(rank, _)| rank > 0)
}

/// Takes part in the all-reduce that rank 0 measures.
///
/// # Errors
/// Why it could not.
pub fn follow(ctx: &Context, sink: &Sink) -> Result<(), Trouble> {
    job::follow(ctx, sink, gang(ctx)?)
}

fn gang(ctx: &Context) -> Result<Gang, Trouble> {
    let rack = &ctx.rack;
    let rendezvous = rack.rendezvous.clone().or_else(|| variable(RENDEZVOUS_VARIABLE));
    let seat = match rack.all_ranks {
        true => seat::of(&variable, rendezvous.as_deref()).map_err(|e| Trouble::NoSeat(e.to_string()))?,
        false => None,
    };
    let gpus = match &ctx.gpu {
        GpuChoice::Only(names) => names.clone(),
        GpuChoice::All | GpuChoice::None => Vec::new(),
    };
    let library = rack.nccl.clone().or_else(|| variable(LIBRARY_VARIABLE).map(Into::into));
    let effort = if ctx.quick { Effort::Quick } else { Effort::Full };
    Ok(Gang { gpus, seat, library, effort })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
