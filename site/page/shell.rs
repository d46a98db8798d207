//! What all pages share: head, top bar, contents at the left, footer.

use leptos::prelude::*;

use super::{Draft, Page};
use crate::compile::Course;

/// The policy of every page; the development server sends the same one.
const POLICY: &str = include_str!("../csp.txt");

/// Names and hashes of the files that pages load.
pub struct Assets {
    /// Style sheet.
    pub style: Asset,
    /// Script that sets the theme before anything is painted.
    pub theme: Asset,
    /// Script that loads the rest when it is needed.
    pub boot: Asset,
    /// Files that islands fetch.
    pub data: Data,
}

/// Names of files that islands fetch when they need them.
pub struct Data {
    /// All samples, a name and a report on alternate lines.
    pub samples: String,
    /// The search index, as JSON.
    pub search: String,
}

/// A file with a name that changes with its content.
pub struct Asset {
    /// Name in the root of the site.
    pub name: String,
    /// Integrity value: `sha384-…`.
    pub integrity: String,
}

pub(crate) fn wrap(course: &Course, assets: &Assets, draft: Draft) -> Page {
    let root = if draft.path.contains('/') { "../" } else { "" };
    let title = match draft.path.as_str() {
        "index.html" => course.title.clone(),
        _ => format!("{} · {}", draft.title, course.title),
    };
    let head = head(assets, root, &title, &draft);
    let index = format!("{root}{}", assets.data.search);
    let body = body(course, root, draft.kind, index, draft.contents, draft.main).to_html();
    // Marks for hydration, which these pages do without.
    let body = body.replace("<!>", "");
    let html = format!(
        "<!doctype html>\n<html lang=\"en\" class=\"{kind}\">\n{head}\n<body>{body}</body>\n</html>\n",
        kind = draft.kind
    );
    Page { path: draft.path, html }
}

fn head(assets: &Assets, root: &str, title: &str, draft: &Draft) -> String {
    let escape = crate::compile::escape;
    let style = |at: &str| {
        format!(
            r#"<link rel="stylesheet" href="{at}{}" integrity="{}">"#,
            assets.style.name, assets.style.integrity
        )
    };
    let script = |at: &str, asset: &Asset, kind: &str| {
        format!(r#"<script{kind} src="{at}{}" integrity="{}"></script>"#, asset.name, asset.integrity)
    };
    // The page for missing addresses may be shown one folder down: it looks in both places.
    let places: &[&str] = if draft.kind == "missing" { &["", "../"] } else { &[root] };
    let loads: String = places
        .iter()
        .map(|at| {
            [
                script(at, &assets.theme, ""),
                style(at),
                script(at, &assets.boot, r#" type="module""#),
                format!(r#"<link rel="icon" href="{at}favicon.svg" type="image/svg+xml">"#),
            ]
            .join("\n")
        })
        .collect::<Vec<_>>()
        .join("\n");
    let robots = if draft.kind == "missing" { "\n<meta name=\"robots\" content=\"noindex\">" } else { "" };
    format!(
        r##"<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<meta name="description" content="{description}">{robots}
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<meta property="og:type" content="article">
<meta name="theme-color" content="#fcfcfa" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#15171a" media="(prefers-color-scheme: dark)">
{loads}
<link rel="manifest" href="{root}manifest.webmanifest">
</head>"##,
        policy = POLICY.trim(),
        title = escape(title),
        description = escape(&draft.description),
    )
}

fn body(
    course: &Course,
    root: &'static str,
    kind: &'static str,
    index: String,
    contents: Option<AnyView>,
    main: AnyView,
) -> impl IntoView + use<> {
    let home = if root.is_empty() { "./" } else { root };
    let link = move |page: &str| format!("{root}{page}/");
    let frame = if contents.is_some() { "frame with-contents" } else { "frame" };
    view! {
        <a class="skip" href="#site-main">"Skip to the text"</a>
        <header class="bar">
            <a class="home" href=home>{course.title.clone()}</a>
            <nav class="bar-links" aria-label="Pages">
                <a href=link("results")>"Your machines"</a>
                <a href=link("drills")>"Drills"</a>
                <a href=link("glossary")>"Glossary"</a>
            </nav>
            <div class="bar-tools needs-script">
                <button type="button" class="tool" data-search="">"Search"<kbd aria-hidden="true">"/"</kbd></button>
                <button type="button" class="tool" data-theme-switch="">"Theme"</button>
            </div>
        </header>
        <div class=frame>
            {contents}
            <main id="site-main" tabindex="-1">{main}</main>
        </div>
        {footer(root, kind)}
        <dialog id="site-search" class="search" aria-label="Search" data-index=index data-root=home>
            <form method="dialog">
                <input type="search" aria-label="Search the course" autocomplete="off" spellcheck="false"/>
                <button type="submit" class="tool">"Close"</button>
            </form>
            <p class="count" role="status"></p>
            <ol class="hits"></ol>
        </dialog>
        <p id="site-status" class="status" role="status"></p>
    }
}

fn footer(root: &str, kind: &'static str) -> impl IntoView + use<> {
    let privacy = format!("{root}privacy/");
    let shortcuts = (kind == "module").then(|| {
        view! {
            <p class="shortcuts needs-script">
                <span>
                    "Keys: " <kbd>"j"</kbd> " " <kbd>"k"</kbd> " next and previous section, " <kbd>"/"</kbd> " search. "
                </span>
                <button type="button" class="quiet" data-shortcuts="">"Turn off"</button>
            </p>
        }
    });
    view! {
        <footer class="foot">
            {shortcuts}
            <p>
                "Nothing here leaves your browser. " <a href=privacy>"Your data and offline copy"</a>
            </p>
        </footer>
    }
}
