//! Draws the explorer's rows.

use crate::kit::plot::{
    self, Drawn, FONT_NARROW, FONT_WIDE, Ink, Key, LogAxis, PlotError, Readout, RowChart, RowGrid, Tick,
    legend, legend_lines,
};
use crate::kit::scene::Role;
use crate::kit::units::{duration_ns, large, number, rate};
use crate::kit::{Layout, Node, Recall};

use super::choice::{Gpu, Quantity, Scale};
use super::model::Latency;
use super::row::{Evidence, Row};
use super::rows;

/// What the marks mean.
const LEGEND: [(Key, &str, Ink); 10] = [
    (Key::Bar, "ballpark", Ink::MUTED),
    (Key::Open, "published", Ink::MUTED),
    (Key::Disc, "measured on the H200 host", Ink::MUTED),
    (Key::Dashed, "computed", Ink::MUTED),
    (Key::Disc, "yours", Ink::TEXT),
    (Key::Gap, "no number", Ink::MUTED),
    (Key::Bar, "CPU", Ink::role(Role::Cpu)),
    (Key::Bar, "GPU", Ink::role(Role::Gpu)),
    (Key::Bar, "kernel", Ink::role(Role::Kernel)),
    (Key::Bar, "wires", Ink::role(Role::Wire)),
];

/// Where the rows lie.
pub fn grid(layout: Layout) -> RowGrid {
    let (width, font) = (layout.width(), layout.pick(FONT_WIDE, FONT_NARROW));
    RowGrid {
        width,
        top: layout.pick(56.0, 100.0),
        pitch: layout.pick(20.0, 44.0),
        count: rows().len(),
        axis: layout.pick((208.0, 716.0), (4.0, 336.0)),
        mark: layout.pick(10.0, 30.0),
        legend: 8.0 + 20.0 * legend_lines(&LEGEND, width - 8.0, font) as f64,
        font,
    }
}

thread_local! {
    static CHART: Recall<(Latency, Layout), Node> = const { Recall::new() };
}

/// The whole picture as SVG elements.
pub fn draw(state: &Latency, layout: Layout) -> Drawn {
    // Neither the row nor the GPU changes the chart.
    let plain = Latency { row: "", gpu: Gpu::H200, ..state.clone() };
    let chart = CHART.with(|last| last.get((plain, layout), || chart(state, layout)));
    let grid = grid(layout);
    let readout =
        plot::chart(grid.width, grid.height(), |surface| readout(state, layout, Readout::new(surface, grid)));
    Drawn { chart, readout }
}

fn chart(state: &Latency, layout: Layout) -> Node {
    let grid = grid(layout);
    let axis = axis(state, layout);
    plot::chart(grid.width, grid.height(), |surface| {
        let mut chart = RowChart::new(surface, grid, &axis)?;
        let order = state.order();
        for (index, row) in order.iter().enumerate() {
            draw_row(state, &mut chart, index, row)?;
        }
        let events = order.iter().position(|row| row.bytes_per_s.is_none());
        if let Some(first) = events.filter(|_| state.quantity == Quantity::Bandwidth) {
            chart.note_at(first, grid.axis.0 + 8.0, "from here on: events, no bandwidth")?;
        }
        legend(surface, grid, &LEGEND)
    })
}

fn axis(state: &Latency, layout: Layout) -> LogAxis {
    match (state.quantity, state.scale) {
        (Quantity::Latency, Scale::Real) => {
            let every = layout.pick(1, 3);
            LogAxis::decades((0.1, 3e7), "Latency", (1.0, every), duration_ns)
        }
        (Quantity::Latency, Scale::Human) => {
            // Seconds as people count them; 1 ns is drawn where 1 s would be.
            let ticks = [1.0, 60.0, 3_600.0, 86_400.0, 2_629_800.0, 31_557_600.0];
            let labels = ["1 s", "1 min", "1 h", "1 day", "1 month", "1 year"];
            let tick = |(value, label): (f64, &str)| Tick { value, label: label.into() };
            LogAxis {
                low: 0.1,
                high: 3e7,
                title: "Latency if an L1 hit of 1 ns took one second".into(),
                ticks: ticks.into_iter().zip(labels).map(tick).filter(|t| t.value < 3e7).collect(),
            }
        }
        (Quantity::Bandwidth, _) => {
            let every = layout.pick(1, 3);
            LogAxis::decades((1e6, 3e13), "Bandwidth per direction", (1e9, every), rate)
        }
    }
}

