//! The results page: files come in, bad ones are refused, and the course speaks of the reader's machine.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::common::browser::{Setup, drive};
use crate::common::page::Page;
use crate::figures::look;

/// A file of `content/samples/`.
fn sample(name: &str) -> PathBuf {
    xtask::paths::root().join("content/samples").join(name)
}

/// Picks a file, as the browser's dialogue does.
async fn pick(page: &Page, file: &Path) -> Result<()> {
    // The page wakes when a hand comes near, and a file that was picked before waits in its input.
    let ready = "return !!document.querySelector('[data-island=results] input[type=file]:not([disabled])')";
    page.wait_for("the results page to take files", ready, Vec::new()).await?;
    let input = page.find("[data-island=results] input[type=file]").await?;
    input.send_keys(file.to_string_lossy().as_ref()).await?;
    page.painted().await
}

/// Imports a sample as if it were the reader's file.
pub(crate) async fn import(page: &Page, name: &str) -> Result<()> {
    pick(page, &sample(name)).await?;
    let shown = "return [...document.querySelectorAll('.machines li')].some(e => e.textContent.includes(arguments[0]))
        && [...document.querySelectorAll('.comparison thead .how')].some(e => e.textContent.includes(arguments[0]))";
    page.wait_for("the file's line and column", shown, vec![json!(name)]).await
}

/// Chooses the imported file as the reader's machine.
pub(crate) async fn choose_first(page: &Page) -> Result<()> {
    page.click("[data-mine]").await?;
    let says = "return document.querySelector('[data-mine]').textContent.includes('forget')";
    page.wait_for("the button to offer to forget", says, Vec::new()).await
}

/// The results page with the H200's file imported and chosen.
async fn with_h200(page: &Page) -> Result<()> {
    page.open("results/").await?;
    import(page, "h200.json").await?;
    choose_first(page).await?;
    page.wait_for(
        "the choice to be kept",
        "return localStorage.getItem('aihost:v1:machine') !== null",
        Vec::new(),
    )
    .await
}

#[test]
fn the_chosen_machine_fills_the_column_yours() {
    drive(Setup::default(), |page| async move {
        with_h200(&page).await?;
        page.open("machine/").await?;
        let tables = page.count("[data-island=measured]").await?;
        ensure!(tables >= 3, "module 1 has only {tables} measured tables");
        // Each comes alive when it comes near.
        for nth in 0..tables {
            let go = "document.querySelectorAll('[data-island=measured]')[arguments[0]]
                .scrollIntoView({ block: 'center', behavior: 'instant' }); return null";
            page.js::<()>(go, vec![json!(nth)]).await?;
            let filled = "return [...document.querySelectorAll('[data-island=measured]')[arguments[0]]
                .querySelectorAll('td.yours')].some(c => /\\d/.test(c.textContent))";
            page.wait_for(&format!("a value of mine in table {nth}"), filled, vec![json!(nth)]).await?;
        }
        let report: Value = serde_json::from_slice(&std::fs::read(sample("h200.json"))?)?;
        let label = report["label"].as_str().context("the sample has a label")?;
        let head: String =
            page.js("return document.querySelector('th.yours').textContent", Vec::new()).await?;
        ensure!(head.contains(label), "the column is called {head:?}, not {label:?}");
        page.assert_quiet().await
    });
}

#[test]
fn the_figures_take_the_chosen_machines_numbers() {
    drive(Setup::default(), |page| async move {
        let mut without = Vec::new();
        page.open("machine/").await?;
        for id in ["latency", "copy-timeline"] {
            page.wake(id).await?;
            without.push(look(&page, id).await?);
        }
        with_h200(&page).await?;
        page.open("machine/").await?;
        for (id, before) in ["latency", "copy-timeline"].into_iter().zip(without) {
            page.wake(id).await?;
            let now = look(&page, id).await?;
            ensure!(
                now.table != before.table || now.picture != before.picture,
                "{id} ignores the chosen machine"
            );
        }
        let shifts = page.layout_shifts().await?;
        ensure!(shifts.is_empty(), "the reader's numbers make the page jump: {shifts:#?}");
        page.assert_quiet().await
    });
}

#[test]
fn a_forgotten_machine_leaves_no_trace() {
    drive(Setup::default(), |page| async move {
        with_h200(&page).await?;
        page.click("[data-mine]").await?;
        let gone = "return localStorage.getItem('aihost:v1:machine') === null";
        page.wait_for("the machine to be forgotten", gone, Vec::new()).await?;
        page.open("machine/").await?;
        let filled =
            "return [...document.querySelectorAll('td.yours')].filter(c => /\\d/.test(c.textContent)).length";
        ensure!(page.js::<u32>(filled, Vec::new()).await? == 0, "the column still has values");
        Ok(())
    });
}

