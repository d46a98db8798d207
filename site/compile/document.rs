//! A Markdown file: its events with offsets, its lines, its front matter.

use std::path::Path;

use pulldown_cmark::{Options, Parser, TextMergeWithOffset};

use super::inline::Placed;
use super::problem::Problems;

/// A parsed Markdown file of the course.
pub(crate) struct Document {
    /// Path relative to the repository, with `/`.
    pub(crate) file: String,
    /// Front matter between `+++` lines; empty when there is none.
    pub(crate) front: String,
    /// Events of the body; ranges are offsets into the whole file.
    pub(crate) events: Vec<Placed>,
    line_starts: Vec<usize>,
    /// Lines above the text in its file.
    lines_above: usize,
}

impl Document {
    /// Reads and parses `root`/`file`; `None` when there is no such file.
    pub(crate) fn read(root: &Path, file: &str, problems: &mut Problems) -> Option<Self> {
        match std::fs::read_to_string(root.join(file)) {
            Ok(text) => Some(Self::parse(file, &text, problems)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => {
                problems.add(file, 1, format!("cannot be read: {e}"));
                None
            }
        }
    }

    fn parse(file: &str, text: &str, problems: &mut Problems) -> Self {
        let (front, body_at) = split_front_matter(file, text, problems);
        let events = parse_events(text, body_at);
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { file: file.to_owned(), front, events, line_starts, lines_above: 0 }
    }

    /// A piece of Markdown that stands at `line` of another file.
    pub(crate) fn from_text(file: &str, line: usize, text: &str) -> Self {
        Self {
            file: file.to_owned(),
            front: String::new(),
            events: parse_events(text, 0),
            line_starts: vec![0],
            lines_above: line.saturating_sub(1),
        }
    }

    /// Line of a byte offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.lines_above + self.line_starts.partition_point(|&start| start <= offset)
    }
}

fn parse_events(text: &str, body_at: usize) -> Vec<Placed> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_OLD_FOOTNOTES
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_SMART_PUNCTUATION;
    let parser = Parser::new_ext(&text[body_at..], options).into_offset_iter();
    TextMergeWithOffset::new(parser)
        .map(|(event, range)| (event.into_static(), range.start + body_at..range.end + body_at))
        .collect()
}

fn split_front_matter(file: &str, text: &str, problems: &mut Problems) -> (String, usize) {
    let Some(rest) = text.strip_prefix("+++\n") else { return (String::new(), 0) };
    match rest.find("\n+++\n") {
        Some(end) => (rest[..=end].to_owned(), "+++\n".len() + end + "\n+++\n".len()),
        None => {
            problems.add(file, 1, "front matter opens with +++ but never closes; add a line +++ after it");
            (String::new(), 0)
        }
    }
}
