//! The comparison table: machines as columns, facts and keys as rows.

use crate::compare::{Column, Fact, Origin, Row, Subject, Value, facts, subjects};
use crate::html::Html;

/// The table as HTML.
pub fn comparison_table(columns: &[Column]) -> String {
    let mut html = Html::default();
    html.open("table", &[]).open("thead", &[]).open("tr", &[]);
    html.leaf("th", &[("scope", "col")], "Machine");
    for column in columns {
        head(&mut html, column);
    }
    html.close("tr").close("thead");
    fact_rows(&mut html, columns);
    let span = (columns.len() + 1).to_string();
    for subject in subjects(columns) {
        body(&mut html, &subject, &span);
    }
    html.close("table");
    html.finish()
}

fn head(html: &mut Html, column: &Column) {
    let how = match (column.origin, column.file_name.as_str()) {
        (Origin::Sample, _) => "sample of the course",
        (Origin::File, "") => "kept in this browser",
        (Origin::File, name) => name,
    };
    html.open("th", &[("scope", "col")]);
    html.leaf("span", &[("class", "who")], column.label()).leaf("span", &[("class", "how")], how);
    html.close("th");
}

/// Facts that at least one machine tells.
fn fact_rows(html: &mut Html, columns: &[Column]) {
    let told: Vec<Vec<Fact>> = columns.iter().map(|c| facts(&c.report)).collect();
    let Some(first) = told.first() else { return };
    html.open("tbody", &[("class", "machine-facts")]);
    for (i, fact) in first.iter().enumerate() {
        if told.iter().all(|f| f[i].text.is_empty()) {
            continue;
        }
        html.open("tr", &[]).leaf("th", &[("scope", "row")], fact.name);
        for facts in &told {
            html.leaf("td", &[], &facts[i].text);
        }
        html.close("tr");
    }
    html.close("tbody");
}

fn body(html: &mut Html, subject: &Subject, span: &str) {
    html.open("tbody", &[]).open("tr", &[("class", "subject")]);
    html.leaf("th", &[("scope", "rowgroup"), ("colspan", span)], subject.title).close("tr");
    for row in &subject.rows {
        self::row(html, row);
    }
    html.close("tbody");
}

fn row(html: &mut Html, row: &Row) {
    let title = format!("{} · {}", row.key, row.command);
    html.open("tr", &[]).leaf("th", &[("scope", "row"), ("title", &title)], &row.label);
    for value in &row.values {
        match value {
            Some(value) => cell(html, value),
            None => _ = html.leaf("td", &[("class", "absent")], "–"),
        }
    }
    html.close("tr");
}

fn cell(html: &mut Html, value: &Value) {
    let class = match (value.corrupt, value.status) {
        (true, _) => "failed",
        (_, Some(status)) => status,
        (_, None) => "ok",
    };
    html.open("td", &[("class", class)]).leaf("span", &[("class", "value")], &value.text);
    if let Some(share) = value.share {
        bar(html, share);
    }
    // The status is already the text of a cell without a number.
    if let Some(status) = value.status.filter(|status| *status != value.text) {
        html.leaf("span", &[("class", "verdict")], status);
    }
    if value.corrupt {
        html.leaf("span", &[("class", "verdict")], "bytes arrived wrong");
    }
    if let Some(spread) = &value.spread {
        html.leaf("small", &[], spread);
    }
    if let Some(reason) = &value.reason {
        html.open("details", &[("class", "reason")])
            .leaf("summary", &[], "why")
            .text(reason)
            .close("details");
    }
    html.close("td");
}

/// How close to the best machine of the row.
fn bar(html: &mut Html, share: f64) {
    let width = format!("{:.1}", share.clamp(0.0, 1.0) * 100.0);
    let frame = [
        ("class", "share"),
        ("viewBox", "0 0 100 3"),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    html.open("svg", &frame);
    html.leaf("rect", &[("class", "share-all"), ("width", "100"), ("height", "3")], "");
    html.leaf("rect", &[("class", "share-part"), ("width", &width), ("height", "3")], "");
    html.close("svg");
}
