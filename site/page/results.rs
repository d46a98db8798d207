//! Machines side by side: complete without scripts for the samples, alive with them.

use leptos::prelude::*;

use super::blocks::raw;
use super::{Data, Draft};
use crate::compile::Course;
use crate::results::{Column, layout};

pub(crate) fn page(course: &Course, data: &Data) -> Draft {
    let columns: Vec<Column> =
        course.samples.iter().map(|s| Column::sample(&s.name, s.report.clone())).collect();
    let samples = format!("../{}", data.samples);
    let main = view! {
        <article class="results">
            <header class="masthead prose">
                <h1>"Your machines"</h1>
                <p class="summary">
                    "Run "<code>"drills --json my-box.json"</code>" on a machine and open the file here. "
                    <b>"Nothing is uploaded: "</b>
                    "the file is read by this page, in this browser, and goes nowhere else."
                </p>
            </header>
            <div data-island="results" data-samples=samples>
                <p class="prose needs-script-note">
                    "Opening files needs scripts and WebAssembly. The samples that the course speaks of are below."
                </p>
                {raw(&layout::page(&columns))}
            </div>
        </article>
    };
    Draft {
        path: "results/index.html".into(),
        title: "Your machines".into(),
        description: "Open results files of drills and set machines side by side; nothing is uploaded."
            .into(),
        kind: "results-page",
        contents: None,
        main: main.into_any(),
    }
}
