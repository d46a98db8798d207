//! Why the site could not be written.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the site could not be written.
#[derive(Debug)]
pub enum WriteError {
    /// A file cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Trunk's output is not there.
    NoWasm {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The compiled course cannot be read back.
    Course(serde_json::Error),
}

impl WriteError {
    pub(crate) fn file(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::File { path: path.into(), error }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NoWasm { folder } => write!(
                f,
                "{} holds no course-web.js with its .wasm; run `cargo xtask build`, or pass --without-wasm",
                folder.display()
            ),
            Self::Course(error) => write!(f, "the compiled course cannot be read back: {error}"),
        }
    }
}

impl std::error::Error for WriteError {}
