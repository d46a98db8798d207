//! `wasm-bindgen`, built from this workspace's lock file.
//!
//! Trunk wants the program on its PATH and would otherwise download one. Building it from the
//! library keeps its version equal to that of the crate, on every architecture.

use std::process::ExitCode;

fn main() -> ExitCode {
    match wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-bindgen: {error:?}");
            ExitCode::FAILURE
        }
    }
}
