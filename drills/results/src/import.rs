//! Reading a results file from somebody else: every byte is suspect.

use crate::json::tree;
use crate::read::{Node, report};
use crate::trail::Trail;
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
    /// A fault of a field. Both texts may hold words of the file.
    pub(crate) fn field(path: &str, message: &str) -> Self {
        Self::Field { path: shorten(path), message: shorten(message) }
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
    let mut trail = Trail::default();
    let mut fields = Node::new(tree(text)?, &mut trail).fields();
    let schema = fields.optional("schema");
    fields.so_far()?;
    // Before all other fields, so that a file of another program or of a newer version is told as such and
    // not by the first field that differs.
    let schema = check_schema(schema)?;
    let report = report(fields, schema);
    trail.so_far()?;
    validate(&report)?;
    Ok(report)
}

fn check_schema(schema: Option<Schema>) -> Result<Schema, ImportError> {
    match schema {
        None => Err(ImportError::field("schema", "missing; use a file that `drills --json` wrote")),
        Some(schema) if schema.name != SCHEMA_NAME => {
            Err(ImportError::WrongSchema { found: shorten(&schema.name) })
        }
        Some(schema) if schema.version > SCHEMA_VERSION => Err(ImportError::TooNew { found: schema.version }),
        Some(Schema { version: 0, .. }) => {
            Err(ImportError::field("schema.version", "0; versions start at 1"))
        }
        Some(schema) => Ok(schema),
    }
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
