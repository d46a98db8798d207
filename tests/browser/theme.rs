//! Light and dark: the system's wish, the reader's own, and no flash between.

use anyhow::{Result, ensure};

use crate::common::browser::{Setup, drive};
use crate::common::page::Page;

const LIGHT: &str = "rgb(252, 252, 250)";
const DARK: &str = "rgb(21, 23, 26)";

async fn background(page: &Page) -> Result<String> {
    page.js("return getComputedStyle(document.body).backgroundColor.replace('rgba(0, 0, 0, 0)', getComputedStyle(document.documentElement).backgroundColor)", Vec::new()).await
}

#[test]
fn the_page_follows_the_system() {
    drive(Setup::default(), |mut page| async move {
        page.open("").await?;
        ensure!(background(&page).await? == LIGHT, "light is {}", background(&page).await?);
        page.set_dark(true).await?;
        ensure!(background(&page).await? == DARK, "dark is {}", background(&page).await?);
        Ok(())
    });
}

#[test]
fn the_switch_wins_over_the_system_and_is_remembered() {
    drive(Setup::default(), |page| async move {
        page.open("").await?;
        page.click("[data-theme-switch]").await?;
        ensure!(background(&page).await? == DARK, "the switch did not turn the page dark");
        page.open("machine/").await?;
        ensure!(background(&page).await? == DARK, "the next page forgot it");
        page.click("[data-theme-switch]").await?;
        ensure!(background(&page).await? == LIGHT, "the switch does not lead back");
        Ok(())
    });
}

#[test]
fn a_chosen_theme_is_there_at_the_first_paint() {
    drive(Setup::default(), |page| async move {
        page.open("").await?;
        page.click("[data-theme-switch]").await?;
        // Asks at the first moment there is a body, before anything was painted.
        let script = "new MutationObserver((_, observer) => {
            if (!document.body) return;
            observer.disconnect();
            window.__firstTheme = document.documentElement.dataset.theme ?? 'none';
        }).observe(document, { childList: true, subtree: true })";
        page.devtools("Page.addScriptToEvaluateOnNewDocument", serde_json::json!({ "source": script }))
            .await?;
        page.open("machine/").await?;
        let first: String = page.js("return window.__firstTheme", Vec::new()).await?;
        ensure!(first == "dark", "the theme was {first} when the body began");
        Ok(())
    });
}
