//! What a reader's hands rely on: skip link, section keys, copy buttons.

use anyhow::{Result, ensure};
use serde_json::json;
use thirtyfour::prelude::*;

use crate::common::browser::{Setup, drive};
use crate::common::page::Page;

/// Lets the page use the clipboard, as a reader's click does.
pub(crate) async fn allow_clipboard(page: &Page) -> Result<()> {
    let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    page.devtools("Browser.grantPermissions", permissions).await?;
    Ok(())
}

/// What is on the clipboard.
pub(crate) async fn clipboard(page: &Page) -> Result<String> {
    let script = "const done = arguments[0]; navigator.clipboard.readText().then(done, (e) => done(`unreadable: ${e}`))";
    let answer = page.driver.execute_async(script, Vec::new()).await?;
    Ok(serde_json::from_value(answer.json().clone())?)
}

/// The id of the heading that has the focus.
async fn focused_heading(page: &Page) -> Result<Option<String>> {
    page.js("const at = document.activeElement; return at.localName === 'h2' ? at.id : null", Vec::new())
        .await
}

#[test]
fn the_first_tab_offers_to_skip_to_the_text() {
    drive(Setup::default(), |page| async move {
        page.open("machine/").await?;
        page.press(Key::Tab + "").await?;
        let offered: (String, f64) = page
            .js(
                "const at = document.activeElement; return [at.className, at.getBoundingClientRect().top]",
                Vec::new(),
            )
            .await?;
        ensure!(offered.0 == "skip" && offered.1 >= 0.0, "the first stop is {offered:?}");
        page.press(Key::Enter + "").await?;
        let at: String = page.js("return document.activeElement.id", Vec::new()).await?;
        ensure!(at == "site-main", "the skip link leads to {at:?}");
        Ok(())
    });
}

#[test]
fn j_and_k_walk_the_sections_and_can_be_turned_off() {
    drive(Setup::default(), |page| async move {
        page.open("machine/").await?;
        page.press("j").await?;
        let first = focused_heading(&page).await?;
        page.press("j").await?;
        let second = focused_heading(&page).await?;
        ensure!(
            first.is_some() && second.is_some() && first != second,
            "j led to {first:?}, then {second:?}"
        );
        page.press("k").await?;
        ensure!(focused_heading(&page).await? == first, "k did not lead back to {first:?}");
        page.click("[data-shortcuts]").await?;
        let before: f64 = page.js("document.activeElement.blur(); return scrollY", Vec::new()).await?;
        page.press("k").await?;
        let after: f64 = page.js("return scrollY", Vec::new()).await?;
        ensure!((before - after).abs() < 1.0, "k still works after it was turned off");
        page.open("machine/").await?;
        page.press("j").await?;
        ensure!(focused_heading(&page).await?.is_none(), "the choice was forgotten at the next page");
        Ok(())
    });
}

#[test]
fn the_copy_button_copies_commands_without_prompts_and_output() {
    drive(Setup::default(), |page| async move {
        allow_clipboard(&page).await?;
        page.open("machine/").await?;
        let listings = page.count(".code [data-copy]").await?;
        ensure!(listings > 0, "no listing has a copy button");
        for nth in 0..listings {
            let mark = "document.querySelectorAll('.code [data-copy]')[arguments[0]].dataset.nth = arguments[0]; return null";
            page.js::<()>(mark, vec![json!(nth)]).await?;
            page.click(&format!("[data-copy][data-nth='{nth}']")).await?;
            let copied = clipboard(&page).await?;
            ensure!(copied.trim().len() > 2, "listing {nth} copied {copied:?}");
            for line in copied.lines() {
                ensure!(!line.starts_with("$ ") && !line.starts_with("# "), "a prompt was copied: {line}");
            }
            let expected = "const code = document.querySelector(`[data-copy][data-nth='${arguments[0]}']`).closest('.code');
                const commands = [...code.querySelectorAll('.cmd')].map(c => c.textContent);
                return commands.length ? commands.join('\\n') : code.querySelector('pre').textContent";
            let expected: String = page.js(expected, vec![json!(nth)]).await?;
            ensure!(
                copied.trim() == expected.trim(),
                "listing {nth}: copied {copied:?}, the commands are {expected:?}"
            );
        }
        Ok(())
    });
}

