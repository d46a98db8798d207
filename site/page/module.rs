//! A module's page: header, contents, sections, self-check, sources, previous and next.

use leptos::prelude::*;

use super::Draft;
use super::blocks::{blocks, heading, pills, raw};
use super::self_check;
use crate::compile::{Course, Module, ModuleText, Source};

pub(crate) fn page(course: &Course, module: &Module) -> Draft {
    let main = match &module.text {
        Some(text) => finished(course, module, text),
        None => in_preparation(course, module),
    };
    Draft {
        path: format!("{}/index.html", module.word),
        title: module.title.clone(),
        description: module.description.clone(),
        kind: "module",
        contents: Some(contents(course, module)),
        main,
    }
}

/// The course's modules, with the sections of this one.
fn contents(course: &Course, module: &Module) -> AnyView {
    let entry = |other: &Module| {
        let here = other.word == module.word;
        let href = if here { "#site-main".to_owned() } else { format!("../{}/", other.word) };
        let sections = (here && other.text.is_some()).then(|| section_links(other));
        view! {
            <li class:here=here>
                <a href=href aria-current=here.then_some("page")>
                    <span class="number">{other.number}</span>
                    {other.title.clone()}
                </a>
                {sections}
            </li>
        }
    };
    view! {
        <nav class="contents" aria-label="Contents">
            <details>
                <summary>"Contents"</summary>
                <ol class="modules">{course.modules.iter().map(entry).collect_view()}</ol>
            </details>
        </nav>
    }
    .into_any()
}

fn section_links(module: &Module) -> AnyView {
    let Some(text) = &module.text else { return ().into_any() };
    let word = &module.word;
    let links = text.sections.iter().map(|section| {
        view! {
            <li>
                <a href=format!("#{}", section.id) data-section=format!("{word}#{}", section.id)>
                    <span class="number">{section.number}</span>
                    {section.title.clone()}
                </a>
            </li>
        }
    });
    let check = (!text.questions.is_empty()).then(|| tail_link("#self-check", "Self-check"));
    let sources = (!text.sources.is_empty()).then(|| tail_link("#sources", "Sources"));
    view! { <ol class="sections">{links.collect_view()} {check} {sources}</ol> }.into_any()
}

fn tail_link(href: &'static str, title: &'static str) -> impl IntoView {
    view! { <li><a href=href><span class="number"></span>{title}</a></li> }
}

fn finished(course: &Course, module: &Module, text: &ModuleText) -> AnyView {
    let sections = text.sections.iter().map(|section| {
        let key = format!("{}#{}", module.word, section.id);
        view! {
            <section aria-labelledby=section.id.clone() data-reads=key>
                {heading(2, &section.id, &section.title_html, Some(section.number))}
                {blocks(&section.blocks)}
            </section>
        }
    });
    let check = (!text.questions.is_empty()).then(|| {
        view! {
            <section aria-labelledby="self-check">
                {heading(2, "self-check", "Self-check", None)}
                {self_check::questions(&module.word, &text.questions)}
            </section>
        }
    });
    let sources = (!text.sources.is_empty()).then(|| sources(&text.sources));
    view! {
        <article class="prose">
            {masthead(module, text)}
            {blocks(&text.lead)}
            {sections.collect_view()}
            {check}
            {sources}
        </article>
        {neighbours(course, module)}
    }
    .into_any()
}

fn masthead(module: &Module, text: &ModuleText) -> AnyView {
    let figures = text.figures.len();
    let drill = (text.drill_minutes > 0).then(|| {
        view! { <li>"drill "<b>{text.drill_minutes}" min"</b></li> }
    });
    let criteria = (!text.criteria.is_empty()).then(|| {
        view! { <li>"criteria" {pills(&text.criteria, "../")}</li> }
    });
    view! {
        <header class="masthead">
            <p class="eyebrow">"Module "{module.number}</p>
            <h1>{module.title.clone()}</h1>
            {raw(&format!("<p class=\"summary\">{}</p>", text.summary_html))}
            <ul class="facts">
                <li>"reading "<b>{text.reading_minutes}" min"</b></li>
                <li><b>{figures}</b>" figures to drive"</li>
                <li><b>{text.questions.len()}</b>" questions"</li>
                {drill}
                {criteria}
            </ul>
        </header>
    }
    .into_any()
}

fn in_preparation(course: &Course, module: &Module) -> AnyView {
    let contents = module.contents.iter().map(|line| raw(&format!("<li>{line}</li>")));
    let criteria: Vec<u8> =
        course.criteria.iter().filter(|c| c.modules.contains(&module.word)).map(|c| c.number).collect();
    let teaches = (!criteria.is_empty()).then(|| {
        view! { <p class="muted">"It will teach completion criteria" {pills(&criteria, "../")} "."</p> }
    });
    view! {
        <article class="prose">
            <header class="masthead">
                <p class="eyebrow">"Module "{module.number}" · in preparation"</p>
                <h1>{module.title.clone()}</h1>
                {raw(&format!("<p class=\"summary\">{}</p>", module.description_html))}
            </header>
            <h2 id="will-hold">"What it will hold"</h2>
            <ul>{contents.collect_view()}</ul>
            {teaches}
        </article>
        {neighbours(course, module)}
    }
    .into_any()
}

fn sources(sources: &[Source]) -> AnyView {
    let items = sources.iter().map(|source| {
        let back = (source.citations > 0).then(|| {
            format!(
                r##" <a class="back" href="#cite-{id}-1" aria-label="Back to the text">↩</a>"##,
                id = source.id
            )
        });
        raw(&format!(
            r#"<li id="source-{}" value="{}">{}{}</li>"#,
            source.id,
            source.number,
            source.html,
            back.unwrap_or_default()
        ))
    });
    view! {
        <section aria-labelledby="sources">
            {heading(2, "sources", "Sources", None)}
            <ol class="sources">{items.collect_view()}</ol>
        </section>
    }
    .into_any()
}

fn neighbours(course: &Course, module: &Module) -> AnyView {
    let at = course.modules.iter().position(|m| m.word == module.word).unwrap_or(0);
    let link = |other: &Module, class: &'static str, word: &'static str| {
        view! {
            <a class=class href=format!("../{}/", other.word) rel=class>
                <span class="eyebrow">{word}</span>
                <span>{other.number}" "{other.title.clone()}</span>
            </a>
        }
    };
    let previous = at.checked_sub(1).and_then(|i| course.modules.get(i)).map(|m| link(m, "prev", "Previous"));
    let next = course.modules.get(at + 1).map(|m| link(m, "next", "Next"));
    view! { <nav class="neighbours" aria-label="Previous and next module">{previous} {next}</nav> }.into_any()
}
