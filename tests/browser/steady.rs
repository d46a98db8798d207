//! Nothing jumps: neither while a page loads nor when a figure comes alive.

use anyhow::{Result, ensure};

use crate::common::browser::{Setup, drive};
use crate::common::built::{figures, pages};
use crate::common::page::Page;

async fn nothing_jumps(page: Page) -> Result<()> {
    let mut jumps = Vec::new();
    for path in pages()? {
        page.open(&path).await?;
        for id in page.figures().await? {
            page.wake(&id).await?;
        }
        let shifts = page.layout_shifts().await?;
        jumps.extend(shifts.into_iter().map(|shift| format!("/{path}: {shift}")));
    }
    ensure!(jumps.is_empty(), "layout shifts: {jumps:#?}");
    Ok(())
}

#[test]
fn nothing_jumps_on_a_wide_screen() {
    drive(Setup::default(), nothing_jumps);
}

#[test]
fn nothing_jumps_on_a_phone() {
    drive(Setup::phone(), nothing_jumps);
}

#[test]
fn a_figure_keeps_its_box_when_it_comes_alive() {
    drive(Setup::default(), |page| async move {
        for (path, id) in figures()? {
            page.at(&path).await?;
            let height = format!("return document.querySelector('#fig-{id}').getBoundingClientRect().height");
            let before: f64 = page.js(&height, Vec::new()).await?;
            page.wake(&id).await?;
            let after: f64 = page.js(&height, Vec::new()).await?;
            ensure!((before - after).abs() < 0.5, "{id} was {before} px high as a picture, {after} px alive");
        }
        Ok(())
    });
}

#[test]
fn with_less_motion_wanted_nothing_moves_by_itself() {
    drive(Setup { still: true, ..Setup::default() }, |page| async move {
        for (path, id) in figures()? {
            page.reach(&path, &id).await?;
            let play = format!(
                "return [...document.querySelectorAll('#fig-{id} button')].some(b => b.innerText === 'Play')"
            );
            ensure!(!page.js::<bool>(&play, Vec::new()).await?, "{id} offers to play");
            let chip = format!("#fig-{id} .chip:nth-child(2)");
            if page.count(&chip).await? > 0 {
                page.click(&chip).await?;
            }
            let moving = "return document.getAnimations().filter(a => a.playState === 'running'
                && a.effect.getComputedTiming().duration > 1).length";
            let moving: u32 = page.js(moving, Vec::new()).await?;
            ensure!(moving == 0, "{moving} animations run in {id}");
        }
        Ok(())
    });
}
