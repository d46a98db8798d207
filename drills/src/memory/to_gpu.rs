//! `drills memory to-gpu`: a checkpoint into the memory of a GPU, by four ways.

use std::os::fd::AsRawFd;

use crate::gpu::job;
use crate::gpu::parent;
use crate::gpu::protocol::{SourceFile, Step};
use crate::memory::load::{self, checkpoint, checkpoint::Checkpoint};
use crate::run::{Context, Sink};

/// Makes a file and has the GPU process load it. Without a GPU no file is made.
pub fn run(ctx: &Context, sink: &Sink) {
    let steps = [Step::ToGpu];
    sink.step("looking for a GPU");
    if let Err(trouble) = job::probe(ctx, sink) {
        return parent::skip_all(&steps, None, &trouble, sink);
    }
    sink.step("writing a checkpoint");
    let checkpoint = match Checkpoint::create(&ctx.dir, load::wanted_bytes(ctx), &|| sink.stopped()) {
        Ok(checkpoint) => checkpoint,
        Err(trouble) => {
            let keys = Step::ToGpu.keys().iter();
            keys.for_each(|(key, _, method)| sink.push(trouble.measurement(key, method)));
            return;
        }
    };
    load::warn_about(&checkpoint, sink);
    // The file has no name, so the child gets it as an open file: one that is not closed when it starts.
    let inherited = match rustix::io::dup(&checkpoint.scratch.file) {
        Ok(inherited) => inherited,
        Err(error) => {
            let keys = Step::ToGpu.keys().iter();
            keys.for_each(|(key, _, method)| crate::memory::fail(sink, key, method, &error.into()));
            return;
        }
    };
    let file = SourceFile {
        descriptor: inherited.as_raw_fd(),
        bytes: checkpoint.scratch.bytes,
        data_at: checkpoint::DATA_AT,
        data_bytes: checkpoint.data_bytes,
        seed: checkpoint::SEED,
        filesystem: checkpoint.scratch.filesystem.clone(),
    };
    job::take(ctx, sink, &steps, job::With { file: Some(file), ..job::With::default() });
}
