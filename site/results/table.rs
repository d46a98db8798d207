//! The comparison table.

use leptos::prelude::*;

use crate::compare::{Column, Fact, Origin, Row, Subject, Value, facts, subjects};

/// Machines as columns, facts and keys as rows.
pub fn comparison_table(columns: &[Column]) -> AnyView {
    let heads = columns.iter().map(head).collect_view();
    let span = (columns.len() + 1).to_string();
    let bodies = subjects(columns).into_iter().map(|s| subject(s, &span)).collect_view();
    view! {
        <div class="scroll comparison" tabindex="0" role="region" aria-label="Machines side by side">
            <table>
                <thead>
                    <tr><th scope="col">"Machine"</th>{heads}</tr>
                </thead>
                <tbody class="machine-facts">{fact_rows(columns)}</tbody>
                {bodies}
            </table>
        </div>
    }
    .into_any()
}

fn head(column: &Column) -> impl IntoView + use<> {
    let how = match (column.origin, column.file_name.as_str()) {
        (Origin::Sample, _) => "sample of the course".to_owned(),
        (Origin::File, "") => "your machine".to_owned(),
        (Origin::File, name) => name.to_owned(),
    };
    view! {
        <th scope="col">
            <span class="who">{column.label().to_owned()}</span>
            <span class="how">{how}</span>
        </th>
    }
}

/// Facts that at least one machine tells.
fn fact_rows(columns: &[Column]) -> AnyView {
    let told: Vec<Vec<Fact>> = columns.iter().map(|c| facts(&c.report)).collect();
    let Some(first) = told.first() else { return ().into_any() };
    let rows = (0..first.len()).filter(|&i| told.iter().any(|f| !f[i].text.is_empty())).map(|i| {
        let cells = told.iter().map(|f| view! { <td>{f[i].text.clone()}</td> }).collect_view();
        view! { <tr><th scope="row">{first[i].name}</th>{cells}</tr> }
    });
    rows.collect_view().into_any()
}

fn subject(subject: Subject, span: &str) -> impl IntoView + use<> {
    view! {
        <tbody>
            <tr class="subject"><th scope="colgroup" colspan=span.to_owned()>{subject.title}</th></tr>
            {subject.rows.into_iter().map(row).collect_view()}
        </tbody>
    }
}

fn row(row: Row) -> impl IntoView {
    view! {
        <tr>
            <th scope="row" title=format!("{} · {}", row.key, row.command)>{row.label}</th>
            {row.values.into_iter().map(cell).collect_view()}
        </tr>
    }
}

fn cell(value: Option<Value>) -> AnyView {
    let Some(value) = value else {
        return view! { <td class="absent">"–"</td> }.into_any();
    };
    let class = match (value.corrupt, value.status) {
        (true, _) => "failed",
        (_, Some(status)) => status,
        (_, None) => "ok",
    };
    // The status is already the text of a cell without a number.
    let status = value.status.filter(|status| *status != value.text);
    view! {
        <td class=class>
            <span class="value">{value.text}</span>
            {value.share.map(bar)}
            {status.map(|s| view! { <span class="verdict">{s}</span> })}
            {value.corrupt.then(|| view! { <span class="verdict">"bytes arrived wrong"</span> })}
            {value.spread.map(|s| view! { <small>{s}</small> })}
            {value.reason.map(|r| view! { <small class="reason">{r}</small> })}
        </td>
    }
    .into_any()
}

/// How close to the best machine of the row.
fn bar(share: f64) -> impl IntoView {
    let width = format!("{:.1}", share.clamp(0.0, 1.0) * 100.0);
    view! {
        <svg class="share" viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
            <rect class="share-all" width="100" height="3"></rect>
            <rect class="share-part" width=width height="3"></rect>
        </svg>
    }
}
