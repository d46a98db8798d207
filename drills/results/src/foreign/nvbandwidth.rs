//! The tables of nvbandwidth.

use super::{ForeignError, at_line, check_size, name, number, untagged};

/// Most cells of all tables; 64 GPUs side by side have 4096 in each.
const MOST_CELLS: usize = 500_000;

/// One test: a table by rows, empty where the program left the test out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BandwidthTest {
    /// Its name, such as `host_to_device_memcpy_ce`.
    pub name: String,
    /// The line above the table, which ends in the unit: "bandwidth (GB/s)" or "(ns)".
    pub description: String,
    /// Cells by rows; `None` where the program prints N/A.
    pub rows: Vec<Vec<Option<f64>>>,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BandwidthRun {
    /// Version of nvbandwidth, such as "v0.8".
    pub version: Option<String>,
    /// Version of the NVIDIA driver.
    pub driver_version: Option<String>,
    /// GPUs that are listed.
    pub gpus: u32,
    /// Name of the first.
    pub gpu: Option<String>,
    /// The tests, in the order they ran.
    pub tests: Vec<BandwidthTest>,
    /// Lines that belong to something else.
    pub unknown_lines: usize,
}

/// Reads what nvbandwidth prints.
///
/// # Errors
/// The first row that does not fit under the head of its table; an end inside a test; no test at all.
pub fn nvbandwidth(text: &str) -> Result<BandwidthRun, ForeignError> {
    check_size(text)?;
    let mut reader = Reader::default();
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        last = index + 1;
        reader.line(last, untagged(line))?;
    }
    reader.end_of_test(last)?;
    if reader.run.tests.is_empty() {
        return Err(ForeignError::Nothing { expected: "test of nvbandwidth" });
    }
    Ok(reader.run)
}

#[derive(Default)]
struct Reader {
    run: BandwidthRun,
    /// Columns of the table that is open.
    columns: Option<usize>,
    /// The test that runs has not said yet how it ended.
    open: bool,
    cells: usize,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) -> Result<(), ForeignError> {
        if let Some(test) = line.strip_prefix("Running ") {
            self.end_of_test(number)?;
            self.open = true;
            let name = name(test.trim_end_matches('.'));
            self.run.tests.push(BandwidthTest { name, ..BandwidthTest::default() });
        } else if line.is_empty() {
            self.columns = None;
        } else if let Some(columns) = self.columns {
            self.row(number, line, columns)?;
        } else if !self.head(line) && !self.known(line) {
            self.run.unknown_lines += 1;
        }
        Ok(())
    }

    /// The two lines above a table.
    fn head(&mut self, line: &str) -> bool {
        let Some(test) = self.run.tests.last_mut().filter(|_| self.open) else { return false };
        if line.ends_with("(GB/s)") || line.ends_with("(ns)") {
            test.description = name(line);
            return true;
        }
        let counted = line.split_whitespace().enumerate().all(|(index, cell)| cell == index.to_string());
        if counted && !test.description.is_empty() && test.rows.is_empty() {
            self.columns = Some(line.split_whitespace().count());
            return true;
        }
        false
    }

    fn row(&mut self, line_number: usize, line: &str, columns: usize) -> Result<(), ForeignError> {
        let mut cells = line.split_whitespace();
        let Some(test) = self.run.tests.last_mut() else { return Ok(()) };
        if cells.next() != Some(test.rows.len().to_string().as_str()) {
            let wanted = test.rows.len();
            return Err(at_line(
                line_number,
                format!("row {wanted} of the table or an empty line is wanted"),
            ));
        }
        let cells = cells.map(|cell| cell_of(cell).ok_or(cell)).collect::<Result<Vec<_>, _>>();
        let cells = cells.map_err(|cell| {
            at_line(line_number, format!("\"{}\" is neither a number from 0 up nor N/A", name(cell)))
        })?;
        if cells.len() != columns {
            let found = cells.len();
            return Err(at_line(line_number, format!("{found} cells under a head of {columns}")));
        }
        self.cells += columns;
        if self.cells > MOST_CELLS {
            return Err(at_line(line_number, format!("more than {MOST_CELLS} cells in all tables")));
        }
        test.rows.push(cells);
        self.open = false;
        Ok(())
    }

    fn known(&mut self, line: &str) -> bool {
        if let Some(version) = line.strip_prefix("nvbandwidth Version:") {
            self.run.version = Some(name(version));
        } else if let Some(version) = line.strip_prefix("Driver Version:") {
            self.run.driver_version = Some(name(version));
        } else if let Some((_, gpu)) = line.strip_prefix("Device ").and_then(|rest| rest.split_once(':')) {
            self.run.gpus += 1;
            self.run.gpu.get_or_insert_with(|| gpu_of(gpu));
        } else if ["Waived:", "Error:", "ERROR:", "[ERROR]"].iter().any(|word| line.starts_with(word)) {
            self.open = false;
        } else {
            return ["SUM ", "MIN ", "MAX ", "AVG ", "NOTE:", "CUDA ", "Built from", "Additional"]
                .iter()
                .any(|word| line.starts_with(word));
        }
        true
    }

    fn end_of_test(&self, line: usize) -> Result<(), ForeignError> {
        match self.run.tests.last().filter(|_| self.open) {
            Some(test) => Err(at_line(line, format!("{} has no table; the output was cut off", test.name))),
            None => Ok(()),
        }
    }
}

/// "NVIDIA H200 (00000000:17:00): (host)" without what stands in brackets.
pub(super) fn gpu_of(text: &str) -> String {
    name(text.split_once(" (").map_or(text, |(gpu, _)| gpu))
}

/// A cell of a table; the outer `None` is for what cannot be one.
pub(super) fn cell_of(text: &str) -> Option<Option<f64>> {
    if text == "N/A" { Some(None) } else { number(text).map(Some) }
}
