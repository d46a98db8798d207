//! Cutting a run of Markdown events into elements and sections.

use pulldown_cmark::{Event, HeadingLevel, Tag};

use super::document::Document;
use super::inline::Events;

/// A top-level element of a run of events.
pub(crate) enum Element<'e> {
    Block(&'e Tag<'static>),
    Rule,
    Other,
}

/// Cuts events into their top-level elements: what, where, and the events inside.
pub(crate) fn elements<'e>(events: Events<'e>) -> Vec<(Element<'e>, usize, Events<'e>)> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < events.len() {
        let at = events[i].1.start;
        match &events[i].0 {
            Event::Start(tag) => {
                let end = matching_end(events, i);
                found.push((Element::Block(tag), at, &events[i + 1..end]));
                i = end;
            }
            Event::Rule => found.push((Element::Rule, at, &events[i..i])),
            _ => found.push((Element::Other, at, &events[i..i])),
        }
        i += 1;
    }
    found
}

/// Index of the event that ends the element starting at `start`.
pub(crate) fn matching_end(events: Events<'_>, start: usize) -> usize {
    let mut depth = 0usize;
    for (i, (event, _)) in events.iter().enumerate().skip(start) {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    events.len().saturating_sub(1)
}

/// Whether a tag makes a block rather than text.
pub(crate) fn is_block(tag: &Tag<'_>) -> bool {
    !matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}

/// A heading and what follows it.
pub(crate) struct Chunk<'e> {
    pub(crate) id: Option<String>,
    pub(crate) at: usize,
    pub(crate) title: Events<'e>,
    pub(crate) body: Events<'e>,
}

/// Cuts a file at headings of one level. A first heading of level 1 is the file's title for plain
/// viewers and is left out.
pub(crate) fn split_at_headings(document: &Document, level: HeadingLevel) -> (Events<'_>, Vec<Chunk<'_>>) {
    let events = document.events.as_slice();
    let mut lead = events;
    if let Some((Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }), _)) = lead.first() {
        lead = &lead[matching_end(lead, 0) + 1..];
    }
    let skipped = events.len() - lead.len();
    let starts: Vec<usize> = (skipped..events.len())
        .filter(
            |&i| matches!(&events[i].0, Event::Start(Tag::Heading { level: found, .. }) if *found == level),
        )
        .collect();
    let chunks = starts
        .iter()
        .enumerate()
        .map(|(n, &start)| {
            let end = matching_end(events, start);
            let until = starts.get(n + 1).copied().unwrap_or(events.len());
            let id = match &events[start].0 {
                Event::Start(Tag::Heading { id, .. }) => id.as_ref().map(ToString::to_string),
                _ => None,
            };
            Chunk {
                id,
                at: events[start].1.start,
                title: &events[start + 1..end],
                body: &events[end + 1..until],
            }
        })
        .collect();
    (&events[skipped..starts.first().copied().unwrap_or(events.len())], chunks)
}
