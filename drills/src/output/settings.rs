//! The list of settings: each with what was found, what to think of it, and what would change it.

use drills_results::{Measurement, Param};

use super::style;
use super::table::{Align, Cell, Table};

/// Command whose measurements are settings.
pub const COMMAND: &str = "drills rack tune";
const PREFIX: &str = "tune.line.";

/// The lines as a table: those to look at first, then those as advised, then those that mean nothing here.
pub fn text(measurements: &[&Measurement], width: usize) -> String {
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Left, Align::Left]).indent(2);
    table.head(&["setting", "", "found", "advice", "why, and what would change it"]);
    let lines = || measurements.iter().filter(|m| m.key.starts_with(PREFIX));
    for wanted in [Some(0.0), Some(1.0), None] {
        for m in lines().filter(|m| m.value == wanted) {
            table.row(row(m));
        }
    }
    table.render(width)
}

fn row(m: &Measurement) -> [Cell; 5] {
    let (ink, verdict) = match m.value {
        Some(0.0) => (style::CAUTION, "WARN"),
        Some(_) => (style::GPU, "OK"),
        None => (style::MUTED, "n/a"),
    };
    let param = |name| match m.params.get(name) {
        Some(Param::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let why = m.reason.as_ref().map_or_else(|| param("fix"), |reason| reason.text.clone());
    let muted = |text: String| Cell::new(style::MUTED, text);
    [
        m.key.trim_start_matches(PREFIX).into(),
        Cell::new(ink, verdict),
        param("state").into(),
        muted(param("advice")),
        if m.value.is_some() { why.into() } else { muted(why) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::{Reason, Unit};

    #[test]
    fn what_to_look_at_stands_first_with_its_fix() {
        let key = |name: &str| format!("{PREFIX}{name}");
        let good = Measurement::ok(key("governor"), Unit::Count, 1.0, "m").param("state", "performance");
        let bad = Measurement::ok(key("numa_balancing"), Unit::Count, 0.0, "m")
            .param("state", "1")
            .param("advice", "0")
            .param("fix", "sysctl kernel.numa_balancing=0");
        let none = Measurement::skipped(
            key("swap"),
            Unit::Count,
            "m",
            Reason::new("not-applicable", "Linux hands out no GPU memory here.", ""),
        );
        let count = Measurement::ok("tune.warnings", Unit::Count, 1.0, "m");
        let text = text(&[&none, &good, &bad, &count], 120);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[1].contains("WARN") && lines[1].ends_with("sysctl kernel.numa_balancing=0"), "{text}");
        assert!(lines[2].contains("OK") && lines[3].contains("n/a"), "{text}");
    }
}
