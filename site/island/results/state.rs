//! What the results page knows.

use std::sync::Arc;

use drills_results::Report;
use web_sys::File;

use crate::compare::{Column, Origin, same_run};

/// Columns shown without being asked for.
const SHOWN_AT_FIRST: usize = 8;

/// State of the page.
pub(super) struct State {
    /// Samples first, then the reader's files.
    pub(super) columns: Vec<Column>,
    /// Id of the column that is the reader's machine.
    pub(super) mine: Option<String>,
    /// Ids of the columns in the table.
    shown: Vec<String>,
    /// The reader's files with the ids of their columns.
    files: Vec<(String, File)>,
    next: usize,
}

impl State {
    pub(super) fn new(samples: Vec<Column>) -> Self {
        let shown = samples.iter().map(|c| c.id.clone()).collect();
        Self { columns: samples, mine: None, shown, files: Vec::new(), next: 0 }
    }

    /// Adds a file that was read.
    ///
    /// # Errors
    /// It is open already.
    pub(super) fn add(&mut self, file: File, report: Report) -> Result<(), String> {
        if let Some(known) = self.same_file(&report) {
            return Err(format!("already open: {}", known.label()));
        }
        let id = self.add_column(file.name(), Arc::new(report));
        self.files.push((id, file));
        Ok(())
    }

    /// Adds the machine that was chosen in an earlier visit.
    pub(super) fn add_kept(&mut self, report: Arc<Report>) {
        let id = match self.same_file(&report) {
            Some(known) => known.id.clone(),
            None => self.add_column(String::new(), report),
        };
        self.mine = Some(id);
    }

    /// The reader's file of the same run. A sample does not count: it may well be the reader's own
    /// machine, and it cannot be chosen or closed.
    fn same_file(&self, report: &Report) -> Option<&Column> {
        self.columns.iter().find(|c| c.origin == Origin::File && same_run(&c.report, report))
    }

    fn add_column(&mut self, file_name: String, report: Arc<Report>) -> String {
        let id = format!("file:{}", self.next);
        self.next += 1;
        self.columns.push(Column::file(id.clone(), file_name, report));
        if self.shown.len() < SHOWN_AT_FIRST {
            self.shown.push(id.clone());
        }
        id
    }

    /// Takes a file off the page.
    pub(super) fn close(&mut self, id: &str) {
        self.columns.retain(|c| c.id != id);
        self.show(id, false);
        self.files.retain(|(known, _)| known != id);
    }

    /// Shows or hides a column.
    pub(super) fn show(&mut self, id: &str, visible: bool) {
        self.shown.retain(|shown| shown != id);
        if visible {
            self.shown.push(id.to_owned());
        }
    }

    pub(super) fn is_shown(&self, id: &str) -> bool {
        self.shown.iter().any(|shown| shown == id)
    }

    /// Columns of the table, in order.
    pub(super) fn shown_columns(&self) -> Vec<Column> {
        self.columns.iter().filter(|c| self.is_shown(&c.id)).cloned().collect()
    }

    /// How many files of the reader are open.
    pub(super) fn files(&self) -> usize {
        self.columns.iter().filter(|c| c.origin == Origin::File).count()
    }

    /// The file behind a column.
    pub(super) fn file(&self, id: &str) -> Option<File> {
        self.files.iter().find(|(known, _)| known == id).map(|(_, file)| file.clone())
    }
}
