//! Compiles `content/` into typed data, or says with file and line what is wrong with it.
//!
//! `build.rs` and, for tests, the library (feature `ssr`) share these files. Nothing here knows
//! Leptos or the browser. Invariant: what [`compile`] returns has no broken reference, so the page
//! writer never has to ask whether a figure, term, section, source or result key exists.

mod code;
mod course;
mod document;
mod events;
mod glossary;
mod inline;
mod known;
mod links;
mod lists;
mod manifest;
mod measured;
mod module;
mod problem;
mod render;
mod samples;
mod self_check;
mod sources;

use std::path::Path;

pub use course::*;
pub use problem::Problem;

pub(crate) use inline::escape;

use known::Known;
use problem::Problems;

/// Compiles the course under `root`, which holds `content/` and `diagrams/src/`.
///
/// # Errors
/// Every problem found, in the order of files and lines.
pub fn compile(root: &Path) -> Result<Course, Vec<Problem>> {
    let mut problems = Problems::default();
    let course = compile_into(root, &mut problems);
    match (course, problems.into_sorted()) {
        (Some(course), problems) if problems.is_empty() => Ok(course),
        (_, problems) => Err(problems),
    }
}

fn compile_into(root: &Path, problems: &mut Problems) -> Option<Course> {
    let manifest = manifest::read(root, problems)?;
    let drafts: Vec<_> =
        manifest.modules.iter().map(|entry| module::Draft::read(root, entry, problems)).collect();
    let glossary = glossary::Draft::read(root, "content/glossary.md", problems);
    let methods = glossary::Draft::read(root, "content/methods.md", problems);
    let known = Known {
        figures: known::figures(root),
        terms: glossary.terms(),
        sections: known::sections(&drafts),
        samples: samples::read(root, problems),
        criteria: manifest.criteria.len(),
    };
    let mut used = known::Used::default();
    let modules = manifest
        .modules
        .iter()
        .zip(&drafts)
        .map(|(entry, draft)| module::compile(entry, draft, &known, &mut used, problems))
        .collect();
    let terms = glossary.compile(&known, &mut used, problems);
    let methods = methods.compile(&known, &mut used, problems);
    used.refuse_idle_figures(&known, problems);
    Some(manifest::assemble(manifest, modules, terms, methods, known, &mut used, problems))
}
