//! Writes every page of the site into a folder: Trunk's staging folder, or the one named.
//!
//! `write-pages [--without-wasm] [FOLDER]`

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut folder, mut wasm) = (std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from), true);
    for argument in std::env::args_os().skip(1) {
        match argument.to_str() {
            Some("--without-wasm") => wasm = false,
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let Some(folder) = folder else {
        eprintln!("write-pages: name the folder to write to, or let `cargo xtask build` call this program");
        return ExitCode::from(2);
    };
    match course::writer::write(&folder, wasm) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("write-pages: {error}");
            ExitCode::FAILURE
        }
    }
}
