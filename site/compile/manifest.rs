//! `content/course.toml`: title, parts, modules, criteria, sittings, drills.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::document::Document;
use super::inline::plain_text;
use super::known::{Known, Used};
use super::problem::Problems;
use super::render::Renderer;
use super::sources::Citations;
use super::{Course, Criterion, DrillRow, Drills, Module, Part, Sitting, Term, code};

const FILE: &str = "content/course.toml";

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    title: String,
    description: String,
    intro: String,
    parts: Vec<PartEntry>,
    pub(crate) modules: Vec<ModuleEntry>,
    pub(crate) criteria: Vec<CriterionEntry>,
    sittings: Vec<SittingEntry>,
    drills: DrillsEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartEntry {
    number: String,
    title: String,
    summary: String,
    modules: Vec<Spanned<String>>,
}

/// A module as `course.toml` announces it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModuleEntry {
    pub(crate) word: String,
    pub(crate) title: String,
    status: Spanned<String>,
    /// Expected time in minutes, shown while in preparation.
    pub(crate) minutes: u32,
    pub(crate) description: String,
    contents: Vec<String>,
    #[serde(skip)]
    pub(crate) number: u8,
    #[serde(skip)]
    pub(crate) line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CriterionEntry {
    number: Spanned<u8>,
    title: String,
    sentence: String,
    taught: Vec<Spanned<String>>,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SittingEntry {
    title: String,
    minutes: u32,
    modules: Vec<Spanned<String>>,
    advice: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrillsEntry {
    summary: String,
    get: String,
    commands: String,
    table: Vec<DrillEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrillEntry {
    word: Spanned<String>,
    command: String,
    shows: String,
    status: Spanned<String>,
}

impl ModuleEntry {
    pub(crate) fn is_ready(&self) -> bool {
        self.status.get_ref() == "ready"
    }

    pub(crate) fn planned_html(
        &self,
        known: &Known,
        used: &mut Used,
        problems: &mut Problems,
    ) -> Vec<String> {
        self.contents.iter().map(|text| inline_html(FILE, self.line, text, known, used, problems)).collect()
    }
}

/// Reads the file and checks what can be checked without the rest of the content.
pub(crate) fn read(root: &Path, problems: &mut Problems) -> Option<Manifest> {
    let text = match std::fs::read_to_string(root.join(FILE)) {
        Ok(text) => text,
        Err(e) => {
            problems.add(FILE, 1, format!("cannot be read: {e}"));
            return None;
        }
    };
    let line_of = |offset: usize| 1 + text[..offset.min(text.len())].matches('\n').count();
    let mut manifest: Manifest = match toml::from_str(&text) {
        Ok(manifest) => manifest,
        Err(error) => {
            problems.add(FILE, line_of(error.span().map_or(0, |s| s.start)), error.message());
            return None;
        }
    };
    for (entry, number) in manifest.modules.iter_mut().zip(1..) {
        entry.number = number;
        entry.line = line_of(entry.status.span().start);
    }
    for (offset, message) in manifest.mistakes() {
        problems.add(FILE, line_of(offset), message);
    }
    Some(manifest)
}

impl Manifest {
    /// Mistakes with byte offsets: unknown words and states, criteria out of order.
    fn mistakes(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let words: Vec<&str> = self.modules.iter().map(|m| m.word.as_str()).collect();
        let named = (self.parts.iter().flat_map(|p| &p.modules))
            .chain(self.criteria.iter().flat_map(|c| &c.taught))
            .chain(self.sittings.iter().flat_map(|s| &s.modules))
            .chain(self.drills.table.iter().map(|d| &d.word));
        for word in named.filter(|word| !words.contains(&word.get_ref().as_str())) {
            found.push((word.span().start, format!("there is no module `{}`", word.get_ref())));
        }
        let states =
            self.modules.iter().map(|m| &m.status).chain(self.drills.table.iter().map(|d| &d.status));
        for status in states.filter(|s| !["ready", "in-preparation"].contains(&s.get_ref().as_str())) {
            let message = format!("status is `{}`; use ready or in-preparation", status.get_ref());
            found.push((status.span().start, message));
        }
        for (criterion, expected) in self.criteria.iter().zip(1..) {
            if *criterion.number.get_ref() != expected {
                found.push((criterion.number.span().start, format!("criterion {expected} expected here")));
            }
        }
        found
    }
}

/// Renders one string of Markdown that stands outside a Markdown file.
pub(crate) fn inline_html(
    file: &str,
    line: usize,
    text: &str,
    known: &Known,
    used: &mut Used,
    problems: &mut Problems,
) -> String {
    let document = Document::from_text(file, line, text);
    let mut citations = Citations::default();
    let mut renderer = Renderer::new(&document, known, used, problems, &mut citations);
    let mut paragraphs = Vec::new();
    for (_, _, inner) in super::events::elements(&document.events) {
        paragraphs.push(renderer.inline(inner));
    }
    paragraphs.join("<br>")
}

/// Puts the course together.
pub(crate) fn assemble(
    manifest: Manifest,
    modules: Vec<Module>,
    glossary: Vec<Term>,
    methods: Vec<Term>,
    known: Known,
    used: &mut Used,
    problems: &mut Problems,
) -> Course {
    let mut html = |text: &str| inline_html(FILE, 1, text, &known, used, problems);
    let words = |list: &[Spanned<String>]| list.iter().map(|w| w.get_ref().clone()).collect::<Vec<_>>();
    let parts = manifest.parts.iter().map(|part| Part {
        number: part.number.clone(),
        title: part.title.clone(),
        html: html(&part.summary),
        modules: words(&part.modules),
    });
    let parts = parts.collect();
    let criteria = manifest.criteria.iter().map(|c| Criterion {
        number: *c.number.get_ref(),
        title: c.title.clone(),
        html: html(&c.sentence),
        note_html: html(&c.note),
        modules: words(&c.taught),
    });
    let criteria = criteria.collect();
    let plan = manifest.sittings.iter().map(|sitting| Sitting {
        title: sitting.title.clone(),
        minutes: sitting.minutes,
        modules: words(&sitting.modules),
        html: html(&sitting.advice),
    });
    let plan = plan.collect();
    let rows = manifest.drills.table.iter().map(|row| DrillRow {
        module: row.word.get_ref().clone(),
        command: row.command.clone(),
        html: html(&row.shows),
        ready: row.status.get_ref() == "ready",
    });
    let rows = rows.collect();
    let drills = Drills {
        summary_html: html(&manifest.drills.summary),
        get_html: html(&manifest.drills.get),
        commands: code::highlight("bash", &manifest.drills.commands).ok(),
        rows,
    };
    let intro_html = manifest.intro.split("\n\n").map(&mut html).collect();
    Course {
        title: manifest.title,
        description: manifest.description,
        intro_html,
        parts,
        modules,
        criteria,
        plan,
        drills,
        methods,
        glossary,
        samples: known.samples,
    }
}

impl ModuleEntry {
    pub(crate) fn description_html(&self, known: &Known, used: &mut Used, problems: &mut Problems) -> String {
        inline_html(FILE, self.line, &self.description, known, used, problems)
    }

    /// The description as a reader would hear it.
    pub(crate) fn description_text(&self) -> String {
        plain_text(&Document::from_text(FILE, self.line, &self.description).events)
    }
}
