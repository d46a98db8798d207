//! Every figure answers the mouse, and every control of it does something.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use serde_json::json;
use thirtyfour::prelude::*;

use crate::common::browser::{Setup, drive};
use crate::common::built::figures;
use crate::common::page::Page;

/// All that a figure tells its reader.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub(crate) struct Look {
    /// The sentence that reads the state aloud.
    pub(crate) sentence: String,
    /// The data table, cell by cell.
    pub(crate) table: String,
    /// The picture's markup.
    pub(crate) picture: String,
    /// Counters below it.
    pub(crate) counters: String,
}

/// Looks at figure `id`.
pub(crate) async fn look(page: &Page, id: &str) -> Result<Look> {
    // The table is kept up to date while it is open.
    let open = "const data = document.querySelector(`#fig-${arguments[0]} .figure-data`), was = data.open;
        data.open = true;
        return was";
    if !page.js::<bool>(open, vec![json!(id)]).await? {
        page.painted().await?;
    }
    let script = "const f = document.querySelector(`#fig-${arguments[0]}`);
        const cells = (css) => [...f.querySelectorAll(css)].map(c => c.textContent).join('|');
        return {
            sentence: f.querySelector('.sentence').textContent,
            table: cells('.figure-data th, .figure-data td'),
            picture: f.querySelector('.picture').innerHTML.replace(/<!--.*?-->/g, ''),
            counters: cells('.counters dt, .counters dd'),
        }";
    page.js(script, vec![json!(id)]).await
}

/// Marks every control of figure `id` and returns their number and kinds, such as `range` or `button`.
pub(crate) async fn controls(page: &Page, id: &str) -> Result<Vec<String>> {
    let script = "const inside = document.querySelector(`#fig-${arguments[0]} .figure-controls .controls`);
        const all = inside ? [...inside.querySelectorAll('input, button, select')] : [];
        return all.map((control, at) => { control.dataset.nth = at; return control.type })";
    page.js(script, vec![json!(id)]).await
}

/// Sets a figure back.
pub(crate) async fn reset(page: &Page, id: &str) -> Result<()> {
    let mark = "[...document.querySelectorAll(`#fig-${arguments[0]} .figure-tools button`)]
        .find(b => b.innerText === 'Reset').dataset.reset = '1'; return null";
    page.js::<()>(mark, vec![json!(id)]).await?;
    page.click(&format!("#fig-{id} [data-reset]")).await
}

/// What a reader has to click to use a control: the label, where the control itself is not drawn.
const TARGET: &str = "const control = document.querySelector(`#fig-${arguments[0]} [data-nth='${arguments[1]}']`);
    if (!control || control.disabled || (control.type === 'radio' && control.checked)) return false;
    const drawn = ['radio', 'checkbox'].includes(control.type) ? control.closest('label') ?? control : control;
    if (drawn.getBoundingClientRect().height === 0) return false;
    document.querySelectorAll('[data-target]').forEach((old) => delete old.dataset.target);
    drawn.dataset.target = control.type === 'range' && Number(control.value) < (Number(control.min) + Number(control.max)) / 2 ? 'low' : 'high';
    return true";

/// Uses the nth control with the mouse. `false` if it cannot be used in this state.
async fn use_control(page: &Page, id: &str, nth: usize, kind: &str) -> Result<bool> {
    if !page.js::<bool>(TARGET, vec![json!(id), json!(nth)]).await? {
        return Ok(false);
    }
    page.scroll_to("[data-target]").await?;
    let target = page.find("[data-target]").await?;
    let chain = page.actions();
    if kind == "text" {
        // One more digit, at the end of what is there.
        chain.move_to_element_center(&target).click().send_keys(Key::End + "1").perform().await?;
        page.painted().await?;
        return Ok(true);
    }
    let chain = if kind == "range" {
        // Away from where the handle is: towards the other end.
        let towards = if target.attr("data-target").await?.as_deref() == Some("low") { 4 } else { -4 };
        chain.move_to_element_with_offset(&target, target.rect().await?.width as i64 * towards / 10, 0)
    } else {
        chain.move_to_element_center(&target)
    };
    chain.click().perform().await?;
    page.painted().await?;
    Ok(true)
}

