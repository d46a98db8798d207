//! The search index: places with a title and an opening line, and for each word where it stands.
//!
//! `places`: `[address, title, opening]`; `words`: `word place weight place weight …`, one word a
//! line, sorted. Identifiers keep `_ . - /` and are split into their parts as well.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::compile::{Block, Course, Module, ModuleText};

/// Longest opening line, in characters.
const OPENING: usize = 110;
/// Weight of a word in a title; in the text it weighs 1.
const TITLE_WEIGHT: u32 = 8;
/// Words that stand everywhere and find nothing.
const COMMON: [&str; 40] = [
    "the", "and", "that", "with", "for", "are", "its", "not", "from", "this", "than", "has", "one", "can",
    "but", "which", "each", "when", "have", "more", "was", "into", "does", "what", "only", "all", "you",
    "your", "them", "there", "they", "then", "how", "where", "who", "two", "their", "same", "also", "other",
];

#[derive(Serialize)]
struct Index {
    places: Vec<(String, String, String)>,
    words: String,
}

#[derive(Default)]
struct Builder {
    places: Vec<(String, String, String)>,
    words: BTreeMap<String, BTreeMap<usize, u32>>,
}

/// The index as JSON.
pub fn json(course: &Course) -> String {
    let mut builder = Builder::default();
    for module in &course.modules {
        builder.module(module);
    }
    for term in &course.glossary {
        builder.place(
            &format!("glossary/#{}", term.id),
            &format!("Glossary: {}", term.name),
            &text_of(&term.blocks),
        );
    }
    for method in &course.methods {
        builder.place(
            &format!("drills/#{}", method.id),
            &format!("Method {}", method.name),
            &text_of(&method.blocks),
        );
    }
    for row in &course.drills.rows {
        builder.place("drills/#commands", &row.command, &strip(&row.html));
    }
    builder.finish()
}

impl Builder {
    fn module(&mut self, module: &Module) {
        let page = format!("{}/", module.word);
        let title = format!("{} {}", module.number, module.title);
        let Some(text) = &module.text else {
            let contents: Vec<String> = module.contents.iter().map(|c| strip(c)).collect();
            self.place(&page, &title, &format!("{} {}", module.description, contents.join(". ")));
            return;
        };
        self.place(&page, &title, &strip(&text.summary_html));
        self.text(&page, module.number, text);
    }

    fn text(&mut self, page: &str, module: u8, text: &ModuleText) {
        for section in &text.sections {
            let name = format!("{module}.{} {}", section.number, section.title);
            let (mut address, mut title) = (format!("{page}#{}", section.id), name.clone());
            let mut pending: Vec<&Block> = Vec::new();
            for block in &section.blocks {
                if let Block::Heading { id, text, .. } = block {
                    self.place(&address, &title, &text_of_refs(&pending));
                    pending.clear();
                    address = format!("{page}#{id}");
                    title = format!("{name}: {text}");
                } else if let Block::Figure { id, caption } = block {
                    self.place(
                        &format!("{page}#fig-{id}"),
                        &format!("Figure: {}", id.replace('-', " ")),
                        caption,
                    );
                } else {
                    pending.push(block);
                }
            }
            self.place(&address, &title, &text_of_refs(&pending));
        }
        for question in &text.questions {
            self.place(&format!("{page}#{}", question.id), "Self-check", &question.text);
        }
    }

    fn place(&mut self, address: &str, title: &str, text: &str) {
        let place = self.places.len();
        self.places.push((address.to_owned(), title.to_owned(), opening(text)));
        for (source, weight) in [(title, TITLE_WEIGHT), (text, 1)] {
            for word in words(source) {
                *self.words.entry(word).or_default().entry(place).or_default() += weight;
            }
        }
    }

