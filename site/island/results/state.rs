//! What the results page knows.

use std::collections::{BTreeMap, BTreeSet};

use drills_results::Report;
use web_sys::File;

use crate::compare::{Column, Origin};

/// Columns shown without being asked for.
const SHOWN_AT_FIRST: usize = 8;

/// State of the page.
pub(super) struct State {
    /// Samples first, then the reader's files.
    pub(super) columns: Vec<Column>,
    /// Id of the column that is the reader's machine.
    pub(super) mine: Option<String>,
    shown: BTreeSet<String>,
    /// The reader's files by the id of their column.
    files: BTreeMap<String, File>,
    next: usize,
}

impl State {
    pub(super) fn new(samples: Vec<Column>) -> Self {
        let shown = samples.iter().map(|c| c.id.clone()).collect();
        Self { columns: samples, mine: None, shown, files: BTreeMap::new(), next: 0 }
    }

    /// Adds a file that was read.
    ///
    /// # Errors
    /// It is open already.
    pub(super) fn add(&mut self, file: File, report: Report) -> Result<(), String> {
        if let Some(known) = self.same_file(&report) {
            return Err(format!("already open: {}", known.label()));
        }
        let id = self.add_column(file.name(), report);
        self.files.insert(id, file);
        Ok(())
    }

    /// Adds the machine that was chosen in an earlier visit.
    pub(super) fn add_kept(&mut self, report: Report) {
        let id = match self.same_file(&report) {
            Some(known) => known.id.clone(),
            None => self.add_column(String::new(), report),
        };
        self.mine = Some(id);
    }

    /// The reader's file with the same content. A sample does not count: it may well be the reader's own
    /// machine, and it cannot be chosen or closed.
    fn same_file(&self, report: &Report) -> Option<&Column> {
        self.columns.iter().find(|c| c.origin == Origin::File && *c.report == *report)
    }

    fn add_column(&mut self, file_name: String, report: Report) -> String {
        let id = format!("file:{}", self.next);
        self.next += 1;
        self.columns.push(Column::file(id.clone(), file_name, report));
        if self.shown.len() < SHOWN_AT_FIRST {
            self.shown.insert(id.clone());
        }
        id
    }

    /// Takes a file off the page.
    pub(super) fn close(&mut self, id: &str) {
        self.columns.retain(|c| c.id != id);
        self.shown.remove(id);
        self.files.remove(id);
    }

    /// Shows or hides a column.
    pub(super) fn show(&mut self, id: &str, visible: bool) {
        if visible {
            self.shown.insert(id.to_owned());
        } else {
            self.shown.remove(id);
        }
    }

    pub(super) fn is_shown(&self, id: &str) -> bool {
        self.shown.contains(id)
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
        self.files.get(id).cloned()
    }
}
