//! What the results page knows.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use drills_results::Report;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::open::read_file;

use crate::compare::{Column, Origin};
use crate::island::{machine, say};
use crate::storage::{NOT_SAVED, Saved};

/// Columns shown without being asked for.
const SHOWN_AT_FIRST: usize = 8;

const CHOSEN: &str = "From now on the tables and figures of the course show this machine too.";

thread_local! {
    /// The reader's files by the id of their column.
    static FILES: RefCell<BTreeMap<String, File>> = const { RefCell::new(BTreeMap::new()) };
}

/// State of the page; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// Samples first, then the reader's files.
    pub(super) columns: RwSignal<Vec<Column>>,
    /// Ids of the columns in the table.
    pub(super) shown: RwSignal<BTreeSet<String>>,
    /// Files that were refused, with the reason.
    pub(super) complaints: RwSignal<Vec<(String, String)>>,
    /// Id of the column that is the reader's machine.
    pub(super) mine: RwSignal<Option<String>>,
    next: RwSignal<usize>,
}

impl State {
    pub(super) fn new(samples: Vec<Column>) -> Self {
        let state = Self {
            columns: RwSignal::new(samples),
            shown: RwSignal::new(BTreeSet::new()),
            complaints: RwSignal::new(Vec::new()),
            mine: RwSignal::new(None),
            next: RwSignal::new(0),
        };
        state.shown.set(state.columns.with_untracked(|c| c.iter().map(|c| c.id.clone()).collect()));
        if let Some(report) = machine::current() {
            let id = state.add_column(String::new(), report);
            state.mine.set(Some(id));
        }
        state
    }

    /// Adds a file that was read; refuses one that is already open.
    pub(super) fn add(self, file: File, report: Report) {
        let file_name = file.name();
        let known = self.columns.with_untracked(|columns| {
            columns.iter().find(|c| c.report == report).map(|c| c.label().to_owned())
        });
        match known {
            Some(label) => self.complain(file_name, format!("already open: {label}")),
            None => {
                let id = self.add_column(file_name, report);
                FILES.with_borrow_mut(|files| files.insert(id, file));
            }
        }
    }

    fn add_column(self, file_name: String, report: Report) -> String {
        let number = self.next.get_untracked();
        self.next.set(number + 1);
        let id = format!("file:{number}");
        self.columns.update(|columns| columns.push(Column::file(id.clone(), file_name, report)));
        if self.shown.with_untracked(BTreeSet::len) < SHOWN_AT_FIRST {
            self.shown.update(|shown| _ = shown.insert(id.clone()));
        }
        id
    }

    pub(super) fn complain(self, file_name: String, message: String) {
        self.complaints.update(|complaints| complaints.push((file_name, message)));
    }

    /// Takes a file off the page.
    pub(super) fn close(self, id: &str) {
        self.columns.update(|columns| columns.retain(|c| c.id != id));
        self.shown.update(|shown| _ = shown.remove(id));
        FILES.with_borrow_mut(|files| files.remove(id));
    }

    /// Shows or hides a column.
    pub(super) fn show(self, id: &str, visible: bool) {
        self.shown.update(|shown| {
            if visible {
                shown.insert(id.to_owned());
            } else {
                shown.remove(id);
            }
        });
    }

    /// Makes a file the reader's machine.
    pub(super) fn choose(self, id: String) {
        let Some(file) = FILES.with_borrow(|files| files.get(&id).cloned()) else { return };
        spawn_local(async move {
            // Read again rather than kept: hundreds of texts would fill a phone's memory.
            match read_file(&file).await {
                Ok((text, report)) => {
                    let kept = machine::choose(&text, report) == Saved::Kept;
                    say(if kept { CHOSEN } else { NOT_SAVED });
                    self.mine.set(Some(id));
                }
                Err(message) => self.complain(file.name(), message),
            }
        });
    }

    /// Forgets the reader's machine; its column stays.
    pub(super) fn forget(self) {
        machine::forget();
        self.mine.set(None);
        say("Forgotten. The tables of the course show the samples alone.");
    }

    /// Columns of the table, in order. Tracked.
    pub(super) fn shown_columns(self) -> Vec<Column> {
        let shown = self.shown.read();
        self.columns.with(|columns| columns.iter().filter(|c| shown.contains(&c.id)).cloned().collect())
    }

    /// How many files of the reader are open. Tracked.
    pub(super) fn files(self) -> usize {
        self.columns.with(|columns| columns.iter().filter(|c| c.origin == Origin::File).count())
    }
}
