//! Pages load without a word on the console and without asking anybody else.

use crate::common::browser::{Setup, drive};
use crate::common::built::{in_folder, pages};
use crate::common::page::Page;

/// Opens every page, wakes its figures, and listens.
async fn everything_stays_quiet(page: Page) -> anyhow::Result<()> {
    for path in pages()? {
        // Shown for any missing address, it does not know how deep it is and looks one folder up, too;
        // in a sub-folder one of the two places has nothing.
        if path == "404.html" && page.setup.site == in_folder() {
            continue;
        }
        page.open(&path).await?;
        for id in page.figures().await? {
            page.wake(&id).await?;
        }
        page.assert_quiet().await.map_err(|error| error.context(format!("on /{path}")))?;
    }
    Ok(())
}

#[test]
fn every_page_is_quiet_and_asks_nobody_else() {
    drive(Setup::default(), everything_stays_quiet);
}

#[test]
fn every_page_works_in_a_sub_folder() {
    drive(Setup { site: in_folder(), ..Setup::default() }, everything_stays_quiet);
}

#[test]
fn webassembly_waits_for_a_figure() {
    drive(Setup::default(), |page| async move {
        let wasm = |urls: Vec<String>| urls.into_iter().filter(|url| url.ends_with(".wasm")).count();
        for path in ["", "glossary/", "drills/"] {
            page.open(path).await?;
            tokio::time::sleep(std::time::Duration::from_millis(800)).await;
            let early = wasm(page.requests().await?);
            anyhow::ensure!(early == 0, "WebAssembly was fetched on /{path}, where no figure is near");
        }
        page.open("machine/").await?;
        let first = page.figures().await?.into_iter().next();
        page.wake(&first.unwrap_or_default()).await?;
        let late = wasm(page.requests().await?);
        anyhow::ensure!(late == 1, "expected one WebAssembly file for the first figure, saw {late}");
        Ok(())
    });
}
