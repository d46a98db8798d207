//! `drills memory tlb`: what missing the TLB costs, and how far it reaches.
//!
//! One walk goes through one line in each base page, once on base pages and once on huge ones: the caches
//! see the same lines, so what differs is translation. For the reach of huge pages there is a second walk,
//! one line in each huge page. Both reaches come from a comparison with as many lines side by side, which
//! the caches hold as well and the TLB hardly notices.

mod knee;
mod walks;

use drills_results::{Measurement, Point, Reason, Unit};

use crate::host::lists;
use crate::machine::topo;
use crate::measure::mapping::{Pages, page_bytes};
use crate::measure::noise::Watch;
use crate::measure::pin::{self, Pinned};
use crate::measure::{methods, result, room};
use crate::memory::{fail, push_judged, skip};
use crate::run::{Context, Sink};
use walks::{Step, Walker};

const KEYS: [&str; 4] = ["tlb.chase.base", "tlb.chase.huge", "tlb.reach.base", "tlb.reach.huge"];
/// No TLB of today has more entries.
const MOST_ENTRIES: u64 = 16_384;
const METHOD: &str = methods::CHASE_ONE_LINE_PER_PAGE;

/// Both walks and what follows from them.
pub fn run(ctx: &Context, sink: &Sink) {
    let topology = sink.known_topology().unwrap_or_else(|| topo::read(ctx, sink));
    let allowed = pin::allowed().unwrap_or_default();
    let fastest = topology.core_kinds.first().map(|kind| lists::parse(&kind.cpus)).unwrap_or_default();
    let cpu = allowed.iter().find(|cpu| fastest.contains(cpu)).or(allowed.first());
    let pinned = Pinned::to(cpu.map(std::slice::from_ref).unwrap_or_default());
    if let Err(error) = &pinned {
        KEYS.iter().for_each(|key| fail(sink, key, METHOD, error));
        return;
    }
    let line = topology.caches.iter().filter_map(|cache| cache.line_bytes).max().unwrap_or(64);
    let walker = Walker { line: line.max(64) as usize, quick: ctx.quick, sink };
    if let Err(error) = all(ctx, sink, &walker) {
        // Whatever was pushed before stays; the report keeps the first status of each key.
        let done = sink.collected().measurements;
        let open = KEYS.iter().filter(|key| done.iter().all(|m| m.key != **key));
        open.for_each(|key| fail(sink, key, METHOD, &error));
    }
}

fn all(ctx: &Context, sink: &Sink, walker: &Walker<'_>) -> std::io::Result<()> {
    let free = room::free_bytes() / 4;
    let most = if ctx.quick { 64 << 20 } else { 1 << 30 }.min(free) as usize;
    let watch = Watch::start();
    let base = walker.over(most, Pages::Base)?.steps;
    push_chase(sink, &watch, KEYS[0], &base);
    // Beyond this many pages nothing is to be learned about TLBs, and caches begin to differ.
    let few: Vec<Step> = base.into_iter().filter(|step| step.pages <= MOST_ENTRIES).collect();
    let together = walker.together(&few)?;
    if sink.stopped() {
        return Ok(());
    }
    push_reach(sink, KEYS[2], &few, &together, page_bytes() as u64);
    let watch = Watch::start();
    let huge = walker.over(most, Pages::Huge)?;
    if sink.stopped() {
        return Ok(());
    }
    if huge.huge_share.is_none_or(|share| share < walks::LEAST_HUGE_SHARE) {
        let reason = no_huge_pages(huge.huge_share);
        [KEYS[1], KEYS[3]].iter().for_each(|key| skip(sink, key, METHOD, &reason));
        return Ok(());
    }
    push_chase(sink, &watch, KEYS[1], &huge.steps);
    if knee::misses(&huge.steps, &together) {
        sink.warn(
            "Loads on huge pages miss the TLB as often as on base pages: the hypervisor backs this guest's \
             memory with small pages.",
        );
    }
    reach_of_huge(ctx, sink, walker, free)
}

fn reach_of_huge(ctx: &Context, sink: &Sink, walker: &Walker<'_>, free: u64) -> std::io::Result<()> {
    let Some(huge) = crate::host::pages::thp(&ctx.root).map(|thp| thp.huge_bytes) else { return Ok(()) };
    let most = if ctx.quick { 1 << 30 } else { 16 << 30 }.min(free);
    let pages = (most / huge) as usize;
    let (apart, together) = walker.over_huge(pages, huge as usize)?;
    if !sink.stopped() {
        push_reach(sink, KEYS[3], &apart, &together, huge);
    }
    Ok(())
}

fn push_chase(sink: &Sink, watch: &Watch, key: &str, steps: &[Step]) {
    let Some(last) = steps.last().filter(|_| !sink.stopped()) else { return };
    let points: Vec<Point> =
        steps.iter().filter_map(|step| result::point(step.bytes as f64, &step.samples)).collect();
    let m = result::of_samples(key, Unit::Ns, METHOD, &last.samples)
        .map(|m| result::over_sizes(m, points).param("size_bytes", last.bytes).param("pages", last.pages));
    push_judged(sink, watch, m);
}

/// The largest working set whose walk costs no more than the same lines without TLB misses.
fn push_reach(sink: &Sink, key: &str, apart: &[Step], together: &[Step], page: u64) {
    let points: Vec<knee::Point> = apart
        .iter()
        .zip(together)
        .map(|(a, b)| knee::Point { pages: a.pages, extra_ns: a.least() - b.least() })
        .collect();
    match knee::find(&points) {
        Ok(found) => {
            let m = Measurement::ok(key, Unit::Bytes, (found.pages * page) as f64, METHOD)
                .param("entries", found.pages)
                .param("state", format!("{} entries", found.pages))
                .param("next_pages", found.next_pages)
                .param("miss_ns", found.rise_ns);
            sink.push(m);
        }
        Err(reason) => skip(sink, key, METHOD, &reason),
    }
}

fn no_huge_pages(share: Option<f64>) -> Reason {
    let text = match share {
        Some(share) => format!("Huge pages back only {:.0} % of the memory.", share * 100.0),
        None => "The kernel does not tell whether huge pages back the memory.".into(),
    };
    Reason::new("no-huge-pages", text, "Write madvise to /sys/kernel/mm/transparent_hugepage/enabled.")
}
