//! The wasm-bindgen command, from the workspace's own lock file.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::make_once;
use super::trunk::quick_to_compile;
use crate::command::{cargo, run};
use crate::step::step;
use xtask::paths;

pub(super) fn ensure() -> Result<PathBuf> {
    let version = locked_version()?;
    let dir = paths::tools().join(format!("wasm-bindgen-{version}"));
    let bin = dir.join("bin");
    if !bin.join("wasm-bindgen").is_file() {
        step(&format!("wasm-bindgen {version}: compiling it once for all clones"), || {
            make_once(&dir, |work| {
                let mut install = cargo();
                install.args(["install", "--locked", "--path", "xtask/wasm-bindgen"]);
                install.arg("--root").arg(work).env("CARGO_TARGET_DIR", work.join("target"));
                run(quick_to_compile(&mut install)).context("could not compile wasm-bindgen")?;
                // rustc takes any crate of the name `wasm_bindgen` for the library and looks at its version.
                let bin = work.join("bin");
                std::fs::rename(bin.join("wasm-bindgen-tool"), bin.join("wasm-bindgen"))?;
                Ok(std::fs::remove_dir_all(work.join("target"))?)
            })
        })?;
    }
    Ok(bin)
}

/// The version of the crate `wasm-bindgen` in Cargo.lock.
fn locked_version() -> Result<String> {
    let lock = std::fs::read_to_string(paths::root().join("Cargo.lock")).context("cannot read Cargo.lock")?;
    version_in(&lock, "wasm-bindgen")
        .context("Cargo.lock names no wasm-bindgen; run `cargo update -p course`")
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let entry =
        lock.split("[[package]]").find(|entry| entry.contains(&format!("\nname = \"{package}\"\n")))?;
    let line = entry.lines().find_map(|line| line.strip_prefix("version = "))?;
    Some(line.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn the_version_is_that_of_the_package_itself() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "trunk"), None);
    }
}
