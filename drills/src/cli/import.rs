//! `drills import`: output of other programs as a results file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use drills_results::MAX_FILE_BYTES;

use super::args::Common;
use super::{CliError, deliver};
use crate::host::{Root, one_line, system};
use crate::import::{self, Source};

/// Reads the files and writes or prints the report.
pub(super) fn run(files: &[PathBuf], operation: Option<&str>, common: &Common) -> Result<ExitCode, CliError> {
    let sources = files.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let label = common.label.as_deref().map(one_line);
    let report = import::report(&sources, operation, label)?;
    let host = system::host_name(&Root::new(Path::new("/")));
    deliver::deliver(&report, common, deliver::open(common, &host)?)?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Source, CliError> {
    let name = path.display().to_string();
    let io = |source| CliError::io(&name, source);
    let file = File::open(path).map_err(io)?;
    let written = file.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let mut bytes = Vec::new();
    // One byte more than allowed is enough to be refused for its size.
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
    // A log can hold stray bytes beside the table.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Source { name, text, written })
}
