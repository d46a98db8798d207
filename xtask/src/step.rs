//! Says what is being done and how long it took.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Announces `what`, does it, and prints the time it took.
///
/// # Errors
/// Those of `work`.
pub(crate) fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("▸ {what}");
    let start = Instant::now();
    let result = work();
    let mark = if result.is_ok() { "✓" } else { "✗" };
    println!("{mark} {what} ({})", seconds(start.elapsed()));
    result
}

/// One line that needs no work.
pub(crate) fn note(what: &str) {
    println!("· {what}");
}

/// A duration as people say it: `0.4 s`, `2 min 05 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole < 60 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_like_speech() {
        assert_eq!(seconds(Duration::from_millis(420)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }
}
