//! On narrow screens the page never scrolls sideways, and text in figures stays readable.

use anyhow::{Result, ensure};

use crate::common::browser::{Setup, drive};
use crate::common::built::{figures, pages};
use crate::common::page::Page;

async fn fits(page: Page) -> Result<()> {
    let mut wide = Vec::new();
    for path in pages()? {
        page.open(&path).await?;
        for id in page.figures().await? {
            page.wake(&id).await?;
        }
        let script = "const width = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= width) return [];
            return [...document.querySelectorAll('body *')]
                .filter(e => e.getBoundingClientRect().right > width + 0.5 && !e.closest('.scroll, .visually-hidden'))
                .slice(0, 5).map(e => `${e.localName}.${e.className} to ${Math.round(e.getBoundingClientRect().right)}`)
                .concat('scrolls')";
        let found: Vec<String> = page.js(script, Vec::new()).await?;
        wide.extend(found.into_iter().map(|what| format!("/{path}: {what}")));
    }
    ensure!(wide.is_empty(), "wider than {} px: {wide:#?}", page.setup.size.0);
    Ok(())
}

#[test]
fn nothing_scrolls_sideways_at_390_px() {
    drive(Setup::phone(), fits);
}

#[test]
fn nothing_scrolls_sideways_at_320_px() {
    drive(Setup { size: (320, 700), ..Setup::phone() }, fits);
}

#[test]
fn text_in_figures_is_at_least_12_px_at_320_px() {
    drive(Setup { size: (320, 700), ..Setup::phone() }, |page| async move {
        let mut tiny = Vec::new();
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            let script = format!(
                "return [...document.querySelectorAll('#fig-{id} .picture svg text')].filter(t => t.getBoundingClientRect().width > 0)
                    .map(t => [t.textContent, parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a])
                    .filter(([, size]) => size < 11.95).map(([text, size]) => `{id}: ${{text}} ${{size.toFixed(1)}} px`)"
            );
            tiny.extend(page.js::<Vec<String>>(&script, Vec::new()).await?);
        }
        ensure!(tiny.is_empty(), "{} texts are too small: {tiny:#?}", tiny.len());
        Ok(())
    });
}

#[test]
fn tables_scroll_in_their_own_box_and_by_keyboard() {
    drive(Setup::phone(), |page| async move {
        page.open("machine/").await?;
        let script = "return [...document.querySelectorAll('.scroll')]
            .filter(box => box.scrollWidth > box.clientWidth + 1)
            .filter(box => box.tabIndex !== 0 || !['region', 'group'].includes(box.getAttribute('role')) || !box.getAttribute('aria-label'))
            .map(box => box.textContent.slice(0, 60))";
        let stuck: Vec<String> = page.js(script, Vec::new()).await?;
        ensure!(stuck.is_empty(), "cannot be scrolled by keyboard: {stuck:#?}");
        Ok(())
    });
}
