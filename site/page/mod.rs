//! The pages, as Leptos components rendered once by the page writer.

mod blocks;
mod drills;
mod glossary;
mod index;
mod measured;
mod module;
mod not_found;
mod privacy;
mod results;
pub mod search_index;
mod self_check;
mod shell;

use leptos::prelude::*;

use crate::compile::Course;
pub use shell::{Asset, Assets, Data};

/// A page ready to be written.
pub struct Page {
    /// Path relative to the root of the site, such as `machine/index.html`.
    pub path: String,
    /// The document.
    pub html: String,
}

/// What a page is before it is wrapped in the shell.
pub(crate) struct Draft {
    /// Path relative to the root of the site.
    pub(crate) path: String,
    /// Title, without the course's.
    pub(crate) title: String,
    /// One sentence for search engines.
    pub(crate) description: String,
    /// Name for styles.
    pub(crate) kind: &'static str,
    /// Contents at the left; empty where a page has none.
    pub(crate) contents: Option<AnyView>,
    /// What the page is about.
    pub(crate) main: AnyView,
}

/// The compiled course, read from the blob that the build script wrote.
///
/// # Errors
/// The blob does not fit the types, which only a broken build can cause.
pub fn course() -> Result<Course, serde_json::Error> {
    serde_json::from_slice(include_bytes!(concat!(env!("OUT_DIR"), "/course.json")))
}

/// Renders every page.
pub fn all(course: &Course, assets: &Assets) -> Vec<Page> {
    let owner = Owner::new();
    owner.with(|| {
        let mut drafts = vec![index::page(course)];
        drafts.extend(course.modules.iter().map(|module| module::page(course, module)));
        drafts.push(glossary::page(course));
        drafts.push(results::page(course, &assets.data));
        drafts.push(drills::page(course));
        drafts.push(privacy::page());
        drafts.push(not_found::page(course));
        drafts.into_iter().map(|draft| shell::wrap(course, assets, draft)).collect()
    })
}

/// Links of compiled HTML are relative to a page one folder down; this makes them fit the root.
pub(crate) fn at_root(html: &str) -> String {
    html.replace("href=\"../", "href=\"")
}
