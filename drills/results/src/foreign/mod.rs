//! What other programs print, read into plain numbers.
//!
//! [`nccl_tests`] and [`nvbandwidth`] read what people see; the functions whose names end in `_json` read what
//! the same programs write for machines. Each kind stands alone, so that the browser carries only those it
//! calls. Names of hosts are counted and dropped.

mod nccl_json;
mod nccl_tests;
mod nvbandwidth;
mod nvbandwidth_json;

pub use nccl_json::nccl_tests_json;
pub use nccl_tests::{CollectivePoint, CollectiveRun, nccl_tests, version_of as nccl_version};
pub use nvbandwidth::{BandwidthRun, BandwidthTest, nvbandwidth};
pub use nvbandwidth_json::nvbandwidth_json;

use crate::MAX_FILE_BYTES;
use crate::import::shorten;

/// Largest time, rate or count that is taken for real.
const LARGEST: f64 = 1e15;

/// Why text of another program was refused. The sentence is shown as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForeignError {
    /// The text is larger than [`MAX_FILE_BYTES`].
    #[error("the file has {found} bytes; at most {MAX_FILE_BYTES} are read")]
    TooLarge {
        /// Size found.
        found: usize,
    },
    /// A line is not what its place asks for.
    #[error("line {line}: {message}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// What was expected and found.
        message: String,
    },
    /// A field of a JSON file is not what its place asks for.
    #[error("{path}: {message}")]
    Field {
        /// Where, such as `results[3].in_place.time`.
        path: String,
        /// What was expected and found.
        message: String,
    },
    /// Nothing in the text is of that program.
    #[error("no {expected} in it; give the program's whole output")]
    Nothing {
        /// What was looked for.
        expected: &'static str,
    },
}

/// Programs whose output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// nccl-tests, a table for people.
    NcclTests,
    /// nccl-tests, `-J`.
    NcclTestsJson,
    /// nvbandwidth, tables for people.
    Nvbandwidth,
    /// nvbandwidth, `-j`.
    NvbandwidthJson,
}

/// Which program wrote the text, by the words that only it writes.
pub fn program(text: &str) -> Option<Program> {
    let has = |words: &str| text.contains(words);
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return if has("\"nvbandwidth\"") {
            Some(Program::NvbandwidthJson)
        } else if has("\"nccl_version\"") || has("\"bus_bw\"") {
            Some(Program::NcclTestsJson)
        } else {
            None
        };
    }
    if has("nvbandwidth Version") || has("bandwidth (GB/s)") {
        Some(Program::Nvbandwidth)
    } else if has("busbw") {
        Some(Program::NcclTests)
    } else {
        None
    }
}

fn check_size(text: &str) -> Result<(), ForeignError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(ForeignError::TooLarge { found: text.len() });
    }
    Ok(())
}

fn at_line(line: usize, message: impl Into<String>) -> ForeignError {
    ForeignError::Line { line, message: message.into() }
}

fn at_field(path: impl Into<String>, message: impl Into<String>) -> ForeignError {
    ForeignError::Field { path: path.into(), message: message.into() }
}

/// A number that can be a time, a rate or a count.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| (0.0..=LARGEST).contains(number))
}

/// A name or a version as it goes into results: short, without control characters, without blanks around.
fn name(text: &str) -> String {
    shorten(text.trim())
}

/// The line without what a launcher puts before it: `0: ` of srun, `[1,0]<stdout>:` of mpirun.
fn untagged(line: &str) -> &str {
    let line = line.trim();
    match line.split_once(':') {
        Some((tag, rest)) if is_tag(tag) => rest.trim_start(),
        _ => line,
    }
}

fn is_tag(tag: &str) -> bool {
    let counted = !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_digit());
    counted || (tag.starts_with('[') && tag.ends_with("<stdout>"))
}
