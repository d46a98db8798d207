//! The list of values that stand out, as HTML. Buttons carry the column's id in `data-show`.

use crate::compare::{Column, Odd};
use crate::html::Html;

/// Longest list shown.
const MOST: usize = 40;

/// The table as HTML; `None` when nothing stands out.
pub fn odd_table(columns: &[Column], odd: &[Odd]) -> Option<String> {
    if odd.is_empty() {
        return None;
    }
    let mut html = Html::default();
    html.open("table", &[("class", "odd")]);
    let caption = match odd.len() {
        n if n > MOST => format!("The {MOST} oddest of {n} values that stand out"),
        1 => "1 value that stands out".to_owned(),
        n => format!("{n} values that stand out"),
    };
    html.leaf("caption", &[], &caption).open("thead", &[]).open("tr", &[]);
    for head in ["Machine", "Quantity", "Value", "Median", "In the table"] {
        html.leaf("th", &[("scope", "col")], head);
    }
    html.close("tr").close("thead").open("tbody", &[]);
    for one in odd.iter().take(MOST) {
        if let Some(column) = columns.get(one.column) {
            row(&mut html, column, one);
        }
    }
    html.close("tbody").close("table");
    Some(html.finish())
}

fn row(html: &mut Html, column: &Column, odd: &Odd) {
    let name = if column.file_name.is_empty() { column.label() } else { &column.file_name };
    let side = match odd.worse {
        Some(true) => "worse",
        Some(false) => "better",
        None => "other",
    };
    html.open("tr", &[]).leaf("th", &[("scope", "row")], name).leaf("td", &[], &odd.label);
    html.open("td", &[("class", side)]).text(&odd.value).text(" ");
    html.leaf("small", &[], &format!("{side}, {:.2} × the median of {}", odd.ratio, odd.among)).close("td");
    html.leaf("td", &[], &odd.median).open("td", &[]);
    let label = format!("Show {name} in the table");
    let attributes =
        [("type", "button"), ("class", "quiet"), ("data-show", column.id.as_str()), ("aria-label", &label)];
    html.leaf("button", &attributes, "Show").close("td").close("tr");
}
