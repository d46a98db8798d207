//! What stands around every picture: presets, controls, sentence, counters, data, link, exports.

use super::controls::{button, controls};
use super::figure::Driven;
use super::layout::Layout;
use super::model::{Counter, DataTable};
use super::node::{Node, el};
use super::{Query, STILL};

/// A figure as it is shown now.
pub(super) struct Board {
    /// Its state.
    pub(super) figure: Box<dyn Driven>,
    /// Its presets. They follow the reader's machine, not the state, and are costly to make.
    pub(super) presets: Vec<(&'static str, Query)>,
    /// Whether its steps follow one another by themselves; `None` where that is not offered.
    pub(super) playing: Option<bool>,
    /// What the last export or link came to.
    pub(super) said: &'static str,
}

impl Board {
    /// All that stands in the `<figure>`. Every state has the same elements in the same order, but for what
    /// a figure itself changes in its picture and its controls.
    pub(super) fn draw(
        &self,
        id: &'static str,
        caption: &str,
        layouts: &[Layout],
        table: Option<Node>,
    ) -> Vec<Node> {
        let figure = &self.figure;
        let pictures = layouts.iter().map(|&layout| {
            let class = layout.pick("picture wide", "picture narrow");
            el("div").set("class", class).with(figure.picture(layout))
        });
        let query = figure.query();
        let controls = fieldset("figure-controls", "Controls")
            .with(chips(&self.presets, &query))
            .with(controls(id, &figure.faces(), self.playing));
        let sentence =
            el("p").set("class", "sentence").set("id", format!("fig-{id}-now")).set("role", "status");
        let note = figure.note();
        let data = el("div").set("class", "figure-row").with(data(table)).with(tools(self.said));
        vec![
            el("div").set("class", "pictures").with(pictures.collect::<Node>()),
            controls,
            sentence.with(figure.sentence()),
            el("p").set("class", "note").flag("hidden", note.is_none()).with(note.unwrap_or_default()),
            el("dl")
                .set("class", "counters")
                .with(figure.counters().into_iter().map(counter).collect::<Node>()),
            data,
            el("figcaption").set("id", format!("fig-{id}-caption")).with(caption),
        ]
    }

    /// The data as a table. It is the largest part of many figures and mostly closed, so the browser draws it
    /// on its own, while it is open.
    pub(super) fn table(&self) -> Node {
        data_table(self.figure.table())
    }
}

/// Still pages get the same controls, but not to be used.
fn fieldset(class: &'static str, legend: &'static str) -> Node {
    let legend = el("legend").set("class", "visually-hidden").with(legend);
    el("fieldset").set("class", class).flag("disabled", STILL).with(legend)
}

fn chips(presets: &[(&'static str, Query)], now: &Query) -> Node {
    let chips = presets.iter().enumerate().map(|(index, (name, query))| {
        let pressed = if query == now { "true" } else { "false" };
        button(format!("preset {index}"), *name).set("class", "chip").set("aria-pressed", pressed)
    });
    let group = el("div").set("class", "chips").set("role", "group").set("aria-label", "Presets");
    group.with(chips.collect::<Node>())
}

fn counter(counter: Counter) -> Node {
    let pair = [el("dt").with(counter.label), el("dd").with(counter.value)];
    el("div").set("class", "counter").with(pair)
}

/// Link, exports, reset: there for those who look for them.
fn tools(said: &'static str) -> Node {
    let tool = |does: &str, name: &'static str| button(does.to_owned(), name);
    fieldset("figure-tools", "Take along")
        .with(el("span").set("class", "said").set("role", "status").with(said))
        .with(tool("link", "Link to this state"))
        .with(tool("svg", "SVG"))
        .with(tool("csv", "CSV"))
        .with(tool("reset", "Reset"))
}

fn data(table: Option<Node>) -> Node {
    let scroll = el("div").set("class", "scroll").set("tabindex", 0).set("role", "group");
    let scroll = scroll.set("aria-label", "Data of the figure").with(table);
    el("details").set("class", "figure-data").with(el("summary").with("Data")).with(scroll)
}

fn data_table(table: DataTable) -> Node {
    let head = table.columns.into_iter().map(|c| el("th").set("scope", "col").with(c));
    let row = |cells: Vec<String>| {
        let cell = |(i, text): (usize, String)| {
            if i == 0 { el("th").set("scope", "row").with(text) } else { el("td").with(text) }
        };
        el("tr").with(cells.into_iter().enumerate().map(cell).collect::<Node>())
    };
    el("table")
        .with(el("thead").with(el("tr").with(head.collect::<Node>())))
        .with(el("tbody").with(table.rows.into_iter().map(row).collect::<Node>()))
}
