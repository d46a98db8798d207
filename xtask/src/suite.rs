//! `cargo xtask test`: set-up, then every test, then one line with the sum.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::command::{cargo, describe, run};
use crate::step::{note, seconds, step};
use crate::tools::browser::{Browser, ensure_node};
use crate::tools::{SiteTools, npm};
use crate::{check, site};
use xtask::paths;

/// The parts of the suite in the order they run: cheap ones first.
const PARTS: [&str; 9] =
    ["format", "results", "drills", "figures", "commands", "site", "course", "browser", "lighthouse"];

/// How one part went.
struct Outcome {
    part: &'static str,
    passed: u32,
    failed: u32,
    skipped: u32,
    took: Duration,
}

/// Runs every part, or only those named, and returns whether all is well.
pub(crate) fn test(only: &[&str]) -> Result<bool> {
    if let Some(unknown) = only.iter().find(|word| !PARTS.contains(word)) {
        anyhow::bail!("no part \"{unknown}\"; there are: {}", PARTS.join(", "));
    }
    let mut outcomes = Vec::new();
    for part in PARTS {
        if only.is_empty() || only.contains(&part) {
            println!("\n== {part}");
            outcomes.push(run_part(part));
        }
        if part == "site"
            && outcomes.last().is_some_and(|outcome| outcome.part == "site" && outcome.failed > 0)
        {
            note("the site could not be built, so nothing that needs it is tried");
            break;
        }
    }
    Ok(summary(&outcomes))
}

fn run_part(part: &'static str) -> Outcome {
    let start = Instant::now();
    let counts = match part {
        "format" => whole(check::formatting()),
        "results" => libtest(cargo_test(&["-p", "drills-results", "--all-features"])),
        "drills" => libtest(cargo_test(&["-p", "drills"])),
        "figures" => libtest(cargo_test(&["-p", "diagrams", "--features", "ssr"])),
        "commands" => libtest(cargo_test(&["-p", "xtask"])),
        "site" => whole(SiteTools::prepare().and_then(|tools| site::build_if_changed(&tools)).map(|_| ())),
        "course" => libtest(course_test(&["--lib", "--bins", "--test", "content", "--test", "links"])),
        "browser" => browser(),
        _ => lighthouse(),
    };
    let Counts { passed, failed, skipped } = counts.unwrap_or_else(|error| {
        note(&format!("{part}: {error:#}"));
        Counts { failed: 1, ..Counts::default() }
    });
    Outcome { part, passed, failed, skipped, took: start.elapsed() }
}

/// Browser tests, then what must be measured with nothing else running.
fn browser() -> Result<Counts> {
    let browser = Browser::ensure()?;
    ensure_node()?;
    let axe = npm::ensure(&npm::AXE)?.join("axe-core").join("axe.min.js");
    step("drills in release, for its budgets", || run(cargo().args(["build", "--release", "-p", "drills"])))?;
    let with_tools = |mut command: Command| {
        browser.tell(&mut command);
        command.env("COURSE_AXE", &axe);
        command.env("COURSE_DRILLS", paths::target().join("release").join("drills"));
        command
    };
    let driven = libtest(with_tools(course_test(&["--test", "browser", "--", "--test-threads=2"])))?;
    let measured = libtest(with_tools(course_test(&["--test", "budgets", "--", "--test-threads=1"])))?;
    Ok(driven.plus(measured))
}

/// Lighthouse over the built site.
pub(crate) fn lighthouse() -> Result<Counts> {
    let browser = Browser::ensure()?;
    ensure_node()?;
    let cli: PathBuf = npm::ensure(&npm::LIGHTHOUSE)?.join("lighthouse").join("cli").join("index.js");
    let mut command = course_test(&["--test", "lighthouse", "--", "--test-threads=1", "--nocapture"]);
    browser.tell(&mut command);
    libtest({
        command.env("COURSE_LIGHTHOUSE", cli);
        command
    })
}

fn cargo_test(args: &[&str]) -> Command {
    let mut command = cargo();
    command.args(["test", "--no-fail-fast"]).args(args);
    // Messages of failed tests name what is wrong; thirty frames below each would bury them.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// A test of the root package: the native half, never together with `csr`.
pub(crate) fn course_test(args: &[&str]) -> Command {
    cargo_test(&[&["-p", "course", "--features", "ssr"], args].concat())
}

/// Tests that passed, failed, or were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    /// Reads `test result: ok. 8 passed; 0 failed; 1 ignored; …`, which ends each test program.
    fn of_line(line: &str) -> Option<Self> {
        let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let number = |word: &str| {
            let part = numbers.split(';').find(|part| part.trim().ends_with(word))?;
            part.split_whitespace().next()?.parse().ok()
        };
        Some(Self { passed: number("passed")?, failed: number("failed")?, skipped: number("ignored")? })
    }
}

/// A step that is one test in itself.
fn whole(result: Result<()>) -> Result<Counts> {
    result.map(|()| Counts { passed: 1, ..Counts::default() })
}

/// Runs a `cargo test`, shows what it prints, and counts.
fn libtest(mut command: Command) -> Result<Counts> {
    println!("▸ {}", describe(&command));
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut counts = Counts::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            counts = counts.plus(Counts::of_line(&line).unwrap_or_default());
        }
    }
    let status = child.wait()?;
    if !status.success() && counts.failed == 0 {
        // It did not compile, or a test program died before it could say its result.
        counts.failed = 1;
        note(&format!("no result: cargo ended with {status}"));
    }
    Ok(counts)
}

fn summary(outcomes: &[Outcome]) -> bool {
    println!("\n{:<12} {:>7} {:>7} {:>8}   time", "part", "passed", "failed", "skipped");
    let mut sum = Counts::default();
    for Outcome { part, passed, failed, skipped, took } in outcomes {
        println!("{part:<12} {passed:>7} {failed:>7} {skipped:>8}   {}", seconds(*took));
        sum = sum.plus(Counts { passed: *passed, failed: *failed, skipped: *skipped });
    }
    println!("\n{} passed, {} failed", sum.passed, sum.failed);
    sum.failed == 0
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn the_closing_line_of_a_test_program_is_counted() {
        let line = "test result: FAILED. 8 passed; 2 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.02s";
        assert_eq!(Counts::of_line(line), Some(Counts { passed: 8, failed: 2, skipped: 1 }));
        assert_eq!(Counts::of_line("test server::tests::x ... ok"), None);
    }
}
