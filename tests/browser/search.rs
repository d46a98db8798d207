//! Search leads to a section, from the deepest page too.

use anyhow::ensure;
use serde_json::json;
use thirtyfour::prelude::*;

use crate::common::browser::{Setup, drive};

#[test]
fn search_finds_a_section_and_enter_goes_there() {
    drive(Setup::default(), |page| async move {
        page.open("machine/").await?;
        page.press("/").await?;
        let open = "const input = document.querySelector('#site-search input'); return !!input && document.activeElement === input";
        page.wait_for("the search field", open, Vec::new()).await?;
        page.press("pinned").await?;
        let found = "return document.querySelectorAll('#site-search a[href]').length > 0";
        page.wait_for("a result", found, Vec::new()).await?;
        let (target, text): (String, String) = page
            .js(
                "const a = document.querySelector('#site-search a[href]'); return [a.href, a.textContent]",
                Vec::new(),
            )
            .await?;
        ensure!(target.contains('#'), "the first result {text:?} leads to {target}, not to a section");
        page.click("#site-search a[href]").await?;
        page.wait_for("the section", "return location.href === arguments[0]", vec![json!(target)]).await?;
        let there = "const id = decodeURIComponent(location.hash.slice(1)); const e = document.getElementById(id); return !!e && e.getBoundingClientRect().top < innerHeight";
        page.wait_for("the section to be in view", there, Vec::new()).await?;
        page.assert_quiet().await
    });
}

#[test]
fn search_forgives_and_says_when_there_is_nothing() {
    drive(Setup::default(), |page| async move {
        page.open("").await?;
        page.click("[data-search]").await?;
        let open = "const input = document.querySelector('#site-search input'); return !!input && document.activeElement === input";
        page.wait_for("the search field", open, Vec::new()).await?;
        page.press("latncy").await?;
        let found = "return document.querySelectorAll('#site-search a[href]').length > 0";
        page.wait_for("a result in spite of a typo", found, Vec::new()).await?;
        for _ in 0..6 {
            page.press(Key::Backspace + "").await?;
        }
        page.press("qqqxyzzy").await?;
        let none = "return document.querySelectorAll('#site-search a[href]').length === 0 && document.querySelector('#site-search').innerText.trim().length > 10";
        page.wait_for("a word about no result", none, Vec::new()).await?;
        // The first one empties the field, as browsers do, the second one closes the dialog.
        page.press(Key::Escape + "").await?;
        page.press(Key::Escape + "").await?;
        let closed = "const input = document.querySelector('#site-search input'); return !input || input.getBoundingClientRect().height === 0";
        page.wait_for("Escape to close the search", closed, Vec::new()).await?;
        page.assert_quiet().await
    });
}
