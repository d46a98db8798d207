//! `drills memory faults`: page faults, predicted, counted and timed.

mod anon;
mod cow_break;
mod file;
mod mthp;
mod shootdown;

use drills_results::{Measurement, Reason};

use crate::host::pages::{self, When};
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::noise::Watch;
use crate::measure::{methods, result, room};
use crate::memory::{self, Counted, count_differs, fail, push_judged, skip};
use crate::run::{Context, Sink};
use anon::Pass;

/// A mapping takes at most this share of free memory.
const SHARE_OF_FREE: u64 = 8;

/// Memory that nobody has touched comes first: later passes find what earlier ones gave back.
pub fn run(ctx: &Context, sink: &Sink) {
    let parts: [fn(&Context, &Sink); 8] = [
        cold,
        base,
        populate,
        huge,
        |ctx, sink| mthp::run(ctx, sink, room::free_bytes() / SHARE_OF_FREE),
        pool,
        |ctx, sink| cow_break::run(ctx, sink, room::free_bytes() / SHARE_OF_FREE),
        |ctx, sink| shootdown::run(ctx, sink),
    ];
    for part in parts {
        if sink.stopped() {
            return;
        }
        part(ctx, sink);
    }
    if !sink.stopped() {
        file::run(ctx, sink, room::free_bytes() / SHARE_OF_FREE);
    }
}

/// How much to touch, in whole pages of `page` bytes; absent when not even one of them fits.
fn size(ctx: &Context, page: u64) -> Option<usize> {
    let wanted = if ctx.quick { 128 << 20 } else { memory::GIB }.max(page);
    let bytes = wanted.min(room::free_bytes() / SHARE_OF_FREE) / page * page;
    (bytes > 0).then_some(bytes as usize)
}

fn rounds(ctx: &Context) -> usize {
    if ctx.quick { 3 } else { 5 }
}

fn cold(ctx: &Context, sink: &Sink) {
    let key = "fault.anon_base.cold";
    let wanted = if ctx.quick { 256 << 20 } else { 2 * memory::GIB };
    let bytes = wanted.min(room::free_bytes() / SHARE_OF_FREE) as usize;
    sink.step("memory that nobody has touched");
    let watch = Watch::start();
    match anon::cold(bytes, sink) {
        Ok(samples) if !sink.stopped() => {
            let unit = memory::unit_of(key);
            let m = result::of_samples(key, unit, methods::FAULT_COLD, &samples);
            push_judged(sink, &watch, m.map(|m| m.param("size_bytes", bytes as u64)));
        }
        Ok(_) => {}
        Err(error) => fail(sink, key, methods::FAULT_COLD, &error),
    }
}

fn base(ctx: &Context, sink: &Sink) {
    let keys = Keys { count: "fault.anon_base.count", time: "fault.anon_base.time" };
    let page = page_bytes();
    let Some(bytes) = size(ctx, page as u64) else { return keys.skip(sink, &no_room(page as u64)) };
    sink.step("first touch, base pages");
    let make = || Mapping::new(bytes, Pages::Base);
    let expected = (bytes / page) as u64;
    keys.measure(ctx, sink, bytes, expected, &make, &|count| count_differs(count, expected));
}

fn populate(ctx: &Context, sink: &Sink) {
    let key = "fault.populate.time";
    let method = methods::FAULT_COUNTED;
    let Some(bytes) = size(ctx, page_bytes() as u64) else {
        return skip(sink, key, method, &no_room(page_bytes() as u64));
    };
    sink.step("MADV_POPULATE_WRITE");
    let watch = Watch::start();
    let passes: std::io::Result<Vec<Vec<f64>>> =
        (0..rounds(ctx)).take_while(|_| !sink.stopped()).map(|_| anon::populate(bytes)).collect();
    match passes.map(|passes| passes.concat()) {
        Ok(samples) if !sink.stopped() => {
            let m = result::of_samples(key, memory::unit_of(key), method, &samples);
            push_judged(sink, &watch, m.map(|m| m.param("size_bytes", bytes as u64)));
        }
        Ok(_) => {}
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            let text = "This kernel has no MADV_POPULATE_WRITE.";
            skip(sink, key, method, &Reason::new("old-kernel", text, "It came with Linux 5.14."));
        }
        Err(error) => fail(sink, key, method, &error),
    }
}

fn huge(ctx: &Context, sink: &Sink) {
    let keys = Keys { count: "fault.thp.count", time: "fault.thp.time" };
    let fix = "Write madvise to /sys/kernel/mm/transparent_hugepage/enabled.";
    let Some(thp) = pages::thp(&ctx.root).filter(|thp| thp.huge > When::Never) else {
        let text = "Transparent huge pages are switched off, or this kernel has none.";
        return keys.skip(sink, &Reason::new("no-huge-pages", text, fix));
    };
    let Some(bytes) = size(ctx, thp.huge_bytes) else {
        return keys.skip(sink, &no_room(thp.huge_bytes));
    };
    sink.step("first touch, transparent huge pages");
    let huge = thp.huge_bytes as usize;
    let make = || Mapping::aligned(bytes, Pages::Huge, huge);
    let expected = (bytes / huge) as u64;
    let per_huge = (huge / page_bytes()) as u64;
    keys.measure(ctx, sink, bytes, expected, &make, &|count| fell_back(count, expected, per_huge));
}

