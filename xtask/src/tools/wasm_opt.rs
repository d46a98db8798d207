//! Binaryen's `wasm-opt`: a quarter off the WebAssembly. The site also works without.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::Result;

use super::npm;
use crate::step::note;
use xtask::paths;

/// Stands in for the optimiser where there is no npm: Trunk insists on the program.
const COPY_ONLY: &str = r#"#!/bin/sh
# Copies its input: `wasm-opt` itself could not be had on this machine.
out= in=
while [ $# -gt 0 ]; do
  case "$1" in
    --version) echo "wasm-opt version 132 (version_132)"; exit 0 ;;
    -o|--output) out=$2; shift ;;
    --output=*) out=${1#--output=} ;;
    -*) ;;
    *) in=$1 ;;
  esac
  shift
done
[ "$in" = "$out" ] || cp -- "$in" "$out"
"#;

/// The folder that has a `wasm-opt`.
pub(super) fn ensure() -> Result<PathBuf> {
    if npm::available() {
        match npm::ensure(&npm::BINARYEN) {
            Ok(modules) => return Ok(modules.join(".bin")),
            Err(error) => note(&format!("{error:#}")),
        }
    }
    note(
        "wasm-opt: no npm here, so the WebAssembly stays about a third larger. Everything else is the same.",
    );
    let dir = paths::tools().join("wasm-opt-copy-only");
    let program = dir.join("wasm-opt");
    fs::create_dir_all(&dir)?;
    fs::write(&program, COPY_ONLY)?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
    Ok(dir)
}