#[test]
fn hostile_files_get_a_precise_message_and_change_nothing() {
    drive(Setup::default(), |page| async move {
        let folder = tempfile::tempdir()?;
        let good = std::fs::read_to_string(sample("h200.json"))?;
        let mut bad_value: Value = serde_json::from_str(&good)?;
        bad_value["measurements"][3]["value"] = json!("<img src=x onerror=alert(1)>");
        let mut foreign: Value = serde_json::from_str(&good)?;
        foreign["schema"]["name"] = json!("somebody-elses");
        let hostile = [
            ("truncated.json", good[..good.len() / 2].to_owned(), "not JSON (line "),
            ("value.json", bad_value.to_string(), "measurements[3].value"),
            ("deep.json", "[".repeat(100_000), "nested deeper than 32 levels"),
            ("foreign.json", foreign.to_string(), "schema.name is \"somebody-elses\""),
            ("huge.json", " ".repeat(6 * 1024 * 1024), "results files have at most"),
        ];
        with_h200(&page).await?;
        let kept: String = page.js("return localStorage.getItem('aihost:v1:machine')", Vec::new()).await?;
        let columns = page.count("[data-island=results] thead th").await?;
        for (name, text, message) in hostile {
            let file = folder.path().join(name);
            std::fs::write(&file, text)?;
            pick(&page, &file).await?;
            let said = "const text = document.querySelector('[data-island=results]').innerText;
                return text.includes(arguments[0]) && text.includes(arguments[1])";
            page.wait_for(&format!("{name}: \"{message}\""), said, vec![json!(name), json!(message)]).await?;
            ensure!(
                page.count("[data-island=results] thead th").await? == columns,
                "{name} changed the table"
            );
            let now: String = page.js("return localStorage.getItem('aihost:v1:machine')", Vec::new()).await?;
            ensure!(now == kept, "{name} changed the chosen machine");
        }
        ensure!(page.count("[data-island=results] img").await? == 0, "text of a file became markup");
        page.assert_quiet().await
    });
}

#[test]
fn several_files_come_in_at_once_and_the_odd_one_out_is_named() {
    drive(Setup::default(), |page| async move {
        let folder = tempfile::tempdir()?;
        let base: Value = serde_json::from_slice(&std::fs::read(sample("h200.json"))?)?;
        let mut paths = Vec::new();
        for nth in 0..5 {
            let mut report = base.clone();
            report["label"] = json!(format!("node-{nth}"));
            if nth == 3 {
                for measurement in report["measurements"].as_array_mut().context("measurements")? {
                    if measurement["key"] == "copy.h2d.pinned" {
                        measurement["value"] = json!(measurement["value"].as_f64().context("a value")? / 2.0);
                    }
                }
            }
            let file = folder.path().join(format!("node-{nth}.json"));
            std::fs::write(&file, report.to_string())?;
            paths.push(file.to_string_lossy().into_owned());
        }
        page.open("results/").await?;
        // Chromedriver takes several files as lines.
        pick(&page, Path::new(&paths.join("\n"))).await?;
        let named = "return document.querySelector('[data-island=results]').innerText.includes('node-3')
            && document.querySelector('.odd-ones').innerText.includes('node-3')
            && !document.querySelector('.odd-ones').innerText.includes('node-2')";
        page.wait_for("node-3 to be named as the odd one out", named, Vec::new()).await?;
        page.assert_quiet().await
    });
}

#[test]
fn a_file_dropped_before_the_program_is_there_is_opened() {
    drive(Setup::default(), |page| async move {
        page.open("results/").await?;
        let text = std::fs::read_to_string(sample("h200.json"))?;
        let drop = "const files = new DataTransfer();
            files.items.add(new File([arguments[0]], 'dropped.json', { type: 'application/json' }));
            for (const name of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(
                new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: files }));
            return document.querySelector('[data-island=results]').dataset.alive === undefined";
        ensure!(page.js::<bool>(drop, vec![json!(text)]).await?, "the program was there already");
        let shown = "return [...document.querySelectorAll('.machines li')].some(e => e.textContent.includes('dropped.json'))";
        page.wait_for("the dropped file's line", shown, Vec::new()).await?;
        page.assert_quiet().await
    });
}
