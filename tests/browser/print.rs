//! On paper: everything open, nothing that only works on a screen.

use anyhow::ensure;
use base64::Engine;
use serde_json::json;

use crate::common::browser::{Setup, drive};

#[test]
fn a_module_prints_with_its_answers() {
    drive(Setup::dark(), |page| async move {
        page.open("machine/").await?;
        let answer = page.devtools("Page.printToPDF", json!({ "preferCSSPageSize": true })).await?;
        let pdf =
            base64::engine::general_purpose::STANDARD.decode(answer["data"].as_str().unwrap_or_default())?;
        ensure!(pdf.starts_with(b"%PDF") && pdf.len() > 100_000, "a PDF of {} bytes", pdf.len());
        let print_in_the_dark = json!({
            "media": "print", "features": [{ "name": "prefers-color-scheme", "value": "dark" }]
        });
        page.devtools("Emulation.setEmulatedMedia", print_in_the_dark).await?;
        page.js::<()>("dispatchEvent(new Event('beforeprint')); return null", Vec::new()).await?;
        let closed = "return [...document.querySelectorAll('.question')].filter(q => q.querySelector('.answer').getBoundingClientRect().height < 10).length";
        let closed: u32 = page.js(closed, Vec::new()).await?;
        ensure!(closed == 0, "{closed} answers stay closed on paper");
        let screen_only =
            "return ['.figure-controls', '.figure-tools', '[data-copy]', '.bar-tools'].filter(css =>
            [...document.querySelectorAll(css)].some(e => e.getBoundingClientRect().height > 0))";
        let screen_only: Vec<String> = page.js(screen_only, Vec::new()).await?;
        ensure!(screen_only.is_empty(), "printed though useless on paper: {screen_only:?}");
        let ink = "const sum = (c) => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0);
            return [...document.querySelectorAll('main p, main h2, main td')].filter(e => sum(getComputedStyle(e).color) > 450).length";
        let pale: u32 = page.js(ink, Vec::new()).await?;
        ensure!(pale == 0, "{pale} texts are printed in the dark theme's ink");
        page.js::<()>("dispatchEvent(new Event('afterprint')); return null", Vec::new()).await?;
        let open: usize = page.count(".question details[open]").await?;
        ensure!(open == 0, "{open} answers stay open after printing");
        Ok(())
    });
}
