//! From the times of an all-reduce to its results.

use drills_results::{Measurement, Point, Unit};

use crate::measure::{methods, result};
use crate::rack::allreduce::plan::{self, Turn};

/// What rank 0 has collected.
#[derive(Default)]
pub(super) struct Curves {
    ranks: u32,
    rate: Vec<Point>,
    bus: Vec<Point>,
    time: Vec<Point>,
    /// Times of the first and of the last size.
    small: Vec<f64>,
    large: Option<(Turn, Vec<f64>)>,
    wrong: u64,
}

impl Curves {
    /// Nothing yet, of so many ranks.
    pub(super) fn of(ranks: u32) -> Self {
        Self { ranks, ..Self::default() }
    }

    /// Keeps a turn; the median time of a call in seconds.
    pub(super) fn add(&mut self, turn: Turn, call_s: &[f64], wrong: u64) -> f64 {
        let of = |value: &dyn Fn(f64) -> f64| call_s.iter().map(|s| value(*s)).collect::<Vec<_>>();
        let x = turn.bytes as f64;
        let ns = of(&|s| s * 1e9);
        self.rate.extend(result::point(x, &of(&|s| plan::rate(turn.bytes, s))));
        self.bus.extend(result::point(x, &of(&|s| plan::bus(plan::rate(turn.bytes, s), self.ranks))));
        let time = result::point(x, &ns);
        self.time.extend(time);
        if self.large.is_none() {
            self.small = ns;
        }
        self.large = Some((turn, call_s.to_vec()));
        self.wrong += wrong;
        time.map_or(1e-6, |point| point.y * 1e-9)
    }

    /// The five results. Those with a rate or a time are missing when nothing was measured.
    pub(super) fn measurements(self, hosts: usize) -> Vec<Measurement> {
        let method = methods::ALLREDUCE_NCCL;
        let count = |key: &str, value: usize| Measurement::ok(key, Unit::Count, value as f64, method);
        let mut all = vec![count("allreduce.ranks", self.ranks as usize), count("allreduce.hosts", hosts)];
        let Some((turn, call_s)) = self.large else { return all };
        let rates: Vec<f64> = call_s.iter().map(|s| plan::rate(turn.bytes, *s)).collect();
        let buses: Vec<f64> = rates.iter().map(|rate| plan::bus(*rate, self.ranks)).collect();
        let verified = Some(self.wrong == 0);
        let over_sizes = |m: Measurement, points, bytes: u64| {
            let m = result::over_sizes(m, points).param("size_bytes", bytes);
            Measurement { verified, ..m }
        };
        let rate = result::of_samples("allreduce.rate", Unit::BytesPerS, method, &rates);
        let bus = result::of_samples("allreduce.bus", Unit::BytesPerS, method, &buses);
        let small = result::of_samples("allreduce.small", Unit::Ns, method, &self.small);
        all.extend(
            rate.map(|m| {
                over_sizes(m, self.rate, turn.bytes).param("calls_per_sample", u64::from(turn.calls))
            }),
        );
        all.extend(bus.map(|m| over_sizes(m, self.bus, turn.bytes)));
        all.extend(small.map(|m| over_sizes(m, self.time, plan::SMALLEST)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_become_the_five_results() {
        let mut curves = Curves::of(8);
        let turn = |bytes| Turn { bytes, calls: 20, samples: 3 };
        assert!((curves.add(turn(8), &[21e-6, 20e-6, 22e-6], 0) - 21e-6).abs() < 1e-12);
        curves.add(turn(1 << 30), &[4e-3, 4e-3, 4e-3], 0);
        let all = curves.measurements(1);
        let of = |key: &str| all.iter().find(|m| m.key == key).unwrap_or_else(|| panic!("{key}"));
        assert_eq!(all.len(), 5);
        assert_eq!((of("allreduce.ranks").value, of("allreduce.hosts").value), (Some(8.0), Some(1.0)));
        let rate = (1u64 << 30) as f64 / 4e-3;
        assert_eq!(of("allreduce.rate").value, Some(rate));
        assert_eq!(of("allreduce.bus").value, Some(rate * 1.75));
        assert!((of("allreduce.small").value.expect("a time") - 21_000.0).abs() < 0.1);
        assert_eq!(of("allreduce.bus").series.as_ref().map(|series| series.points.len()), Some(2));
        assert_eq!(of("allreduce.rate").verified, Some(true));
        let mut wrong = Curves::of(2);
        wrong.add(turn(8), &[1e-5], 1);
        assert_eq!(wrong.measurements(1)[2].verified, Some(false));
    }
}
