//! Chromium, its driver, and Node: only the tests and pictures need them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::{npm, packages};
use crate::command::find;

const BROWSER: packages::Wanted = packages::Wanted {
    what: "Chromium and its driver",
    apt: &["chromium", "chromium-driver", "fonts-liberation"],
    dnf: &["chromium", "chromedriver", "liberation-fonts"],
    pacman: &["chromium", "ttf-liberation"],
    zypper: &["chromium", "chromedriver", "liberation-fonts"],
    apk: &["chromium", "chromium-chromedriver", "font-liberation"],
};

const NODE: packages::Wanted = packages::Wanted {
    what: "Node and npm",
    apt: &["nodejs", "npm"],
    dnf: &["nodejs", "nodejs-npm"],
    pacman: &["nodejs", "npm"],
    zypper: &["nodejs20", "npm20"],
    apk: &["nodejs", "npm"],
};

/// A browser that can be driven.
pub(crate) struct Browser {
    /// The Chromium program.
    chromium: PathBuf,
    /// The driver of the same version.
    driver: PathBuf,
}

impl Browser {
    /// Finds the browser, or installs it.
    pub(crate) fn ensure() -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        packages::install(&BROWSER)?;
        Self::find().context("Chromium was installed but neither `chromium` nor `chromedriver` is on PATH")
    }

    /// Tells the tests where the browser is.
    pub(crate) fn tell(&self, tests: &mut Command) {
        tests.env("COURSE_CHROMIUM", &self.chromium).env("COURSE_CHROMEDRIVER", &self.driver);
    }

    fn find() -> Option<Self> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find)?;
        Some(Self { chromium, driver: find("chromedriver")? })
    }
}

/// Node with npm, found or installed.
pub(crate) fn ensure_node() -> Result<()> {
    if npm::available() { Ok(()) } else { packages::install(&NODE) }
}
