//! Text inside a paragraph: emphasis, code, links, citations, measured values.

use std::ops::Range;

use drills_results::{Measurement, Report};
use pulldown_cmark::{Event, Tag, TagEnd};

use crate::units;

use super::render::Renderer;
use super::samples::provenance_word;

/// An event of a Markdown file and where it stands.
pub(crate) type Placed = (Event<'static>, Range<usize>);
/// Events of a Markdown file with their offsets.
pub(crate) type Events<'e> = &'e [Placed];

/// Escapes text for HTML text and double-quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

/// Escaped text with powers raised: `10^9`.
fn push_text(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('^') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(&escape(before));
        if digits > 0 && before.ends_with(|c: char| c.is_ascii_digit()) {
            out.push_str(&format!("<sup>{}</sup>", &after[..digits]));
        } else {
            out.push_str(&escape(&rest[at..at + 1 + digits]));
        }
        rest = &after[digits..];
    }
    out.push_str(&escape(rest));
}

/// What a reader would hear: text and code, spaces for line breaks, a space between blocks.
pub(crate) fn plain_text(events: Events<'_>) -> String {
    let mut out = String::new();
    for (event, _) in events {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(text),
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_) | TagEnd::TableCell) => {
                out.push(' ')
            }
            _ => {}
        }
    }
    out.trim().to_owned()
}

impl Renderer<'_> {
    /// Renders the events of one paragraph, heading or cell.
    pub(crate) fn inline(&mut self, events: Events<'_>) -> String {
        let mut out = String::new();
        let mut closing: Vec<&str> = Vec::new();
        for (event, range) in events {
            match event {
                Event::Text(text) => self.text(text, range.start, &mut out),
                Event::Code(code) => out.push_str(&format!("<code>{}</code>", escape(code))),
                Event::SoftBreak => out.push('\n'),
                Event::HardBreak => out.push_str("<br>"),
                Event::FootnoteReference(id) => self.cite(id, range.start, &mut out),
                Event::Start(tag) => {
                    let (open, close) = self.open(tag, range.start);
                    out.push_str(&open);
                    closing.push(close);
                }
                Event::End(_) => out.push_str(closing.pop().unwrap_or_default()),
                Event::Html(_) | Event::InlineHtml(_) => self.refuse_html(range.start),
                _ => self.refuse(range.start, "this Markdown is not part of the course's format"),
            }
        }
        out
    }

    fn open(&mut self, tag: &Tag<'static>, at: usize) -> (String, &'static str) {
        match tag {
            Tag::Emphasis => ("<em>".into(), "</em>"),
            Tag::Strong => ("<strong>".into(), "</strong>"),
            Tag::Strikethrough => ("<del>".into(), "</del>"),
            Tag::Link { dest_url, .. } => (self.open_link(dest_url, at), "</a>"),
            Tag::Image { .. } => {
                self.refuse(at, "a figure stands alone in its paragraph: ![caption](figure:id)");
                (String::new(), "")
            }
            _ => {
                self.refuse(at, "this Markdown is not part of the course's format");
                (String::new(), "")
            }
        }
    }

    /// Text with `{{sample:key}}` replaced by the sample's value.
    fn text(&mut self, text: &str, at: usize, out: &mut String) {
        let mut rest = text;
        while let Some(start) = rest.find("{{") {
            let Some(length) = rest[start..].find("}}") else { break };
            push_text(&rest[..start], out);
            let inside = &rest[start + 2..start + length];
            let offset = at + (text.len() - rest.len()) + start;
            out.push_str(&self.measured_value(inside.trim(), offset));
            rest = &rest[start + length + 2..];
        }
        push_text(rest, out);
    }

    fn measured_value(&mut self, reference: &str, at: usize) -> String {
        let Some((name, key)) = reference.split_once(':') else {
            self.refuse(at, format!("`{{{{{reference}}}}}` should read `{{{{sample:key}}}}`"));
            return String::new();
        };
        let Some(report) = self.sample_report(name, at) else { return String::new() };
        if drills_results::keys::find(key).is_none() {
            self.refuse(
                at,
                format!("unknown result key `{key}`; keys are listed in drills/results/src/keys.rs"),
            );
            return String::new();
        }
        let Some((measurement, value)) = report.find(key).and_then(|m| Some((m, m.value?))) else {
            self.refuse(at, format!("the sample `{name}` has no value for `{key}`"));
            return String::new();
        };
        format!(
            r#"<data class="measured" value="{value}" title="{}">{}</data>"#,
            escape(&value_title(report, measurement)),
            units::quantity(value, measurement.unit),
        )
    }

    fn sample_report(&mut self, name: &str, at: usize) -> Option<&'_ Report> {
        let known = self.known;
        match known.sample(name) {
            Some(sample) => Some(&sample.report),
            None => {
                let message = format!("unknown sample `{name}`; there are: {}", known.sample_names());
                self.refuse(at, message);
                None
            }
        }
    }
}

/// Where a value comes from, in one line.
fn value_title(report: &Report, measurement: &Measurement) -> String {
    let status =
        if measurement.status.has_value() && measurement.reason.is_some() { ", unstable" } else { "" };
    format!("{}, {}{status}: {}", provenance_word(report.provenance), report.label, measurement.key)
}