/// Which controls of a figure change nothing, whatever preset they are tried in. Of a choice between
/// several at least one has to: some of them may be all the same to the machine that is shown.
async fn mute_controls(page: &Page, id: &str) -> Result<Vec<String>> {
    let kinds = controls(page, id).await?;
    let presets = page.count(&format!("#fig-{id} .chip")).await?;
    let (mut names, mut answered) = (Vec::new(), BTreeSet::new());
    for nth in 0..kinds.len() {
        let script = "const c = document.querySelector(`#fig-${arguments[0]} [data-nth='${arguments[1]}']`);
            return c ? c.name || (c.getAttribute('aria-label') ?? (c.closest('label') ?? c).textContent).trim() : 'gone'";
        names.push(page.js::<String>(script, vec![json!(id), json!(nth)]).await?);
    }
    for preset in 0..=presets {
        for (nth, kind) in kinds.iter().enumerate() {
            if answered.contains(&names[nth]) {
                continue;
            }
            reset(page, id).await?;
            if preset > 0 {
                page.click(&format!("#fig-{id} .chip:nth-child({preset})")).await?;
            }
            let before = look(page, id).await?;
            if use_control(page, id, nth, kind).await? && look(page, id).await? != before {
                answered.insert(names[nth].clone());
            }
        }
    }
    let mute: BTreeSet<_> = names.into_iter().filter(|name| !answered.contains(name)).collect();
    Ok(mute.into_iter().map(|name| format!("{id}: \"{name}\"")).collect())
}

#[test]
fn every_control_of_every_figure_does_something() {
    drive(Setup::default(), |page| async move {
        let mut mute = Vec::new();
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            // What has nothing to show at once: "back" at the first step, "forward" at the last, "play" before
            // its first tick; another test walks.
            let later = ["Step back", "Step forward", "Back to the first step", "Play", "Pause"];
            let found = mute_controls(&page, &id).await?;
            mute.extend(found.into_iter().filter(|line| !later.iter().any(|name| line.contains(name))));
        }
        ensure!(mute.is_empty(), "controls without effect: {mute:#?}");
        Ok(())
    });
}

#[test]
fn a_preset_changes_sentence_table_picture_and_address_and_reset_takes_it_back() {
    drive(Setup::default(), |page| async move {
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            let first = look(&page, &id).await?;
            let presets = page.count(&format!("#fig-{id} .chip")).await?;
            ensure!(presets >= 2, "{id} has {presets} presets");
            page.click(&format!("#fig-{id} .chip:nth-child(2)")).await?;
            let second = look(&page, &id).await?;
            ensure!(first.sentence != second.sentence, "{id}: the sentence stayed: {}", first.sentence);
            ensure!(first.picture != second.picture, "{id}: the picture stayed");
            let hash = format!("return location.hash.startsWith('#fig-{id}?')");
            page.wait_for(&format!("{id} to put its state in the address"), &hash, Vec::new()).await?;
            let mut tables = vec![first.table.clone(), second.table];
            for nth in 3..=presets {
                page.click(&format!("#fig-{id} .chip:nth-child({nth})")).await?;
                tables.push(look(&page, &id).await?.table);
            }
            // A table that holds the same rows in every state has to hold what the sentence speaks of.
            let subject = second.sentence.split(':').next().unwrap_or_default();
            let lives = tables.iter().any(|table| *table != first.table) || first.table.contains(subject);
            ensure!(lives, "{id}: no preset changes the table, and it does not hold \"{subject}\"");
            reset(&page, &id).await?;
            ensure!(look(&page, &id).await? == first, "{id}: reset does not lead back to the first state");
        }
        page.assert_quiet().await
    });
}

#[test]
fn steppers_walk_to_the_end_and_back() {
    drive(Setup::default(), |page| async move {
        let mut steppers = 0;
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            if page.count(&format!("#fig-{id} .stepper")).await? == 0 {
                continue;
            }
            steppers += 1;
            let forward = format!("#fig-{id} .stepper [aria-label='Step forward']");
            // Some figures show their last step first.
            let start = format!("#fig-{id} .stepper [aria-label='Back to the first step']");
            page.click(&start).await?;
            // The button stays focusable at the end, so that arrow keys go on working.
            let more = format!("{forward}[aria-disabled='false']");
            let mut seen = vec![look(&page, &id).await?];
            while page.count(&more).await? > 0 {
                page.click(&forward).await?;
                let now = look(&page, &id).await?;
                ensure!(!seen.contains(&now), "{id}: step {} looks like an earlier one", seen.len() + 1);
                seen.push(now);
                ensure!(seen.len() < 60, "{id} does not end");
            }
            ensure!(seen.len() > 2, "{id} has only {} steps", seen.len());
            page.click(&start).await?;
            ensure!(
                Some(&look(&page, &id).await?) == seen.first(),
                "{id}: ⟲ does not lead to the first step"
            );
        }
        ensure!(steppers >= 5, "only {steppers} figures go step by step");
        Ok(())
    });
}
