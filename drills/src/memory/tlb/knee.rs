//! Where a curve turns upward.

use drills_results::Reason;

use super::walks::Step;

/// First-level TLBs hold 32 to 128 entries, second-level ones 512 and more. Between these numbers of pages
/// a walk misses the first level and hits the second: that is the level from which the rise is measured.
const PLATEAU: std::ops::RangeInclusive<u64> = 128..=448;
/// A rise counts from this on, in nanoseconds. A hit in the second level and noise are below it.
const LEAST_RISE_NS: f64 = 1.5;

/// One working set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// Pages that are walked.
    pub(super) pages: u64,
    /// Time per load beyond that of the same lines without TLB misses.
    pub(super) extra_ns: f64,
}

/// Where the rise begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knee {
    /// Most pages before the rise.
    pub(super) pages: u64,
    /// Next larger working set that was walked.
    pub(super) next_pages: u64,
    /// Extra time of a load at twice the knee or at the end, above the plateau.
    pub(super) rise_ns: f64,
}

/// Whether loads miss the first level of the TLB although few pages should be needed: on huge pages, where
/// the plateau's working sets are within one or two of them.
pub(super) fn misses(walk: &[Step], together: &[Step]) -> bool {
    let extra = |step: &Step| {
        let same = together.iter().find(|other| other.pages == step.pages)?;
        Some(step.least() - same.least())
    };
    let extras: Vec<f64> = walk.iter().filter(|s| PLATEAU.contains(&s.pages)).filter_map(extra).collect();
    crate::measure::stats::median(&extras).is_some_and(|extra| extra > LEAST_RISE_NS)
}

/// Finds the knee of the last level in points of ascending working sets.
///
/// # Errors
/// Why there is none.
pub(super) fn find(points: &[Point]) -> Result<Knee, Reason> {
    let plateau: Vec<f64> =
        points.iter().filter(|p| PLATEAU.contains(&p.pages)).map(|p| p.extra_ns).collect();
    let Some(level) = crate::measure::stats::median(&plateau) else {
        return Err(too_small(points.last().map_or(0, |p| p.pages)));
    };
    let rises = |p: &&Point| p.pages > *PLATEAU.end() && p.extra_ns > level + LEAST_RISE_NS;
    let after = points.iter().position(|p| rises(&p));
    let Some(after) = after.filter(|after| *after > 0) else {
        return Err(too_small(points.last().map_or(0, |p| p.pages)));
    };
    // One point that stands out is noise; a TLB that is too small stays too small.
    if points[after..].iter().any(|p| p.extra_ns <= level + LEAST_RISE_NS) {
        return Err(Reason::new(
            "no-clear-knee",
            format!("The time rises at {} pages and falls again later.", points[after].pages),
            "Run again while nothing else runs.",
        ));
    }
    let (knee, next) = (points[after - 1], points[after]);
    let twice = points.iter().find(|p| p.pages >= 2 * knee.pages).unwrap_or(&points[points.len() - 1]);
    Ok(Knee { pages: knee.pages, next_pages: next.pages, rise_ns: twice.extra_ns - level })
}

fn too_small(pages: u64) -> Reason {
    Reason::new(
        "no-knee",
        format!("Up to {pages} pages the time per load does not rise: the TLB reaches that far at least."),
        "Free memory, or run without --quick, so that more pages can be walked.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(extra: impl Fn(u64) -> f64, most: u64) -> Vec<Point> {
        let sizes = (4..20).flat_map(|k| [1u64 << k, 3 << (k - 1)]).take_while(move |pages| *pages <= most);
        sizes.map(|pages| Point { pages, extra_ns: extra(pages) }).collect()
    }

    /// 96 entries, then 2,048 with a hit at 2 ns, then a walk of 8 ns that grows with its tables.
    fn golden_cove(pages: u64) -> f64 {
        match pages {
            0..=96 => 0.1,
            97..=2048 => 2.1,
            _ => 8.0 + pages as f64 / 10_000.0,
        }
    }

    #[test]
    fn the_second_level_ends_where_the_walk_begins() {
        let found = find(&curve(golden_cove, 1 << 16)).expect("a knee");
        assert_eq!((found.pages, found.next_pages), (2048, 3072));
        assert!((found.rise_ns - 6.3).abs() < 0.3, "{found:?}");
    }

    #[test]
    fn entries_between_two_sizes_round_down() {
        let found = find(&curve(|pages| if pages <= 1700 { 0.0 } else { 30.0 }, 1 << 14)).expect("a knee");
        assert_eq!((found.pages, found.next_pages), (1536, 2048));
    }

    #[test]
    fn a_curve_that_stays_flat_has_no_knee() {
        let code = |points: &[Point]| find(points).map_err(|reason| reason.code);
        assert_eq!(code(&curve(golden_cove, 2048)), Err("no-knee".into()));
        assert_eq!(code(&curve(golden_cove, 64)), Err("no-knee".into()), "the plateau was not reached");
        assert_eq!(code(&[]), Err("no-knee".into()));
    }

    #[test]
    fn huge_pages_that_miss_like_base_pages_are_noticed() {
        let steps = |ns: f64| {
            let step = |pages| Step { pages, bytes: pages * 4096, samples: vec![ns, ns + 50.0] };
            [64, 128, 256, 384, 512].map(step)
        };
        assert!(misses(&steps(4.0), &steps(1.7)));
        assert!(!misses(&steps(1.8), &steps(1.7)));
        assert!(!misses(&steps(4.0), &[]));
    }

    #[test]
    fn a_single_spike_is_no_knee() {
        let spike = |pages| if pages == 1024 { 20.0 } else { golden_cove(pages) };
        assert_eq!(find(&curve(spike, 1 << 14)).map_err(|r| r.code), Err("no-clear-knee".into()));
    }
}
