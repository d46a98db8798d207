//! What every figure's model can do, so that the frame can show, tell, link and export it.

use super::Query;

/// State of a figure: a plain value from which the picture, the sentence and the table follow.
pub trait FigureModel: Clone + PartialEq + Default + Send + Sync + 'static {
    /// The state as URL parameters; only what differs from the default.
    fn to_query(&self) -> Query;

    /// The state from URL parameters. Anything unknown, out of range or malformed falls back to the
    /// default of that parameter: a link never breaks a figure.
    fn from_query(query: &Query) -> Self;

    /// One sentence that reads the present state aloud.
    fn sentence(&self) -> String;

    /// The data behind the picture.
    fn table(&self) -> DataTable;

    /// What stands behind the present state: where a number comes from, why it matters. Shown under
    /// the sentence, not announced.
    fn note(&self) -> Option<String> {
        None
    }

    /// Key numbers shown under the sentence.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }

    /// This state, with what is not the reader's choice taken over from the state before: the readings
    /// of their machine. The frame calls it wherever a link, a preset or "reset" replaces the state.
    fn carry_over(self, _before: &Self) -> Self {
        self
    }
}

/// One key number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// What it counts.
    pub label: &'static str,
    /// Formatted value with its unit.
    pub value: String,
}

impl Counter {
    /// A counter from label and formatted value.
    pub fn new(label: &'static str, value: impl Into<String>) -> Self {
        Self { label, value: value.into() }
    }
}

/// A named state: a small story the reader can jump to.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset<M> {
    /// Name on the chip.
    pub name: &'static str,
    /// State it sets.
    pub state: M,
}

/// The figure's data as rows of text, for the page and for CSV.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataTable {
    /// Column heads, units included.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`. The first cell heads the row.
    pub rows: Vec<Vec<String>>,
}

impl DataTable {
    /// A table with these column heads and no rows yet.
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|&c| c.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as CSV (RFC 4180). Cells that a spreadsheet would run as a formula are quoted with a
    /// leading apostrophe.
    pub fn to_csv(&self) -> String {
        let line = |cells: &[String]| cells.iter().map(|c| csv_cell(c)).collect::<Vec<_>>().join(",");
        std::iter::once(line(&self.columns))
            .chain(self.rows.iter().map(|row| line(row)))
            .map(|l| l + "\r\n")
            .collect()
    }
}

fn csv_cell(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '@', '\t', '\r'])
        || (cell.starts_with('-') && cell[1..].parse::<f64>().is_err());
    let cell = if formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_what_needs_quoting_and_defuses_formulas() {
        let mut table = DataTable::new(&["what", "ns"]);
        table.row(["a \"b\", c", "-1.5"]);
        table.row(["=1+1", "3"]);
        assert_eq!(table.to_csv(), "what,ns\r\n\"a \"\"b\"\", c\",-1.5\r\n'=1+1,3\r\n");
    }
}
