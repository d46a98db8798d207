//! `cargo xtask lighthouse`: how Lighthouse rates the pages on a phone.

use anyhow::{Result, ensure};

use crate::site;
use crate::suite;
use crate::tools::SiteTools;

/// Builds if needed, rates, and fails below the scores that the tests ask for.
pub(crate) fn lighthouse() -> Result<()> {
    site::build_if_changed(&SiteTools::prepare()?)?;
    let counts = suite::lighthouse()?;
    ensure!(counts.failed == 0, "a page is rated lower than it should be");
    Ok(())
}
