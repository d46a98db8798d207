//! Tools that only npm has: Binaryen's optimiser, axe-core, Lighthouse. None is part of the site.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::make_once;
use crate::command::{command, find, run};
use crate::step::step;
use xtask::paths;

/// A package at a fixed version.
pub(crate) struct Package {
    name: &'static str,
    version: &'static str,
}

/// Optimises WebAssembly.
pub(crate) const BINARYEN: Package = Package { name: "binaryen", version: "132.0.0" };
/// Checks accessibility inside a page.
pub(crate) const AXE: Package = Package { name: "axe-core", version: "4.14.1" };
/// Rates pages.
pub(crate) const LIGHTHOUSE: Package = Package { name: "lighthouse", version: "12.2.3" };

/// Whether packages can be installed at all.
pub(crate) fn available() -> bool {
    find("npm").is_some() && find("node").is_some()
}

/// Installs the package into the cache unless it is there, and returns its `node_modules`.
pub(crate) fn ensure(package: &Package) -> Result<PathBuf> {
    let Package { name, version } = package;
    let dir = paths::tools().join(format!("{name}-{version}"));
    let modules = dir.join("node_modules");
    if !modules.join(name).is_dir() {
        std::fs::create_dir_all(paths::tools())?;
        step(&format!("{name} {version}: fetching it from npm"), || {
            make_once(&dir, |work| {
                let mut npm = command("npm");
                npm.args([
                    "install",
                    "--no-save",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                ]);
                npm.arg("--prefix").arg(work).arg(format!("{name}@{version}"));
                // Lighthouse's own dependency would fetch a browser.
                npm.env("PUPPETEER_SKIP_DOWNLOAD", "true");
                run(&mut npm).with_context(|| format!("npm could not install {name}"))
            })
        })?;
    }
    Ok(modules)
}
