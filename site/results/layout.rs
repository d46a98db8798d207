//! The results page: the same markup in the static page, where its controls rest, and in the browser.

use super::comparison_table;
use crate::compare::{Column, Origin};
use crate::html::Html;

/// The page with the samples: places for files, machines, the odd ones out, and the table. Controls are
/// disabled until the browser's half has started; everything is in its place before that, so nothing moves.
pub fn page(samples: &[Column]) -> String {
    let mut html = Html::default();
    section(&mut html, "site-open", "Open results files", "panel-block needs-script");
    html.open("div", &[("class", "drop")]);
    html.leaf("label", &[("for", "site-files"), ("class", "visually-hidden")], "Results files");
    let input = [
        ("id", "site-files"),
        ("type", "file"),
        ("multiple", ""),
        ("accept", ".json,application/json"),
        ("disabled", ""),
    ];
    html.open("input", &input);
    html.leaf("span", &[("class", "muted")], "or drop them here: one, or hundreds at once").close("div");
    html.leaf("p", &[("class", "muted reading"), ("role", "status")], "");
    html.leaf("ul", &[("class", "complaints"), ("aria-live", "assertive")], "").close("section");
    section(&mut html, "site-machines", "Machines", "panel-block needs-script");
    html.open("ul", &[("class", "machines")]);
    for column in samples {
        machine(&mut html, column, true, true);
    }
    html.close("ul").close("section");
    html.open("section", &[("class", "panel-block fleet"), ("aria-labelledby", "site-odd"), ("hidden", "")]);
    html.leaf("h2", &[("id", "site-odd")], "The odd one out");
    let rule = "Among machines of one class: values more than 3.5 robust deviations and 3 % from the median.";
    html.leaf("p", &[("class", "muted")], rule);
    region(&mut html, "scroll odd-ones", "Table: values that stand out", "");
    html.close("section");
    section(&mut html, "site-side", "Side by side", "panel-block");
    region(&mut html, "scroll comparison", "Machines side by side", &comparison_table(samples));
    html.close("section");
    html.finish()
}

fn section(html: &mut Html, id: &str, title: &str, class: &str) {
    html.open("section", &[("class", class), ("aria-labelledby", id)]).leaf("h2", &[("id", id)], title);
}

/// A region that scrolls; `inner` is finished HTML.
fn region(html: &mut Html, class: &str, label: &str, inner: &str) {
    html.open("div", &[("class", class), ("tabindex", "0"), ("role", "region"), ("aria-label", label)]);
    html.finished(inner).close("div");
}

/// One line for each machine; `is_shown` says which are in the table.
pub fn machines(columns: &[Column], is_shown: impl Fn(&str) -> bool) -> String {
    let mut html = Html::default();
    for column in columns {
        machine(&mut html, column, is_shown(&column.id), false);
    }
    html.finish()
}

fn machine(html: &mut Html, column: &Column, shown: bool, disabled: bool) {
    let is_file = column.origin == Origin::File;
    let origin = match (is_file, column.file_name.as_str()) {
        (false, _) => "sample",
        (true, "") => "kept in this browser",
        (true, name) => name,
    };
    html.open("li", &[]).open("label", &[("class", "name")]);
    let mut input = vec![("type", "checkbox"), ("data-column", column.id.as_str())];
    if shown {
        input.push(("checked", ""));
    }
    if disabled {
        input.push(("disabled", ""));
    }
    html.open("input", &input).open("span", &[]).text(column.label()).text(" ");
    html.leaf("small", &[("class", "muted")], origin).close("span").close("label");
    if is_file {
        button(html, "data-mine", column, "Make it my machine");
        button(html, "data-close", column, "Close");
    }
    html.close("li");
}

fn button(html: &mut Html, act: &'static str, column: &Column, text: &str) {
    html.leaf("button", &[("type", "button"), ("class", "quiet"), (act, column.id.as_str())], text);
}

/// Files that were refused, with the reason.
pub fn complaints(complaints: &[(String, String)]) -> String {
    let mut html = Html::default();
    for (name, message) in complaints {
        html.open("li", &[]).leaf("b", &[], name).text(": ").text(message).close("li");
    }
    html.finish()
}
