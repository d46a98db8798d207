//! What is wrong with the content, and where.

use std::fmt;

/// One refusal: printed as `content/machine/module.md:123: …`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// File, relative to the repository.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What was found, what was expected, what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Collects problems, so that a writer sees all of them at once.
#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, file: &str, line: usize, message: impl Into<String>) {
        self.0.push(Problem { file: file.to_owned(), line, message: message.into() });
    }

    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.0.sort();
        self.0.dedup();
        self.0
    }
}
