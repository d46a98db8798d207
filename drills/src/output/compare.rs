//! Many machines in one table, and the one that stands out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use drills_results::keys::{self, Better, KEYS};
use drills_results::{Report, Status, Unit};

use super::style::{self, paint};
use super::table::{Align, Cell, Table};
use super::{units, width};

/// A report and the name of its file without folder and ending.
#[derive(Clone, Debug)]
pub struct Named {
    /// File name, for machines whose labels are equal.
    pub file: String,
    /// The report.
    pub report: Report,
}

/// Fewer machines than this have no majority to stand out from.
const LEAST_TO_JUDGE: usize = 4;
/// A value stands out beyond this many robust standard deviations (1.4826 x MAD).
const DEVIATIONS: f64 = 5.0;
/// And only if it is off by this share of the median: equal machines differ by a percent or two, and a
/// MAD near 0 would otherwise accuse them.
const LEAST_SHARE: f64 = 0.05;

/// One key over all machines.
#[derive(Clone, Debug)]
struct Row {
    key: String,
    label: String,
    unit: Unit,
    better: Better,
    /// A value for each machine, in file order.
    values: Vec<Option<f64>>,
    /// Whether something disturbed that value while it was measured.
    unstable: Vec<bool>,
    median: f64,
    /// Machines that stand out: index into the files.
    odd: Vec<usize>,
}

/// The comparison of some reports.
#[derive(Clone, Debug)]
pub struct Comparison {
    names: Vec<String>,
    classes: BTreeMap<String, usize>,
    rows: Vec<Row>,
}

impl Comparison {
    /// Compares reports key by key. Values that are not usable are left out, never taken for 0.
    pub fn of(files: &[Named]) -> Self {
        let mut classes: BTreeMap<String, usize> = BTreeMap::new();
        for file in files {
            *classes.entry(file.report.machine.class.clone()).or_default() += 1;
        }
        let rows = keys_in_order(files).into_iter().filter_map(|key| row(&key, files)).collect();
        Self { names: names(files), classes, rows }
    }

    /// Whether any machine is marked.
    pub fn someone_stands_out(&self) -> bool {
        self.rows.iter().any(|row| !row.odd.is_empty())
    }

    /// The comparison in at most `width` columns.
    pub fn text(&self, width: usize) -> String {
        let mut text = self.heading(width);
        // Columns of machines as long as they fit; then a summary says more than a thousand numbers.
        let column = 14;
        if self.names.len() * column + 30 <= width {
            text.push_str(&self.side_by_side(width));
        } else {
            text.push_str(&self.summary(width));
        }
        text.push_str(&self.verdict(width));
        text
    }

    fn heading(&self, width: usize) -> String {
        let mut text = format!("{}\n", paint(style::TITLE, format!("{} machines", self.names.len())));
        if self.classes.len() > 1 {
            let classes: Vec<String> =
                self.classes.iter().map(|(class, n)| format!("{n} of \"{class}\"")).collect();
            let note = format!(
                "Different kinds of machine: {}. Read differences as differences of kind.",
                classes.join(", ")
            );
            for line in width::wrap(&note, width) {
                let _ = writeln!(text, "{}", paint(style::CAUTION, line));
            }
        }
        text
    }

    fn side_by_side(&self, width: usize) -> String {
        let mut aligns = vec![Align::Left];
        aligns.extend(vec![Align::Right; self.names.len()]);
        let mut table = Table::new(&aligns);
        let short: Vec<String> = self.names.iter().map(|name| shorten(name, 14)).collect();
        let heads: Vec<&str> = std::iter::once("").chain(short.iter().map(String::as_str)).collect();
        table.head(&heads);
        for row in &self.rows {
            let cells = row.values.iter().enumerate().map(|(i, value)| match value {
                Some(value) if row.odd.contains(&i) => {
                    Cell::new(style::TROUBLE, format!("! {}", units::quantity(row.unit, *value)))
                }
                Some(value) if row.unstable[i] => {
                    Cell::new(style::MUTED, format!("~ {}", units::quantity(row.unit, *value)))
                }
                Some(value) => Cell::from(units::quantity(row.unit, *value)),
                None => Cell::new(style::MUTED, "–"),
            });
            table.row(std::iter::once(Cell::from(row.label.as_str())).chain(cells));
        }
        let mut text = table.render(width);
        if self.rows.iter().any(|row| row.unstable.contains(&true)) {
            let _ = writeln!(
                text,
                "{}",
                paint(style::MUTED, "~ something disturbed this value; its file says what")
            );
        }
        text
    }

    fn summary(&self, width: usize) -> String {
        let mut table =
            Table::new(&[Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left]);
        table.head(&["", "machines", "median", "least", "most", "stands out"]);
        for row in &self.rows {
            let known: Vec<f64> = row.values.iter().copied().flatten().collect();
            let least = known.iter().copied().fold(f64::INFINITY, f64::min);
            let most = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let odd: Vec<&str> = row.odd.iter().map(|&i| self.names[i].as_str()).collect();
            table.row([
                Cell::from(row.label.as_str()),
                known.len().to_string().into(),
                units::quantity(row.unit, row.median).into(),
                Cell::new(style::MUTED, units::quantity(row.unit, least)),
                Cell::new(style::MUTED, units::quantity(row.unit, most)),
                Cell::new(style::TROUBLE, odd.join(", ")),
            ]);
        }
        table.render(width)
    }

