//! `drills memory info`: page sizes, promises, and what CPU and GPU share.

use drills_results::{Measurement, Reason};

use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::host::pages::{self, Pool, Thp, When};
use crate::host::system;
use crate::measure::methods;
use crate::memory;
use crate::run::{Context, Sink};

/// Files first, then the driver. What reads host memory from a kernel goes last and alone: where it
/// fails, nothing else can be done with that context.
pub fn run(ctx: &Context, sink: &Sink) {
    base_page(ctx, sink);
    transparent(pages::thp(&ctx.root), sink);
    pools(&pages::pools(&ctx.root), sink);
    match pages::overcommit(&ctx.root) {
        Some((mode, name)) => push(sink, fact("page.overcommit", mode).param("state", name)),
        None => not_told(sink, "page.overcommit"),
    }
    for step in [Step::Attributes, Step::MallocRead] {
        if sink.stopped() {
            return;
        }
        job::take(ctx, sink, &[step], job::With::default());
    }
}

fn fact(key: &str, value: u64) -> Measurement {
    Measurement::ok(key, memory::unit_of(key), value as f64, methods::KERNEL_FILES)
}

fn push(sink: &Sink, measurement: Measurement) {
    sink.push(measurement);
}

fn not_told(sink: &Sink, key: &str) {
    let reason = Reason::new("not-told", "The kernel of this machine does not tell it.", "");
    memory::skip(sink, key, methods::KERNEL_FILES, &reason);
}

/// The base page, unless it is in the report already.
pub(crate) fn base_page(ctx: &Context, sink: &Sink) {
    // `drills machine topo` has it as well; a file of this drill alone is to have it too.
    let known = sink.collected().measurements.iter().any(|m| m.key == "topo.page");
    if !known {
        push(sink, fact("topo.page", system::page_bytes(&ctx.root)));
    }
}

fn transparent(thp: Option<Thp>, sink: &Sink) {
    let Some(thp) = thp else {
        for key in ["page.huge", "page.thp", "page.mthp"] {
            not_told(sink, key);
        }
        return;
    };
    push(sink, fact("page.huge", thp.huge_bytes));
    let mode = match thp.huge {
        When::Never => 0,
        When::Advised => 1,
        When::Always => 2,
    };
    let mut m = fact("page.thp", mode).param("state", thp.huge.name());
    if let Some(defrag) = &thp.defrag {
        m = m.param("defrag", defrag.as_str());
    }
    push(sink, m);
    push(sink, fact("page.mthp", thp.between.len() as u64).param("state", between(&thp)));
}

fn between(thp: &Thp) -> String {
    let name = |(bytes, when): &(u64, When)| format!("{} KiB {}", bytes >> 10, when.name());
    match thp.between.as_slice() {
        [] => "none".to_owned(),
        sizes => sizes.iter().map(name).collect::<Vec<_>>().join(", "),
    }
}

fn pools(pools: &[Pool], sink: &Sink) {
    if pools.is_empty() {
        return not_told(sink, "page.hugetlb");
    }
    let name = |pool: &Pool| format!("{} of {} of {} KiB", pool.free, pool.pages, pool.page_bytes >> 10);
    let state = pools.iter().filter(|pool| pool.pages > 0).map(name).collect::<Vec<_>>().join(", ");
    let free = pools.iter().map(|pool| pool.free).sum();
    push(
        sink,
        fact("page.hugetlb", free).param("state", if state.is_empty() { "empty".into() } else { state }),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::progress::{Progress, Verbosity};
    use drills_results::{Param, Status};

    fn sink() -> Sink {
        Sink::new(Progress::new(Verbosity::Quiet), std::sync::Arc::default())
    }

    #[test]
    fn sizes_in_between_are_named_with_their_switch() {
        let sink = sink();
        let between = vec![(64 << 10, When::Always), (1 << 20, When::Advised)];
        let thp = Thp { when: When::Never, huge_bytes: 2 << 20, between, huge: When::Never, defrag: None };
        transparent(Some(thp), &sink);
        let found = sink.collected().measurements;
        let state = |index: usize| found[index].params.get("state").cloned();
        assert_eq!((found[1].value, state(1)), (Some(0.0), Some(Param::Text("never".into()))));
        assert_eq!(state(2), Some(Param::Text("64 KiB always, 1024 KiB madvise".into())));
    }

    #[test]
    fn a_kernel_without_them_is_skipped() {
        let sink = sink();
        transparent(None, &sink);
        pools(&[], &sink);
        assert!(sink.collected().measurements.iter().all(|m| m.status == Status::Skipped));
        assert_eq!(sink.collected().measurements.len(), 4);
    }
}
