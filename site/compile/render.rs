//! Blocks of a Markdown file, with every reference checked.

use std::collections::BTreeSet;

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, Event, Tag, TagEnd};

use super::document::Document;
use super::events::{Element, elements, matching_end};
use super::inline::{Events, Placed, plain_text};
use super::known::{Known, Used};
use super::problem::Problems;
use super::sources::Citations;
use super::{Block, Callout, code, measured};

/// Prefixes of ids that pages make themselves.
const RESERVED: [&str; 4] = ["fig-", "source-", "cite-", "site-"];

/// Renders one file.
pub(crate) struct Renderer<'a> {
    pub(crate) document: &'a Document,
    pub(crate) known: &'a Known,
    pub(crate) used: &'a mut Used,
    pub(crate) problems: &'a mut Problems,
    pub(crate) citations: &'a mut Citations,
    /// Whether a citation may put its source into the margin here.
    pub(crate) margin: bool,
    /// Id of the section being rendered, prefix of ids that headings below it get by themselves.
    pub(crate) section: String,
    /// Addresses of terms whose explanation a link has carried already.
    pub(crate) explained: BTreeSet<String>,
    ids: BTreeSet<String>,
}

impl<'a> Renderer<'a> {
    pub(crate) fn new(
        document: &'a Document,
        known: &'a Known,
        used: &'a mut Used,
        problems: &'a mut Problems,
        citations: &'a mut Citations,
    ) -> Self {
        Self {
            document,
            known,
            used,
            problems,
            citations,
            margin: false,
            section: String::new(),
            explained: BTreeSet::new(),
            ids: BTreeSet::new(),
        }
    }

    pub(crate) fn refuse(&mut self, at: usize, message: impl Into<String>) {
        self.problems.add(&self.document.file, self.document.line(at), message);
    }

    pub(crate) fn refuse_html(&mut self, at: usize) {
        self.refuse(at, "raw HTML; write Markdown, or teach site/compile a new element");
    }

    /// Checks that an id is there, allowed and new in its file.
    pub(crate) fn claim_id(&mut self, id: Option<&str>, at: usize, missing: &str) -> String {
        let Some(id) = id else {
            self.refuse(at, missing);
            return String::new();
        };
        if RESERVED.iter().any(|prefix| id.starts_with(prefix)) {
            self.refuse(at, format!("the id `{id}` starts with a prefix that pages use themselves"));
        }
        if !self.ids.insert(id.to_owned()) {
            self.refuse(at, format!("duplicate id `{id}`"));
        }
        id.to_owned()
    }

    /// Renders blocks below a heading of level `above`.
    pub(crate) fn blocks(&mut self, events: Events<'_>, above: u8) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut level = above;
        for (tag, at, inner) in elements(events) {
            match tag {
                Element::Block(Tag::Heading { level: found, id, .. }) => {
                    blocks.push(self.heading(*found as u8, &mut level, id.as_deref(), at, inner));
                }
                Element::Block(tag) => blocks.extend(self.block(tag, at, inner)),
                Element::Rule => blocks.push(Block::Html("<hr>".into())),
                Element::Other => self.refuse_html(at),
            }
        }
        blocks
    }

    fn heading(
        &mut self,
        found: u8,
        level: &mut u8,
        id: Option<&str>,
        at: usize,
        inner: Events<'_>,
    ) -> Block {
        if found > *level + 1 {
            self.refuse(at, format!("heading level {found} follows level {level}; use level {}", *level + 1));
        }
        *level = found;
        let text = plain_text(inner);
        let own = format!("{}-{}", self.section, slug(&text));
        let id = self.claim_id(Some(id.unwrap_or(&own)), at, "");
        Block::Heading { id, level: found, html: self.inline(inner), text }
    }

    pub(crate) fn block(&mut self, tag: &Tag<'static>, at: usize, inner: Events<'_>) -> Option<Block> {
        match tag {
            Tag::Paragraph => self.paragraph(at, inner),
            Tag::BlockQuote(kind) => Some(self.callout(*kind, at, inner)),
            Tag::CodeBlock(kind) => Some(self.code(kind, at, inner)),
            Tag::List(_) => Some(Block::Html(self.list(tag, inner))),
            Tag::Table(_) => Some(Block::Html(self.table(inner))),
            Tag::FootnoteDefinition(_) => {
                self.refuse(at, "footnotes are defined in sources.md");
                None
            }
            Tag::HtmlBlock => {
                self.refuse_html(at);
                None
            }
            _ => {
                self.refuse(at, "this Markdown is not part of the course's format");
                None
            }
        }
    }

    fn paragraph(&mut self, at: usize, inner: Events<'_>) -> Option<Block> {
        if let Some((Event::Start(Tag::Image { dest_url, .. }), _)) = inner.first()
            && matches!(inner.last(), Some((Event::End(TagEnd::Image), _)))
        {
            return self.figure(dest_url, at, &inner[1..inner.len() - 1]);
        }
        self.margin = true;
        let html = self.inline(inner);
        self.margin = false;
        Some(Block::Html(format!("<p>{html}</p>")))
    }

