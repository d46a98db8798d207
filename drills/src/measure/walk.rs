//! Orders in which a buffer's lines are visited, and the chain of pointers that follows one.
//!
//! An order holds each line once, and the chain closes at its end: one cycle over all lines, as
//! Sattolo's shuffle gives, so that no line is left out and no short loop stays in a cache.

use crate::measure::random::Random;

/// Pages in a window of [`Walk::Local`]: half of what the smallest first-level TLB holds today.
const WINDOW_PAGES: usize = 32;
/// A window's lines are visited in this many passes over the whole buffer. Lines next to each other are
/// in different passes, so the pair that some CPUs fetch with a line has left the caches until then.
const PASSES: usize = 4;

/// How a buffer is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// Random inside windows of a few pages: cache and memory latency without TLB misses.
    Local,
    /// Each line in another page than the one before.
    Scattered,
}

/// Sizes that shape a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Cache line in bytes.
    pub(crate) line: usize,
    /// Page in bytes.
    pub(crate) page: usize,
}

impl Shape {
    /// The order of a walk over `bytes`, as line numbers. Bytes that fill no whole line (for
    /// [`Walk::Scattered`]: no whole page) are left out.
    pub(crate) fn order(self, walk: Walk, bytes: usize) -> Vec<u32> {
        let mut random = Random::default();
        match walk {
            Walk::Local => self.local(bytes / self.line, &mut random),
            Walk::Scattered => self.scattered(bytes / self.page, &mut random),
        }
    }

    fn local(self, lines: usize, random: &mut Random) -> Vec<u32> {
        let window = (WINDOW_PAGES * self.page / self.line).max(PASSES);
        let mut windows: Vec<usize> = (0..lines.div_ceil(window)).collect();
        let mut order = Vec::with_capacity(lines);
        for pass in 0..PASSES {
            random.shuffle(&mut windows);
            for index in &windows {
                let first = order.len();
                let end = ((index + 1) * window).min(lines);
                order.extend((index * window + pass..end).step_by(PASSES).map(|line| line as u32));
                random.shuffle(&mut order[first..]);
            }
        }
        order
    }

    fn scattered(self, pages: usize, random: &mut Random) -> Vec<u32> {
        let per_page = self.page / self.line;
        let mut list: Vec<usize> = (0..pages).collect();
        // Each page starts at a line of its own, or all first lines would share a few cache sets.
        let starts: Vec<usize> = list.iter().map(|_| random.below(per_page)).collect();
        let mut order = Vec::with_capacity(pages * per_page);
        for pass in 0..per_page {
            random.shuffle(&mut list);
            let line = |page: &usize| (page * per_page + (starts[*page] + pass) % per_page) as u32;
            order.extend(list.iter().map(line));
        }
        order
    }

    /// One line in each of the first `pages` pages, in random order. Lines are at different places in
    /// their pages, and as many pages as a page has lines use each place once: caches that are indexed by
    /// the offset in a page fill evenly, so that what grows with the pages is the cost of translation.
    pub(crate) fn one_per_page(self, pages: usize) -> Vec<u32> {
        let per_page = self.page / self.line;
        let mut random = Random::default();
        let mut places: Vec<usize> = (0..per_page).collect();
        let mut order = Vec::with_capacity(pages);
        for page in 0..pages {
            if page % per_page == 0 {
                random.shuffle(&mut places);
            }
            order.push((page * per_page + places[page % per_page]) as u32);
        }
        random.shuffle(&mut order);
        order
    }

    /// Writes into each line the address of the next one and returns the address of the first.
    pub(crate) fn link(self, memory: &mut [u8], order: &[u32]) -> *const usize {
        let start = memory.as_mut_ptr();
        let address = |line: u32| start.wrapping_add(line as usize * self.line).cast::<usize>();
        let Some((&first, &last)) = order.first().zip(order.last()) else { return std::ptr::null() };
        assert!(
            order.iter().all(|line| (*line as usize + 1) * self.line <= memory.len()),
            "order fits memory"
        );
        for pair in order.windows(2) {
            // SAFETY: the line lies inside `memory`, checked above, and is aligned to a line.
            unsafe { address(pair[0]).write(address(pair[1]) as usize) };
        }
        // SAFETY: as above.
        unsafe { address(last).write(address(first) as usize) };
        address(first)
    }
}

