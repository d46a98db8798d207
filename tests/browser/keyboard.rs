//! Every figure can be driven with the keyboard alone.

use anyhow::{Result, bail, ensure};
use serde_json::json;
use thirtyfour::prelude::*;

use crate::common::browser::{Setup, drive};
use crate::common::built::figures;
use crate::common::page::Page;
use crate::figures::look;

/// Where the focus is.
#[derive(Debug, serde::Deserialize)]
struct Focus {
    kind: String,
    name: String,
    ringed: bool,
    seen_before: bool,
}

/// What in figure `id` has the focus, if anything has; marks it as met.
async fn focus(page: &Page, id: &str) -> Result<Option<Focus>> {
    let script = "const f = document.querySelector(`#fig-${arguments[0]}`), at = document.activeElement;
        if (!f.contains(at) || at === f) return null;
        const ring = (e) => {
            const style = e && getComputedStyle(e);
            return !!style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
        };
        // A picture draws its own ring around the chosen part.
        const link = getComputedStyle(document.querySelector('main a')).color;
        const drawn = (e) => getComputedStyle(e).stroke === link && parseFloat(getComputedStyle(e).strokeWidth) >= 2;
        const seen_before = at.dataset.met === '1';
        at.dataset.met = '1';
        return {
            kind: at.type ?? at.getAttribute('role') ?? at.localName,
            name: at.getAttribute('aria-label') ?? (at.closest('label') ?? at).textContent.trim().slice(0, 40),
            ringed: [at, at.closest('label'), at.nextElementSibling, at.firstElementChild].some(ring)
                || (at instanceof SVGElement && [...at.querySelectorAll('rect, path, circle')].some(drawn)),
            seen_before,
        }";
    page.js(script, vec![json!(id)]).await
}

/// Puts the focus just before the figure, as if the reader had tabbed there.
async fn stand_before(page: &Page, id: &str) -> Result<()> {
    let script = "const f = document.querySelector(`#fig-${arguments[0]}`);
        f.tabIndex = -1; f.focus(); return null";
    page.js::<()>(script, vec![json!(id)]).await
}

/// Uses what has the focus as its kind is used.
async fn operate(page: &Page, kind: &str) -> Result<()> {
    match kind {
        "range" | "radio" => page.press(Key::Right + "").await,
        "checkbox" => page.press(" ").await,
        "button" => page.press(Key::Enter + "").await,
        // Selectable parts of a picture.
        _ => page.press(Key::Enter + "").await,
    }
}

#[test]
fn every_figure_is_driven_by_keyboard_alone() {
    drive(Setup::default(), |page| async move {
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            walk(&page, &id).await.map_err(|error| error.context(format!("figure {id}")))?;
        }
        Ok(())
    });
}

/// Tabs through a figure from before to behind and uses what it meets.
async fn walk(page: &Page, id: &str) -> Result<()> {
    stand_before(page, id).await?;
    let (mut met, mut changes) = (0, 0);
    loop {
        page.press(Key::Tab + "").await?;
        let Some(here) = focus(page, id).await? else { break };
        met += 1;
        ensure!(here.ringed, "no focus ring on {} \"{}\"", here.kind, here.name);
        ensure!(!here.seen_before, "the focus runs in circles at \"{}\"", here.name);
        ensure!(met < 80, "no way out of the figure");
        let takes_along = "return !!document.activeElement.closest('.figure-tools, .figure-data')";
        if page.js::<bool>(takes_along, Vec::new()).await? {
            continue;
        }
        let before = look(page, id).await?;
        operate(page, &here.kind).await?;
        changes += usize::from(look(page, id).await? != before);
        if focus(page, id).await?.is_none() {
            bail!("using \"{}\" loses the focus", here.name);
        }
    }
    ensure!(met >= 5, "only {met} places can be reached");
    ensure!(changes >= 2, "only {changes} keys changed anything");
    // What a change puts in place has no mark yet; native controls stay and keep theirs.
    let unreachable = "const f = document.querySelector(`#fig-${arguments[0]}`);
        return [...f.querySelectorAll('button, input:not([type=radio]), select, summary')]
            .filter(e => e.getBoundingClientRect().height > 0 && !e.disabled && !e.dataset.met)
            .map(e => e.getAttribute('aria-label') ?? (e.closest('label') ?? e).textContent.trim())";
    let left: Vec<String> = page.js(unreachable, vec![json!(id)]).await?;
    ensure!(left.is_empty(), "never reached by Tab: {left:?}");
    Ok(())
}
