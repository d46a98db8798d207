//! Compiles `content/` for the page writer; a broken reference fails the build with file and line.
//!
//! The browser half holds no course text, so it is not rebuilt when the text changes.

#[path = "site/compile/mod.rs"]
#[allow(dead_code, unused_imports, unreachable_pub, missing_docs)]
mod compile;
#[path = "diagrams/src/kit/units.rs"]
#[allow(dead_code)]
mod units;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=site/compile");
    if std::env::var_os("CARGO_FEATURE_SSR").is_none() {
        return ExitCode::SUCCESS;
    }
    println!("cargo::rerun-if-changed=content");
    println!("cargo::rerun-if-changed=diagrams/src");
    match write_course() {
        Ok(()) => ExitCode::SUCCESS,
        Err(messages) => {
            for message in messages {
                println!("cargo::error={message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn write_course() -> Result<(), Vec<String>> {
    let root = std::env::var("CARGO_MANIFEST_DIR").map_err(|e| vec![format!("CARGO_MANIFEST_DIR: {e}")])?;
    let out = std::env::var("OUT_DIR").map_err(|e| vec![format!("OUT_DIR: {e}")])?;
    let course = compile::compile(&PathBuf::from(root))
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let blob = serde_json::to_vec(&course).map_err(|e| vec![format!("the course as JSON: {e}")])?;
    std::fs::write(PathBuf::from(out).join("course.json"), blob)
        .map_err(|e| vec![format!("course.json: {e}")])
}