    fn finish(self) -> String {
        let mut words = String::new();
        for (word, places) in &self.words {
            words.push_str(word);
            for (place, weight) in places {
                words.push_str(&format!(" {place} {}", (*weight).min(99)));
            }
            words.push('\n');
        }
        // Plain strings and numbers always serialise.
        serde_json::to_string(&Index { places: self.places, words }).unwrap_or_default()
    }
}

fn opening(text: &str) -> String {
    match text.char_indices().nth(OPENING) {
        Some((end, _)) => {
            let cut = text[..end].rfind(' ').unwrap_or(end);
            format!("{}…", text[..cut].trim_end_matches([',', ':', ';']))
        }
        None => text.to_owned(),
    }
}

/// Words of a text in lower case: whole identifiers, and their parts.
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for token in text.split(|c: char| !(c.is_alphanumeric() || "_.-/".contains(c))) {
        let token = token.trim_matches(['.', '-', '/', '_']);
        push(&mut found, token);
        let parts: Vec<&str> = token.split(['_', '.', '-', '/']).collect();
        if parts.len() > 1 {
            parts.iter().for_each(|part| push(&mut found, part));
        }
        let humps = humps(token);
        if humps.len() > 1 {
            humps.iter().for_each(|part| push(&mut found, part));
        }
    }
    found
}

fn push(found: &mut Vec<String>, word: &str) {
    let word = word.to_lowercase();
    let number = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if word.chars().count() >= 2 && word.len() <= 40 && !number && !COMMON.contains(&word.as_str()) {
        found.push(word);
    }
}

/// `cudaMemcpyAsync` in its three parts.
fn humps(token: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut lower) = (0, false);
    for (i, c) in token.char_indices() {
        if c.is_uppercase() && lower {
            parts.push(&token[start..i]);
            start = i;
        }
        lower = c.is_lowercase();
    }
    parts.push(&token[start..]);
    parts
}

fn text_of(blocks: &[Block]) -> String {
    text_of_refs(&blocks.iter().collect::<Vec<_>>())
}

fn text_of_refs(blocks: &[&Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        let text = match block {
            Block::Html(html) => strip(html),
            Block::Heading { text, .. } => text.clone(),
            Block::Figure { caption, .. } => caption.clone(),
            Block::Code(code) => strip(&code.html),
            Block::Callout { blocks, .. } => text_of(blocks),
            Block::Measured(table) => {
                table.rows.iter().map(|row| row.label.as_str()).collect::<Vec<_>>().join(", ")
            }
        };
        out.push_str(&text);
        out.push(' ');
    }
    out.trim().to_owned()
}

/// Text of compiled HTML, without the sources in the margin and the numbers that cite them.
fn strip(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        let tag = &rest[start..];
        let end = [("<small class=\"margin-note\">", "</small>"), ("<sup class=\"cite\">", "</sup>")]
            .iter()
            .find(|(open, _)| tag.starts_with(open))
            .and_then(|(_, close)| tag.find(close).map(|i| i + close.len()))
            .or_else(|| tag.find('>').map(|i| i + 1))
            .unwrap_or(tag.len());
        if tag.starts_with("</p") || tag.starts_with("</t") || tag.starts_with("</li") {
            out.push(' ');
        }
        rest = &tag[end..];
    }
    out.push_str(rest);
    let plain = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_found_whole_and_in_parts() {
        assert_eq!(words("cudaMemcpyAsync"), ["cudamemcpyasync", "cuda", "memcpy", "async"]);
        assert_eq!(
            words("see NCCL_NET_GDR_LEVEL."),
            ["see", "nccl_net_gdr_level", "nccl", "net", "gdr", "level"]
        );
        assert_eq!(words("/proc/interrupts"), ["proc/interrupts", "proc", "interrupts"]);
    }

    #[test]
    fn sources_in_the_margin_are_not_part_of_the_text() {
        let html = r##"<p>Fast<sup class="cite"><a href="#x">3</a></sup><small class="margin-note"><b>3</b> Ann, Book</small> &amp; near</p>"##;
        assert_eq!(strip(html), "Fast & near");
    }
}
