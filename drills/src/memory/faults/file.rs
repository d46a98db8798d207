//! Faults on a mapped file: in the page cache, as private writes, and from the drive.

use std::io;
use std::os::unix::fs::FileExt;

use drills_results::{Measurement, Reason, Status, Unit};
use rustix::fs::Advice;

use crate::measure::clock::{now_ns, time_ns};
use crate::measure::mapping::page_bytes;
use crate::measure::noise::Watch;
use crate::measure::random::Random;
use crate::measure::usage::{self, Faults};
use crate::measure::{methods, pattern, result};
use crate::memory::predict::Beside;
use crate::memory::scratch::{self, Scratch, Trouble};
use crate::memory::{
    self, Counted, FileMap, Use, count_differs, evict, fail, folios, predict, push_judged, skip,
};
use crate::run::{Context, Sink};

const KEYS: [(&str, &str); 4] = [
    ("fault.file_map.count", methods::FAULT_COUNTED),
    ("fault.file_map.time", methods::FAULT_COUNTED),
    ("fault.file_write.count", methods::FAULT_COUNTED),
    ("fault.major", methods::FAULT_MAJOR),
];
/// Smallest file that shows anything.
const SMALLEST: u64 = 8 << 20;
/// Pages that are put into the cache one by one, for the prediction that every kernel must meet.
const SINGLE_PAGES: usize = 2048;
const SEED: u64 = 0xF17E;

/// A measurement on the file.
type Part = fn(&Context, &Sink, &Scratch) -> io::Result<()>;

/// Makes a file, measures, and gives the file back.
pub(super) fn run(ctx: &Context, sink: &Sink, most: u64) {
    sink.step("writing a file to map");
    let scratch = match make(ctx, sink, most) {
        Ok(scratch) => scratch,
        Err(trouble) => {
            KEYS.iter().for_each(|(key, method)| sink.push(trouble.measurement(key, method)));
            return;
        }
    };
    let parts: [(&[usize], Part); 3] = [(&[0, 1], cached), (&[2], private), (&[3], major)];
    for (keys, part) in parts {
        if sink.stopped() {
            return;
        }
        if let Err(error) = part(ctx, sink, &scratch) {
            keys.iter().for_each(|index| fail(sink, KEYS[*index].0, KEYS[*index].1, &error));
        }
    }
}

fn make(ctx: &Context, sink: &Sink, most: u64) -> Result<Scratch, Trouble> {
    let wanted = if ctx.quick { 64 << 20 } else { 256 << 20 };
    let allowed = scratch::allowed_bytes(&ctx.dir, SMALLEST)?;
    let bytes = scratch::whole_pages(wanted.min(allowed).min(most.max(SMALLEST)));
    let mut fill = |block: &mut [u8], at: u64| pattern::fill_from(block, at / 8, SEED);
    Scratch::create(&ctx.dir, bytes, &mut fill, &|| sink.stopped())
}

/// Reads through a map of the file as a program finds it: brought in by readahead. Recent kernels keep
/// larger units (folios) in the cache and map a whole one at a fault, so the prediction from windows is
/// the most that can come. Whether it holds is tested where it must: on pages brought in one by one.
fn cached(ctx: &Context, sink: &Sink, scratch: &Scratch) -> io::Result<()> {
    sink.step("a mapped file in the page cache");
    let single = single_pages(scratch)?;
    evict(&scratch.file, scratch.bytes)?;
    scratch.read_through(scratch.bytes)?;
    let watch = Watch::start();
    let (mut counts, mut times, mut expected, mut by_folios) = (Vec::new(), Vec::new(), 0, None);
    for _ in 0..super::rounds(ctx) {
        let map = FileMap::new(&scratch.file, scratch.bytes as usize, Use::Read)?;
        expected = predict::windows_of(&map);
        let (faults, (ns, ())) = usage::counted(|| time_ns(|| touch(&map)));
        counts.push(faults.all());
        times.push(memory::per_gib(ns, scratch.bytes));
        by_folios = folios::faults_of(&map);
    }
    let by_folios = by_folios.map(|faults| memory::per_gib(faults, scratch.bytes));
    let (key, method) = KEYS[0];
    let counted = Counted { key, method, counts: &counts, expected, bytes: scratch.bytes };
    let count = counted.measurement(|found| count_differs(found, expected));
    super::sink_push(sink, count.map(|m| predict::judge_windows(m, Beside { single, by_folios })));
    let time = result::of_samples(KEYS[1].0, Unit::NsPerGib, KEYS[1].1, &times);
    push_judged(sink, &watch, time.map(|m| m.param("size_bytes", scratch.bytes)));
    Ok(())
}

