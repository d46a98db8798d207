//! The command line.

use std::process::ExitCode;

/// Runs the command and says how it went.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
