//! A module: `content/<word>/module.md`, `self-check.md`, `sources.md`.

use std::collections::BTreeSet;
use std::path::Path;

use pulldown_cmark::{Event, HeadingLevel, Tag};
use serde::Deserialize;

use super::document::Document;
use super::events::split_at_headings;
use super::inline::plain_text;
use super::known::{Known, Used};
use super::manifest::ModuleEntry;
use super::problem::Problems;
use super::render::Renderer;
use super::self_check;
use super::sources::Citations;
use super::{Block, Module, ModuleText, Section};

/// Words a minute at which technical prose is read.
const WORDS_PER_MINUTE: usize = 190;

/// The files of a module, parsed but not checked.
pub(crate) struct Draft {
    word: String,
    text: Option<Document>,
    questions: Option<Document>,
    sources: Option<Document>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    title: String,
    word: String,
    summary: String,
    #[serde(default)]
    criteria: Vec<u8>,
    #[serde(default)]
    drill_minutes: u32,
    #[serde(default)]
    first_section: u32,
}

impl Draft {
    pub(crate) fn read(root: &Path, entry: &ModuleEntry, problems: &mut Problems) -> Self {
        let file = |name: &str| format!("content/{}/{name}", entry.word);
        let text = Document::read(root, &file("module.md"), problems);
        if text.is_none() && entry.is_ready() {
            problems.add("content/course.toml", entry.line, format!("{} does not exist", file("module.md")));
        }
        Self {
            word: entry.word.clone(),
            text,
            questions: Document::read(root, &file("self-check.md"), problems),
            sources: Document::read(root, &file("sources.md"), problems),
        }
    }

    /// Files of the module, relative to `content/`, with their anchors.
    pub(crate) fn anchors(&self) -> Vec<(String, BTreeSet<String>)> {
        let questions =
            self.questions.as_ref().map(|q| (format!("{}/self-check.md", self.word), heading_ids(q)));
        // A module in preparation has a page and no sections yet.
        let sections = self.text.as_ref().map(heading_ids).unwrap_or_default();
        std::iter::once((format!("{}/module.md", self.word), sections)).chain(questions).collect()
    }
}

fn heading_ids(document: &Document) -> BTreeSet<String> {
    document
        .events
        .iter()
        .filter_map(|(event, _)| match event {
            Event::Start(Tag::Heading { id: Some(id), .. }) => Some(id.to_string()),
            _ => None,
        })
        .collect()
}

pub(crate) fn compile(
    entry: &ModuleEntry,
    draft: &Draft,
    known: &Known,
    used: &mut Used,
    problems: &mut Problems,
) -> Module {
    let text = draft.text.as_ref().filter(|_| entry.is_ready());
    let text = text.and_then(|document| compile_text(draft, document, known, used, problems));
    Module {
        word: entry.word.clone(),
        number: entry.number,
        title: entry.title.clone(),
        minutes: entry.minutes,
        description_html: entry.description_html(known, used, problems),
        description: entry.description_text(),
        contents: entry.planned_html(known, used, problems),
        text,
    }
}

fn compile_text(
    draft: &Draft,
    document: &Document,
    known: &Known,
    used: &mut Used,
    problems: &mut Problems,
) -> Option<ModuleText> {
    let front = read_front(draft, document, problems)?;
    let mut citations = match &draft.sources {
        Some(sources) => Citations::read(sources, known, used, problems),
        None => Citations::default(),
    };
    let mut renderer = Renderer::new(document, known, used, problems, &mut citations);
    let (lead, chunks) = split_at_headings(document, HeadingLevel::H2);
    let lead = renderer.blocks(lead, 1);
    let sections: Vec<Section> = chunks
        .into_iter()
        .zip(front.first_section..)
        .map(|(chunk, number)| {
            let id =
                renderer.claim_id(chunk.id.as_deref(), chunk.at, "a section needs an id: `## Title {#id}`");
            renderer.section.clone_from(&id);
            Section {
                id,
                number,
                title_html: renderer.inline(chunk.title),
                title: plain_text(chunk.title),
                blocks: renderer.blocks(chunk.body, 2),
            }
        })
        .collect();
    let questions = match &draft.questions {
        Some(questions) => {
            self_check::questions(&mut Renderer::new(questions, known, used, problems, &mut citations))
        }
        None => Vec::new(),
    };
    refuse_shared_ids(draft, &sections, &questions, problems);
    Some(ModuleText {
        summary_html: super::manifest::inline_html(&document.file, 1, &front.summary, known, used, problems),
        criteria: front.criteria,
        reading_minutes: minutes(document),
        drill_minutes: front.drill_minutes,
        figures: figures(&lead).chain(sections.iter().flat_map(|s| figures(&s.blocks))).collect(),
        lead,
        sections,
        questions,
        sources: citations.into_sources(draft.sources.as_ref()),
    })
}

fn read_front(draft: &Draft, document: &Document, problems: &mut Problems) -> Option<Front> {
    match toml::from_str::<Front>(&document.front) {
        Ok(front) => {
            if front.word != draft.word {
                problems.add(
                    &document.file,
                    2,
                    format!("word is `{}`, the folder `{}`", front.word, draft.word),
                );
            }
            if front.title.trim().is_empty() {
                problems.add(&document.file, 2, "title is empty");
            }
            Some(front)
        }
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            let line = 2 + document.front[..offset.min(document.front.len())].matches('\n').count();
            problems.add(&document.file, line, format!("front matter: {}", error.message()));
            None
        }
    }
}

/// Sections and questions are on one page, so their ids must differ.
fn refuse_shared_ids(
    draft: &Draft,
    sections: &[Section],
    questions: &[super::Question],
    problems: &mut Problems,
) {
    let Some(document) = &draft.questions else { return };
    for question in questions.iter().filter(|q| sections.iter().any(|s| s.id == q.id)) {
        problems.add(&document.file, 1, format!("duplicate id `{}`: a section has it too", question.id));
    }
}

fn figures(blocks: &[Block]) -> impl Iterator<Item = String> + '_ {
    blocks.iter().filter_map(|block| match block {
        Block::Figure { id, .. } => Some(id.clone()),
        _ => None,
    })
}

fn minutes(document: &Document) -> u32 {
    let words: usize = document
        .events
        .iter()
        .map(|(event, _)| match event {
            Event::Text(text) | Event::Code(text) => text.split_whitespace().count(),
            _ => 0,
        })
        .sum();
    words.div_ceil(WORDS_PER_MINUTE) as u32
}
