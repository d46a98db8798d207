//! A figure's picture and data can be taken along.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::common::browser::{Setup, drive};
use crate::common::built::figures;
use crate::common::page::Page;

/// Clicks the tool with this text and returns the file that the browser saved.
async fn save(page: &Page, id: &str, button: &str, file: &Path) -> Result<String> {
    let mark = "[...document.querySelectorAll(`#fig-${arguments[0]} .figure-tools button`)]
        .find(b => b.innerText.trim() === arguments[1]).dataset.save = arguments[1]; return null";
    page.js::<()>(mark, vec![json!(id), json!(button)]).await?;
    page.click(&format!("#fig-{id} [data-save='{button}']")).await?;
    let start = Instant::now();
    while !file.is_file() {
        ensure!(start.elapsed() < Duration::from_secs(10), "{id}: no file after a click on {button}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

#[test]
fn svg_and_csv_of_every_figure_are_complete_files() {
    drive(Setup::default(), |page| async move {
        let folder = tempfile::tempdir()?;
        let allow = json!({ "behavior": "allow", "downloadPath": folder.path() });
        page.devtools("Browser.setDownloadBehavior", allow).await?;
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            let svg = save(&page, &id, "SVG", &folder.path().join(format!("{id}.svg"))).await?;
            let sound = "const doc = new DOMParser().parseFromString(arguments[0], 'image/svg+xml'), svg = doc.documentElement;
                return [svg.localName, !!doc.querySelector('parsererror'), svg.hasAttribute('viewBox'),
                    doc.querySelectorAll('text').length, doc.querySelectorAll('[fill], [stroke]').length]";
            let (root, broken, boxed, texts, coloured): (String, bool, bool, u32, u32) =
                page.js(sound, vec![json!(svg)]).await?;
            ensure!(
                root == "svg" && !broken && boxed,
                "{id}.svg is no picture: {}",
                &svg[..svg.len().min(200)]
            );
            ensure!(texts > 2 && coloured > 5, "{id}.svg lost its look: {texts} texts, {coloured} colours");
            let csv = save(&page, &id, "CSV", &folder.path().join(format!("{id}.csv"))).await?;
            let rows = page.count(&format!("#fig-{id} .figure-data tbody tr")).await?;
            let lines = csv.trim_end().lines().count();
            ensure!(lines > rows, "{id}.csv has {lines} lines for {rows} rows and a head");
        }
        page.assert_quiet().await
    });
}
