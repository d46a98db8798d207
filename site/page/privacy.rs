//! What this site keeps in the browser, and the copy for reading offline.

use leptos::prelude::*;

use super::Draft;
use super::blocks::raw;

pub(crate) fn page() -> Draft {
    let main = view! {
        <article class="prose">
            <header class="masthead">
                <h1>"Your data"</h1>
                <p class="summary">
                    "The course runs in your browser alone. It has no account, no counter and no request to anybody "
                    "else; the page's own policy forbids them. What it remembers, it remembers in this browser."
                </p>
            </header>
            <h2 id="offline">"Read without a network"</h2>
            <p>
                "A copy of the whole course can stay in this browser: about "
                {raw("<b><!--offline-size--></b>")} ". It is fetched only when you ask for it and goes away with "
                "the site's data."
            </p>
            <p class="needs-script">
                <button type="button" class="button" data-offline="">"Keep a copy for reading offline"</button>
            </p>
            <p class="muted" data-offline-said="" role="status"></p>
            <h2 id="kept">"What is kept here"</h2>
            <div class="kept" data-island="privacy">
                <p>
                    "At most five things, all under names that begin with "<code>{crate::keys::PREFIX}</code>
                    ": the results file you chose as your machine, the sections you have read, the questions you "
                    "have answered, light or dark, and whether single-key shortcuts are on. With scripts on, this "
                    "place lists them, saves them to a file and deletes them."
                </p>
            </div>
        </article>
    };
    Draft {
        path: "privacy/index.html".into(),
        title: "Your data".into(),
        description: "What the course keeps in your browser, how to take it along and how to delete it."
            .into(),
        kind: "privacy",
        contents: None,
        main: main.into_any(),
    }
}
