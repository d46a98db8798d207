//! The command: everything is in the library, so that tests can reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The GPU half of this program is this program, started once more by itself.
    drills::gpu::child_main().unwrap_or_else(drills::cli::main)
}
