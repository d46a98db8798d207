//! What was read and answered is remembered in this browser.

use serde_json::json;

use crate::common::browser::{Setup, drive};

#[test]
fn an_answered_question_counts_on_the_first_page_and_can_be_taken_back() {
    drive(Setup::default(), |page| async move {
        page.open("machine/").await?;
        page.click(".question summary").await?;
        let ready = "return !document.querySelector('.question [data-verdict=yes]').disabled";
        page.wait_for("the answer's buttons", ready, Vec::new()).await?;
        page.click(".question [data-verdict=yes]").await?;
        let pressed = "return document.querySelector('.question [data-verdict=yes]').getAttribute('aria-pressed') === 'true'";
        page.wait_for("the verdict to be kept", pressed, Vec::new()).await?;
        page.open("").await?;
        let shown = "return /\\b1\\b/.test(document.querySelector('[data-island=progress][data-word=machine]').textContent)";
        page.wait_for("the first page to count one answer", shown, Vec::new()).await?;
        page.open("machine/").await?;
        page.click(".question summary").await?;
        page.wait_for("the verdict to be remembered", pressed, Vec::new()).await?;
        page.click(".question [data-verdict=no]").await?;
        page.wait_for(
            "the verdict to go",
            &format!("return !({})", pressed.trim_start_matches("return ")),
            Vec::new(),
        )
        .await
    });
}

#[test]
fn a_section_that_was_read_is_marked() {
    drive(Setup::default(), |page| async move {
        page.open("machine/").await?;
        let section: String =
            page.js("return document.querySelector('[data-reads]').dataset.reads", Vec::new()).await?;
        page.js::<()>("document.querySelector('[data-reads] h2').scrollIntoView({ behavior: 'instant' }); scrollBy(0, 40); return null", Vec::new()).await?;
        // As long as it takes before a section counts as read.
        tokio::time::sleep(std::time::Duration::from_millis(4_600)).await;
        page.js::<()>("document.querySelectorAll('[data-reads]')[1].querySelector('h2').scrollIntoView({ behavior: 'instant' }); scrollBy(0, 60); return null", Vec::new()).await?;
        let marked =
            "return document.querySelector(`[data-section='${arguments[0]}']`).classList.contains('read')";
        page.wait_for("the section to be marked as read", marked, vec![json!(section)]).await?;
        page.open("machine/").await?;
        page.wait_for("the mark to be remembered", marked, vec![json!(section)]).await
    });
}
