//! `sources.md`: footnote definitions, numbered in the order in which the text cites them.

use std::collections::BTreeMap;

use pulldown_cmark::Tag;

use super::Source;
use super::document::Document;
use super::events::{Element, elements};
use super::inline::escape;
use super::known::{Known, Used};
use super::problem::Problems;
use super::render::Renderer;

/// Sources of a module and what cites them.
#[derive(Default)]
pub(crate) struct Citations {
    defined: BTreeMap<String, (usize, String)>,
    order: Vec<String>,
    counts: BTreeMap<String, usize>,
}

impl Citations {
    /// Reads the definitions of a module.
    pub(crate) fn read(document: &Document, known: &Known, used: &mut Used, problems: &mut Problems) -> Self {
        let mut none = Self::default();
        let mut renderer = Renderer::new(document, known, used, problems, &mut none);
        let mut defined = BTreeMap::new();
        for (element, at, inner) in elements(&document.events) {
            let Element::Block(tag) = element else { continue };
            let Tag::FootnoteDefinition(id) = tag else {
                if !matches!(tag, Tag::Heading { .. } | Tag::Paragraph) {
                    renderer.refuse(at, "sources.md holds definitions: `[^id]: Author, Title, URL`");
                }
                continue;
            };
            let html: Vec<String> = elements(inner).into_iter().map(|(_, _, p)| renderer.inline(p)).collect();
            let line = document.line(at);
            if defined.insert(id.to_string(), (line, html.join(" "))).is_some() {
                renderer.refuse(at, format!("duplicate source `[^{id}]`"));
            }
        }
        Self { defined, ..Self::default() }
    }

    /// Number of the source and how many citations it has now.
    fn count(&mut self, id: &str) -> (usize, usize) {
        let number = match self.order.iter().position(|known| known == id) {
            Some(i) => i + 1,
            None => {
                self.order.push(id.to_owned());
                self.order.len()
            }
        };
        let count = self.counts.entry(id.to_owned()).or_insert(0);
        *count += 1;
        (number, *count)
    }

    /// All sources: cited ones in order of citation, then the rest.
    pub(crate) fn into_sources(mut self, document: Option<&Document>) -> Vec<Source> {
        let idle: Vec<(usize, String)> = self
            .defined
            .iter()
            .filter(|(id, _)| !self.order.contains(id))
            .map(|(id, (line, _))| (*line, id.clone()))
            .collect();
        for (line, id) in idle {
            if let Some(document) = document {
                println!("cargo::warning={}:{line}: nothing cites [^{id}]", document.file);
            }
            self.order.push(id);
        }
        let (defined, counts) = (&self.defined, &self.counts);
        self.order
            .iter()
            .enumerate()
            .filter_map(|(i, id)| {
                let (_, html) = defined.get(id)?;
                let citations = counts.get(id).copied().unwrap_or(0);
                Some(Source { id: id.clone(), number: i + 1, citations, html: html.clone() })
            })
            .collect()
    }
}

impl Renderer<'_> {
    /// A citation: a number in the text, and beside the line the source itself where there is room.
    pub(crate) fn cite(&mut self, id: &str, at: usize, out: &mut String) {
        let Some((_, html)) = self.citations.defined.get(id).cloned() else {
            self.refuse(at, format!("unknown source `[^{id}]`; define it in sources.md beside this file"));
            return;
        };
        let (number, count) = self.citations.count(id);
        let anchor = escape(id);
        // The list of sources leads back to the first citation only.
        let back = if count == 1 { format!(r#" id="cite-{anchor}-1""#) } else { String::new() };
        out.push_str(&format!(
            r##"<sup class="cite"><a href="#source-{anchor}"{back} aria-label="Source {number}">{number}</a></sup>"##
        ));
        if self.margin && count == 1 {
            out.push_str(&format!(r#"<small class="margin-note"><b>{number}</b> {}</small>"#, short(&html)));
        }
    }
}

/// Who, what and when of a source: its first sentence. The rest stands in the list of sources.
fn short(html: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in html.char_indices() {
        match c {
            '<' if html[at..].starts_with("</") => depth = depth.saturating_sub(1),
            '<' => depth += 1,
            '.' if depth == 0 && at > 12 && html[at + 1..].starts_with([' ', '\n']) => return &html[..at],
            _ => {}
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_margin_note_is_the_first_sentence_of_its_source() {
        assert_eq!(
            short("Ann B., <em>A book. Second part</em>, 2026. More."),
            "Ann B., <em>A book. Second part</em>, 2026"
        );
        assert_eq!(short("NVIDIA, <em>Title</em>"), "NVIDIA, <em>Title</em>");
    }
}
