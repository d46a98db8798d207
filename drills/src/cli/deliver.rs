//! Where a report goes: a file, stdout, or a table for people.

use drills_results::Report;

use super::args::Common;
use super::{CliError, print};
use crate::output::file::{OutputFile, expand_host};
use crate::output::{report, width};

/// The file of `--json`, opened before the work, so that a folder that is not there costs no minutes.
/// `None` for stdout.
pub(super) fn open(common: &Common, host: &str) -> Result<Option<OutputFile>, CliError> {
    match common.json.as_deref() {
        None | Some("-") => Ok(None),
        Some(path) => {
            let path = expand_host(path, host);
            OutputFile::create(path.as_ref()).map(Some).map_err(|e| CliError::io(path, e))
        }
    }
}

/// Writes or prints a report that is valid.
pub(super) fn deliver(report: &Report, common: &Common, file: Option<OutputFile>) -> Result<(), CliError> {
    drills_results::validate(report)?;
    let json = || serde_json::to_string_pretty(report).map(|text| text + "\n").unwrap_or_default();
    match (&common.json, file) {
        (Some(_), Some(file)) => {
            let path = file.path().display().to_string();
            file.finish(json().as_bytes()).map_err(|e| CliError::io(&path, e))?;
            if !common.quiet {
                print(&report::text(report, width::of_stdout()))?;
                anstream::eprintln!("wrote {path}");
            }
            Ok(())
        }
        (Some(_), None) => print(&json()),
        (None, _) => print(&report::text(report, width::of_stdout())),
    }
}
