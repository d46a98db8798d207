//! A walk through a document: where it is, and the first thing found wrong.
//!
//! After an error the walk goes on, with stand-ins for what could not be read, and who started it asks at
//! the end. No step has to ask, which makes the importer a fraction of the size it would have otherwise;
//! readers of the course download it.

use std::fmt::{Arguments, Write};

use crate::import::ImportError;

/// A walk. Starts at the document itself.
#[derive(Default)]
pub(crate) struct Trail {
    /// Such as `measurements[3].value`.
    path: String,
    error: Option<ImportError>,
}

impl Trail {
    /// A walk that starts at a part of a document.
    pub(crate) fn at(path: &str) -> Self {
        Self { path: path.to_owned(), error: None }
    }

    /// Steps into a field; no step if `field` is empty. The result takes [`Self::leave`] back.
    pub(crate) fn enter(&mut self, field: &str) -> usize {
        let before = self.path.len();
        if before > 0 && !field.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(field);
        before
    }

    /// Steps to an element of a list.
    pub(crate) fn enter_index(&mut self, index: usize) -> usize {
        let before = self.path.len();
        // Writing to a string cannot fail.
        let _ = write!(self.path, "[{index}]");
        before
    }

    /// Goes back to where [`Self::enter`] came from.
    pub(crate) fn leave(&mut self, before: usize) {
        self.path.truncate(before);
    }

    /// Walks a part of the document.
    pub(crate) fn inside(&mut self, field: &str, walk: impl FnOnce(&mut Self)) {
        let before = self.enter(field);
        walk(self);
        self.leave(before);
    }

    /// Tells that something is wrong here. Only the first call counts.
    pub(crate) fn refuse(&mut self, message: Arguments<'_>) {
        if self.is_sound() {
            let path = if self.path.is_empty() { "the file" } else { &self.path };
            self.error = Some(ImportError::field(path, &message.to_string()));
        }
    }

    /// The same for a field of what is here.
    pub(crate) fn refuse_in(&mut self, field: &str, message: Arguments<'_>) {
        self.inside(field, |trail| trail.refuse(message));
    }

    /// Whether nothing was wrong so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.error.is_none()
    }

    /// What was wrong first.
    pub(crate) fn so_far(&mut self) -> Result<(), ImportError> {
        self.error.take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::Trail;

    #[test]
    fn the_first_error_counts_and_has_its_path() {
        let mut trail = Trail::default();
        trail.inside("a", |trail| {
            let before = trail.enter_index(2);
            trail.refuse_in("b", format_args!("odd"));
            trail.refuse(format_args!("later"));
            trail.leave(before);
        });
        assert_eq!(trail.so_far().map_err(|e| e.to_string()), Err("a[2].b: odd".into()));
    }

    #[test]
    fn the_document_itself_has_a_name() {
        let mut trail = Trail::default();
        trail.inside("a", |_| ());
        trail.refuse(format_args!("odd"));
        assert_eq!(trail.so_far().map_err(|e| e.to_string()), Err("the file: odd".into()));
    }
}
