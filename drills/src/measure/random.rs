//! A small generator: the same order on every run, so that two runs compare.

/// Xorshift with a multiplication (Vigna's xorshift64*). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }
}

impl Random {
    /// A generator whose numbers depend on `seed`.
    pub fn of(seed: u64) -> Self {
        // A state of 0 would stay 0.
        Self(seed | 1 << 63)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Puts `items` into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `count` different numbers below `bound`, in random order; all of them when `count` is as large.
    pub fn distinct(&mut self, count: usize, bound: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..bound as u32).collect();
        self.shuffle(&mut all);
        all.truncate(count);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_repeat_with_their_seed() {
        let numbers = |seed| {
            let mut random = Random::of(seed);
            (0..1000).map(|_| random.below(7)).collect::<Vec<_>>()
        };
        assert!(numbers(1).iter().all(|n| *n < 7));
        assert!((0..7).all(|n| numbers(1).contains(&n)), "all of them come up");
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }

    #[test]
    fn distinct_numbers_are_distinct() {
        let picked = Random::default().distinct(50, 100);
        let set: std::collections::BTreeSet<_> = picked.iter().collect();
        assert_eq!((picked.len(), set.len()), (50, 50));
        assert_eq!(Random::default().distinct(9, 3).len(), 3);
    }
}
