//! The tools that the site needs, found or installed. All of them live in a cache outside the clone.

pub(crate) mod browser;
pub(crate) mod npm;
mod packages;
mod trunk;
mod wasm_bindgen;
mod wasm_fallback;
mod wasm_opt;
mod wasm_target;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{cargo, command, run};
use xtask::paths;

/// What is needed to build the site, ready to use.
pub(crate) struct SiteTools {
    trunk: PathBuf,
    /// Folders that go first on PATH.
    path: Vec<PathBuf>,
    /// The folder of another cargo, where the usual one cannot compile for browsers.
    fallback: Option<PathBuf>,
}

impl SiteTools {
    /// Finds each tool, installs what is missing, and says what it does.
    pub(crate) fn prepare() -> Result<Self> {
        fs::create_dir_all(paths::tools())
            .with_context(|| format!("cannot write {}", paths::tools().display()))?;
        let fallback = match wasm_target::ensure()? {
            wasm_target::Target::Present => None,
            wasm_target::Target::Missing(why) => Some(wasm_fallback::ensure(&why)?),
        };
        let trunk = trunk::ensure()?;
        let mut path: Vec<_> = fallback.iter().cloned().collect();
        path.push(wasm_bindgen::ensure()?);
        path.push(wasm_opt::ensure()?);
        Ok(Self { trunk, path, fallback })
    }

    /// Downloads the crates that the site is compiled from: Trunk calls cargo with `--offline`.
    pub(crate) fn fetch_crates(&self) -> Result<()> {
        let mut fetch = match &self.fallback {
            Some(bin) => command(bin.join("cargo")),
            None => cargo(),
        };
        run(fetch.args(["fetch", "--locked", "--target", wasm_target::WASM]))
    }

    /// A trunk command whose PATH has our tools first, and that never asks the network for others.
    pub(crate) fn trunk(&self) -> Result<Command> {
        let mut trunk = command(&self.trunk);
        trunk.env("TRUNK_SKIP_VERSION_CHECK", "true");
        // Trunk 0.21 takes NO_COLOR=1 for a bad value of its own option and stops.
        trunk.env_remove("NO_COLOR");
        trunk.env("PATH", path_with(&self.path)?);
        if self.fallback.is_some() {
            // Objects of two compilers in one folder would replace each other all the time.
            trunk.env("CARGO_TARGET_DIR", paths::target().join("wasm-fallback"));
        }
        Ok(trunk)
    }
}

/// PATH with these folders in front.
fn path_with(first: &[PathBuf]) -> Result<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = first.iter().cloned().chain(env::split_paths(&old));
    env::join_paths(all).context("a folder of the tools has a colon in its name")
}

/// Makes `final_dir` by `make`, which fills a temporary folder beside it. Half-made folders never
/// get the final name, so an interrupted set-up starts over.
fn make_once(final_dir: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = final_dir.file_name().unwrap_or_default().to_string_lossy();
    let work = final_dir.with_file_name(format!("{name}.part-{}", std::process::id()));
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).with_context(|| format!("cannot write {}", work.display()))?;
    let made = make(&work).and_then(|()| {
        // Another clone may have been faster; its tool is as good.
        fs::rename(&work, final_dir).or_else(|error| if final_dir.is_dir() { Ok(()) } else { Err(error) })?;
        Ok(())
    });
    let _ = fs::remove_dir_all(&work);
    made
}
