//! The first page: parts and modules, criteria, reading plan, drills, progress.

use leptos::prelude::*;

use super::blocks::{listing, raw};
use super::{Draft, at_root};
use crate::compile::{Course, Criterion, Module, Part, Sitting};

pub(crate) fn page(course: &Course) -> Draft {
    let intro = course.intro_html.iter().map(|html| raw(&format!("<p>{}</p>", at_root(html))));
    let parts = course.parts.iter().map(|p| part(course, p));
    let main = view! {
        <article class="front">
            <header class="masthead">
                <h1>{course.title.clone()}</h1>
                <div class="intro">{intro.collect_view()}</div>
                <p class="start">
                    <a class="button" href="machine/">"Start with module 1"</a>
                    <a href="results/">"Look at machines side by side"</a>
                </p>
            </header>
            {parts.collect_view()}
            <section aria-labelledby="criteria">
                <h2 id="criteria">"What you can do afterwards"</h2>
                <ol class="criteria">{course.criteria.iter().map(|c| criterion(course, c)).collect_view()}</ol>
            </section>
            <section aria-labelledby="plan">
                <h2 id="plan">"A plan in three sittings"</h2>
                <ol class="plan">{course.plan.iter().map(|s| sitting(course, s)).collect_view()}</ol>
            </section>
            {drills(course)}
        </article>
    };
    Draft {
        path: "index.html".into(),
        title: course.title.clone(),
        description: course.description.clone(),
        kind: "front-page",
        contents: None,
        main: main.into_any(),
    }
}

fn part(course: &Course, part: &Part) -> impl IntoView + use<> {
    let modules = part.modules.iter().filter_map(|word| find(course, word)).map(module);
    let id = format!("part-{}", part.number.to_lowercase());
    view! {
        <section class="part" aria-labelledby=id.clone()>
            <h2 id=id.clone()><span class="eyebrow">"Part "{part.number.clone()}</span> {part.title.clone()}</h2>
            {raw(&format!("<p class=\"part-summary\">{}</p>", at_root(&part.html)))}
            <ol class="module-list">{modules.collect_view()}</ol>
        </section>
    }
}

fn find<'a>(course: &'a Course, word: &str) -> Option<&'a Module> {
    course.modules.iter().find(|m| m.word == word)
}

fn module(module: &Module) -> impl IntoView + use<> {
    let facts = match &module.text {
        Some(text) => {
            let total = text.sections.len();
            let questions = text.questions.len();
            view! {
                <p class="facts">
                    <span>{text.reading_minutes}" min"</span>
                    <span>{text.figures.len()}" figures"</span>
                    <span>{questions}" questions"</span>
                    <span
                        class="progress"
                        data-island="progress"
                        data-word=module.word.clone()
                        data-sections=total.to_string()
                        data-questions=questions.to_string()
                    ></span>
                </p>
            }
            .into_any()
        }
        None => view! { <p class="facts"><span class="soon">"in preparation"</span></p> }.into_any(),
    };
    view! {
        <li class="module-entry">
            <span class="number" aria-hidden="true">{module.number}</span>
            <div>
                <h3><a href=format!("{}/", module.word)>{module.title.clone()}</a></h3>
                {raw(&format!("<p>{}</p>", at_root(&module.description_html)))}
                {facts}
            </div>
        </li>
    }
}

fn module_links(course: &Course, words: &[String]) -> AnyView {
    let link = |module: &Module| {
        view! { <a href=format!("{}/", module.word) title=module.title.clone()>"module "{module.number}</a> }
    };
    let mut links = Vec::new();
    for module in words.iter().filter_map(|word| find(course, word)) {
        if !links.is_empty() {
            links.push(", ".into_any());
        }
        links.push(link(module).into_any());
    }
    links.into_any()
}

fn criterion(course: &Course, criterion: &Criterion) -> impl IntoView + use<> {
    let note = (!criterion.note_html.is_empty())
        .then(|| raw(&format!("<p class=\"muted\">{}</p>", at_root(&criterion.note_html))));
    view! {
        <li id=format!("criterion-{}", criterion.number)>
            <h3>{criterion.title.clone()}</h3>
            {raw(&format!("<p>{}</p>", at_root(&criterion.html)))}
            {note}
            <p class="taught">"Taught in " {module_links(course, &criterion.modules)}</p>
        </li>
    }
}

fn sitting(course: &Course, sitting: &Sitting) -> impl IntoView + use<> {
    let hours = f64::from(sitting.minutes) / 60.0;
    view! {
        <li>
            <h3>{sitting.title.clone()}</h3>
            {raw(&format!("<p>{}</p>", at_root(&sitting.html)))}
            <p class="taught">"about "{format!("{hours:.1}")}" h: " {module_links(course, &sitting.modules)}</p>
        </li>
    }
}

fn drills(course: &Course) -> AnyView {
    let drills = &course.drills;
    view! {
        <section aria-labelledby="drills">
            <h2 id="drills">"The drills"</h2>
            {raw(&format!("<p>{}</p>", at_root(&drills.summary_html)))}
            {super::drills::table(course, "")}
            <h3 id="get-drills">"Get them"</h3>
            {raw(&format!("<p>{}</p>", at_root(&drills.get_html)))}
            {drills.commands.as_ref().map(listing)}
            <p>
                "How each number is taken is on the page of the "<a href="drills/">"drills"</a>
                "; where to take the file is "<a href="results/">"Your machines"</a>"."
            </p>
        </section>
    }
    .into_any()
}
