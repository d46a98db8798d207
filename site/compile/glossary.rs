//! `content/glossary.md` and `content/methods.md`: `## Term {#id}` and what it means.

use std::collections::BTreeMap;
use std::path::Path;

use pulldown_cmark::HeadingLevel;

use super::Term;
use super::document::Document;
use super::events::split_at_headings;
use super::inline::plain_text;
use super::known::{Known, Used};
use super::problem::Problems;
use super::render::Renderer;
use super::sources::Citations;

/// A parsed list of terms, before its references are checked.
pub(crate) struct Draft(Option<Document>);

impl Draft {
    pub(crate) fn read(root: &Path, file: &str, problems: &mut Problems) -> Self {
        Self(Document::read(root, file, problems))
    }

    /// Ids with the first sentence of each entry.
    pub(crate) fn terms(&self) -> BTreeMap<String, String> {
        let Some(document) = &self.0 else { return BTreeMap::new() };
        let (_, chunks) = split_at_headings(document, HeadingLevel::H2);
        chunks
            .into_iter()
            .filter_map(|chunk| Some((chunk.id?, first_sentence(&plain_text(chunk.body)))))
            .collect()
    }

    pub(crate) fn compile(&self, known: &Known, used: &mut Used, problems: &mut Problems) -> Vec<Term> {
        let Some(document) = &self.0 else { return Vec::new() };
        let (_, chunks) = split_at_headings(document, HeadingLevel::H2);
        let mut citations = Citations::default();
        let mut renderer = Renderer::new(document, known, used, problems, &mut citations);
        let mut terms: Vec<Term> = Vec::new();
        for chunk in chunks {
            let id =
                renderer.claim_id(chunk.id.as_deref(), chunk.at, "a term needs an id: `## NUMA {#numa}`");
            let name = plain_text(chunk.title);
            let blocks = renderer.blocks(chunk.body, 2);
            if blocks.is_empty() {
                renderer.refuse(chunk.at, format!("the term `{name}` has no explanation below it"));
            }
            let brief = known.terms.get(&id).cloned().unwrap_or_default();
            terms.push(Term { id, name, blocks, brief });
        }
        terms.sort_by_key(|term| term.name.to_lowercase());
        terms
    }
}

fn first_sentence(text: &str) -> String {
    let end = text.find(". ").map_or(text.len(), |i| i + 1);
    text[..end].trim().to_owned()
}
