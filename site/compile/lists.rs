//! Lists and tables.

use pulldown_cmark::{Event, Tag};

use super::Block;
use super::events::{Element, elements, is_block, matching_end};
use super::inline::{Events, escape, plain_text};
use super::render::Renderer;

impl Renderer<'_> {
    pub(crate) fn list(&mut self, tag: &Tag<'static>, inner: Events<'_>) -> String {
        let (open, close) = match tag {
            Tag::List(Some(1)) => ("<ol>".to_owned(), "</ol>"),
            Tag::List(Some(start)) => (format!(r#"<ol start="{start}">"#), "</ol>"),
            _ => ("<ul>".to_owned(), "</ul>"),
        };
        let mut out = open;
        for (_, _, item) in elements(inner) {
            out.push_str(&format!("<li>{}</li>", self.item(item)));
        }
        out.push_str(close);
        out
    }

    /// An item: loose paragraphs or tight text, nested lists.
    fn item(&mut self, events: Events<'_>) -> String {
        let (mut out, mut from) = (String::new(), 0);
        let mut i = 0;
        while i < events.len() {
            let block = matches!(&events[i].0, Event::Start(tag) if is_block(tag));
            if !block {
                i += 1;
                continue;
            }
            out.push_str(&self.inline(&events[from..i]));
            let end = matching_end(events, i);
            if let (Event::Start(tag), range) = &events[i] {
                match self.block(tag, range.start, &events[i + 1..end]) {
                    Some(Block::Html(html)) => out.push_str(&html),
                    Some(_) => self.refuse(range.start, "lists hold text and lists only; end the list first"),
                    None => {}
                }
            }
            i = end + 1;
            from = i;
        }
        out.push_str(&self.inline(&events[from..]));
        out
    }

    pub(crate) fn table(&mut self, inner: Events<'_>) -> String {
        let mut rows = String::new();
        let mut label = String::new();
        for (element, _, cells) in elements(inner) {
            let head = matches!(element, Element::Block(Tag::TableHead));
            let row: String = elements(cells)
                .into_iter()
                .enumerate()
                .map(|(column, (_, _, cell))| {
                    let html = self.inline(cell);
                    match (head, column) {
                        // The corner above row heads names nothing, so it is no head.
                        (true, _) if html.trim().is_empty() => "<td></td>".to_owned(),
                        (true, _) => format!(r#"<th scope="col">{html}</th>"#),
                        (false, 0) => format!(r#"<th scope="row">{html}</th>"#),
                        (false, _) => format!("<td>{html}</td>"),
                    }
                })
                .collect();
            if head {
                label = plain_text(cells);
                rows.push_str(&format!("<thead><tr>{row}</tr></thead><tbody>"));
            } else {
                rows.push_str(&format!("<tr>{row}</tr>"));
            }
        }
        format!(
            r#"<div class="scroll" data-label="Table: {}"><table>{rows}</tbody></table></div>"#,
            escape(&label)
        )
    }
}
