//! `drills rack bw`: the copy engine beside SMs, by kind of memory.

use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::rack;
use crate::run::{Context, Sink};

/// The two ways over pinned memory, which `drills machine bw` measures as well; the other kinds of memory;
/// and ordinary memory last and alone, since it may end the context.
pub fn run(ctx: &Context, sink: &Sink) {
    let mut steps = vec![Step::SmDevice, Step::SmManaged];
    if rack::known(sink, "copy.h2d.pinned").is_none() {
        steps.splice(0..0, [Step::Pinned, Step::Sm]);
    }
    job::take(ctx, sink, &steps, job::With::default());
    if !sink.stopped() {
        job::take(ctx, sink, &[Step::SmMalloc], job::With::default());
    }
}
