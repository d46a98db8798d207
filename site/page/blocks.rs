//! Compiled blocks as elements.

use diagrams::FigureProps;
use leptos::prelude::*;

use crate::compile::{Block, Callout, Code};

pub(crate) fn blocks(blocks: &[Block]) -> AnyView {
    blocks.iter().map(block).collect_view().into_any()
}

fn block(block: &Block) -> AnyView {
    match block {
        Block::Html(html) => raw(html),
        Block::Heading { id, level, html, .. } => heading(*level, id, html, None),
        Block::Figure { id, caption } => figure(id, caption),
        Block::Code(code) => listing(code),
        Block::Callout { kind, criteria, blocks } => callout(*kind, criteria, blocks),
        Block::Measured(table) => super::measured::table(table),
    }
}

/// Finished HTML, without a wrapper.
pub(crate) fn raw(html: &str) -> AnyView {
    leptos::tachys::html::InertElement::new(html.to_owned()).into_any()
}

/// A heading with an anchor that shows on hover and focus.
pub(crate) fn heading(level: u8, id: &str, html: &str, number: Option<u32>) -> AnyView {
    let number = number.map(|n| format!(r#"<span class="number">{n}</span> "#)).unwrap_or_default();
    raw(&format!(
        r##"<h{level} id="{id}" tabindex="-1">{number}{html} <a class="anchor" href="#{id}" aria-label="Link to this section">#</a></h{level}>"##
    ))
}

fn figure(id: &str, caption: &str) -> AnyView {
    let still = diagrams::find(id).map(|entry| (entry.view)(FigureProps { caption: caption.to_owned() }));
    view! {
        <div class="island-figure" data-island="figure" data-figure=id.to_owned()>
            {still}
        </div>
    }
    .into_any()
}

/// Code with its copy button.
pub(crate) fn listing(code: &Code) -> AnyView {
    let class = format!("code code-{}", code.language);
    let copy = code.copyable.then(|| {
        view! { <button type="button" class="copy needs-script" data-copy="">"Copy"</button> }
    });
    view! {
        <div class=class>
            <div class="scroll" data-label="Code">{raw(&format!("<pre><code>{}</code></pre>", code.html))}</div>
            {copy}
        </div>
    }
    .into_any()
}

fn callout(kind: Callout, criteria: &[u8], body: &[Block]) -> AnyView {
    let (class, label) = match kind {
        Callout::Why => ("callout why", "Why it matters"),
        Callout::Stack => ("callout stack", "In your stack"),
        Callout::Unmeasured => ("callout unmeasured", "Not yet measured"),
        Callout::Aside => return view! { <blockquote class="aside">{blocks(body)}</blockquote> }.into_any(),
    };
    view! {
        <div class=class role="note" aria-label=label>
            <p class="label">{label} {pills(criteria, "../")}</p>
            {blocks(body)}
        </div>
    }
    .into_any()
}

/// Numbers of completion criteria, linked to their sentences.
pub(crate) fn pills(criteria: &[u8], root: &'static str) -> AnyView {
    let pill = |number: &u8| {
        let href = format!("{}#criterion-{number}", if root.is_empty() { "" } else { root });
        let label = format!("Completion criterion {number}");
        view! { " " <a class="pill" href=href title=label.clone() aria-label=label>"#"{*number}</a> }
    };
    criteria.iter().map(pill).collect_view().into_any()
}
