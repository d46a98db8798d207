//! `cargo xtask check`: what can be said about the sources without running them.
//!
//! Features are named package by package: `ssr` and `csr` of the same crate must never meet in one
//! cargo call.

use anyhow::Result;

use crate::command::{cargo, run};
use crate::step::step;

/// Clippy calls: what they check, and their arguments.
const CLIPPY: [(&str, &[&str]); 6] = [
    ("results format", &["-p", "drills-results", "--all-features", "--all-targets"]),
    ("drills", &["-p", "drills", "--all-targets"]),
    ("figures", &["-p", "diagrams", "--features", "ssr", "--all-targets"]),
    ("commands", &["-p", "xtask", "-p", "wasm-bindgen-tool", "--all-targets"]),
    ("page writer and tests", &["-p", "course", "--features", "ssr", "--all-targets"]),
    (
        "browser half",
        &[
            "-p",
            "course",
            "--features",
            "csr",
            "--lib",
            "--bin",
            "course-web",
            "--target",
            "wasm32-unknown-unknown",
        ],
    ),
];

/// Stops at the first thing that is not as it should be.
pub(crate) fn check() -> Result<()> {
    formatting()?;
    for (what, args) in CLIPPY {
        step(&format!("clippy: {what}"), || {
            run(cargo().arg("clippy").args(args).args(["--", "-D", "warnings"]))
        })?;
    }
    step("content", || run(cargo().args(["test", "-p", "course", "--features", "ssr", "--test", "content"])))
}

/// Formatting alone.
pub(crate) fn formatting() -> Result<()> {
    step("formatting", || run(cargo().args(["fmt", "--all", "--check"])))
}
