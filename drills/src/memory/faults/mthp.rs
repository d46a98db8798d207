//! Multi-size THP: anonymous memory in sizes between the base page and the huge page.
//!
//! The kernel takes the largest size that is switched on and fits the area. So each size gets areas of
//! exactly that size, with gaps between them: a larger page does not fit.

use std::io;

use drills_results::Measurement;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

use super::{Keys, rounds};
use crate::host::pages;
use crate::measure::clock::time_ns;
use crate::measure::mapping::page_bytes;
use crate::measure::noise::Watch;
use crate::measure::{methods, result, usage};
use crate::memory::{self, Counted, count_differs, fail, push_judged};
use crate::run::{Context, Sink};

/// Areas at most: a process may have 65,530 by default, and each one here costs two.
const MOST_AREAS: usize = 16_384;

/// A count and a time for each size that is switched on.
pub(super) fn run(ctx: &Context, sink: &Sink, most: u64) {
    let Some(thp) = pages::thp(&ctx.root) else { return };
    for (size, _) in thp.between {
        if sink.stopped() {
            return;
        }
        let name = format!("{}kib", size >> 10);
        let (count, time) = (format!("fault.mthp.count.{name}"), format!("fault.mthp.time.{name}"));
        sink.step(&format!("first touch, pages of {} KiB", size >> 10));
        let wanted = if ctx.quick { 64 << 20 } else { 256 << 20 };
        let areas = ((wanted.min(most) / size) as usize).min(MOST_AREAS);
        one(ctx, sink, Keys { count: &count, time: &time }, size as usize, areas);
    }
}

fn one(ctx: &Context, sink: &Sink, keys: Keys<'_>, size: usize, areas: usize) {
    let watch = Watch::start();
    let (mut counts, mut times) = (Vec::new(), Vec::new());
    let bytes = (areas * size) as u64;
    for round in 0..=rounds(ctx) {
        if sink.stopped() || areas == 0 {
            return;
        }
        let areas = match Areas::new(size, areas) {
            Ok(areas) => areas,
            Err(error) => {
                for key in [keys.count, keys.time] {
                    fail(sink, key, methods::FAULT_COUNTED, &error);
                }
                return;
            }
        };
        let (faults, (ns, ())) = usage::counted(|| time_ns(|| areas.touch()));
        if round > 0 {
            counts.push(faults.all());
            times.push(memory::per_gib(ns, bytes));
        }
    }
    let (method, expected) = (methods::FAULT_COUNTED, areas as u64);
    let counted = Counted { key: keys.count, method, counts: &counts, expected, bytes };
    let about = |m: Measurement| m.param("page_bytes", size as u64).param("size_bytes", bytes);
    super::sink_push(sink, counted.measurement(|count| count_differs(count, expected)).map(about));
    let time = result::of_samples(keys.time, memory::unit_of(keys.time), method, &times);
    push_judged(sink, &watch, time.map(about));
}

/// Areas of `size` bytes, each at a multiple of it, with as large a gap after each.
struct Areas {
    reserved: *mut u8,
    reserved_len: usize,
    first: *mut u8,
    size: usize,
    count: usize,
}

impl Areas {
    fn new(size: usize, count: usize) -> io::Result<Self> {
        let reserved_len = size * (2 * count + 2);
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice aliases nothing.
        let reserved =
            unsafe { mmap_anonymous(std::ptr::null_mut(), reserved_len, ProtFlags::empty(), flags)? };
        let reserved = reserved.cast::<u8>();
        // At least one gap before the first area, so that it does not join what lies below.
        let first = reserved.wrapping_add(size).wrapping_add(reserved.align_offset(size));
        let areas = Self { reserved, reserved_len, first, size, count };
        for index in 0..count {
            let at = areas.area(index);
            let both = ProtFlags::READ | ProtFlags::WRITE;
            // SAFETY: the range lies inside the reservation made above, which this replaces in part.
            unsafe {
                mmap_anonymous(at.cast(), size, both, MapFlags::PRIVATE | MapFlags::FIXED)?;
                madvise(at.cast(), size, Advice::LinuxHugepage)?;
            }
        }
        Ok(areas)
    }

    fn area(&self, index: usize) -> *mut u8 {
        self.first.wrapping_add(2 * index * self.size)
    }

    fn touch(&self) {
        for index in 0..self.count {
            for offset in (0..self.size).step_by(page_bytes()) {
                // SAFETY: inside an area, which is writable.
                unsafe { std::ptr::write_volatile(self.area(index).add(offset), 1) };
            }
        }
    }
}

impl Drop for Areas {
    fn drop(&mut self) {
        // SAFETY: the range is the reservation with all areas in it.
        let _ = unsafe { munmap(self.reserved.cast(), self.reserved_len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_aligned_and_do_not_touch() {
        let size = 4 * page_bytes();
        let areas = Areas::new(size, 8).expect("memory");
        areas.touch();
        for index in 0..8 {
            assert_eq!(areas.area(index) as usize % size, 0);
        }
        let end = areas.area(7).wrapping_add(size) as usize;
        assert!(end <= areas.reserved as usize + areas.reserved_len);
        assert!(areas.area(0) as usize >= areas.reserved as usize + size);
    }
}