#[test]
fn the_current_section_is_marked_in_the_contents() {
    drive(Setup::default(), |page| async move {
        page.open("machine/").await?;
        let sections: Vec<String> = page
            .js("return [...document.querySelectorAll('[data-reads]')].map(s => s.dataset.reads)", Vec::new())
            .await?;
        ensure!(sections.len() >= 8, "module 1 has {} sections", sections.len());
        for section in sections.iter().skip(1).step_by(3) {
            page.js::<()>(
                "document.querySelector(`[data-reads='${arguments[0]}'] h2`).scrollIntoView({ behavior: 'instant' }); scrollBy(0, 40); return null",
                vec![json!(section)],
            )
            .await?;
            let marked =
                "const now = document.querySelectorAll('.contents [data-section][aria-current=true]');
                return now.length === 1 && now[0].dataset.section === arguments[0]";
            page.wait_for(&format!("{section} to be marked"), marked, vec![json!(section)]).await?;
        }
        Ok(())
    });
}

#[test]
fn sections_off_the_screen_take_their_true_height_and_leave_what_is_read_in_place() {
    drive(Setup::default(), |page| async move {
        page.open("machine/#interrupts").await?;
        let script = "return document.querySelector('#interrupts').getBoundingClientRect().top";
        let first: f64 = page.js(script, Vec::new()).await?;
        ensure!((0.0..200.0).contains(&first), "the heading lies {first} px below the top");
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        let later: f64 = page.js(script, Vec::new()).await?;
        ensure!((first - later).abs() < 2.0, "the heading went from {first} to {later} px");
        let heights = "return [...document.querySelectorAll('.prose > section')].map((s) => s.offsetHeight)";
        let heights: Vec<u32> = page.js(heights, Vec::new()).await?;
        let placeholders = heights.iter().filter(|height| **height == 3200).count();
        ensure!(heights.len() > 8 && placeholders < 2, "sections are {heights:?} px high");
        Ok(())
    });
}

/// Makes a browser one without scroll anchoring, whose idle moments come when they are called for.
const NO_ANCHORING: &str = "
    const supports = CSS.supports.bind(CSS), later = window.setTimeout;
    CSS.supports = (name, value) => name !== 'overflow-anchor' && supports(name, value);
    window.idle = [];
    window.requestIdleCallback = undefined;
    window.setTimeout = (act, ms, ...rest) => ms === 50 ? idle.push(act) : later(act, ms, ...rest);";

#[test]
fn without_scroll_anchoring_sections_above_leave_what_is_read_in_place() {
    drive(Setup::default(), |page| async move {
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": NO_ANCHORING })).await?;
        page.driver.goto(format!("{}machine/", page.setup.site)).await?;
        let jump = "
            document.documentElement.style.overflowAnchor = 'none';
            const section = document.querySelectorAll('.prose > section')[6];
            scrollTo({ top: section.getBoundingClientRect().top + scrollY + 300, behavior: 'instant' });";
        page.js::<()>(jump, Vec::new()).await?;
        page.painted().await?;
        let read = "
            window.line ??= [...document.querySelectorAll('.prose p')].find((p) => p.getBoundingClientRect().top > 100);
            return [scrollY, line.getBoundingClientRect().top]";
        let before: (f64, f64) = page.js(read, Vec::new()).await?;
        let unlaid = "return document.querySelectorAll('.prose > section:not(.laid)').length";
        ensure!(page.js::<u32>(unlaid, Vec::new()).await? > 8, "sections were laid out before their time");
        page.js::<()>("while (idle.length) idle.shift()();", Vec::new()).await?;
        ensure!(page.js::<u32>(unlaid, Vec::new()).await? == 0, "a section was forgotten");
        page.painted().await?;
        let after: (f64, f64) = page.js(read, Vec::new()).await?;
        ensure!((before.0 - after.0).abs() > 100.0, "no height above was another one than expected");
        ensure!((before.1 - after.1).abs() < 10.0, "what is read went from {} to {} px", before.1, after.1);
        Ok(())
    });
}
