//! The compiled course: plain data that the page writer turns into pages.
//!
//! Fields named `html` hold finished, safe HTML whose links are relative to a page one folder below
//! the root of the site.

use drills_results::Report;
use serde::{Deserialize, Serialize};

/// The whole course.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Course {
    /// Title of the course.
    pub title: String,
    /// One sentence for search engines and link previews.
    pub description: String,
    /// Paragraphs that introduce the course, as HTML.
    pub intro_html: Vec<String>,
    /// Groups of modules.
    pub parts: Vec<Part>,
    /// All modules, in order.
    pub modules: Vec<Module>,
    /// What a reader can do afterwards.
    pub criteria: Vec<Criterion>,
    /// A plan of sittings.
    pub plan: Vec<Sitting>,
    /// The measuring program.
    pub drills: Drills,
    /// How numbers are taken; names are method ids.
    pub methods: Vec<Term>,
    /// Glossary, alphabetical.
    pub glossary: Vec<Term>,
    /// Result files that the text speaks of.
    pub samples: Vec<Sample>,
}

/// A group of modules.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Number as shown, such as "I".
    pub number: String,
    /// Title.
    pub title: String,
    /// What it covers, as HTML.
    pub html: String,
    /// Words of its modules.
    pub modules: Vec<String>,
}

/// One of the things a reader can do afterwards.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Criterion {
    /// Number, from 1.
    pub number: u8,
    /// Few words.
    pub title: String,
    /// The whole sentence, as HTML.
    pub html: String,
    /// A remark on it, as HTML; mostly empty.
    pub note_html: String,
    /// Words of the modules that teach it.
    pub modules: Vec<String>,
}

/// One sitting of the reading plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sitting {
    /// Title.
    pub title: String,
    /// How long it takes.
    pub minutes: u32,
    /// Words of the modules to read.
    pub modules: Vec<String>,
    /// What to do, as HTML.
    pub html: String,
}

/// The measuring program as the course introduces it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Drills {
    /// What it is and needs, as HTML.
    pub summary_html: String,
    /// How to get it, as HTML.
    pub get_html: String,
    /// Commands that build and run it.
    pub commands: Option<Code>,
    /// A row for each command.
    pub rows: Vec<DrillRow>,
}

/// A row of the drills table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DrillRow {
    /// Word of the module.
    pub module: String,
    /// Command line.
    pub command: String,
    /// What it shows, as HTML.
    pub html: String,
    /// Whether the program can already do it.
    pub ready: bool,
}

/// A glossary entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Term {
    /// Anchor.
    pub id: String,
    /// The term as a reader meets it.
    pub name: String,
    /// Body.
    pub blocks: Vec<Block>,
    /// First sentence as plain text, for titles of links.
    pub brief: String,
}

/// A results file of the course.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// File stem, the name the text uses.
    pub name: String,
    /// The report.
    pub report: Report,
}

/// A module of the course.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Module {
    /// The word that names it everywhere.
    pub word: String,
    /// Number shown to readers, from 1.
    pub number: u8,
    /// Title.
    pub title: String,
    /// A paragraph for the index, as HTML.
    pub description_html: String,
    /// The same as plain text.
    pub description: String,
    /// Expected minutes for text and drill.
    pub minutes: u32,
    /// What it holds or will hold, as HTML.
    pub contents: Vec<String>,
    /// The text; absent while in preparation.
    pub text: Option<ModuleText>,
}

/// The text of a module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModuleText {
    /// One or two sentences under the title, as HTML.
    pub summary_html: String,
    /// Numbers of the criteria it teaches.
    pub criteria: Vec<u8>,
    /// Reading time in minutes, counted from the words.
    pub reading_minutes: u32,
    /// Time for the drill in minutes.
    pub drill_minutes: u32,
    /// What stands before the first section.
    pub lead: Vec<Block>,
    /// Sections in order.
    pub sections: Vec<Section>,
    /// Self-check questions.
    pub questions: Vec<Question>,
    /// Sources in order of first citation.
    pub sources: Vec<Source>,
    /// Figures in order of appearance.
    pub figures: Vec<String>,
}

/// A section of a module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Section {
    /// Anchor.
    pub id: String,
    /// Number in the module, from 0 or 1 as the module counts.
    pub number: u32,
    /// Title as HTML.
    pub title_html: String,
    /// Title as plain text.
    pub title: String,
    /// Body.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// Finished HTML: a paragraph, a list, a table.
    Html(String),
    /// A heading below a section's.
    Heading {
        /// Anchor.
        id: String,
        /// 3 or 4.
        level: u8,
        /// Title as HTML.
        html: String,
        /// Title as plain text.
        text: String,
    },
    /// A figure.
    Figure {
        /// Its id in `diagrams`.
        id: String,
        /// Caption as plain text.
        caption: String,
    },
    /// A block of code or a terminal session.
    Code(Code),
    /// A callout.
    Callout {
        /// Which.
        kind: Callout,
        /// Numbers of the criteria it teaches.
        criteria: Vec<u8>,
        /// Body.
        blocks: Vec<Block>,
    },
    /// A table of measured values.
    Measured(Measured),
}

/// Kinds of callout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callout {
    /// Why it matters.
    Why,
    /// In your stack.
    Stack,
    /// Not yet measured.
    Unmeasured,
    /// A quotation or aside without a label.
    Aside,
}

/// Highlighted code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// Language as written.
    pub language: String,
    /// Lines as HTML with classes; commands carry `class="cmd"`, output `class="out"`.
    pub html: String,
    /// Whether a copy button makes sense: commands and programs, not output.
    pub copyable: bool,
}

/// A table whose values come from result files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Title, if any.
    pub title: String,
    /// Samples that have a column.
    pub samples: Vec<MeasuredColumn>,
    /// Rows.
    pub rows: Vec<MeasuredRow>,
}

/// A sample's column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredColumn {
    /// Sample name.
    pub sample: String,
    /// Column head.
    pub label: String,
    /// `measured`, `reported` or `expected`.
    pub provenance: String,
}

/// One row of a measured table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRow {
    /// Result key.
    pub key: String,
    /// Row label.
    pub label: String,
    /// Command that measures it.
    pub command: String,
    /// A cell for each sample.
    pub cells: Vec<Cell>,
}

/// A value of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Formatted value, or a word such as "skipped"; a dash when the sample does not have the key.
    pub text: String,
    /// Spread, status and reason in one sentence.
    pub note: String,
    /// `ok`, `unstable`, `skipped`, `failed`, `interrupted` or `absent`.
    pub status: String,
}

/// A self-check question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// Anchor, starts with `q-`.
    pub id: String,
    /// The question as HTML.
    pub html: String,
    /// The question as plain text.
    pub text: String,
    /// Number of the criterion it checks.
    pub criteria: Vec<u8>,
    /// Model answer.
    pub answer: Vec<Block>,
}

/// A source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Footnote id.
    pub id: String,
    /// Number in order of first citation.
    pub number: usize,
    /// How many times the text cites it.
    pub citations: usize,
    /// The source as HTML.
    pub html: String,
}
