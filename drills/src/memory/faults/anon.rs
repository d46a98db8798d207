//! First touches of anonymous memory.

use std::io;

use crate::measure::clock::{now_ns, time_ns};
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::usage;
use crate::memory::per_gib;
use crate::run::Sink;

/// Bytes touched between two looks at whether the user has ended the run.
const PIECE: usize = 64 << 20;
/// Bytes timed together in the cold pass.
const CHUNK: usize = 1 << 20;

/// One pass over a fresh mapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) ns: u64,
    pub(super) faults: u64,
    /// Bytes that huge pages back, where the kernel tells.
    pub(super) huge_bytes: Option<u64>,
}

/// Maps, writes to each page once, unmaps. `None` when the user ended the run.
///
/// # Errors
/// The mapping could not be made.
pub(super) fn pass(make: &dyn Fn() -> io::Result<Mapping>, sink: &Sink) -> io::Result<Option<Pass>> {
    let mut map = make()?;
    let (faults, (ns, whole)) = usage::counted(|| time_ns(|| touch(&mut map, sink)));
    let huge_bytes = map.huge_bytes();
    Ok(whole.then_some(Pass { ns, faults: faults.all(), huge_bytes }))
}

/// False when the user ended the run.
fn touch(map: &mut [u8], sink: &Sink) -> bool {
    for piece in map.chunks_mut(PIECE) {
        if sink.stopped() {
            return false;
        }
        touch_pages(piece);
    }
    true
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

/// Nanoseconds that the kernel takes to put memory behind `bytes` in one call.
///
/// # Errors
/// What the kernel said.
pub(super) fn populate(bytes: usize) -> io::Result<u64> {
    let mut map = Mapping::new(bytes, Pages::Base)?;
    let (ns, result) = time_ns(|| map.populate());
    result.map(|()| ns)
}
