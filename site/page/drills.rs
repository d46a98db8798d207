//! The measuring program: what it does, how to get it, how each number is taken.

use leptos::prelude::*;

use super::blocks::{blocks, listing, raw};
use super::{Draft, at_root};
use crate::compile::{Course, DrillRow, Term};

pub(crate) fn page(course: &Course) -> Draft {
    let drills = &course.drills;
    let main = view! {
        <article class="prose">
            <header class="masthead">
                <h1>"Drills"</h1>
                {raw(&format!("<p class=\"summary\">{}</p>", drills.summary_html))}
            </header>
            <h2 id="get">"Get and run them"</h2>
            {raw(&format!("<p>{}</p>", drills.get_html))}
            {drills.commands.as_ref().map(listing)}
            <p>
                "Take the file it writes to "<a href="../results/">"Your machines"</a>
                ". From then on the tables of the course have a column of yours."
            </p>
            <h2 id="commands">"What they measure"</h2>
            {table(course, "../")}
            {methods(&course.methods)}
        </article>
    };
    Draft {
        path: "drills/index.html".into(),
        title: "Drills".into(),
        description: "The program that measures your own machine: how to get it, what it measures and how."
            .into(),
        kind: "drills",
        contents: None,
        main: main.into_any(),
    }
}

/// The commands of the program, by module.
pub(crate) fn table(course: &Course, root: &'static str) -> AnyView {
    let row = |row: &DrillRow| {
        let number = course.modules.iter().find(|m| m.word == row.module).map_or(0, |m| m.number);
        let html = if root.is_empty() { at_root(&row.html) } else { row.html.clone() };
        let soon = (!row.ready).then(|| view! { " " <span class="soon">"in preparation"</span> });
        view! {
            <tr>
                <th scope="row"><code>{row.command.clone()}</code> {soon}</th>
                {raw(&format!("<td>{html}</td>"))}
                <td><a href=format!("{root}{}/", row.module) aria-label=format!("Module {number}")>{number}</a></td>
            </tr>
        }
    };
    view! {
        <div class="scroll" data-label="Table: drills">
            <table class="wide-cells">
                <thead>
                    <tr><th scope="col">"Command"</th><th scope="col">"What it shows"</th><th scope="col">"Module"</th></tr>
                </thead>
                <tbody>{course.drills.rows.iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn methods(methods: &[Term]) -> Option<AnyView> {
    let item = |method: &Term| {
        view! {
            <dt id=method.id.clone()><code>{method.name.clone()}</code></dt>
            <dd>{blocks(&method.blocks)}</dd>
        }
    };
    (!methods.is_empty()).then(|| {
        view! {
            <h2 id="methods">"How each number is taken"</h2>
            <p>"Every measurement in a results file names its method. These are the methods."</p>
            <dl class="terms">{methods.iter().map(item).collect_view()}</dl>
        }
        .into_any()
    })
}