/// Follows `hops` links and returns where it got. Each load waits for the one before.
///
/// # Safety
/// `at` must point into a chain made by [`Shape::link`] whose memory is alive.
#[inline(never)]
pub(crate) unsafe fn follow(mut at: *const usize, hops: usize) -> *const usize {
    const UNROLLED: usize = 16;
    for _ in 0..hops / UNROLLED {
        for _ in 0..UNROLLED {
            // SAFETY: every link leads to a line of the same chain.
            at = unsafe { std::ptr::read_volatile(at) } as *const usize;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::mapping::{Mapping, Pages};

    const SHAPE: Shape = Shape { line: 64, page: 4096 };

    fn visited_once(order: &[u32]) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.iter().enumerate().all(|(index, line)| index as u32 == *line)
    }

    #[test]
    fn every_line_is_visited_once() {
        for bytes in [4096, 12 * 1024, 300 * 4096, 1 << 20] {
            for walk in [Walk::Local, Walk::Scattered] {
                let order = SHAPE.order(walk, bytes);
                assert_eq!(order.len(), bytes / 64);
                assert!(visited_once(&order), "{walk:?} {bytes}");
            }
        }
    }

    #[test]
    fn the_chain_is_one_cycle() {
        let mut memory = Mapping::new(1 << 20, Pages::Base).expect("memory");
        let order = SHAPE.order(Walk::Local, 1 << 20);
        let first = SHAPE.link(&mut memory, &order);
        let (mut at, mut hops) = (first, 0);
        loop {
            // SAFETY: the chain was just made and its memory is alive.
            at = unsafe { std::ptr::read(at) } as *const usize;
            hops += 1;
            if at == first {
                break;
            }
        }
        assert_eq!(hops, order.len());
        // SAFETY: as above.
        assert_eq!(unsafe { follow(first, order.len()) }, first, "a lap leads back");
    }

    #[test]
    fn scattered_steps_change_the_page_and_local_ones_stay_in_the_window() {
        let page = |line: u32| line / 64;
        let scattered = SHAPE.order(Walk::Scattered, 1 << 20);
        let same = scattered.windows(2).filter(|w| page(w[0]) == page(w[1])).count();
        assert!(same <= 64, "only where one pass ends and the next begins: {same}");
        let local = SHAPE.order(Walk::Local, 1 << 22);
        let leaves = local.windows(2).filter(|w| page(w[0]) / 32 != page(w[1]) / 32).count();
        assert!(leaves < 4 * 32, "once per window and pass: {leaves}");
    }

    #[test]
    fn one_line_in_each_page_at_places_that_fill_evenly() {
        let order = SHAPE.one_per_page(128);
        let pages: std::collections::BTreeSet<_> = order.iter().map(|line| line / 64).collect();
        assert_eq!((order.len(), pages.len()), (128, 128), "one line in each page");
        let mut used = [0; 64];
        order.iter().for_each(|line| used[*line as usize % 64] += 1);
        assert_eq!(used, [2; 64], "each place twice in 128 pages");
        assert!(!order.is_sorted(), "in random order");
    }

    #[test]
    fn lines_of_a_pair_are_far_apart_in_time() {
        let order = SHAPE.order(Walk::Local, 1 << 22);
        let mut when = vec![0; order.len()];
        for (time, line) in order.iter().enumerate() {
            when[*line as usize] = time;
        }
        let nearest = when.chunks(2).map(|pair| pair[0].abs_diff(pair[1])).min().unwrap_or(0);
        // Two passes that touch the same window last and first are the worst case.
        assert!(
            nearest > 0 && when.chunks(2).filter(|p| p[0].abs_diff(p[1]) < 4096).count() < order.len() / 16
        );
    }
}
