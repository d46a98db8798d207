//! The glossary.

use leptos::prelude::*;

use super::Draft;
use super::blocks::blocks;
use crate::compile::{Course, Term};

pub(crate) fn page(course: &Course) -> Draft {
    let item = |term: &Term| {
        view! {
            <dt id=term.id.clone()>
                {term.name.clone()} " "
                <a class="anchor" href=format!("#{}", term.id) aria-label="Link to this term">"#"</a>
            </dt>
            <dd>{blocks(&term.blocks)}</dd>
        }
    };
    let main = view! {
        <article class="prose">
            <header class="masthead">
                <h1>"Glossary"</h1>
                <p class="summary">"The words of the course, each in a sentence or two."</p>
            </header>
            <dl class="terms">{course.glossary.iter().map(item).collect_view()}</dl>
        </article>
    };
    Draft {
        path: "glossary/index.html".into(),
        title: "Glossary".into(),
        description: "Terms of the host side of AI systems, each in a sentence or two.".into(),
        kind: "glossary",
        contents: None,
        main: main.into_any(),
    }
}
