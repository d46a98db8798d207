//! Reading a results file from somebody else: every byte is suspect.

use crate::place::path_at;
use crate::{Report, SCHEMA_NAME, SCHEMA_VERSION, Schema, validate};

/// Largest file accepted, in bytes. A full run of every drill is under 1 MB.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
/// Deepest nesting of objects and arrays accepted. The format itself needs 8.
pub const MAX_DEPTH: usize = 32;

/// Why a file was refused. The text is shown to the reader as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error("the file has {found} bytes; results files have at most {MAX_FILE_BYTES}")]
    TooLarge {
        /// Size found.
        found: usize,
    },
    /// Objects and arrays nest deeper than [`MAX_DEPTH`].
    #[error("nested deeper than {MAX_DEPTH} levels at byte {at}; this is not a results file")]
    TooDeep {
        /// Byte offset where the limit was passed.
        at: usize,
    },
    /// Not JSON at all.
    #[error("not JSON (line {line}, column {column}): {message}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser said.
        message: String,
    },
    /// JSON, but a field is missing or of the wrong kind.
    #[error("{path}: {message}")]
    Field {
        /// Where, such as `measurements[3].value`.
        path: String,
        /// What was expected and found.
        message: String,
    },
    /// JSON of another program.
    #[error("schema.name is \"{found}\"; expected \"{SCHEMA_NAME}\". Use a file that `drills --json` wrote")]
    WrongSchema {
        /// Name found.
        found: String,
    },
    /// Written by a newer `drills`.
    #[error(
        "schema.version is {found}; this page reads up to {SCHEMA_VERSION}. Reload the course to get a newer reader"
    )]
    TooNew {
        /// Version found.
        found: u32,
    },
}

impl ImportError {
    pub(crate) fn field(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Field { path: path.into(), message: message.into() }
    }
}

/// Reads one results file.
///
/// # Errors
/// Any [`ImportError`]; nothing of the file is used then.
pub fn parse(text: &str) -> Result<Report, ImportError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(ImportError::TooLarge { found: text.len() });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    check_depth(text)?;
    // First whether it is JSON at all: after that, every error belongs to a field and is told with its path.
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|e| syntax(&e))?;
    check_schema(text)?;
    let report: Report = serde_json::from_str(text).map_err(|e| describe(text, &e))?;
    validate(&report)?;
    Ok(report)
}

/// Looks at nothing but `schema`, so that a file of another program or of a newer version is told as such
/// and not by the first of its fields that differs.
fn check_schema(text: &str) -> Result<(), ImportError> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: Option<Schema>,
    }
    let head: Head = serde_json::from_str(text).map_err(|e| describe(text, &e))?;
    match head.schema {
        None => Err(ImportError::field("schema", "missing; use a file that `drills --json` wrote")),
        Some(schema) if schema.name != SCHEMA_NAME => {
            Err(ImportError::WrongSchema { found: shorten(&schema.name) })
        }
        Some(schema) if schema.version > SCHEMA_VERSION => Err(ImportError::TooNew { found: schema.version }),
        Some(Schema { version: 0, .. }) => {
            Err(ImportError::field("schema.version", "0; versions start at 1"))
        }
        Some(_) => Ok(()),
    }
}

fn describe(text: &str, error: &serde_json::Error) -> ImportError {
    let path = match path_at(text, error.line(), error.column()) {
        path if path.is_empty() => "the file".to_owned(),
        path => shorten(&path),
    };
    // The position is in the path already.
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    ImportError::field(path, shorten(message))
}

fn syntax(error: &serde_json::Error) -> ImportError {
    ImportError::Syntax { line: error.line(), column: error.column(), message: shorten(&error.to_string()) }
}

/// Text from the file that goes into a message: cut to a length a page can show, and without characters
/// that a terminal would obey.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut short: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// Counts nesting without recursion, so that a hostile file cannot exhaust the stack.
fn check_depth(text: &str) -> Result<(), ImportError> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(ImportError::TooDeep { at });
                }
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}
