//! `drills machine latency`: from an L1 hit to waking a thread and launching a kernel.

use crate::gpu::protocol::Step;
use crate::machine::bw;
use crate::run::{Context, Sink};

/// Cheapest first.
pub fn run(ctx: &Context, sink: &Sink) {
    if !sink.stopped() {
        bw::on_gpu(ctx, sink, &[Step::Launch], None);
    }
}
