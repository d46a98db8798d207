//! A figure's state as URL parameters: `key=value` pairs after `#fig-<id>?`.

use std::fmt::Display;
use std::str::FromStr;

/// Ordered parameters of one figure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pairs: Vec<(String, String)>,
}

/// Longest query that is read; a longer one is ignored as a whole.
const MAX_BYTES: usize = 2_000;

impl Query {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `key=value` unless it equals the default.
    pub fn set<T: Display + PartialEq>(mut self, key: &str, value: T, default: T) -> Self {
        if value != default {
            self.pairs.push((key.to_owned(), value.to_string()));
        }
        self
    }

    /// The parameter as text.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// The parameter parsed, or `default` if it is missing or malformed.
    pub fn parse<T: FromStr>(&self, key: &str, default: T) -> T {
        self.get(key).and_then(|v| v.parse().ok()).unwrap_or(default)
    }

    /// The parameter as a finite number in a range, or `default`.
    pub fn number(&self, key: &str, default: f64, range: std::ops::RangeInclusive<f64>) -> f64 {
        self.get(key).and_then(|v| v.parse().ok()).filter(|v: &f64| range.contains(v)).unwrap_or(default)
    }

    /// Whether there are no parameters: the default state.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The location's hash (without `#`) that leads to this state of figure `id`.
    pub fn to_hash(&self, id: &str) -> String {
        let pairs: Vec<_> = self.pairs.iter().map(|(k, v)| format!("{}={}", encode(k), encode(v))).collect();
        if pairs.is_empty() { format!("fig-{id}") } else { format!("fig-{id}?{}", pairs.join("&")) }
    }

    /// Parameters of figure `id` from a location's hash, if the hash is about that figure.
    pub fn from_hash(id: &str, hash: &str) -> Option<Self> {
        let rest = hash.trim_start_matches('#').strip_prefix("fig-")?.strip_prefix(id)?;
        let query = match rest.strip_prefix('?') {
            Some(query) if query.len() <= MAX_BYTES => query,
            Some(_) => "",
            None if rest.is_empty() => "",
            None => return None,
        };
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        Some(Self { pairs: pairs.map(|(k, v)| (decode(k), decode(v))).collect() })
    }
}

fn encode(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~,:".contains(&b);
    text.bytes().map(|b| if plain(b) { (b as char).to_string() } else { format!("%{b:02X}") }).collect()
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let escaped = (bytes[i] == b'%')
            .then(|| bytes.get(i + 1..i + 3))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(escaped.unwrap_or(bytes[i]));
        i += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_the_url() {
        let query = Query::new().set("size", 256, 1).set("mode", "a b&c", "").set("same", 1, 1);
        let hash = query.to_hash("copy-timeline");
        assert_eq!(hash, "fig-copy-timeline?size=256&mode=a%20b%26c");
        assert_eq!(Query::from_hash("copy-timeline", &format!("#{hash}")), Some(query));
    }

    #[test]
    fn another_figures_hash_and_nonsense_are_not_ours() {
        assert_eq!(Query::from_hash("links", "#fig-links-2?a=1"), None);
        assert_eq!(Query::from_hash("links", "#dma"), None);
        assert_eq!(Query::from_hash("links", "#fig-links?%%=%f&x").map(|q| q.is_empty()), Some(false));
        let number = Query::from_hash("links", "#fig-links?x=NaN&y=1e9&z=2").expect("is ours");
        assert_eq!(number.number("x", 5.0, 0.0..=10.0), 5.0);
        assert_eq!(number.number("y", 5.0, 0.0..=10.0), 5.0);
        assert_eq!(number.number("z", 5.0, 0.0..=10.0), 2.0);
    }
}
