//! Figures by finger, on a phone.

use anyhow::ensure;
use serde_json::json;

use crate::common::browser::{Setup, drive};
use crate::common::built::figures;
use crate::figures::look;

#[test]
fn a_finger_drives_every_figure() {
    drive(Setup::phone(), |page| async move {
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            let first = look(&page, &id).await?;
            page.tap(&format!("#fig-{id} .chip:nth-child(2)")).await?;
            let second = look(&page, &id).await?;
            ensure!(first.sentence != second.sentence, "{id}: the preset did not answer the finger");
            page.tap(&format!("#fig-{id} .chip:nth-child(1)")).await?;
            ensure!(
                look(&page, &id).await?.sentence == first.sentence,
                "{id}: the first preset is not the first state"
            );
        }
        page.assert_quiet().await
    });
}

#[test]
fn whatever_a_finger_has_to_hit_is_large_enough() {
    drive(Setup::phone(), |page| async move {
        let mut small = Vec::new();
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            let script = "return [...document.querySelectorAll(`#fig-${arguments[0]} :is(button, summary, label, input[type=range])`)]
                .filter(e => { const b = e.getBoundingClientRect(); return b.height > 0 && (b.height < 43.5 || b.width < 24) })
                .map(e => `${arguments[0]}: ${e.localName} ${e.textContent.trim().slice(0, 30)} ${Math.round(e.getBoundingClientRect().width)}×${Math.round(e.getBoundingClientRect().height)}`)";
            small.extend(page.js::<Vec<String>>(script, vec![json!(id)]).await?);
        }
        ensure!(small.is_empty(), "smaller than 44 px: {small:#?}");
        Ok(())
    });
}

#[test]
fn the_page_scrolls_when_a_swipe_starts_on_a_figure() {
    drive(Setup::phone(), |page| async move {
        page.open("machine/").await?;
        let Some(id) = page.figures().await?.into_iter().next() else { anyhow::bail!("no figure") };
        page.wake(&id).await?;
        let before: f64 = page.js("return scrollY", Vec::new()).await?;
        let middle =
            "const b = document.querySelector(`#fig-${arguments[0]} .picture svg`).getBoundingClientRect();
            return [b.x + b.width / 2, Math.min(Math.max(b.y + b.height / 2, 300), innerHeight - 100)]";
        let (x, y): (f64, f64) = page.js(middle, vec![json!(id)]).await?;
        page.touch("touchStart", json!([{ "x": x, "y": y }])).await?;
        for step in 1..=20 {
            page.touch("touchMove", json!([{ "x": x, "y": y - f64::from(step) * 10.0 }])).await?;
            page.painted().await?;
        }
        page.touch("touchEnd", json!([])).await?;
        page.painted().await?;
        let after: f64 = page.js("return scrollY", Vec::new()).await?;
        ensure!(after > before + 100.0, "the swipe moved the page by {} px", after - before);
        Ok(())
    });
}
