//! The built site: its folder, its files and pages, and servers that hand it out.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use xtask::server::{Options, Server};

/// The built site.
pub(crate) fn dist() -> PathBuf {
    xtask::paths::dist()
}

/// A file of the built site.
pub(crate) fn read(path: &str) -> Result<Vec<u8>> {
    let file = dist().join(path);
    fs::read(&file).with_context(|| format!("{} is missing; run `cargo xtask build`", file.display()))
}

/// Every file below `dir`, with paths relative to it.
pub(crate) fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut todo) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                todo.push(path);
            } else {
                found.push(path.strip_prefix(dir)?.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Addresses of all pages, relative to the root of the site: ``, `machine/`, …, `404.html`.
pub(crate) fn pages() -> Result<Vec<String>> {
    let html = files(&dist())?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "html"));
    let pages: Vec<_> = html
        .map(|file| {
            let path = file.to_string_lossy().into_owned();
            path.strip_suffix("index.html").map(str::to_owned).unwrap_or(path)
        })
        .collect();
    ensure!(pages.len() >= 8, "dist/ has only {} pages; run `cargo xtask build`", pages.len());
    Ok(pages)
}

/// Every figure of the course: the address of its page, and its id.
pub(crate) fn figures() -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for path in pages()?.into_iter().filter(|path| path.ends_with('/') || path.is_empty()) {
        let html = String::from_utf8(read(&format!("{path}index.html"))?)?;
        let page = scraper::Html::parse_document(&html);
        let figure = scraper::Selector::parse("[data-figure]").map_err(|error| anyhow::anyhow!("{error}"))?;
        let ids = page.select(&figure).filter_map(|element| element.attr("data-figure"));
        found.extend(ids.map(|id| (path.clone(), id.to_owned())));
    }
    ensure!(found.len() >= 7, "the course has only {} figures", found.len());
    Ok(found)
}

/// Bytes after `gzip -9`, as a static host would send them.
pub(crate) fn gzipped(bytes: &[u8]) -> usize {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(usize::MAX, |packed| packed.len())
}

/// A variable that `cargo xtask test` sets.
pub(crate) fn told(name: &str) -> Result<String> {
    std::env::var(name)
        .with_context(|| format!("{name} is not set; run these tests through `cargo xtask test`"))
}

/// The site at the root of a host.
pub(crate) fn at_root() -> &'static str {
    static SERVER: LazyLock<Server> = LazyLock::new(|| serve(""));
    &SERVER.url
}

/// The same files in a sub-folder of a host.
pub(crate) fn in_folder() -> &'static str {
    static SERVER: LazyLock<Server> = LazyLock::new(|| serve("/a/b"));
    &SERVER.url
}

fn serve(prefix: &str) -> Server {
    let options = Options {
        dist: dist(),
        address: "127.0.0.1:0".into(),
        prefix: prefix.into(),
        // No header: static hosts send none, the page's own policy has to do.
        policy: String::new(),
        builds: None,
    };
    xtask::server::start(options).expect("a free port on 127.0.0.1")
}
