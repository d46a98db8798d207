//! Routes from a file into device memory.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cudarc::driver::{CudaContext, CudaStream};

use super::Outcome;
use super::buffers::{self, DeviceBuffer, HostBuffer, Kind};
use crate::gpu::protocol::SourceFile;
use crate::gpu::trouble::{Trouble, during};
use crate::measure::mapping::{Mapping, Pages};
use crate::memory::load::direct;
use crate::memory::{FileMap, Use};

/// Bytes that are read and copied at once.
pub(super) const BLOCK: usize = direct::BLOCK;
/// Threads of direct reads at most.
const MOST_THREADS: usize = 4;

/// A route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// `read` of everything into fresh ordinary memory, then one copy.
    ReadPageable,
    /// `read` into two pinned buffers in turn; one is copied while the other is filled.
    ReadPinned,
    /// One copy straight out of a map.
    MmapCopy,
    /// Direct reads by several threads, each into a pinned buffer that is copied from there.
    DirectPinned,
}

impl Route {
    pub(super) const ALL: [Self; 4] =
        [Self::ReadPageable, Self::ReadPinned, Self::MmapCopy, Self::DirectPinned];

    /// Word in keys.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::ReadPageable => "read_pageable",
            Self::ReadPinned => "read_pinned",
            Self::MmapCopy => "mmap_copy",
            Self::DirectPinned => "direct_pinned",
        }
    }
}

/// What was made ready before the clock starts.
pub(super) struct Ready {
    route: Route,
    file: File,
    lanes: Vec<Lane>,
}

/// A pinned buffer and the stream that its copies go through.
struct Lane {
    buffer: HostBuffer,
    stream: Arc<CudaStream>,
}

/// One journey's ends.
pub(super) struct Ends<'a> {
    pub(super) ctx: &'a Arc<CudaContext>,
    pub(super) stream: &'a Arc<CudaStream>,
    pub(super) source: &'a SourceFile,
    pub(super) device: &'a DeviceBuffer,
    /// Bytes of data that are moved.
    pub(super) len: usize,
}

impl Ready {
    /// Opens the file and pins what the route needs.
    pub(super) fn new(route: Route, file: &File, ends: &Ends<'_>) -> Outcome<Self> {
        let lanes = match route {
            Route::ReadPageable | Route::MmapCopy => 0,
            Route::ReadPinned => 2,
            Route::DirectPinned => {
                std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS)
            }
        };
        let lane = |_| {
            let buffer = HostBuffer::new(Kind::Pinned, BLOCK, None)?;
            let stream = ends.ctx.new_stream().map_err(during("cuStreamCreate"))?;
            Ok(Lane { buffer, stream })
        };
        let lanes = (0..lanes).map(lane).collect::<Outcome<Vec<_>>>()?;
        let file = match route {
            Route::DirectPinned => direct::open(file),
            _ => file.try_clone(),
        };
        Ok(Self { route, file: file.map_err(system("open"))?, lanes })
    }

    /// Lanes that work at once.
    pub(super) fn threads(&self) -> usize {
        if self.route == Route::DirectPinned { self.lanes.len() } else { 1 }
    }

    /// Moves everything; returns once the last byte is in device memory.
    pub(super) fn go(&mut self, ends: &Ends<'_>) -> Outcome<()> {
        match self.route {
            Route::ReadPageable => self.read_pageable(ends),
            Route::ReadPinned => self.read_pinned(ends),
            Route::MmapCopy => self.mmap_copy(ends),
            Route::DirectPinned => self.direct_pinned(ends),
        }
    }

    fn read_pageable(&self, ends: &Ends<'_>) -> Outcome<()> {
        let mut buffer = Mapping::new(ends.len, Pages::Default).map_err(system("mmap"))?;
        for (index, block) in buffer.chunks_mut(BLOCK).enumerate() {
            let at = ends.source.data_at + (index * BLOCK) as u64;
            self.file.read_exact_at(block, at).map_err(system("read"))?;
        }
        copy_and_wait(ends, buffer.as_ptr())
    }

    fn mmap_copy(&self, ends: &Ends<'_>) -> Outcome<()> {
        let data_at = ends.source.data_at as usize;
        let map = FileMap::new(&self.file, data_at + ends.len, Use::Read).map_err(system("mmap"))?;
        copy_and_wait(ends, map.as_ptr().wrapping_add(data_at))
    }

    fn read_pinned(&mut self, ends: &Ends<'_>) -> Outcome<()> {
        let lanes = self.lanes.len();
        for index in 0..ends.len.div_ceil(BLOCK) {
            let lane = &mut self.lanes[index % lanes];
            lane.carry(ends, index, |block, at| self.file.read_exact_at(block, at))?;
        }
        self.lanes.iter().try_for_each(Lane::wait)
    }

    fn direct_pinned(&mut self, ends: &Ends<'_>) -> Outcome<()> {
        let (next, file) = (AtomicUsize::new(0), &self.file);
        let next = &next;
        std::thread::scope(|scope| {
            let work = |lane: &mut Lane| -> Outcome<()> {
                ends.ctx.bind_to_thread().map_err(during("cuCtxSetCurrent"))?;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= ends.len.div_ceil(BLOCK) {
                        return lane.wait();
                    }
                    lane.carry(ends, index, |block, at| direct::read(file, block, at))?;
                }
            };
            let threads: Vec<_> = self.lanes.iter_mut().map(|lane| scope.spawn(move || work(lane))).collect();
            let gone = || Trouble::Ended { during: "a direct read".into(), code: 0 };
            threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| gone())?)
        })
    }
}

impl Lane {
    /// Waits until the buffer is free, fills it with block `index` and queues its copy.
    fn carry(
        &mut self,
        ends: &Ends<'_>,
        index: usize,
        fill: impl Fn(&mut [u8], u64) -> io::Result<()>,
    ) -> Outcome<()> {
        self.wait()?;
        let at = index * BLOCK;
        let len = (ends.len - at).min(BLOCK);
        fill(&mut self.buffer.bytes()[..len], ends.source.data_at + at as u64).map_err(system("read"))?;
        buffers::place(&self.stream, self.buffer.as_ptr().cast(), ends.device, at, len)
    }

    fn wait(&self) -> Outcome<()> {
        self.stream.synchronize().map_err(during("cuStreamSynchronize"))
    }
}

fn copy_and_wait(ends: &Ends<'_>, from: *const u8) -> Outcome<()> {
    buffers::place(ends.stream, from, ends.device, 0, ends.len)?;
    ends.stream.synchronize().map_err(during("cuStreamSynchronize"))
}

/// A failed system call in the words of the driver's failures.
pub(super) fn system(call: &'static str) -> impl Fn(io::Error) -> Trouble {
    move |error| Trouble::System { call: call.into(), message: error.to_string() }
}
