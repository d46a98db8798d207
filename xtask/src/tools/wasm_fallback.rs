//! A compiler for WebAssembly where rustup cannot deliver the target: Debian's newer Rust compiles
//! the standard library from its sources.
//!
//! The packages are unpacked into the cache, not installed: that needs no root, changes nothing on
//! the system and does not quarrel with rustup. A `cargo` script in front of PATH sends
//! WebAssembly builds there and everything else to the usual cargo.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::make_once;
use super::wasm_target::WASM;
use crate::command::{command, find, output, run};
use crate::step::{note, step};
use xtask::paths;

/// Compiler, cargo, sources of the standard library.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// The folder whose `cargo` compiles for browsers.
pub(super) fn ensure(why: &str) -> Result<PathBuf> {
    note(&format!("no {WASM} in the usual compiler: {why}"));
    let dir = paths::tools().join("wasm-fallback");
    let bin = dir.join("bin");
    if !bin.join("cargo").is_file() {
        if find("apt-get").is_none() || find("dpkg-deb").is_none() {
            bail!(
                "no compiler for {WASM}. Please run one of:\n  rustup target add {WASM}\n  \
                 (Debian 12 or newer) sudo apt-get install {}",
                PACKAGES.join(" ")
            );
        }
        step("a WebAssembly compiler from Debian's packages, unpacked into the cache", || {
            make_once(&dir, |work| unpack(work, &dir))
        })?;
    }
    Ok(bin)
}

fn unpack(work: &Path, final_dir: &Path) -> Result<()> {
    let linker = rustup_linker()?;
    let debs = work.join("debs");
    fs::create_dir_all(&debs)?;
    let needed = needed_packages()?;
    run(command("apt-get").args(["download", "--quiet"]).args(&needed).current_dir(&debs))
        .context("apt-get could not download the compiler; `sudo apt-get update` first may help")?;
    let root = work.join("root");
    for deb in fs::read_dir(&debs)? {
        run(command("dpkg-deb").arg("--extract").arg(deb?.path()).arg(&root))?;
    }
    fs::remove_dir_all(&debs)?;
    let script = script(&final_dir.join("root"), &linker)?;
    let cargo = work.join("bin").join("cargo");
    fs::create_dir_all(work.join("bin"))?;
    fs::write(&cargo, script)?;
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Our packages and those of their dependencies that this system does not have.
fn needed_packages() -> Result<Vec<String>> {
    let simulate = || {
        let mut apt = command("apt-get");
        apt.args(["install", "--simulate", "--no-install-recommends"]).args(PACKAGES);
        output(&mut apt)
    };
    let plan = simulate().or_else(|_| {
        let _ = output(command("apt-get").arg("update"));
        simulate()
    })?;
    let names: Vec<_> = installed_by(&plan);
    if PACKAGES.iter().any(|wanted| !names.iter().any(|name| name == wanted)) {
        // Already installed on the system: then their files are needed here all the same.
        return Ok(names.into_iter().chain(PACKAGES.map(str::to_owned)).collect());
    }
    Ok(names)
}

/// The packages that `apt-get --simulate` says it would install.
fn installed_by(plan: &str) -> Vec<String> {
    let names = plan.lines().filter_map(|line| line.strip_prefix("Inst "));
    names.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned).collect()
}

/// The linker that comes with the usual compiler; Debian's Rust has none for WebAssembly.
fn rustup_linker() -> Result<PathBuf> {
    let sysroot = output(command("rustc").args(["--print", "sysroot"]))?;
    let version = output(command("rustc").arg("-vV"))?;
    let host =
        version.lines().find_map(|line| line.strip_prefix("host: ")).context("`rustc -vV` names no host")?;
    let linker = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    if linker.is_file() {
        return Ok(linker);
    }
    find("wasm-ld").or_else(|| find("lld")).context("no linker for WebAssembly: please install `lld`")
}

fn script(root: &Path, linker: &Path) -> Result<String> {
    let usual = find("cargo").context("no `cargo` on PATH")?;
    let triplet = if env::consts::ARCH == "aarch64" { "aarch64-linux-gnu" } else { "x86_64-linux-gnu" };
    let (root, linker, usual) = (root.display(), linker.display(), usual.display());
    Ok(format!(
        r#"#!/bin/sh
# WebAssembly goes to Debian's compiler with the standard library built from source, all else to the usual one.
case " $* " in
*" {WASM} "* | *"={WASM} "*) ;;
*) exec "{usual}" "$@" ;;
esac
unset RUSTUP_TOOLCHAIN CARGO RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER
export LD_LIBRARY_PATH="{root}/usr/lib/{triplet}"
export RUSTC="{root}/usr/bin/rustc" RUSTDOC="{root}/usr/bin/rustdoc" RUSTC_BOOTSTRAP=1
export CARGO_UNSTABLE_BUILD_STD=std,panic_abort
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="{linker}"
exec "{root}/usr/bin/cargo" "$@"
"#
    ))
}

#[cfg(test)]
mod tests {
    use super::installed_by;

    #[test]
    fn the_plan_of_apt_is_read() {
        let plan =
            "Reading lists\nInst libgit2-1.5 (1.5.1 Debian [amd64])\nInst rustc-web (1.96)\nConf rustc-web\n";
        assert_eq!(installed_by(plan), ["libgit2-1.5", "rustc-web"]);
    }
}
