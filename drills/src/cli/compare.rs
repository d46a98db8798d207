//! `drills compare`: machines side by side, and which of them stands out.

use std::path::PathBuf;
use std::process::ExitCode;

use drills_results::{MAX_FILE_BYTES, Report};

use super::{CliError, FAILED, print};
use crate::output::{compare, width};

/// Reads the files, prints the comparison.
pub(super) fn run(files: &[PathBuf]) -> Result<ExitCode, CliError> {
    let reports = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let comparison = compare::Comparison::of(&reports);
    print(&comparison.text(width::of_stdout()))?;
    Ok(if comparison.someone_stands_out() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// A file with the name that tells it apart: its label, and the file name where labels are equal.
fn read(path: &PathBuf) -> Result<compare::Named, CliError> {
    use std::io::Read;
    let shown = path.display().to_string();
    let io = |source| CliError::io(&shown, source);
    let mut text = String::new();
    // One byte more than allowed is enough to be refused for its size.
    let file = std::fs::File::open(path).map_err(io)?;
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_string(&mut text).map_err(io)?;
    let report: Report =
        drills_results::parse(&text).map_err(|source| CliError::Import { path: shown.clone(), source })?;
    let file = path.file_stem().map_or_else(|| shown.clone(), |stem| stem.to_string_lossy().into_owned());
    Ok(compare::Named { file, report })
}
