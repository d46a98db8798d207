//! `cargo xtask shots`: pictures of every page, to be looked at.

use std::path::Path;

use anyhow::Result;

use crate::command::run;
use crate::site;
use crate::step::{note, step};
use crate::suite::course_test;
use crate::tools::SiteTools;
use crate::tools::browser::Browser;
use xtask::paths;

/// Writes one PNG a page, theme and width into `dir`.
pub(crate) fn shots(dir: &str) -> Result<()> {
    let dir = paths::root().join(Path::new(dir));
    site::build_if_changed(&SiteTools::prepare()?)?;
    let mut command = course_test(&["--test", "browser", "--", "--ignored", "--exact", "shots::every_page"]);
    Browser::ensure()?.tell(&mut command);
    step("pictures of every page", || run(command.env("COURSE_SHOTS", &dir)))?;
    note(&format!("look into {}", dir.display()));
    Ok(())
}
