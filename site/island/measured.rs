//! The column "yours" of a measured table. Fills cells that are there already, so nothing moves.

use drills_results::Report;
use web_sys::HtmlElement;

use super::{Data, find_all, machine};
use crate::units;

pub(super) fn mount(host: &HtmlElement) {
    let cells = find_all(host, "[data-yours]");
    let heads = find_all(host, "[data-yours-label]");
    machine::follow(move || {
        let report = machine::current();
        for head in &heads {
            let label = report.as_ref().map_or("Yours", |r| r.label.as_str());
            head.set_text_content(Some(label));
            let _ = head.set_attribute("title", label);
        }
        for cell in &cells {
            fill(cell, report.as_deref());
        }
    });
}

fn fill(cell: &HtmlElement, report: Option<&Report>) {
    let key = cell.data("yours").unwrap_or_default();
    let measurement = report.and_then(|r| r.find(&key));
    let (text, class, title) = match measurement {
        None => ("·".to_owned(), "yours", String::new()),
        Some(m) => {
            let value = m.value.filter(|_| m.status.has_value());
            let reason = m.reason.as_ref().map(|r| format!("{} {}", r.text, r.fix)).unwrap_or_default();
            let spread = m.stats.filter(|_| value.is_some()).map(|s| {
                let (min, max) = (units::quantity(s.min, m.unit), units::quantity(s.max, m.unit));
                format!("{min} to {max}, n = {}. ", s.n)
            });
            let text = value.map_or("skipped".to_owned(), |v| units::quantity(v, m.unit));
            let class = match (value, m.status) {
                (None, _) => "yours skipped",
                (_, drills_results::Status::Unstable) => "yours has unstable",
                _ => "yours has",
            };
            (text, class, format!("{}{reason}", spread.unwrap_or_default()))
        }
    };
    cell.set_text_content(Some(&text));
    cell.set_class_name(class);
    let _ =
        if title.is_empty() { cell.remove_attribute("title") } else { cell.set_attribute("title", &title) };
}
