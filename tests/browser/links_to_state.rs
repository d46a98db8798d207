//! A link to a figure's state shows that state to whoever opens it.

use anyhow::ensure;

use crate::common::browser::{Setup, drive};
use crate::common::built::figures;
use crate::figures::{controls, look};

#[test]
fn the_address_of_a_changed_figure_opens_the_same_state() {
    drive(Setup::default(), |page| async move {
        for (path, id) in figures()? {
            page.open(&path).await?;
            page.wake(&id).await?;
            page.click(&format!("#fig-{id} .chip:nth-child(2)")).await?;
            let changed = look(&page, &id).await?;
            let hash = format!("return location.hash.startsWith('#fig-{id}?')");
            page.wait_for(&format!("{id} to put its state in the address"), &hash, Vec::new()).await?;
            let hash: String = page.js("return location.hash", Vec::new()).await?;
            page.open(&format!("{path}{hash}")).await?;
            // Nobody scrolls: a link to a figure wakes it.
            let alive =
                format!("return !!document.querySelector('#fig-{id} .figure-controls:not([disabled])')");
            page.wait_for(&format!("{id} to come alive from the link"), &alive, Vec::new()).await?;
            ensure!(look(&page, &id).await? == changed, "{id}: {hash} shows another state");
            let near = format!(
                "const b = document.querySelector('#fig-{id}').getBoundingClientRect(); return b.top < innerHeight && b.bottom > 0"
            );
            page.wait_for(&format!("the link to bring {id} into view"), &near, Vec::new()).await?;
        }
        Ok(())
    });
}

#[test]
fn nonsense_in_the_address_shows_the_first_state() {
    drive(Setup::default(), |page| async move {
        for (path, id) in figures()? {
            page.open(&path).await?;
            page.wake(&id).await?;
            let first = look(&page, &id).await?;
            page.open(&format!("{path}#fig-{id}?step=-7&size=NaN&%zz=%f&x=<script>alert(1)</script>"))
                .await?;
            page.wake(&id).await?;
            let kinds = controls(&page, &id).await?;
            ensure!(
                look(&page, &id).await? == first,
                "{id} with {} controls took nonsense for a state",
                kinds.len()
            );
        }
        page.assert_quiet().await
    });
}

#[test]
fn the_button_copies_the_link() {
    drive(Setup::default(), |page| async move {
        crate::reading::allow_clipboard(&page).await?;
        page.open("machine/").await?;
        let Some(id) = page.figures().await?.into_iter().next() else { anyhow::bail!("no figure") };
        page.wake(&id).await?;
        page.click(&format!("#fig-{id} .chip:nth-child(2)")).await?;
        page.click(&format!("#fig-{id} .figure-tools button:nth-of-type(1)")).await?;
        let copied = crate::reading::clipboard(&page).await?;
        ensure!(copied.contains(&format!("machine/#fig-{id}?")), "copied {copied:?}");
        let said = page.text(&format!("#fig-{id} .said")).await?;
        ensure!(said == "Link copied", "the figure says {said:?}");
        Ok(())
    });
}
