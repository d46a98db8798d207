//! Trunk, which builds the WebAssembly and calls the page writer.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::make_once;
use crate::command::{cargo, run};
use crate::step::step;
use xtask::paths;

/// Newest version that Rust 1.95 compiles and that Trunk.toml was written for.
const VERSION: &str = "0.21.14";

pub(super) fn ensure() -> Result<PathBuf> {
    let dir = paths::tools().join(format!("trunk-{VERSION}"));
    let program = dir.join("bin").join("trunk");
    if !program.is_file() {
        step(&format!("trunk {VERSION}: compiling it once for all clones (a few minutes)"), || {
            make_once(&dir, |work| {
                let mut install = cargo();
                install.args(["install", "--locked", "trunk", "--version", VERSION]);
                // No TLS and no update check: our builds never let it download anything.
                install.arg("--no-default-features");
                install.arg("--root").arg(work).env("CARGO_TARGET_DIR", work.join("target"));
                run(quick_to_compile(&mut install)).context("could not compile trunk")?;
                Ok(std::fs::remove_dir_all(work.join("target"))?)
            })
        })?;
    }
    Ok(program)
}

/// These tools run for a second; compiling them with full optimisation takes minutes longer.
pub(super) fn quick_to_compile(install: &mut std::process::Command) -> &mut std::process::Command {
    install
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
}
