//! Pictures of every page and figure, for people to look at: `cargo xtask shots`.

use std::fs;
use std::path::PathBuf;

use crate::common::browser::{Setup, drive};
use crate::common::built::{pages, told};
use crate::common::page::Page;

async fn shoot(page: Page) -> anyhow::Result<()> {
    let folder = PathBuf::from(told("COURSE_SHOTS")?);
    fs::create_dir_all(&folder)?;
    let theme = if page.setup.dark { "dark" } else { "light" };
    for path in pages()? {
        page.open(&path).await?;
        let width = page.setup.size.0;
        for id in page.figures().await? {
            page.wake(&id).await?;
            let picture = page.picture_of(&format!("#fig-{id}")).await?;
            fs::write(folder.join(format!("figure-{id}-{theme}-{width}.png")), picture)?;
        }
        page.js::<()>("scrollTo({ top: 0, behavior: 'instant' }); return null", Vec::new()).await?;
        let name = match path.trim_end_matches('/').trim_end_matches(".html") {
            "" => "index".to_owned(),
            name => name.replace('/', "-"),
        };
        fs::write(folder.join(format!("{name}-{theme}-{width}.png")), page.picture().await?)?;
    }
    Ok(())
}

#[test]
#[ignore = "writes pictures; run by `cargo xtask shots`"]
fn every_page() {
    for dark in [false, true] {
        drive(Setup { dark, ..Setup::default() }, shoot);
        drive(Setup { dark, ..Setup::phone() }, shoot);
    }
}
