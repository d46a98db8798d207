//! Which sizes, how many calls, and what follows from their times.

use serde::{Deserialize, Serialize};

use super::Effort;

/// Smallest size: two floats.
pub const SMALLEST: u64 = 8;
/// A sample is to last about so long, in seconds...
const SAMPLE_S: f64 = 0.04;
/// ...with no more calls than so many...
const MOST_CALLS: f64 = 200.0;
/// ...and all samples of a size no longer than so long.
const SIZE_S: f64 = 1.5;
/// What the first call is expected to last.
const FIRST_S: f64 = 50e-6;
/// Up to this size, calls hardly get slower.
const FLAT: u64 = 64 << 10;
/// Slower calls than this end the sweep: a network that slow would be measured for hours.
const SLOWEST_S: f64 = 5.0;

/// What all ranks do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Size of the array.
    pub bytes: u64,
    /// Calls in a sample.
    pub calls: u32,
    /// Samples.
    pub samples: u32,
}

/// The sizes still to come, and how long a call is expected to last.
#[derive(Clone, Debug)]
pub struct Plan {
    sizes: std::vec::IntoIter<u64>,
    effort: Effort,
    /// Bytes and seconds of the call measured last.
    last: Option<(u64, f64)>,
}

impl Plan {
    /// From 8 bytes to as many as both buffers may take on each rank.
    pub fn new(effort: Effort, most_bytes: u64) -> Self {
        Self { sizes: sizes(effort, most_bytes).into_iter(), effort, last: None }
    }

    /// The next turn; `None` when all is measured, or what is left would take too long.
    pub fn next_turn(&mut self) -> Option<Turn> {
        let bytes = self.sizes.next()?;
        let call_s = match self.last {
            None => FIRST_S,
            Some((_, s)) if bytes <= FLAT => s,
            // Slower by the ratio of sizes at most.
            Some((of, s)) => s * bytes as f64 / of as f64,
        };
        if call_s > SLOWEST_S {
            return None;
        }
        let (least, most, share) = match self.effort {
            Effort::Full => (3.0, 15.0, 1.0),
            Effort::Quick => (3.0, 5.0, 0.25),
        };
        let calls = (share * SAMPLE_S / call_s).clamp(1.0, MOST_CALLS).floor();
        let samples = (share * SIZE_S / (calls * call_s)).clamp(least, most).floor();
        Some(Turn { bytes, calls: calls as u32, samples: samples as u32 })
    }

    /// Tells how long a call lasted.
    pub fn measured(&mut self, turn: Turn, call_s: f64) {
        self.last = Some((turn.bytes, call_s));
    }
}

/// Powers of two, of 16 when quick, from 8 bytes up to 8 GiB (256 MiB) and to what is allowed.
fn sizes(effort: Effort, most_bytes: u64) -> Vec<u64> {
    let (largest, factor) = match effort {
        Effort::Full => (8 << 30, 2),
        Effort::Quick => (256 << 20, 16),
    };
    let largest = largest.min(most_bytes);
    let mut sizes: Vec<u64> = std::iter::successors(Some(SMALLEST), |size| size.checked_mul(factor))
        .take_while(|s| *s <= largest)
        .collect();
    // The largest power of two is measured also where the steps miss it.
    let top = if largest >= SMALLEST { 1 << largest.ilog2() } else { 0 };
    if top > sizes.last().copied().unwrap_or(0) {
        sizes.push(top);
    }
    sizes
}

/// Bytes of the array per second.
pub fn rate(bytes: u64, call_s: f64) -> f64 {
    bytes as f64 / call_s
}

/// What a ring of `ranks` would have carried on each link to be as fast: the rate times 2(n-1)/n, as
/// nccl-tests defines it.
pub fn bus(rate: f64, ranks: u32) -> f64 {
    let n = f64::from(ranks.max(1));
    rate * 2.0 * (n - 1.0) / n
}

/// Sample by sample, the time of the slowest rank.
pub fn slowest(of_ranks: &[Vec<f64>]) -> Vec<f64> {
    let samples = of_ranks.iter().map(Vec::len).min().unwrap_or(0);
    (0..samples).map(|i| of_ranks.iter().map(|times| times[i]).fold(0.0, f64::max)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_nccl_tests() {
        assert_eq!(bus(100.0, 2), 100.0);
        assert_eq!(bus(100.0, 8), 175.0);
        assert!((bus(423.0, 72) - 834.25).abs() < 0.01);
        assert_eq!((bus(100.0, 1), bus(100.0, 0)), (0.0, 0.0));
        // 8 GiB in 31.28 ms on eight GPUs, as a table of nccl-tests has it.
        let rate = rate(8 << 30, 31_280e-6);
        assert!((rate / 1e9 - 274.61).abs() < 0.01 && (bus(rate, 8) / 1e9 - 480.57).abs() < 0.01);
    }

    #[test]
    fn sizes_go_from_8_bytes_to_8_gib_or_to_what_fits() {
        let full = sizes(Effort::Full, u64::MAX);
        assert_eq!((full.len(), full[0], full[30]), (31, 8, 8 << 30));
        assert_eq!(sizes(Effort::Full, 3 << 30).last(), Some(&(2 << 30)));
        let quick = sizes(Effort::Quick, u64::MAX);
        assert_eq!((quick[0], quick[1], quick.last()), (8, 128, Some(&(256 << 20))));
        assert!(quick.len() < 9 && quick.is_sorted());
        assert_eq!(sizes(Effort::Full, 8), [8]);
        assert!(sizes(Effort::Full, 0).is_empty());
    }

    /// Runs a plan on a machine whose calls last `call_s` of their size; seconds that it takes.
    fn run(effort: Effort, call_s: impl Fn(u64) -> f64) -> (f64, Vec<Turn>) {
        let mut plan = Plan::new(effort, u64::MAX);
        let (mut turns, mut all) = (Vec::new(), 0.0);
        while let Some(turn) = plan.next_turn() {
            let s = call_s(turn.bytes);
            all += f64::from(turn.calls * turn.samples) * s;
            plan.measured(turn, s);
            turns.push(turn);
        }
        (all, turns)
    }

    #[test]
    fn fast_and_slow_machines_are_measured_in_bounded_time() {
        let nvlink = |bytes: u64| 20e-6 + bytes as f64 / 270e9;
        let (s, turns) = run(Effort::Full, nvlink);
        assert!(s < 45.0 && turns.len() == 31, "{s} {turns:?}");
        assert!(turns.iter().all(|turn| turn.samples >= 3 && turn.calls >= 1));
        assert!(turns[0].calls >= 50, "{:?}", turns[0]);
        let (s, _) = run(Effort::Quick, nvlink);
        assert!(s < 4.0, "{s}");
        // A network of 100 MB/s would need 86 s for one call of the largest size.
        let (s, turns) = run(Effort::Full, |bytes: u64| 100e-6 + bytes as f64 / 1e8);
        assert!(s < 120.0 && turns.len() < 31 && turns.len() > 20, "{s}");
    }

    #[test]
    fn the_slowest_rank_counts() {
        assert_eq!(slowest(&[vec![1.0, 5.0], vec![2.0, 3.0]]), [2.0, 5.0]);
        assert!(slowest(&[]).is_empty());
    }
}
