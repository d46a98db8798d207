//! The page for addresses that lead nowhere.

use leptos::prelude::*;

use super::Draft;
use crate::compile::{Course, Module};

pub(crate) fn page(course: &Course) -> Draft {
    let item = |module: &Module| {
        view! { <li><a href=format!("../{}/", module.word)>{module.number}" "{module.title.clone()}</a></li> }
    };
    let main = view! {
        <article class="prose">
            <header class="masthead">
                <h1>"There is no such page"</h1>
                <p class="summary">"The address may be mistyped, or a page has moved."</p>
            </header>
            <p>"The modules of the course:"</p>
            <ul>{course.modules.iter().map(item).collect_view()}</ul>
        </article>
    };
    Draft {
        path: "404.html".into(),
        title: "There is no such page".into(),
        description: "This address leads nowhere.".into(),
        kind: "missing",
        contents: None,
        main: main.into_any(),
    }
}