    fn verdict(&self, width: usize) -> String {
        let mut text = String::from("\n");
        if self.names.len() < LEAST_TO_JUDGE {
            let note =
                format!("With fewer than {LEAST_TO_JUDGE} machines there is no majority to stand out from.");
            let _ = writeln!(text, "{}", paint(style::MUTED, note));
            return text;
        }
        let mut lines = Vec::new();
        for row in &self.rows {
            for &i in &row.odd {
                let Some(value) = row.values[i] else { continue };
                let off = (value / row.median - 1.0) * 100.0;
                let word = match (row.better, off > 0.0) {
                    (Better::Higher, true) | (Better::Lower, false) => "better",
                    (Better::Higher, false) | (Better::Lower, true) => "worse",
                    (Better::Neither, _) => "different",
                };
                lines.push(format!(
                    "{}: {} is {}, the median of all {} ({off:+.0} %, {word}). [{}]",
                    self.names[i],
                    row.label,
                    units::quantity(row.unit, value),
                    units::quantity(row.unit, row.median),
                    row.key
                ));
            }
        }
        if lines.is_empty() {
            let _ = writeln!(text, "{}", paint(style::GPU, "No machine stands out."));
        }
        for line in lines.iter().flat_map(|line| width::wrap(line, width)) {
            let _ = writeln!(text, "{}", paint(style::TROUBLE, line));
        }
        text
    }
}

/// Labels, with the file's name where two are equal.
fn names(files: &[Named]) -> Vec<String> {
    let equal = |label: &str| files.iter().filter(|f| f.report.label == label).count() > 1;
    files
        .iter()
        .map(|f| if equal(&f.report.label) { f.file.clone() } else { f.report.label.clone() })
        .collect()
}

/// Keys that any file has, in the order of the list of keys, unknown ones last.
fn keys_in_order(files: &[Named]) -> Vec<String> {
    let place = |key: &str| {
        keys::find(key).and_then(|info| KEYS.iter().position(|k| k.key == info.key)).unwrap_or(KEYS.len())
    };
    let mut found: Vec<String> =
        files.iter().flat_map(|f| f.report.measurements.iter().map(|m| m.key.clone())).collect();
    found.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
    found.dedup();
    found
}

/// Absent when no machine has a usable value.
fn row(key: &str, files: &[Named]) -> Option<Row> {
    let info = keys::find(key);
    let unit = files.iter().find_map(|f| f.report.find(key)).map(|m| m.unit)?;
    // The same key in another unit, of a file of another origin, cannot be compared.
    let values: Vec<Option<f64>> = files
        .iter()
        .map(|f| f.report.find(key).filter(|m| m.unit == unit).and_then(|_| f.report.value(key)))
        .collect();
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    let median = median(&known)?;
    let prefix = info.and_then(|info| info.key.strip_suffix('*'));
    let name = prefix.and_then(|prefix| key.strip_prefix(prefix));
    Some(Row {
        key: key.to_owned(),
        label: match (info, name) {
            (Some(info), Some(name)) => format!("{} {name}", info.label),
            (Some(info), None) => info.label.to_owned(),
            (None, _) => key.to_owned(),
        },
        unit,
        better: info.map_or(Better::Neither, |info| info.better),
        odd: odd(&values, median),
        unstable: files
            .iter()
            .map(|f| f.report.find(key).is_some_and(|m| m.status == Status::Unstable))
            .collect(),
        values,
        median,
    })
}

fn odd(values: &[Option<f64>], median: f64) -> Vec<usize> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    if known.len() < LEAST_TO_JUDGE {
        return Vec::new();
    }
    let deviations: Vec<f64> = known.iter().map(|value| (value - median).abs()).collect();
    let mad = self::median(&deviations).unwrap_or(0.0);
    let limit = (DEVIATIONS * 1.4826 * mad).max(LEAST_SHARE * median.abs());
    let stands_out = |value: &Option<f64>| value.is_some_and(|value| (value - median).abs() > limit);
    values.iter().enumerate().filter(|(_, value)| stands_out(value)).map(|(i, _)| i).collect()
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
    }
}

fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odd_one_out_is_found_and_equal_machines_are_not_accused() {
        let v = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let judge = |values: &[f64]| odd(&v(values), median(values).unwrap_or(0.0));
        assert_eq!(judge(&[54.7, 54.6, 54.8, 27.1, 54.7]), [3]);
        // A MAD of 0 with one value 2 % off.
        assert!(judge(&[54.7, 54.7, 54.7, 54.7, 53.6]).is_empty());
        // A wide but even spread.
        assert!(judge(&[40.0, 50.0, 60.0, 70.0, 45.0, 65.0]).is_empty());
        // Too few to judge.
        assert!(judge(&[54.7, 54.7, 20.0]).is_empty());
        assert_eq!(odd(&[Some(1.0), None, Some(1.0), Some(1.0), Some(3.0)], 1.0), [4]);
    }
}
