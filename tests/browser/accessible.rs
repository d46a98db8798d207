//! axe-core finds nothing to complain about: every page, both themes, before and after figures live.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::common::browser::{Setup, drive};
use crate::common::built::{pages, told};
use crate::common::page::Page;

/// Puts axe-core into the page the way a developer's console would: the page's policy stays as it is.
async fn bring_axe(page: &Page) -> Result<()> {
    let file = told("COURSE_AXE")?;
    let source = std::fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    page.devtools("Runtime.evaluate", json!({ "expression": source })).await?;
    Ok(())
}

/// Violations on the open page, in a line each.
async fn violations(page: &Page) -> Result<Vec<String>> {
    let script = "const done = arguments[0];
        axe.run(document, { resultTypes: ['violations'] }).then(
            (found) => done(found.violations.flatMap((v) => [`${v.id} (${v.impact}), ${v.nodes.length} times, such as`].concat(
                v.nodes.slice(0, 4).map((n) => `    ${n.target.join(' ')}: ${n.failureSummary.replace(/\\s+/g, ' ')}`)))),
            (error) => done([`axe failed: ${error}`]))";
    let answer = page.driver.execute_async(script, Vec::new()).await?;
    let lines: Vec<String> = serde_json::from_value(answer.json().clone())?;
    Ok(lines)
}

async fn axe_is_content(page: Page) -> Result<()> {
    let mut all = Vec::new();
    for path in pages()? {
        page.open(&path).await?;
        bring_axe(&page).await?;
        let mut found = violations(&page).await?;
        let figures = page.figures().await?;
        for id in &figures {
            page.wake(id).await?;
        }
        let data = "document.querySelectorAll('details').forEach(d => { d.open = true }); return null";
        page.js::<Value>(data, Vec::new()).await?;
        page.painted().await?;
        found.extend(violations(&page).await?.into_iter().map(|line| format!("alive, all open: {line}")));
        all.extend(found.into_iter().map(|line| format!("/{path} {line}")));
    }
    ensure!(all.is_empty(), "axe-core complains:\n{}", all.join("\n"));
    Ok(())
}

#[test]
fn axe_finds_nothing_in_light() {
    drive(Setup::default(), axe_is_content);
}

#[test]
fn axe_finds_nothing_in_dark() {
    drive(Setup::dark(), axe_is_content);
}

#[test]
fn axe_finds_nothing_on_a_phone() {
    drive(Setup::phone(), axe_is_content);
}
