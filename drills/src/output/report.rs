//! A report for people.

use std::fmt::Write as _;

use drills_results::keys::{self, KEYS};
use drills_results::{Measurement, Param, Report, Status};

use super::style::{self, paint};
use super::table::{Align, Cell, Table};
use super::{settings, topo, units, width};

/// The whole report in at most `width` columns.
pub fn text(report: &Report, width: usize) -> String {
    let mut text = title(report, width);
    let has_facts = report.measurements.iter().any(|m| m.key == "topo.cpu.count");
    if let Some(topology) = report.machine.topology.as_ref().filter(|_| has_facts) {
        text.push_str(&topo::text(topology, &report.machine, &report.environment, width));
    }
    for command in commands(report, has_facts) {
        text.push_str(&section(report, command, width));
    }
    warnings(report, width, &mut text);
    text
}

fn title(report: &Report, width: usize) -> String {
    let machine = &report.machine;
    let mut text = format!("{}\n", paint(style::TITLE, &report.label));
    let mut about: Vec<String> = Vec::new();
    if machine.class != report.label {
        about.push(machine.class.clone());
    }
    about.push(machine.arch.clone());
    if !machine.kernel.is_empty() {
        about.push(format!("Linux {}", machine.kernel));
    }
    about.push(machine.os.clone());
    about.extend(machine.nvidia_driver.as_ref().map(|version| format!("NVIDIA driver {version}")));
    about.retain(|part| !part.is_empty());
    // Output of another program may name nothing but the GPUs.
    if about.is_empty() {
        return text;
    }
    for line in width::wrap(&about.join(" · "), width) {
        let _ = writeln!(text, "{}", paint(style::MUTED, line));
    }
    text
}

/// Commands with measurements that the topology view, where it is shown, does not show already, in key
/// order.
fn commands(report: &Report, has_facts: bool) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for info in KEYS.iter().filter(|info| !has_facts || !info.key.starts_with("topo.")) {
        let present =
            || report.measurements.iter().any(|m| keys::find(&m.key).is_some_and(|k| k.key == info.key));
        if !found.contains(&info.command) && present() {
            found.push(info.command);
        }
    }
    found
}

fn section(report: &Report, command: &str, width: usize) -> String {
    let mut text = format!("\n{}\n", paint(style::TITLE, command));
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Left, Align::Left]).indent(2);
    let mut sweeps = String::new();
    let of_command = |m: &&Measurement| keys::find(&m.key).is_some_and(|info| info.command == command);
    let mut ours: Vec<&Measurement> = report.measurements.iter().filter(of_command).collect();
    // A drill may measure in random order; a table that differs from run to run is hard to read.
    ours.sort_by_key(|m| keys::find(&m.key).and_then(|info| KEYS.iter().position(|k| k.key == info.key)));
    if command == settings::COMMAND {
        return text + &settings::text(&ours, width);
    }
    // What was not measured is counted with its reason: thirty rows of dashes hide the three with numbers.
    for m in ours.iter().filter(|m| !not_measured(m)) {
        let Some(info) = keys::find(&m.key) else { continue };
        table.row(row(m, info));
        sweeps.extend(series(m, info.label, width));
    }
    text.push_str(&table.render(width));
    text.push_str(&sweeps);
    text.push_str(&reasons(&ours, width));
    text
}

fn not_measured(m: &Measurement) -> bool {
    matches!(m.status, Status::Skipped | Status::Interrupted)
}

fn row(m: &Measurement, info: &keys::KeyInfo) -> [Cell; 4] {
    let name = info.key.strip_suffix('*').and_then(|prefix| m.key.strip_prefix(prefix));
    let label = name.map_or_else(|| info.label.to_owned(), |name| format!("{} {name}", info.label));
    let value = match m.value.filter(|_| m.status.has_value()) {
        Some(value) => units::quantity(m.unit, value),
        None => "–".to_owned(),
    };
    let spread = beside(m);
    let (ink, word) = verdict(m);
    let word = match &m.reason {
        Some(reason) => format!("{word}: {}", reason.code),
        None => word.to_owned(),
    };
    [label.into(), value.into(), Cell::new(style::MUTED, spread), Cell::new(ink, word)]
}