/// Ranges that got base pages cost a fault for each of them.
fn fell_back(counted: u64, expected: u64, per_huge: u64) -> Reason {
    let excess = counted.saturating_sub(expected);
    if counted < expected || !excess.is_multiple_of(per_huge - 1) {
        return count_differs(counted, expected);
    }
    Reason::new(
        "fell-back",
        format!(
            "{counted} faults in place of {expected}: {} of {expected} ranges found no contiguous frame \
             and got base pages.",
            excess / (per_huge - 1)
        ),
        "Free memory; `echo 1 > /proc/sys/vm/compact_memory` joins free frames.",
    )
}

fn pool(ctx: &Context, sink: &Sink) {
    let keys = Keys { count: "fault.hugetlb.count", time: "fault.hugetlb.time" };
    let Some(pool) = pages::pools(&ctx.root).into_iter().find(|pool| pool.free > 0) else {
        let fix = "Set some aside with `sysctl vm.nr_hugepages=512`.";
        return keys.skip(sink, &Reason::new("no-pool", "The hugetlb pools have no free page.", fix));
    };
    // A quarter of the pool: it was set aside for somebody.
    let allowed = (pool.free / 4).max(1).saturating_mul(pool.page_bytes);
    let wanted = size(ctx, pool.page_bytes).map_or(0, |bytes| (bytes as u64).min(allowed));
    let count = (wanted / pool.page_bytes) as usize;
    if count == 0 {
        return keys.skip(sink, &no_room(pool.page_bytes));
    }
    sink.step("first touch, hugetlb pool");
    let bytes = count * pool.page_bytes as usize;
    let make = || Mapping::of_pool(pool.page_bytes as usize, count);
    keys.measure(ctx, sink, bytes, count as u64, &make, &|found| count_differs(found, count as u64));
}

fn no_room(page: u64) -> Reason {
    let text = format!("An eighth of the free memory is less than one page of {page} bytes.");
    Reason::new("no-room", text, "Free memory and run again.")
}

/// Keys of one kind of memory.
#[derive(Clone, Copy)]
struct Keys<'a> {
    count: &'a str,
    time: &'a str,
}

impl Keys<'_> {
    fn skip(self, sink: &Sink, reason: &Reason) {
        for key in [self.count, self.time] {
            skip(sink, key, methods::FAULT_COUNTED, reason);
        }
    }

    /// Passes over fresh mappings that `make` makes. The first one is thrown away: the memory of the
    /// following ones was given back a moment ago.
    fn measure(
        self,
        ctx: &Context,
        sink: &Sink,
        bytes: usize,
        expected: u64,
        make: &dyn Fn() -> std::io::Result<Mapping>,
        why: &dyn Fn(u64) -> Reason,
    ) {
        let watch = Watch::start();
        let page = bytes / expected.max(1) as usize;
        let passes: std::io::Result<Vec<Pass>> =
            (0..=rounds(ctx)).map_while(|_| anon::pass(make, page, sink).transpose()).collect();
        let passes = match passes {
            Ok(passes) => passes,
            Err(error) => {
                for key in [self.count, self.time] {
                    fail(sink, key, methods::FAULT_COUNTED, &error);
                }
                return;
            }
        };
        let Some((_, passes)) = passes.split_first().filter(|_| !sink.stopped()) else { return };
        self.push(sink, &watch, bytes, expected, passes, why);
    }

    fn push(
        self,
        sink: &Sink,
        watch: &Watch,
        bytes: usize,
        expected: u64,
        passes: &[Pass],
        why: &dyn Fn(u64) -> Reason,
    ) {
        let (method, bytes) = (methods::FAULT_COUNTED, bytes as u64);
        let counts: Vec<u64> = passes.iter().map(|pass| pass.faults).collect();
        let counted = Counted { key: self.count, method, counts: &counts, expected, bytes };
        let times: Vec<f64> = passes.iter().flat_map(|pass| pass.samples.iter().copied()).collect();
        let count = counted.measurement(why);
        let time = result::of_samples(self.time, memory::unit_of(self.time), method, &times);
        let told = |m: Measurement| match passes.iter().filter_map(|pass| pass.huge_bytes).min() {
            Some(huge) => m.param("huge_page_share", huge as f64 / bytes as f64),
            None => m,
        };
        sink_push(sink, count.map(told));
        push_judged(sink, watch, time.map(told).map(|m| m.param("size_bytes", bytes)));
    }
}

/// Counts are exact whatever else runs: no noise is looked for.
fn sink_push(sink: &Sink, measurement: Option<Measurement>) {
    if let Some(measurement) = measurement {
        sink.push(measurement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excess_faults_tell_how_many_ranges_fell_back() {
        let text = |counted| fell_back(counted, 512, 512);
        assert_eq!(text(512 + 11 * 511).code, "fell-back");
        assert!(text(512 + 11 * 511).text.contains("11 of 512 ranges"));
        assert_eq!(text(513).code, "count-differs");
        assert_eq!(text(500).code, "count-differs");
    }
}
