//! The WebAssembly half of the Rust standard library.

use std::env;
use std::path::Path;

use anyhow::Result;

use crate::command::{command, find, output, run};
use crate::step::{note, step};

/// Set to anything to take the way of machines where rustup cannot deliver.
const FORCE_FALLBACK: &str = "XTASK_FORCE_WASM_FALLBACK";

/// Name of the target.
pub(super) const WASM: &str = "wasm32-unknown-unknown";

/// Whether the usual compiler can compile for browsers.
pub(super) enum Target {
    /// It can.
    Present,
    /// It cannot, and this is why.
    Missing(String),
}

pub(super) fn ensure() -> Result<Target> {
    if env::var_os(FORCE_FALLBACK).is_some() {
        return Ok(Target::Missing(format!("{FORCE_FALLBACK} is set")));
    }
    if installed() {
        return Ok(Target::Present);
    }
    if find("rustup").is_none() {
        return Ok(Target::Missing("there is no rustup".into()));
    }
    let added = step(&format!("{WASM}: adding the target with rustup"), || {
        run(command("rustup").args(["target", "add", WASM]))
    });
    match added {
        Ok(()) if installed() => Ok(Target::Present),
        Ok(()) => {
            Ok(Target::Missing("rustup added the target to another toolchain than the one in use".into()))
        }
        Err(error) => {
            note("rustup could not add the target");
            Ok(Target::Missing(format!("{error:#}")))
        }
    }
}

fn installed() -> bool {
    output(command("rustc").args(["--print", "target-libdir", "--target", WASM]))
        .is_ok_and(|dir| Path::new(dir.trim()).is_dir())
}
