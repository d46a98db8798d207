//! The last result of a costly computation, so that sentence, counters, table and picture of one state
//! share it.

use std::cell::RefCell;

/// Room for one result and what it was computed from. Meant for a `thread_local!` beside the model.
pub struct Recall<K, V>(RefCell<Option<(K, V)>>);

impl<K: PartialEq, V: Clone> Recall<K, V> {
    /// Nothing computed yet.
    pub const fn new() -> Self {
        Self(RefCell::new(None))
    }

    /// The result for `key`: that of the last call if the key is the same, else computed now.
    pub fn get(&self, key: K, compute: impl FnOnce() -> V) -> V {
        let known = self.0.borrow().as_ref().filter(|(k, _)| *k == key).map(|(_, v)| v.clone());
        known.unwrap_or_else(|| {
            let value = compute();
            *self.0.borrow_mut() = Some((key, value.clone()));
            value
        })
    }
}

impl<K: PartialEq, V: Clone> Default for Recall<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_once_per_key_and_never_mixes_them_up() {
        let (recall, mut runs) = (Recall::new(), 0);
        for key in [1, 1, 2, 1] {
            let value = recall.get(key, || {
                runs += 1;
                key * 10
            });
            assert_eq!(value, key * 10);
        }
        assert_eq!(runs, 3);
    }
}