    fn figure(&mut self, destination: &str, at: usize, caption: Events<'_>) -> Option<Block> {
        let Some(id) = destination.strip_prefix("figure:") else {
            self.refuse(
                at,
                format!("`{destination}` is not a figure; pictures are figures: ![caption](figure:id)"),
            );
            return None;
        };
        let caption = plain_text(caption);
        if caption.is_empty() {
            self.refuse(at, format!("the figure `{id}` has no caption; write ![what it shows](figure:{id})"));
        }
        if !self.known.figures.contains_key(id) {
            let names = self.known.figures.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            self.refuse(at, format!("unknown figure `{id}`; there are: {names}"));
            return None;
        }
        let place = format!("{}:{}", self.document.file, self.document.line(at));
        if let Some(first) = self.used.figures.insert(id.to_owned(), place) {
            self.refuse(at, format!("the figure `{id}` is already shown at {first}"));
        }
        Some(Block::Figure { id: id.to_owned(), caption })
    }

    fn code(&mut self, kind: &CodeBlockKind<'static>, at: usize, inner: Events<'_>) -> Block {
        let text: String = inner
            .iter()
            .filter_map(|(event, _)| if let Event::Text(text) = event { Some(text.as_ref()) } else { None })
            .collect();
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.trim(),
            CodeBlockKind::Indented => "text",
        };
        if language == "measured" {
            return Block::Measured(measured::table(self, at, &text));
        }
        match code::highlight(language, &text) {
            Ok(code) => Block::Code(code),
            Err(message) => {
                self.refuse(at, message);
                Block::Html(String::new())
            }
        }
    }

    fn callout(&mut self, kind: Option<BlockQuoteKind>, at: usize, inner: Events<'_>) -> Block {
        if kind.is_some() {
            self.refuse(at, "callouts start with a bold label: > **Why it matters** #1");
        }
        let Some((label, body)) = split_label(inner) else {
            return Block::Callout {
                kind: Callout::Aside,
                criteria: Vec::new(),
                blocks: self.blocks(inner, 6),
            };
        };
        let kind = match label.trim_end_matches(['.', ':']).to_lowercase().as_str() {
            "why it matters" => Callout::Why,
            "in your stack" => Callout::Stack,
            "not yet measured" => Callout::Unmeasured,
            other => {
                self.refuse(
                    at,
                    format!(
                        "unknown callout `{other}`; use Why it matters, In your stack or Not yet measured"
                    ),
                );
                Callout::Aside
            }
        };
        let mut body = body.to_vec();
        let criteria = self.take_criteria(&mut body);
        Block::Callout { kind, criteria, blocks: self.blocks(&body, 6) }
    }

    /// Takes `#1 #3` and punctuation from the start of the first paragraph.
    pub(crate) fn take_criteria(&mut self, body: &mut Vec<Placed>) -> Vec<u8> {
        let Some((Event::Text(text), range)) = body.get(1) else {
            return Vec::new();
        };
        let (criteria, rest) = leading_criteria(text);
        let at = range.start;
        let (rest, range) = (rest.to_owned(), range.clone());
        for &number in &criteria {
            if usize::from(number) > self.known.criteria || number == 0 {
                self.refuse(at, format!("there is no criterion #{number}"));
            }
        }
        if rest.is_empty() {
            body.remove(1);
            if matches!(body.get(1), Some((Event::SoftBreak, _))) {
                body.remove(1);
            }
            if matches!(body.get(1), Some((Event::End(TagEnd::Paragraph), _))) {
                body.drain(..2);
            }
        } else {
            body[1] = (Event::Text(rest.into()), range);
        }
        criteria
    }
}

/// An id from a title: `What it is` becomes `what-it-is`.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

fn leading_criteria(text: &str) -> (Vec<u8>, &str) {
    const BETWEEN: [char; 8] = [' ', ',', '(', ')', ':', '.', ';', '\u{2014}'];
    let mut criteria = Vec::new();
    let mut rest = text.trim_start_matches(BETWEEN);
    while let Some(tail) = rest.strip_prefix('#') {
        let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number) = tail[..digits].parse() else { break };
        criteria.push(number);
        rest = tail[digits..].trim_start_matches(BETWEEN);
    }
    (criteria, rest)
}

/// The bold label that opens a block quote, and its events without the label.
fn split_label(inner: Events<'_>) -> Option<(String, Vec<Placed>)> {
    let [(Event::Start(Tag::Paragraph), _), (Event::Start(Tag::Strong), _), ..] = inner else { return None };
    let end = matching_end(inner, 1);
    let label = plain_text(&inner[1..end]);
    let mut body = vec![inner[0].clone()];
    body.extend(inner[end + 1..].iter().cloned());
    while matches!(body.get(1), Some((Event::SoftBreak, _))) {
        body.remove(1);
    }
    Some((label, body))
}
