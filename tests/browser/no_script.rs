//! With scripts off a reader misses nothing but interaction.

use anyhow::ensure;
use serde_json::Value;

use crate::common::browser::{Setup, drive};
use crate::common::built::figures;

#[test]
fn modules_are_whole_without_scripts() {
    drive(Setup::without_scripts(), |page| async move {
        let mut last = String::new();
        for (path, id) in figures()? {
            page.at(&path).await?;
            if path != last {
                let words = "return document.querySelector('main').innerText.split(/\\s+/).length";
                let words: usize = page.js(words, Vec::new()).await?;
                ensure!(words > 5_000, "only {words} words of {path} are readable");
                last = path;
            }
            let seen = format!(
                "const svg = [...document.querySelectorAll('#fig-{id} .picture svg')].find(s => s.getBoundingClientRect().height > 80);
                 const sentence = document.querySelector('#fig-{id} .sentence').innerText.trim().length;
                 const rows = document.querySelectorAll('#fig-{id} .figure-data tbody tr').length;
                 const controls = document.querySelector('#fig-{id} .figure-controls').getBoundingClientRect().height;
                 return [!!svg, sentence > 20, rows > 1, controls === 0]"
            );
            let seen: [bool; 4] = page.js(&seen, Vec::new()).await?;
            ensure!(seen == [true; 4], "{id}: picture, sentence, data table, no dead controls: {seen:?}");
        }
        let dead = "return [...document.querySelectorAll('.needs-script')].filter(e => e.getBoundingClientRect().height > 0).length";
        let dead: u32 = page.js(dead, Vec::new()).await?;
        ensure!(dead == 0, "{dead} things that need scripts are shown");
        Ok(())
    });
}

#[test]
fn answers_and_tables_open_without_scripts() {
    drive(Setup::without_scripts(), |page| async move {
        page.open("machine/").await?;
        let questions = page.count(".question").await?;
        ensure!(questions >= 8, "only {questions} questions");
        page.click(".question summary").await?;
        let answer = page.text(".question .answer").await?;
        ensure!(answer.len() > 100, "the answer did not open: {answer:?}");
        let cells = page.count("[data-island=measured] tbody td:not(.yours)").await?;
        ensure!(cells > 10, "measured tables have only {cells} cells");
        page.open("results/").await?;
        let cells = page.count("[data-island=results] td").await?;
        ensure!(cells > 10, "the samples are not compared: {cells} cells");
        Ok(())
    });
}

#[test]
fn a_figure_that_cannot_start_keeps_its_picture_and_says_so() {
    drive(Setup::default(), |page| async move {
        page.devtools("Network.setBlockedURLs", serde_json::json!({ "urls": ["*.wasm"] })).await?;
        page.open("machine/").await?;
        let Some(id) = page.figures().await?.into_iter().next() else { anyhow::bail!("no figure") };
        page.scroll_to(&format!("#fig-{id}")).await?;
        let said = "return document.querySelector('main').innerText.includes('could not') || document.querySelector('#site-status').innerText.length > 0";
        page.wait_for("a word about the figures", said, Vec::<Value>::new()).await?;
        ensure!(page.count(&format!("#fig-{id} .picture svg")).await? > 0, "the still picture is gone");
        Ok(())
    });
}
