//! The table of nccl-tests (`all_reduce_perf` and its siblings).
//!
//! Columns are found by their names in the head of the table, since versions differ in them.

use super::{ForeignError, at_line, check_size, name, number, untagged};

/// Most rows that are read.
const MOST_POINTS: usize = 10_000;
/// Columns of one of the two halves, out of place and in place.
const HALF: usize = 4;
/// Columns where the head of the table was not copied along.
const USUAL: [&str; 13] = [
    "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw",
    "#wrong",
];

/// One row. Of the two halves the one out of place, unless the row has the other only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectivePoint {
    /// Size of the array, bytes.
    pub bytes: u64,
    /// Time of one operation, microseconds.
    pub time_us: f64,
    /// Algorithm bandwidth as printed, GB/s (10^9 bytes): size over time.
    pub algbw_gb_per_s: f64,
    /// Bus bandwidth as printed, GB/s: algorithm bandwidth times the factor of the operation.
    pub busbw_gb_per_s: f64,
    /// Wrong elements, where the program compared.
    pub wrong: Option<f64>,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectiveRun {
    /// Version of nccl-tests, such as "2.17.6".
    pub version: Option<String>,
    /// Version of NCCL.
    pub nccl_version: Option<String>,
    /// Operation, such as `all_reduce`.
    pub operation: Option<String>,
    /// Ranks that are listed.
    pub ranks: Option<u32>,
    /// Different hosts among them.
    pub hosts: Option<u32>,
    /// Name of the first rank's GPU.
    pub gpu: Option<String>,
    /// The rows, in the order printed.
    pub points: Vec<CollectivePoint>,
    /// Whether the sum under the table is there, so that no row is missing.
    pub complete: bool,
    /// Lines that belong to something else, such as messages of NCCL.
    pub unknown_lines: usize,
}

/// Reads what nccl-tests prints.
///
/// # Errors
/// The first row that is cut off or holds something else than numbers; no rows at all.
pub fn nccl_tests(text: &str) -> Result<CollectiveRun, ForeignError> {
    check_size(text)?;
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(index + 1, untagged(line))?;
    }
    if reader.run.points.is_empty() {
        return Err(ForeignError::Nothing { expected: "row of an nccl-tests table" });
    }
    Ok(CollectiveRun { hosts: (!reader.hosts.is_empty()).then_some(reader.hosts.len() as u32), ..reader.run })
}