/// The chosen row in words.
fn readout(state: &Latency, layout: Layout, out: Readout<'_, '_>) -> Result<(), PlotError> {
    let row = state.chosen();
    let value = match state.span(row) {
        Some(span) => state.tell_span(span.low, span.high),
        None if state.quantity == Quantity::Bandwidth => "no bandwidth: an event".into(),
        None => "no public number".into(),
    };
    let own = state.yours(row).zip(state.ratio(row));
    let own = own.map(|(own, ratio)| format!("yours {} ({} ×)", state.tell(own.value), number(ratio)));
    let told = |n: f64| match layout {
        Layout::Wide => format!("{} does {} operations meanwhile", state.gpu.with_article(), large(n)),
        Layout::Narrow => format!("{} meanwhile: {} operations", state.gpu.name(), large(n)),
    };
    let operations = state.operations(row).filter(|_| state.quantity == Quantity::Latency);
    let under = [own, operations.map(told)].into_iter().flatten();
    match layout {
        Layout::Wide => {
            out.headline(0.0, &format!("{}: {value}", row.name))?;
            out.subline(26.0, &under.collect::<Vec<_>>().join(" · "))
        }
        Layout::Narrow => {
            out.headline(0.0, row.name)?;
            out.headline(24.0, &value)?;
            under.enumerate().try_for_each(|(i, text)| out.subline(50.0 + 20.0 * i as f64, &text))
        }
    }
}

fn draw_row(state: &Latency, chart: &mut RowChart<'_, '_>, index: usize, row: &Row) -> Result<(), PlotError> {
    let enabled = state.enabled(row);
    let strength = if enabled { 1.0 } else { 0.35 };
    let ink = Ink::role(row.role).opacity(strength);
    let text = if enabled && state.span(row).is_some() { Ink::TEXT } else { Ink::MUTED };
    chart.name(index, row.name, text)?;
    let Some(span) = state.span(row) else {
        return match state.quantity {
            Quantity::Latency => chart.gap(index, "no public number"),
            Quantity::Bandwidth => Ok(()),
        };
    };
    let (low, high) = (span.low, span.high);
    match span.evidence {
        Evidence::Ballpark => {
            chart.bar(index, (low, high), 5.0, Ink::role(row.role).opacity(0.35 * strength))?
        }
        Evidence::Expected => chart.expected(index, (low, high), 5.0, ink)?,
        Evidence::Measured => measured(chart, index, (low, high), ink)?,
        Evidence::Published => {
            if high > low * 1.05 {
                chart.line(index, (low, high), 2, ink)?;
                chart.published(index, low, ink)?;
            }
            chart.published(index, high, ink)?;
        }
    }
    let (mut left, mut right) = (low, high);
    if let Some((from, to)) = state.h200(row) {
        measured(chart, index, (from, to), ink)?;
        (left, right) = (left.min(from), right.max(to));
    }
    if let Some(own) = state.yours(row) {
        chart.measured(index, own.value, own.spread, Ink::TEXT.opacity(strength))?;
        let (from, to) = own.spread.unwrap_or((own.value, own.value));
        (left, right) = (left.min(from), right.max(to));
    }
    let value = state.tell_span(low, high).replace(" to ", "–");
    chart.beside(index, (left, right), &value, Ink::MUTED)
}

/// A measured range: the disc in its middle, its ends as the spread if they differ visibly.
fn measured(
    chart: &mut RowChart<'_, '_>,
    index: usize,
    (low, high): (f64, f64),
    ink: Ink,
) -> Result<(), PlotError> {
    let spread = (high > low * 1.1).then_some((low, high));
    chart.measured(index, (low * high).sqrt(), spread, ink)
}
