//! The list of settings: each with what was found, what to think of it, and what would change it.

use std::fmt::Write as _;

use drills_results::{Measurement, Param};

use super::style::{self, paint};
use super::table::{Align, Cell, Table};
use super::width::wrap;

/// Command whose measurements are settings.
pub const COMMAND: &str = "drills rack tune";
const PREFIX: &str = "tune.line.";
const INDENT: usize = 2;

/// The lines as a table: those to look at first, then those as advised, then those that mean nothing here.
/// What would change a setting follows in lines of its own, so that commands stay whole.
pub fn text(measurements: &[&Measurement], width: usize) -> String {
    let mut table = Table::new(&[Align::Left; 4]).indent(INDENT);
    table.head(&["setting", "", "found", "advice, or why there is none"]);
    let lines = || measurements.iter().filter(|m| m.key.starts_with(PREFIX));
    for wanted in [Some(0.0), Some(1.0), None] {
        for m in lines().filter(|m| m.value == wanted) {
            table.row(row(m));
        }
    }
    let mut text = table.render(width);
    for m in lines().filter(|m| m.value == Some(0.0)) {
        let line = format!("{}: {}", name(m), param(m, "fix"));
        for line in wrap(&line, width.saturating_sub(INDENT)) {
            let _ = writeln!(text, "{:INDENT$}{}", "", paint(style::CAUTION, line));
        }
    }
    text
}

fn name(m: &Measurement) -> &str {
    m.key.trim_start_matches(PREFIX)
}

fn param(m: &Measurement, name: &str) -> String {
    match m.params.get(name) {
        Some(Param::Text(text)) => text.clone(),
        _ => String::new(),
    }
}

fn row(m: &Measurement) -> [Cell; 4] {
    let (ink, verdict) = match (m.value, &m.reason) {
        (Some(0.0), _) => (style::CAUTION, "WARN"),
        (Some(_), _) => (style::GPU, "OK"),
        (None, Some(reason)) if reason.code == "not-told" => (style::MUTED, "?"),
        (None, _) => (style::MUTED, "n/a"),
    };
    let last = m.reason.as_ref().map_or_else(|| param(m, "advice"), |reason| reason.text.clone());
    [name(m).into(), Cell::new(ink, verdict), param(m, "state").into(), Cell::new(style::MUTED, last)]
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
        assert_eq!(lines.len(), 5, "{text}");
        assert!(lines[1].contains("numa_balancing") && lines[1].contains("WARN"), "{text}");
        assert!(lines[2].contains("OK") && lines[3].contains("n/a"), "{text}");
        assert!(lines[4].contains("numa_balancing: sysctl kernel.numa_balancing=0"), "{text}");
    }
}