/// Faults over pages that were brought in one at a time, and their prediction. `None` where the file
/// cannot be evicted, so that its pages cannot be brought in anew.
fn single_pages(scratch: &Scratch) -> io::Result<Option<(u64, u64)>> {
    if !evict(&scratch.file, scratch.bytes)?.is_cold() {
        return Ok(None);
    }
    let pages = SINGLE_PAGES.min((scratch.bytes / page_bytes() as u64) as usize);
    let file = scratch.reopen()?;
    // With this advice a read of one page brings in one page.
    rustix::fs::fadvise(&file, 0, None, Advice::Random)?;
    let mut page = vec![0; page_bytes()];
    for index in 0..pages {
        file.read_exact_at(&mut page, (index * page_bytes()) as u64)?;
    }
    let map = FileMap::new(&file, pages * page_bytes(), Use::Read)?;
    let (faults, ()) = usage::counted(|| touch(&map));
    Ok(Some((faults.all(), predict::windows_of(&map))))
}

fn touch(map: &FileMap) {
    let mut sum = 0u8;
    for index in 0..map.pages() {
        sum = sum.wrapping_add(map.read_page(index));
    }
    std::hint::black_box(sum);
}

/// A private write copies its page; nothing around it is mapped along.
fn private(ctx: &Context, sink: &Sink, scratch: &Scratch) -> io::Result<()> {
    sink.step("private writes to a mapped file");
    let len = scratch.bytes.min(64 << 20) as usize;
    let mut counts = Vec::new();
    let mut expected = 0;
    for _ in 0..super::rounds(ctx) {
        let mut map = FileMap::new(&scratch.file, len, Use::PrivateWrite)?;
        let pages = map.pages();
        let (faults, ()) = usage::counted(|| (0..pages).for_each(|index| map.write_page(index)));
        counts.push(faults.all());
        expected = pages as u64;
    }
    let (key, method) = KEYS[2];
    let counted = Counted { key, method, counts: &counts, expected, bytes: len as u64 };
    super::sink_push(sink, counted.measurement(|found| count_differs(found, expected)));
    Ok(())
}

/// One page of the evicted file after another, at random, with readahead off.
fn major(ctx: &Context, sink: &Sink, scratch: &Scratch) -> io::Result<()> {
    sink.step("major faults");
    let (key, method) = KEYS[3];
    let left = evict(&scratch.file, scratch.bytes)?;
    if !left.is_cold() {
        skip(sink, key, method, &left.still_cached(scratch.filesystem.as_deref()));
        return Ok(());
    }
    let map = FileMap::new(&scratch.file, scratch.bytes as usize, Use::Read)?;
    map.without_readahead()?;
    let most_ns = if ctx.quick { 500_000_000 } else { 3_000_000_000 };
    let order = Random::default().distinct(if ctx.quick { 1_000 } else { 10_000 }, map.pages());
    let mut samples = Vec::with_capacity(order.len());
    let watch = Watch::start();
    let (faults, ()) = usage::counted(|| {
        let began = now_ns();
        for index in order {
            let start = now_ns();
            std::hint::black_box(map.read_page(index as usize));
            samples.push((now_ns() - start) as f64);
            if start - began > most_ns || sink.stopped() {
                break;
            }
        }
    });
    let touched = samples.len() as u64;
    let m = result::of_latencies(key, method, &samples).map(|m| {
        m.param("proof", left.proof)
            .param("major_faults", faults.major)
            .param("pages", touched)
            .param("filesystem", scratch.filesystem.as_deref().unwrap_or("unknown"))
    });
    push_judged(sink, &watch, m.map(|m| all_major(m, faults, touched)));
    Ok(())
}

fn all_major(measurement: Measurement, faults: Faults, touched: u64) -> Measurement {
    if faults.major == touched {
        return measurement;
    }
    let text = format!("Of {touched} touched pages {} were major faults.", faults.major);
    let reason = Reason::new("not-all-major", text, "Something else reads the file or maps larger units.");
    Measurement { status: Status::Unstable, reason: Some(reason), ..measurement }
}
