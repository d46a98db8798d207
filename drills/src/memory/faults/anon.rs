//! First touches of anonymous memory.

use std::io;

use crate::measure::clock::{now_ns, time_ns};
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::usage;
use crate::memory::per_gib;
use crate::run::Sink;

/// Bytes timed together, unless a page is larger. The median of such pieces does not see the moments in
/// which another program had the CPU.
const CHUNK: usize = 1 << 20;

/// One pass over a fresh mapping.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    /// Nanoseconds per GiB, piece by piece.
    pub(super) samples: Vec<f64>,
    pub(super) faults: u64,
    /// Bytes that huge pages back, where the kernel tells.
    pub(super) huge_bytes: Option<u64>,
}

/// Maps, writes to each page once, unmaps. Pages are of `page` bytes at most. `None` when the user ended
/// the run.
///
/// # Errors
/// The mapping could not be made.
pub(super) fn pass(
    make: &dyn Fn() -> io::Result<Mapping>,
    page: usize,
    sink: &Sink,
) -> io::Result<Option<Pass>> {
    let mut map = make()?;
    let chunk = CHUNK.max(page);
    // Written before, so that these pages take no fault while faults are counted.
    let mut samples = vec![-1.0; map.len() / chunk + 1];
    let (faults, done) = usage::counted(|| {
        let mut done = 0;
        for bytes in map.chunks_mut(chunk) {
            if sink.stopped() {
                return None;
            }
            let start = now_ns();
            touch_pages(bytes);
            samples[done] = per_gib(now_ns() - start, bytes.len() as u64);
            done += 1;
        }
        Some(done)
    });
    let huge_bytes = map.huge_bytes();
    Ok(done.map(|done| {
        samples.truncate(done);
        Pass { samples, faults: faults.all(), huge_bytes }
    }))
}

fn touch_pages(bytes: &mut [u8]) {
    for page in bytes.chunks_mut(page_bytes()) {
        // SAFETY: a valid, exclusive, non-empty slice.
        unsafe { std::ptr::write_volatile(page.as_mut_ptr(), 1) };
    }
}

/// Nanoseconds per GiB in pieces of a large fresh mapping. The first half is left out: the kernel hands
/// out first what programs that ended just before gave back.
///
/// # Errors
/// The mapping could not be made.
pub(super) fn cold(bytes: usize, sink: &Sink) -> io::Result<Vec<f64>> {
    let mut map = Mapping::new(bytes, Pages::Base)?;
    let mut samples = Vec::new();
    for chunk in map.chunks_exact_mut(CHUNK) {
        if sink.stopped() {
            break;
        }
        let start = now_ns();
        touch_pages(chunk);
        samples.push(per_gib(now_ns() - start, CHUNK as u64));
    }
    Ok(samples.split_off(samples.len() / 2))
}

/// Nanoseconds per GiB that the kernel takes to put memory behind a fresh mapping, piece by piece.
///
/// # Errors
/// What the kernel said.
pub(super) fn populate(bytes: usize) -> io::Result<Vec<f64>> {
    let mut map = Mapping::new(bytes, Pages::Base)?;
    let piece = |offset| {
        let (ns, result) = time_ns(|| map.populate(offset, CHUNK));
        result.map(|()| per_gib(ns, CHUNK as u64))
    };
    (0..bytes / CHUNK * CHUNK).step_by(CHUNK).map(piece).collect()
}
