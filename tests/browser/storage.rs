//! Storage that is blocked, full or filled with garbage never breaks a page.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::common::browser::{Setup, drive};
use crate::common::page::Page;

/// Every page works in the main: it is quiet, the first figure lives, the theme can be switched.
async fn pages_still_work(page: &Page) -> Result<()> {
    for path in ["", "machine/", "results/", "privacy/"] {
        page.open(path).await?;
        if let Some(id) = page.figures().await?.into_iter().next() {
            page.wake(&id).await?;
            let before = crate::figures::look(page, &id).await?;
            page.click(&format!("#fig-{id} .chip:nth-child(2)")).await?;
            ensure!(crate::figures::look(page, &id).await? != before, "the figure is dead");
            page.click(".question summary").await?;
            let ready = "return !document.querySelector('.question [data-verdict=yes]').disabled";
            page.wait_for("the answer's buttons", ready, Vec::new()).await?;
            page.click(".question [data-verdict=yes]").await?;
        }
        page.click("[data-theme-switch]").await?;
        page.assert_quiet().await.map_err(|error| error.context(format!("on /{path}")))?;
    }
    Ok(())
}

#[test]
fn blocked_storage_is_survived() {
    drive(Setup::default(), |page| async move {
        let script = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError') } })";
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await?;
        pages_still_work(&page).await
    });
}

#[test]
fn full_storage_is_survived_and_said() {
    drive(Setup::default(), |page| async move {
        let script =
            "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }";
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await?;
        pages_still_work(&page).await?;
        page.open("results/").await?;
        crate::results::import(&page, "h200.json").await?;
        crate::results::choose_first(&page).await?;
        let said = "return document.body.innerText.toLowerCase().includes('not saved')";
        page.wait_for("the page to say that nothing was saved", said, Vec::new()).await
    });
}

#[test]
fn garbage_in_storage_is_survived() {
    drive(Setup::default(), |page| async move {
        page.open("404.html").await?;
        for garbage in [
            "{",
            "null",
            "[1,{\"a\":[]}]",
            "\"x\"",
            "\u{0}\u{ffff}",
            "{\"schema\":{\"name\":\"host-drills-results\",\"version\":1}}",
        ] {
            let script =
                "for (const key of ['machine', 'read', 'answered', 'theme', 'shortcuts', 'set-aside'])
                localStorage.setItem('aihost:v1:' + key, arguments[0]); return null";
            page.js::<Value>(script, vec![json!(garbage)]).await?;
            pages_still_work(&page)
                .await
                .map_err(|error| error.context(format!("with {garbage:?} in storage")))?;
        }
        Ok(())
    });
}
