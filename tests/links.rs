//! The built site as files: links, ids, headings, integrity, policy. No browser needed.

#[path = "common/built.rs"]
mod built;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use scraper::{ElementRef, Html, Selector};
use sha2::Digest;

use built::{dist, files, read};

/// Every HTML file of the site by its path.
fn documents() -> Result<BTreeMap<PathBuf, Html>> {
    let mut found = BTreeMap::new();
    for file in files(&dist())?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "html")) {
        let text = String::from_utf8(read(&file.to_string_lossy())?).context("pages are UTF-8")?;
        found.insert(file, Html::parse_document(&text));
    }
    ensure!(found.len() >= 8, "dist/ has only {} pages; run `cargo xtask build`", found.len());
    Ok(found)
}

fn all<'a>(page: &'a Html, css: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(css).expect("a valid selector");
    page.select(&selector).collect()
}

/// Runs `find` over every page and fails with all that it found.
fn no_page_has(what: &str, find: impl Fn(&Path, &Html) -> Vec<String>) -> Result<()> {
    let mut found = Vec::new();
    for (path, page) in documents()? {
        found.extend(find(&path, &page).into_iter().map(|line| format!("{}: {line}", path.display())));
    }
    ensure!(found.is_empty(), "{what}:\n{}", found.join("\n"));
    Ok(())
}

/// The file that a link on `page` means; `None` where it leads out of the site.
fn target(page: &Path, link: &str) -> Option<PathBuf> {
    let mut path = page.parent()?.to_owned();
    if link.is_empty() {
        return Some(page.to_owned());
    }
    for part in Path::new(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(if link.ends_with('/') || link.ends_with("..") || dist().join(&path).is_dir() {
        path.join("index.html")
    } else {
        path
    })
}

fn leads_out(link: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme))
}

