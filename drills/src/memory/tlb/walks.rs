//! The walks behind the TLB's figures.

use std::io;

use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::random::Random;
use crate::measure::sample::{Plan, sample};
use crate::measure::walk::{self, Shape};
use crate::run::Sink;

/// Huge pages that back less of the memory than this are none.
pub(super) const LEAST_HUGE_SHARE: f64 = 0.95;
/// Loads between two looks at the clock.
const CHUNK: usize = 16 * 1024;
/// Pages of the smallest working set.
const FEWEST_PAGES: usize = 16;
/// Bytes from one line to the next where lines lie together: what some CPUs fetch in pairs is not fetched.
const SPACING: usize = 128;

/// One working set.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) pages: u64,
    pub(super) bytes: u64,
    /// Nanoseconds per load.
    pub(super) samples: Vec<f64>,
}

impl Step {
    /// Whatever else ran made a walk slower, never faster.
    pub(super) fn least(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// A walk over all working sets.
pub(super) struct Walked {
    pub(super) steps: Vec<Step>,
    /// Share of the memory that huge pages back, where the kernel tells.
    pub(super) huge_share: Option<f64>,
}

/// Walks on the calling thread, which is pinned.
pub(super) struct Walker<'a> {
    pub(super) line: usize,
    pub(super) quick: bool,
    pub(super) sink: &'a Sink,
}

impl Walker<'_> {
    /// One line in each base page of working sets up to `most` bytes.
    ///
    /// # Errors
    /// The memory could not be had.
    pub(super) fn over(&self, most: usize, pages: Pages) -> io::Result<Walked> {
        let shape = Shape { line: self.line, page: page_bytes() };
        let mut map = Mapping::new(most, pages)?;
        map.touch();
        let mut steps = Vec::new();
        for count in self.counts(most / page_bytes()) {
            let kind = if pages == Pages::Huge { "huge" } else { "base" };
            self.sink.step(&format!("one line in each of {count} pages, {kind} pages"));
            let order = shape.one_per_page(count);
            let Some(samples) = self.walk(shape.link(&mut map, &order), count) else { break };
            steps.push(Step { pages: count as u64, bytes: (count * page_bytes()) as u64, samples });
        }
        Ok(Walked { steps, huge_share: map.huge_bytes().map(|huge| huge as f64 / map.len() as f64) })
    }

    /// As many lines as the walks of `steps` have pages, side by side: the caches hold the same number of
    /// lines, spread as evenly, and the TLB needs a page for every 64 of them.
    ///
    /// # Errors
    /// The memory could not be had.
    pub(super) fn together(&self, steps: &[Step]) -> io::Result<Vec<Step>> {
        let most = steps.last().map_or(0, |step| step.pages as usize);
        let shape = Shape { line: self.line, page: page_bytes() };
        let mut map = Mapping::new(most * self.line, Pages::Base)?;
        map.touch();
        let mut found = Vec::new();
        for step in steps {
            let lines = step.pages as usize;
            self.sink.step(&format!("{lines} lines side by side"));
            let order = Random::default().distinct(lines, lines);
            let Some(samples) = self.walk(shape.link(&mut map, &order), lines) else { break };
            found.push(Step { pages: step.pages, bytes: (lines * self.line) as u64, samples });
        }
        Ok(found)
    }

    /// One line in each of up to `pages` huge pages; and as many lines at the same offsets, which cache
    /// sets follow, in as few huge pages as hold them.
    ///
    /// # Errors
    /// The memory could not be had.
    pub(super) fn over_huge(&self, pages: usize, huge: usize) -> io::Result<(Vec<Step>, Vec<Step>)> {
        let shape = Shape { line: self.line, page: huge };
        let mut map = Mapping::aligned(pages * huge, Pages::Huge, huge)?;
        let spacing = SPACING.max(self.line);
        let (mut apart, mut together) = (Vec::new(), Vec::new());
        for count in self.counts(pages) {
            self.sink.step(&format!("one line in each of {count} huge pages"));
            let line = |page: usize, offset: usize| ((page * huge + offset) / self.line) as u32;
            let mut far: Vec<u32> = (0..count).map(|i| line(i, i * spacing % huge)).collect();
            let mut near: Vec<u32> = (0..count).map(|i| line(0, i * spacing % huge)).collect();
            if count * spacing > huge {
                near = (0..count).map(|i| line(i * spacing / huge, i * spacing % huge)).collect();
            }
            let pages = count as u64;
            let bytes = (count * huge) as u64;
            let mut once = |order: &mut Vec<u32>| {
                Random::default().shuffle(order);
                self.walk(shape.link(&mut map, order), count).map(|samples| Step { pages, bytes, samples })
            };
            let (Some(far), Some(near)) = (once(&mut far), once(&mut near)) else { break };
            apart.push(far);
            together.push(near);
        }
        Ok((apart, together))
    }

    /// Doubling numbers of pages with some between each two, up to `most`.
    fn counts(&self, most: usize) -> Vec<usize> {
        counts(most, if self.quick { 2 } else { 4 })
    }

    /// Nanoseconds per load of a chain of `lap` links. `None` when the user ended the run.
    fn walk(&self, first: *const usize, lap: usize) -> Option<Vec<f64>> {
        if first.is_null() {
            return None;
        }
        // SAFETY: the chain was just made in memory that outlives this call.
        let mut at = unsafe { walk::follow(first, lap.next_multiple_of(16).max(1024)) };
        let (time_ns, at_least) = if self.quick { (8_000_000, 7) } else { (50_000_000, 15) };
        let plan = Plan { warm_up: 1, time_ns, at_least, at_most: 500 };
        let samples = sample(
            plan,
            || self.sink.stopped(),
            || {
                let start = now_ns();
                // SAFETY: as above.
                at = unsafe { walk::follow(at, CHUNK) };
                (now_ns() - start) as f64 / CHUNK as f64
            },
        );
        std::hint::black_box(at);
        (!self.sink.stopped() && !samples.is_empty()).then_some(samples)
    }
}

fn counts(most: usize, steps: usize) -> Vec<usize> {
    let doubling = std::iter::successors(Some(FEWEST_PAGES), |count| count.checked_mul(2));
    let all = doubling.flat_map(move |count| (0..steps).map(move |step| count + count * step / steps));
    all.take_while(|count| *count <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::progress::{Progress, Verbosity};

    #[test]
    fn working_sets_double_with_some_between() {
        assert_eq!(counts(64, 2), [16, 24, 32, 48, 64]);
        assert_eq!(counts(100, 2), [16, 24, 32, 48, 64, 96]);
        assert_eq!(counts(40, 4), [16, 20, 24, 28, 32, 40]);
        assert!(counts(3, 4).is_empty());
    }

    #[test]
    fn both_walks_cover_the_same_working_sets() {
        let sink = Sink::new(Progress::new(Verbosity::Quiet), std::sync::Arc::default());
        let walker = Walker { line: 64, quick: true, sink: &sink };
        let (apart, together) = walker.over_huge(24, 1 << 20).expect("memory");
        let pages = |steps: &[Step]| steps.iter().map(|step| step.pages).collect::<Vec<_>>();
        assert_eq!(pages(&apart), [16, 24]);
        assert_eq!(pages(&apart), pages(&together));
        assert!(apart.iter().all(|step| step.least() > 0.1), "a load takes time");
        let base = walker.over(32 * page_bytes(), Pages::Base).expect("memory");
        assert_eq!(pages(&base.steps), [16, 24, 32]);
        let side_by_side = walker.together(&base.steps).expect("memory");
        assert_eq!(pages(&side_by_side), [16, 24, 32]);
    }
}
