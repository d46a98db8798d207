//! Objects as an interpreter lays them out, and workers that walk them.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::measure::child::{Child, Shared, Stages};
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::random::Random;
use crate::measure::smaps::{self, Resident};
use crate::measure::usage;
use crate::run::Sink;

/// An object: a header of 16 bytes (a reference count and a type) and as large a payload.
pub(super) const BYTES: usize = 32;
/// Of all objects, one in this many is drawn at random.
const ONE_IN: usize = 100;

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// Looks at each object, which counts a reference and gives it back.
    Headers,
    /// Looks at one object in a hundred, drawn at random.
    OnePercent,
    /// Looks at each payload; one header stands for all.
    OneHeader,
}

impl Walk {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Headers => "workers walk object headers",
            Self::OnePercent => "a worker draws 1 % of the objects",
            Self::OneHeader => "a worker reads an array with one header",
        }
    }
}

/// What was found in the first worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) workers: usize,
    pub(super) before: Resident,
    pub(super) after: Resident,
    /// Faults of its walk.
    pub(super) faults: u64,
    /// Pages that the walk writes to.
    pub(super) pages_predicted: u64,
}

/// The parent's objects, on base pages.
pub(super) struct Objects {
    map: Mapping,
    count: usize,
    /// Objects drawn at random, the same for every worker.
    drawn: Vec<u32>,
}

