//! `self-check.md`: `## Question {#q-id}`, its answer below, optionally opened by `Criterion: #1`.

use pulldown_cmark::{Event, HeadingLevel};

use super::Question;
use super::events::{Chunk, split_at_headings};
use super::inline::{Placed, plain_text};
use super::render::Renderer;

/// Compiles the questions of the renderer's file.
pub(crate) fn questions(renderer: &mut Renderer<'_>) -> Vec<Question> {
    let document = renderer.document;
    let (_, chunks) = split_at_headings(document, HeadingLevel::H2);
    chunks.into_iter().map(|chunk| question(renderer, &chunk)).collect()
}

fn question(renderer: &mut Renderer<'_>, chunk: &Chunk<'_>) -> Question {
    let id = renderer.claim_id(chunk.id.as_deref(), chunk.at, "a question needs an id: `## Why? {#q-why}`");
    if !id.is_empty() && !id.starts_with("q-") {
        renderer.refuse(chunk.at, format!("ids of questions start with q-; `{id}` does not"));
    }
    let mut body = chunk.body.to_vec();
    let criteria = take_criterion_line(renderer, &mut body);
    let answer = renderer.blocks(&body, 2);
    if answer.is_empty() {
        renderer.refuse(chunk.at, "the question has no answer; write it below the heading");
    }
    Question { id, html: renderer.inline(chunk.title), text: plain_text(chunk.title), criteria, answer }
}

fn take_criterion_line(renderer: &mut Renderer<'_>, body: &mut Vec<Placed>) -> Vec<u8> {
    let Some((Event::Text(text), range)) = body.get(1) else { return Vec::new() };
    let Some(rest) = text.strip_prefix("Criterion:").or_else(|| text.strip_prefix("Criteria:")) else {
        return Vec::new();
    };
    body[1] = (Event::Text(rest.trim().to_owned().into()), range.clone());
    renderer.take_criteria(body)
}