/// What stands beside a value: its spread, what was predicted, what a number stands for.
fn beside(m: &Measurement) -> String {
    if !m.status.has_value() {
        return String::new();
    }
    let value = m.value.unwrap_or(0.0);
    let expected = match m.params.get("expected") {
        Some(Param::Number(expected)) => Some(format!("predicted {}", units::quantity(m.unit, *expected))),
        _ => None,
    };
    // Equal samples have no spread to show when there is something better to say.
    let spread = m.stats.filter(|s| expected.is_none() || s.min != s.max);
    let spread = spread.map(|s| format!("{} (n {})", units::range(m.unit, value, s.min, s.max), s.n));
    let state = match m.params.get("state") {
        Some(Param::Text(state)) => Some(state.clone()),
        _ => None,
    };
    [expected, spread, state].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn verdict(m: &Measurement) -> (anstyle::Style, &'static str) {
    match m.status {
        _ if m.verified == Some(false) => (style::TROUBLE, "wrong data"),
        Status::Ok => (style::GPU, "ok"),
        Status::Unstable => (style::CAUTION, "unstable"),
        Status::Skipped => (style::MUTED, "skipped"),
        Status::Failed => (style::TROUBLE, "failed"),
        Status::Interrupted => (style::CAUTION, "interrupted"),
    }
}

/// Each kind of reason once, with how often it came and what would change it. Reasons of one kind differ
/// in their figures only; the first one stands for all.
fn reasons(measurements: &[&Measurement], width: usize) -> String {
    let mut kinds: Vec<(&str, Vec<&Measurement>)> = Vec::new();
    for m in measurements {
        let Some(reason) = &m.reason else { continue };
        match kinds.iter_mut().find(|(code, same)| *code == reason.code && same[0].status == m.status) {
            Some((_, same)) => same.push(m),
            None => kinds.push((&reason.code, vec![m])),
        }
    }
    let mut text = String::new();
    for (code, same) in kinds {
        let Some(reason) = &same[0].reason else { continue };
        let (ink, word) = verdict(same[0]);
        let fix = if reason.fix.is_empty() { String::new() } else { format!(" → {}", reason.fix) };
        let line = format!("{} {word}: {code}. {}{fix}", same.len(), reason.text);
        for line in width::wrap(&line, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", paint(ink, line));
        }
    }
    text
}

/// A sweep as one run of pairs: "4 KiB 1.1 ns · 8 KiB 1.1 ns".
fn series(m: &Measurement, label: &str, width: usize) -> Option<String> {
    let series = m.series.as_ref().filter(|series| series.points.len() > 1)?;
    let points: Vec<String> = series
        .points
        .iter()
        .map(|p| {
            // Pairs stay together when lines break.
            let pair = format!("{} {}", units::quantity(series.x_unit, p.x), units::quantity(m.unit, p.y));
            pair.replace(' ', "\u{a0}")
        })
        .collect();
    let title = if label.contains(" by ") { label.to_owned() } else { format!("{label}, by {}", series.x) };
    let mut text = format!("  {}\n", paint(style::MUTED, title));
    for line in width::wrap(&points.join(" · "), width.saturating_sub(4)) {
        let _ = writeln!(text, "    {}", line.replace('\u{a0}', " "));
    }
    Some(text)
}

fn warnings(report: &Report, width: usize, text: &mut String) {
    if report.environment.warnings.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", paint(style::TITLE, "What may have disturbed the run"));
    for warning in &report.environment.warnings {
        for line in width::wrap(warning, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", paint(style::CAUTION, line));
        }
    }
}
