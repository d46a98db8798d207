//! A measured table: the samples' columns, and one that waits for the reader's machine.

use leptos::prelude::*;

use crate::compile::{Cell, Measured, MeasuredColumn, MeasuredRow};

pub(crate) fn table(table: &Measured) -> AnyView {
    let title = if table.title.is_empty() { "Measured values" } else { &table.title };
    let heads = table.samples.iter().map(head).collect_view();
    let rows = table.rows.iter().map(|row| body_row(row, &table.samples)).collect_view();
    view! {
        <div class="scroll measured" data-island="measured" data-label=format!("Table: {title}")>
            <table>
                <caption>{title.to_owned()}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Quantity"</th>
                        {heads}
                        <th scope="col" class="yours">
                            <span class="who" data-yours-label="">"Yours"</span>
                            <a class="how" href="../results/">"add your machine"</a>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// The column's machine; where its values come from is told on the page of machines.
fn head(column: &MeasuredColumn) -> impl IntoView + use<> {
    view! {
        <th scope="col">
            <span class="who">{column.label.clone()}</span>
            <a class=format!("how {}", column.provenance) href="../results/#site-side">
                {column.provenance.clone()}
            </a>
        </th>
    }
}

fn body_row(row: &MeasuredRow, columns: &[MeasuredColumn]) -> impl IntoView + use<> {
    let cells = row.cells.iter().zip(columns).map(|(cell, column)| value(cell, column)).collect_view();
    view! {
        <tr>
            <th scope="row">{row.label.clone()}</th>
            {cells}
            <td class="yours" data-yours=row.key.clone()>"·"</td>
        </tr>
    }
}

fn value(cell: &Cell, column: &MeasuredColumn) -> impl IntoView + use<> {
    let class = match cell.status.as_str() {
        "ok" => column.provenance.clone(),
        other => other.to_owned(),
    };
    let title = (!cell.note.is_empty()).then(|| cell.note.clone());
    view! { <td class=class title=title>{cell.text.clone()}</td> }
}
