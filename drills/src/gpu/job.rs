//! What drills ask of the GPU process.

use drills_results::topology::DeviceClass;

use crate::gpu::parent;
use crate::gpu::protocol::{Gang, Place, SourceFile, Step, Work};
use crate::gpu::trouble::Trouble;
use crate::measure::room;
use crate::run::{Context, GpuChoice, Sink};

/// What comes along with the steps.
#[derive(Clone, Debug, Default)]
pub struct With {
    /// Where on the host the copying thread and its memory are to be.
    pub place: Option<Place>,
    /// A file to load.
    pub file: Option<SourceFile>,
}

/// Runs GPU steps in a child, or says for each of their keys why not.
pub fn take(ctx: &Context, sink: &Sink, steps: &[Step], with: With) {
    match work(ctx, steps, with.clone()) {
        Ok(work) => {
            say_which(ctx, sink);
            parent::measure(work, sink);
        }
        Err(trouble) => {
            let name = with.place.as_ref().map(|place| place.name.as_str());
            parent::skip_all(steps, name, &trouble, sink);
        }
    }
}

/// Opens the GPU in a child and does nothing with it.
///
/// # Errors
/// Why it cannot be used.
pub fn probe(ctx: &Context, sink: &Sink) -> Result<(), Trouble> {
    parent::probe(work(ctx, &[], With::default())?, sink)
}

fn work(ctx: &Context, steps: &[Step], with: With) -> Result<Work, Trouble> {
    let gpu = match &ctx.gpu {
        GpuChoice::None => return Err(Trouble::NotWanted),
        GpuChoice::All => None,
        GpuChoice::Only(names) => names.first().cloned(),
    };
    let With { place, file } = with;
    let host_bytes = room::free_bytes();
    Ok(Work { gpu, quick: ctx.quick, steps: steps.to_vec(), place, host_bytes, file, gang: None })
}

/// Measures an all-reduce in a child, or says for each key why not.
pub fn gang(ctx: &Context, sink: &Sink, gang: Gang) {
    match gang_work(ctx, gang) {
        Ok(work) => parent::measure(work, sink),
        Err(trouble) => parent::skip_all(&[Step::AllReduce], None, &trouble, sink),
    }
}

/// Takes part in an all-reduce that another process measures.
///
/// # Errors
/// Why it could not.
pub fn follow(ctx: &Context, sink: &Sink, gang: Gang) -> Result<(), Trouble> {
    parent::probe(gang_work(ctx, gang)?, sink)
}

fn gang_work(ctx: &Context, gang: Gang) -> Result<Work, Trouble> {
    Ok(Work { gang: Some(Box::new(gang)), ..work(ctx, &[Step::AllReduce], With::default())? })
}

/// One GPU stands for all; which one is in each measurement's `gpu_address`.
fn say_which(ctx: &Context, sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_default();
    let gpus = topology.devices.iter().filter(|device| device.class == DeviceClass::Gpu).count();
    if gpus > 1 && ctx.gpu == GpuChoice::All {
        sink.warn(format!("Of {gpus} GPUs, the driver's first one was measured; `--gpu` picks another."));
    }
}