#[test]
fn every_inside_link_leads_to_something() -> Result<()> {
    let pages = documents()?;
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> = pages
        .iter()
        .map(|(path, page)| (path, all(page, "[id]").iter().filter_map(|e| e.attr("id")).collect()))
        .collect();
    let mut broken = Vec::new();
    let mut seen = 0;
    for (path, page) in &pages {
        for element in all(page, "[href], [src]") {
            let link = element.attr("href").or_else(|| element.attr("src")).unwrap_or_default();
            if leads_out(link) || link.starts_with("data:") {
                continue;
            }
            seen += 1;
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let Some(file) = target(path, file) else {
                // The page for missing addresses tries one folder up as well.
                if path != Path::new("404.html") {
                    broken.push(format!("{}: {link} leads out of the site", path.display()));
                }
                continue;
            };
            if !dist().join(&file).is_file() {
                broken.push(format!("{}: {link} leads nowhere", path.display()));
            } else if !id.is_empty()
                && !ids.get(&file).is_some_and(|ids| ids.contains(id.split('?').next().unwrap_or(id)))
            {
                broken.push(format!("{}: {link}: no such place", path.display()));
            }
        }
    }
    ensure!(seen > 100, "only {seen} links were found");
    ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

#[test]
fn nothing_is_loaded_from_elsewhere_and_no_link_is_absolute() -> Result<()> {
    no_page_has("loaded from elsewhere, or bound to the root of a host", |_, page| {
        let loads = all(page, "script[src], link[href], img[src], source[srcset], iframe, object, embed");
        let foreign = loads
            .iter()
            .filter_map(|e| e.attr("src").or(e.attr("href")))
            .filter(|link| leads_out(link) || link.starts_with("//"));
        let absolute = all(page, "[href], [src]");
        let absolute = absolute
            .iter()
            .filter_map(|e| e.attr("src").or(e.attr("href")))
            .filter(|link| link.starts_with('/'));
        foreign.chain(absolute).map(str::to_owned).collect()
    })
}

#[test]
fn no_id_is_used_twice() -> Result<()> {
    no_page_has("ids used twice", |_, page| {
        let mut seen = BTreeSet::new();
        let ids = all(page, "[id]");
        ids.iter()
            .filter_map(|e| e.attr("id"))
            .filter(|id| !seen.insert(id.to_string()))
            .map(str::to_owned)
            .collect()
    })
}

#[test]
fn what_names_another_element_names_one_that_exists() -> Result<()> {
    no_page_has("references to missing ids", |_, page| {
        let ids: BTreeSet<_> =
            all(page, "[id]").iter().filter_map(|e| e.attr("id")).map(str::to_owned).collect();
        let mut missing = Vec::new();
        for attribute in ["aria-labelledby", "aria-describedby", "aria-controls", "for", "popovertarget"] {
            for element in all(page, &format!("[{attribute}]")) {
                let names = element.attr(attribute).unwrap_or_default().split_whitespace();
                missing.extend(
                    names.filter(|name| !ids.contains(*name)).map(|name| format!("{attribute}={name}")),
                );
            }
        }
        missing
    })
}

#[test]
fn headings_start_with_one_h1_and_skip_no_level() -> Result<()> {
    no_page_has("headings out of order", |_, page| {
        let (mut level, mut wrong, mut tops) = (0, Vec::new(), 0);
        for heading in all(page, "h1, h2, h3, h4, h5, h6") {
            let this: usize = heading.value().name()[1..].parse().unwrap_or(0);
            tops += usize::from(this == 1);
            if this > level + 1 {
                wrong.push(format!("h{level}, then h{this} {}", heading.text().collect::<String>()));
            }
            level = this;
        }
        if tops != 1 {
            wrong.push(format!("{tops} first headings"));
        }
        wrong
    })
}

#[test]
fn every_picture_has_words() -> Result<()> {
    no_page_has("pictures without words", |_, page| {
        let bare_images = all(page, "img:not([alt])").len();
        let mut found = vec![format!("{bare_images} images without alt"); usize::from(bare_images > 0)];
        for svg in all(page, "svg:not([aria-hidden=true])") {
            let named = svg.attr("aria-label").or(svg.attr("aria-labelledby")).is_some()
                || svg.child_elements().any(|child| child.value().name() == "title");
            if !named {
                found.push(format!("svg.{} without a name", svg.attr("class").unwrap_or_default()));
            }
        }
        found
    })
}

#[test]
fn every_page_says_what_it_is() -> Result<()> {
    static TITLES: LazyLock<std::sync::Mutex<BTreeSet<String>>> = LazyLock::new(Default::default);
    no_page_has("pages that do not say what they are", |_, page| {
        let mut wrong = Vec::new();
        let title: String = all(page, "head > title").iter().flat_map(|t| t.text()).collect();
        let fresh = TITLES.lock().is_ok_and(|mut titles| titles.insert(title.clone()));
        if title.len() < 5 || !fresh {
            wrong.push(format!("title {title:?} is empty or used twice"));
        }
        for (css, what) in [
            ("html[lang]", "language"),
            ("meta[name=viewport]", "viewport"),
            ("meta[name=description]", "description"),
            ("main#site-main", "main part"),
        ] {
            if all(page, css).len() != 1 {
                wrong.push(format!("no {what}, or more than one"));
            }
        }
        wrong
    })
}

#[test]
fn integrity_values_fit_the_files() -> Result<()> {
    no_page_has("integrity values that do not fit", |path, page| {
        let mut wrong = Vec::new();
        for element in all(page, "script[src], link[rel=stylesheet], link[rel=modulepreload]") {
            let link = element.attr("src").or(element.attr("href")).unwrap_or_default();
            let Some(file) = target(path, link) else { continue };
            let Ok(bytes) = read(&file.to_string_lossy()) else { continue };
            let digest = base64::engine::general_purpose::STANDARD.encode(sha2::Sha384::digest(&bytes));
            if element.attr("integrity") != Some(&format!("sha384-{digest}")) {
                wrong.push(format!("{link}: {:?}", element.attr("integrity")));
            }
        }
        wrong
    })
}

#[test]
fn every_page_carries_the_policy_and_nothing_that_it_forbids() -> Result<()> {
    let policy = std::fs::read_to_string(xtask::paths::content_security_policy())?;
    for part in ["default-src 'none'", "base-uri 'none'", "form-action 'none'"] {
        ensure!(policy.contains(part), "the policy lacks {part}");
    }
    for hole in ["'unsafe-inline'", "'unsafe-eval'", "http:", "https:", "*"] {
        ensure!(!policy.contains(hole), "the policy allows {hole}");
    }
    no_page_has("what the policy forbids", |_, page| {
        let metas = all(page, "meta[http-equiv=Content-Security-Policy]");
        let same = metas.len() == 1 && metas.iter().all(|meta| meta.attr("content") == Some(policy.trim()));
        let mut wrong = vec!["the policy of the page differs".to_owned(); usize::from(!same)];
        for (css, what) in [
            ("[style]", "style attribute"),
            ("style", "inline style"),
            ("script:not([src])", "inline script"),
        ] {
            wrong.extend(all(page, css).iter().map(|e| format!("{what} on {}", e.value().name())));
        }
        for element in all(page, "*") {
            wrong.extend(
                element
                    .value()
                    .attrs()
                    .filter(|(name, _)| name.starts_with("on"))
                    .map(|(name, _)| name.to_owned()),
            );
        }
        wrong
    })
}

#[test]
fn the_offline_copy_lists_every_file() -> Result<()> {
    let worker = String::from_utf8(read("sw.js")?)?;
    let list = worker
        .split_once("FILES = ")
        .and_then(|(_, rest)| rest.split_once(';'))
        .context("sw.js lists no files")?
        .0;
    let listed: BTreeSet<String> = serde_json::from_str(list).context("the list of files is JSON")?;
    let mut wrong = Vec::new();
    for file in files(&dist())? {
        let path = file.to_string_lossy().into_owned();
        let entry = path.strip_suffix("index.html").map_or(path.clone(), |folder| format!("./{folder}"));
        let left_out = path == "sw.js" || path.ends_with(".xml");
        if listed.contains(&entry) == left_out {
            wrong.push(path);
        }
    }
    ensure!(wrong.is_empty(), "missing in the offline copy, or listed in vain: {wrong:?}");
    Ok(())
}
