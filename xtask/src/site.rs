//! Building the site into `dist/`, and skipping what is already built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{cargo, run};
use crate::fingerprint;
use crate::step::{note, step};
use crate::tools::SiteTools;
use xtask::paths;

/// What an edit asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Everything is as `dist/` has it.
    Nothing,
    /// Only text or style changed: the page writer alone.
    Pages,
    /// Code changed: WebAssembly and pages.
    All,
}

/// Two fingerprints of what the site is made from, and one of what was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    code: u64,
    content: u64,
    dist: u64,
}

impl Stamp {
    fn now() -> Result<Self> {
        let (content, code): (Vec<_>, Vec<_>) =
            fingerprint::files(&sources())?.into_iter().partition(|file| is_content(file));
        Ok(Self {
            code: fingerprint::of_contents(&code)?,
            content: fingerprint::of_contents(&content)?,
            dist: fingerprint::of_contents(&fingerprint::files(&[paths::dist()])?)?,
        })
    }

    /// The stamp of the last build; `None` if there was none or it cannot be read.
    fn last() -> Option<Self> {
        Self::parse(&fs::read_to_string(stamp_file()).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_whitespace().map(|word| word.parse().ok());
        Some(Self { code: numbers.next()??, content: numbers.next()??, dist: numbers.next()?? })
    }

    fn save(self) -> Result<()> {
        let file = stamp_file();
        fs::create_dir_all(file.parent().unwrap_or(&file))?;
        fs::write(&file, format!("{} {} {}\n", self.code, self.content, self.dist))
            .with_context(|| format!("cannot write {}", file.display()))
    }

    fn work_since(self, last: Option<Self>) -> Work {
        match last {
            Some(last) if last == self => Work::Nothing,
            Some(last) if last.code == self.code && last.dist == self.dist => Work::Pages,
            _ => Work::All,
        }
    }
}

fn stamp_file() -> PathBuf {
    paths::target().join("xtask").join("dist.stamp")
}

/// What the site is made from.
pub(crate) fn sources() -> Vec<PathBuf> {
    let names = [
        "content",
        "site",
        "diagrams/src",
        "diagrams/Cargo.toml",
        "drills/results/src",
        "drills/results/Cargo.toml",
        "build.rs",
        "Cargo.toml",
        "Cargo.lock",
        "Trunk.toml",
    ];
    names.map(|name| paths::root().join(name)).to_vec()
}

/// Whether the page writer alone uses this file: text, samples, style sheets, plain scripts.
fn is_content(file: &Path) -> bool {
    let root = paths::root();
    let plain = ["content", "site/static"].iter().any(|dir| file.starts_with(root.join(dir)));
    plain || file.extension().is_some_and(|ending| ending == "css")
}

/// Builds what is out of date and says what that was.
pub(crate) fn build_if_changed(tools: &SiteTools) -> Result<Work> {
    let work = Stamp::now()?.work_since(Stamp::last());
    match work {
        Work::Nothing => note("dist/ is up to date"),
        Work::Pages => write_pages()?,
        Work::All => build_all(tools)?,
    }
    if work != Work::Nothing {
        Stamp::now()?.save()?;
    }
    Ok(work)
}

/// Builds everything, whatever the stamp says.
pub(crate) fn build(tools: &SiteTools) -> Result<()> {
    build_all(tools)?;
    Stamp::now()?.save()
}

fn build_all(tools: &SiteTools) -> Result<()> {
    step("the crates of the site", || tools.fetch_crates())?;
    step("building the site (WebAssembly, then every page)", || {
        run(tools.trunk()?.args(["build", "--release"]))
    })?;
    note(&format!("dist/ is ready for any static host: {}", size_of(&paths::dist())?));
    Ok(())
}

/// Runs the page writer over the finished site, as Trunk's hook does over a new one.
fn write_pages() -> Result<()> {
    step("writing the pages", || {
        let mut writer = cargo();
        writer.args(PAGE_WRITER).env("TRUNK_STAGING_DIR", paths::dist());
        run(&mut writer)
    })
}

/// The same words as in the hook of Trunk.toml.
const PAGE_WRITER: [&str; 8] =
    ["run", "--quiet", "--package", "course", "--features", "ssr", "--bin", "write-pages"];

fn size_of(dir: &Path) -> Result<String> {
    let mut bytes = 0;
    let files = fingerprint::files(&[dir.to_owned()])?;
    for file in &files {
        bytes += fs::metadata(file)?.len();
    }
    Ok(format!("{} files, {:.2} MB", files.len(), bytes as f64 / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILT: Stamp = Stamp { code: 1, content: 2, dist: 3 };

    #[test]
    fn nothing_changed_means_no_work() {
        assert_eq!(BUILT.work_since(Some(BUILT)), Work::Nothing);
    }

    #[test]
    fn new_text_needs_only_the_page_writer() {
        assert_eq!(Stamp { content: 9, ..BUILT }.work_since(Some(BUILT)), Work::Pages);
    }

    #[test]
    fn new_code_a_touched_dist_or_no_build_at_all_needs_everything() {
        for (now, last) in [
            (Stamp { code: 9, ..BUILT }, Some(BUILT)),
            (Stamp { dist: 9, ..BUILT }, Some(BUILT)),
            (BUILT, None),
        ] {
            assert_eq!(now.work_since(last), Work::All);
        }
    }

    #[test]
    fn text_and_style_are_content_and_rust_is_not() {
        let is = |path: &str| is_content(&paths::root().join(path));
        assert!(is("content/machine/module.md") && is("site/style/base.css") && is("site/static/boot.js"));
        assert!(!is("site/page/mod.rs") && !is("Cargo.lock"));
    }

    #[test]
    fn a_damaged_stamp_counts_as_none() {
        assert_eq!(Stamp::parse("1 2 3\n"), Some(BUILT));
        assert_eq!(Stamp::parse("1 2"), None);
        assert_eq!(Stamp::parse("1 x 3"), None);
    }
}