impl Objects {
    /// `count` objects, written.
    ///
    /// # Errors
    /// The memory could not be had.
    pub(super) fn new(count: usize) -> io::Result<Self> {
        let map = Mapping::new(count * BYTES, Pages::Base)?;
        let drawn = Random::default().distinct(count / ONE_IN, count);
        Ok(Self { map, count, drawn })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    /// Writes every object anew, so that after an earlier worker each page is written to once more and
    /// belongs to the parent alone.
    pub(super) fn reset(&mut self, walk: Walk) {
        for (index, object) in self.map.chunks_exact_mut(BYTES).enumerate() {
            object[..8].copy_from_slice(&1u64.to_ne_bytes());
            object[8..16].copy_from_slice(&(walk as u64).to_ne_bytes());
            object[16..24].copy_from_slice(&(index as u64).to_ne_bytes());
        }
    }

    /// Pages with an object whose header the walk writes.
    fn pages_written(&self, walk: Walk) -> u64 {
        let page = |index: usize| index * BYTES / page_bytes();
        match walk {
            Walk::Headers => page(self.count - 1) as u64 + 1,
            Walk::OneHeader => 1,
            Walk::OnePercent => {
                let pages: std::collections::BTreeSet<usize> =
                    self.drawn.iter().map(|index| page(*index as usize)).collect();
                pages.len() as u64
            }
        }
    }

    /// Forks `workers`, lets all of them walk, and asks the kernel for the memory of the first one before
    /// and after. `None` when the user ended the run.
    ///
    /// # Errors
    /// What the kernel said.
    pub(super) fn walk(&self, walk: Walk, workers: usize, sink: &Sink) -> io::Result<Option<Found>> {
        let mut crew = Vec::new();
        for _ in 0..workers {
            let shared = Shared::new((Stages::default(), AtomicU64::new(0)))?;
            let (stages, faults) = &*shared;
            let start = self.map.as_ptr();
            let work = || {
                faults.store(0, Ordering::SeqCst);
                // Code is mapped anew in a child. So everything runs once for an object on the stack, and
                // then the same instructions walk and are counted.
                let mut one = [0u64; BYTES / 8];
                let rounds = [(one.as_mut_ptr().cast(), 1, &[0][..]), (start, self.count, &self.drawn)];
                for (stage, (start, count, drawn)) in (0u32..).zip(rounds) {
                    if stage == 1 {
                        stages.finish(1);
                    }
                    // SAFETY: the object on the stack, or the child's copy of the mapping.
                    let (counted, _) = usage::counted(|| unsafe { look(walk, start, count, drawn) });
                    faults.store(counted.all(), Ordering::SeqCst);
                }
                stages.finish(2);
            };
            // SAFETY: the work reads and writes memory, reads counters and sleeps.
            let child = unsafe { Child::start(work) }?;
            crew.push((child, shared));
        }
        let all_at = |stage| {
            crew.iter()
                .all(|(child, shared)| child.wait_until(|| shared.0.done() == stage, || sink.stopped()))
        };
        let Some((first, told)) = crew.first() else { return Ok(None) };
        let lost = || if sink.stopped() { Ok(None) } else { Err(io::ErrorKind::BrokenPipe.into()) };
        if !all_at(1) {
            return lost();
        }
        let before = smaps::of_process(first.pid(), self.map.range())?;
        crew.iter().for_each(|(_, shared)| shared.0.allow(2));
        if !all_at(2) {
            return lost();
        }
        let after = smaps::of_process(first.pid(), self.map.range())?;
        let (faults, pages_predicted) = (told.1.load(Ordering::SeqCst), self.pages_written(walk));
        Ok(Some(Found { workers, before, after, faults, pages_predicted }))
    }
}

/// Looks at `count` objects, or at those `drawn`, and returns something that depends on all of them.
///
/// # Safety
/// `start` must be the first byte of `count` writable objects; all of `drawn` are below `count`.
#[inline(never)]
unsafe fn look(walk: Walk, start: *mut u8, count: usize, drawn: &[u32]) -> u64 {
    let mut sum = 0u64;
    let mut one = |index: usize, header: usize| {
        // SAFETY: both objects are among those of the caller; their fields are aligned to 8 bytes.
        unsafe {
            let references = start.add(header * BYTES).cast::<u64>();
            references.write_volatile(references.read_volatile() + 1);
            sum = sum.wrapping_add(start.add(index * BYTES + 16).cast::<u64>().read_volatile());
            references.write_volatile(references.read_volatile() - 1);
        }
    };
    match walk {
        Walk::Headers => (0..count).for_each(|index| one(index, index)),
        Walk::OneHeader => (0..count).for_each(|index| one(index, 0)),
        Walk::OnePercent => drawn.iter().for_each(|index| one(*index as usize, *index as usize)),
    }
    std::hint::black_box(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::progress::{Progress, Verbosity};

    fn found(count: usize, walk: Walk, workers: usize) -> (Found, u64) {
        let sink = Sink::new(Progress::new(Verbosity::Quiet), std::sync::Arc::default());
        let mut objects = Objects::new(count).expect("memory");
        objects.reset(walk);
        let found = objects.walk(walk, workers, &sink).expect("children").expect("nobody stopped it");
        (found, objects.bytes())
    }

    #[test]
    fn a_walk_over_headers_makes_every_page_private() {
        let (found, bytes) = found(10_000, Walk::Headers, 2);
        let page = page_bytes() as u64;
        assert_eq!(found.pages_predicted, (10_000 * BYTES as u64).div_ceil(page));
        assert_eq!((found.after.uss, found.after.pss, found.after.rss), (bytes, bytes, bytes));
        assert_eq!(found.faults, found.pages_predicted);
        assert_eq!((found.before.uss, found.before.rss), (0, bytes), "shared at first");
        // A test beside this one may fork at that moment, and its child shares the pages as well.
        let third = bytes as f64 / 3.0 + 2048.0;
        assert!(found.before.pss > 0 && found.before.pss as f64 <= third, "at most a third each: {found:?}");
    }

    #[test]
    fn a_draw_touches_its_pages_and_one_header_one_page() {
        let (drawn, _) = found(10_000, Walk::OnePercent, 1);
        assert_eq!(drawn.after.uss, drawn.pages_predicted * page_bytes() as u64);
        assert!(drawn.pages_predicted > 1 && drawn.pages_predicted <= 100);
        assert_eq!(drawn.faults, drawn.pages_predicted);
        let (array, _) = found(10_000, Walk::OneHeader, 1);
        assert_eq!((array.after.uss, array.faults), (page_bytes() as u64, 1));
    }
}