#[derive(Default)]
struct Reader<'a> {
    run: CollectiveRun,
    columns: Vec<&'a str>,
    hosts: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, number: usize, line: &'a str) -> Result<(), ForeignError> {
        let known = match line.strip_prefix('#') {
            Some(comment) => self.comment(number, comment.trim())?,
            None => self.row(number, line)? || self.library(line),
        };
        if !known && !line.is_empty() {
            self.run.unknown_lines += 1;
        }
        Ok(())
    }

    /// A line that begins with `#`. What it does not know is the program's own all the same.
    fn comment(&mut self, number: usize, text: &'a str) -> Result<bool, ForeignError> {
        if let Some(rest) = text.strip_prefix("nccl-tests version ") {
            self.run.version = rest.split_whitespace().next().map(name);
            let code = rest.split_once("nccl-library=").and_then(|(_, code)| code.trim().parse().ok());
            self.run.nccl_version = code.map(version_of);
        } else if let Some(program) = text.strip_prefix("Collective test starting:") {
            let operation = operation_of(program);
            if self.run.operation.as_ref().is_some_and(|first| *first != operation) {
                return Err(at_line(
                    number,
                    format!("a second test begins ({operation}); give one in a file"),
                ));
            }
            self.run.operation = Some(operation);
        } else if let Some(rest) = text.strip_prefix("Rank ") {
            self.rank(rest);
        } else if text.starts_with("Avg bus bandwidth") {
            self.run.complete = true;
        } else {
            let columns: Vec<&str> = text.split_whitespace().collect();
            let has = |name| columns.contains(&name);
            if columns.first() == Some(&"size") && has("algbw") && has("busbw") {
                self.columns = columns;
            }
        }
        Ok(true)
    }

    /// "0 Group  0 Pid  171 on HOST device  0 [0000:17:00] NVIDIA H200"
    fn rank(&mut self, text: &'a str) {
        let Some(rank) = text.split_whitespace().next().and_then(|rank| rank.parse::<u32>().ok()) else {
            return;
        };
        self.run.ranks = self.run.ranks.max(rank.checked_add(1));
        let Some((host, device)) = text.split_once(" on ").and_then(|(_, rest)| rest.split_once(" device "))
        else {
            return;
        };
        let host = host.trim();
        if !self.hosts.contains(&host) {
            self.hosts.push(host);
        }
        if self.run.gpu.is_none() {
            self.run.gpu = device.split_once(']').map(|(_, gpu)| name(gpu));
        }
    }

    /// "NCCL version 2.27.7+cuda12.9", which the library prints.
    fn library(&mut self, line: &str) -> bool {
        let Some(version) = line.strip_prefix("NCCL version ") else { return false };
        let version = version.split(['+', ' ']).next().unwrap_or_default();
        self.run.nccl_version.get_or_insert_with(|| name(version));
        true
    }

    /// Whether the line is a row: it begins with two whole numbers.
    fn row(&mut self, line_number: usize, line: &str) -> Result<bool, ForeignError> {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let whole = |index: usize| cells.get(index).and_then(|cell| cell.parse::<u64>().ok());
        let (Some(bytes), Some(_)) = (whole(0), whole(1)) else { return Ok(false) };
        let usual = self.columns.is_empty();
        let columns = if usual { &USUAL[..] } else { &self.columns };
        // A date and a time of day stand under one name.
        let wanted = columns.len() + usize::from(columns.last() == Some(&"timestamp"));
        if cells.len() != wanted && cells.len() + HALF != wanted {
            let found = cells.len();
            return Err(at_line(line_number, format!("{found} columns; a row of this table has {wanted}")));
        }
        let at = |names: &[&str]| columns.iter().position(|column| names.contains(column));
        let value = |names: &[&str]| {
            let cell = at(names).and_then(|index| cells.get(index)).copied().unwrap_or_default();
            number(cell).ok_or_else(|| {
                let (column, cell) = (names[0], name(cell));
                at_line(line_number, format!("{column} is \"{cell}\"; a number from 0 up is wanted"))
            })
        };
        let point = CollectivePoint {
            bytes,
            time_us: value(&["time", "cputime"])?,
            algbw_gb_per_s: value(&["algbw"])?,
            busbw_gb_per_s: value(&["busbw"])?,
            wrong: at(&["#wrong"]).and_then(|index| number(cells.get(index)?)),
        };
        self.push(line_number, point)?;
        Ok(true)
    }

    fn push(&mut self, line: usize, point: CollectivePoint) -> Result<(), ForeignError> {
        if self.run.points.len() == MOST_POINTS {
            return Err(at_line(line, format!("more than {MOST_POINTS} rows")));
        }
        // Sizes that round down to nothing on many ranks are printed, but nothing is moved.
        if point.bytes > 0 && point.time_us > 0.0 {
            self.run.points.push(point);
        }
        Ok(())
    }
}

/// "./build/all_reduce_perf_mpi" is `all_reduce`.
pub(super) fn operation_of(program: &str) -> String {
    let file = program.trim().rsplit('/').next().unwrap_or_default();
    name(file.split_once("_perf").map_or(file, |(operation, _)| operation))
}

/// NCCL's number of its version as text: 22907 is 2.29.7, and 2708, from before 2.9, is 2.7.8.
pub fn version_of(code: u32) -> String {
    let thousands = if code >= 10_000 { 10_000 } else { 1_000 };
    format!("{}.{}.{}", code / thousands, code % thousands / 100, code % 100)
}
