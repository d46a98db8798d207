//! Draws the links.

use plotters::style::text_anchor::{HPos, VPos};

use crate::kit::plot::{
    self, Drawn, FONT_NARROW, FONT_WIDE, Ink, Key, LogAxis, PlotError, Readout, RowChart, RowGrid, legend,
    legend_lines,
};
use crate::kit::scene::Role;
use crate::kit::units::{duration_ns, rate};
use crate::kit::{Layout, Node, Recall};

use super::choice::{Number, Unit};
use super::link::{Kind, Link};
use super::model::{Entry, Links};
use super::table::LINKS;

/// What the marks mean.
const LEGEND: [(Key, &str, Ink); 9] = [
    (Key::Stop, "as marketed", Ink::MUTED),
    (Key::Bar, "the number that counts", Ink::MUTED),
    (Key::Disc, "measured on the H200 host", Ink::MUTED),
    (Key::Open, "published", Ink::MUTED),
    (Key::Assumed, "NCCL counts on it", Ink::MUTED),
    (Key::Disc, "yours", Ink::TEXT),
    (Key::Bar, "PCIe, network", Ink::role(Role::Wire)),
    (Key::Bar, "GPU to GPU", Ink::role(Role::Gpu)),
    (Key::Bar, "CPU to GPU, coherent", Ink::role(Role::Cpu)),
];

/// What stands for a number that nobody has published.
const NO_NUMBER: &str = "no public number";
/// Right edge of the column with the number that counts, in wide drawings.
const VALUE: f64 = 584.0;
/// Right edge of the column with what software saw, in wide drawings.
const SEEN: f64 = 712.0;
/// Half the height of a bar.
const HALF: f64 = 6.0;

/// Where the rows lie.
pub fn grid(layout: Layout) -> RowGrid {
    let (width, font) = (layout.width(), layout.pick(FONT_WIDE, FONT_NARROW));
    RowGrid {
        width,
        top: layout.pick(64.0, 84.0),
        pitch: layout.pick(24.0, 48.0),
        count: LINKS.len() + 1,
        axis: layout.pick((172.0, 500.0), (8.0, 332.0)),
        mark: layout.pick(12.0, 34.0),
        legend: 8.0 + 20.0 * legend_lines(&LEGEND, width - 8.0, font) as f64,
        font,
    }
}

thread_local! {
    static CHART: Recall<(Links, Layout), Node> = const { Recall::new() };
}

/// The whole picture as SVG elements.
pub fn draw(state: &Links, layout: Layout) -> Drawn {
    // The chosen row does not change the chart.
    let plain = Links { row: "", ..state.clone() };
    let chart = CHART.with(|last| last.get((plain, layout), || chart(state, layout)));
    let grid = grid(layout);
    let readout =
        plot::chart(grid.width, grid.height(), |surface| readout(state, layout, Readout::new(surface, grid)));
    Drawn { chart, readout }
}

fn chart(state: &Links, layout: Layout) -> Node {
    let grid = grid(layout);
    let axis = axis(state);
    plot::chart(grid.width, grid.height(), |surface| {
        let mut chart = RowChart::new(surface, grid, &axis)?;
        if layout == Layout::Wide {
            let above = |x: f64| (x, grid.top - 2.0);
            chart.text(state.number.head(), above(VALUE), Ink::MUTED, (HPos::Right, VPos::Bottom))?;
            chart.text("seen", above(SEEN), Ink::MUTED, (HPos::Right, VPos::Bottom))?;
        }
        for (index, entry) in state.entries().iter().enumerate() {
            let mut row = Drawing { state, chart: &mut chart, layout, grid, index };
            match entry {
                Entry::Known(link) => row.known(link)?,
                Entry::Own => row.own()?,
            }
        }
        legend(surface, grid, &LEGEND)
    })
}

/// From a tenth of the narrowest to above the widest; times run the other way.
fn axis(state: &Links) -> LogAxis {
    let ends = (5e8, 5e12);
    match state.unit.bytes() {
        None => LogAxis::decades(ends, "Bandwidth", (1e9, 1), rate),
        Some(bytes) => {
            let title = match state.unit {
                Unit::Checkpoint => "Time for 140 GB",
                _ => "Time for 1 GB",
            };
            let ends = (bytes / ends.1 * 1e9, bytes / ends.0 * 1e9);
            LogAxis::decades(ends, title, (1e9, 1), duration_ns)
        }
    }
}

/// The chosen link's numbers, above the chart.
fn readout(state: &Links, layout: Layout, out: Readout<'_, '_>) -> Result<(), PlotError> {
    let Some(link) = state.chosen() else {
        let own = state.own();
        let seen = own.best().map_or("choose a results file".into(), |v| state.tell(v));
        out.headline(0.0, &format!("Yours: {seen}"))?;
        return own
            .direction
            .map_or(Ok(()), |d| out.subline(26.0, &format!("of {} that the link carries", state.tell(d))));
    };
    let name = link.full_name(state.lanes);
    let (marketed, direction) = (state.tell(link.marketed), state.tell(link.direction));
    let seen = link.best_seen().map_or(NO_NUMBER.into(), |s| state.tell(s.bytes_per_s));
    match layout {
        Layout::Wide => {
            out.headline(0.0, &format!("{name}: {marketed} → {direction} → {seen}"))?;
            out.subline(26.0, "as marketed → one direction → seen by software")
        }
        Layout::Narrow => {
            out.headline(0.0, &name)?;
            out.subline(26.0, &format!("sold as {marketed}, one way {direction}"))?;
            out.subline(46.0, &format!("seen: {seen}"))
        }
    }
}

/// One row being drawn.
struct Drawing<'d, 'a, 'b> {
    state: &'d Links,
    chart: &'d mut RowChart<'a, 'b>,
    layout: Layout,
    grid: RowGrid,
    index: usize,
}

impl Drawing<'_, '_, '_> {
    fn known(&mut self, link: &Link) -> Result<(), PlotError> {
        let (state, index) = (self.state, self.index);
        let ink = Ink::role(link.family.role());
        self.name(&link.full_name(state.lanes))?;
        let at = |bytes_per_s: f64| state.on_axis(bytes_per_s);
        let start = if state.unit == Unit::Rate { 1.0 } else { 1e-9 };
        match state.value(link) {
            Some(value) => {
                self.chart.bar(index, (start, at(value)), HALF, ink.opacity(0.35))?;
                // What was seen has a column of its own in wide drawings.
                let beside = self.layout == Layout::Wide && state.number == Number::Measured;
                self.value(&state.tell(if beside { link.direction } else { value }))?;
            }
            // Unknown, but at most what the wire carries.
            None => {
                self.chart.expected(index, (start, at(link.direction)), HALF, Ink::MUTED)?;
                if self.layout == Layout::Wide {
                    self.value(&state.tell(link.direction))?;
                }
            }
        }
        let ends = (at(link.direction).min(at(link.marketed)), at(link.direction).max(at(link.marketed)));
        self.chart.line(index, ends, 1, ink)?;
        self.chart.stop(index, at(link.marketed), HALF, Ink::MUTED)?;
        self.chart.stop(index, at(link.direction), HALF + 2.0, ink)?;
        self.seen(link, ends)?;
        for seen in link.seen {
            let value = at(seen.bytes_per_s);
            match seen.kind {
                Kind::Measured => self.chart.measured(index, value, None, ink)?,
                Kind::Published => self.chart.published(index, value, ink)?,
                Kind::Assumed => self.chart.assumed(index, value, ink)?,
            }
        }
        Ok(())
    }

    fn own(&mut self) -> Result<(), PlotError> {
        let (state, index) = (self.state, self.index);
        let own = state.own();
        self.name("Yours")?;
        let Some(best) = own.best() else {
            return self.chart.gap(index, "no results file chosen");
        };
        let start = if state.unit == Unit::Rate { 1.0 } else { 1e-9 };
        if let Some(direction) = own.direction {
            self.chart.stop(index, state.on_axis(direction), HALF + 2.0, Ink::TEXT)?;
        }
        self.chart.bar(index, (start, state.on_axis(best)), HALF, Ink::TEXT.opacity(0.2))?;
        for reading in [own.to_device, own.from_device].into_iter().flatten() {
            let spread = reading.spread.map(|(low, high)| {
                let (a, b) = (state.on_axis(low), state.on_axis(high));
                (a.min(b), a.max(b))
            });
            self.chart.measured(index, state.on_axis(reading.value), spread, Ink::TEXT)?;
        }
        let told = state.tell(best);
        if self.layout == Layout::Wide {
            self.column(SEEN, &told)?;
        }
        match state.number {
            Number::Measured if self.layout == Layout::Narrow => self.value(&told),
            Number::Measured | Number::Direction => {
                own.direction.map_or(Ok(()), |d| self.value(&state.tell(d)))
            }
            Number::Marketed => Ok(()),
        }
    }

    /// What software saw: a column of its own; on phones only where it is missing.
    fn seen(&self, link: &Link, ends: (f64, f64)) -> Result<(), PlotError> {
        let seen = link.best_seen().map(|s| self.state.tell(s.bytes_per_s));
        match self.layout {
            Layout::Wide => self.column(SEEN, &seen.unwrap_or_else(|| NO_NUMBER.into())),
            Layout::Narrow if seen.is_none() => {
                let marks = link.seen.iter().map(|s| self.state.on_axis(s.bytes_per_s));
                let (left, right) = marks.fold(ends, |(low, high), mark| (low.min(mark), high.max(mark)));
                self.chart.beside(self.index, (left, right), NO_NUMBER, Ink::TEXT)
            }
            Layout::Narrow => Ok(()),
        }
    }

    fn name(&self, name: &str) -> Result<(), PlotError> {
        self.chart.name(self.index, name, Ink::TEXT)
    }

    fn column(&self, right: f64, text: &str) -> Result<(), PlotError> {
        let at = (right, self.grid.mark_y(self.index));
        self.chart.text(text, at, Ink::MUTED, (HPos::Right, VPos::Center))
    }

    /// The number that counts, in a column of its own: right of the axis, or on the line of the name.
    fn value(&self, text: &str) -> Result<(), PlotError> {
        match self.layout {
            Layout::Wide => self.column(VALUE, text),
            Layout::Narrow => {
                let at = (self.grid.axis.1, self.grid.row_top(self.index) + 4.0);
                self.chart.text(text, at, Ink::MUTED, (HPos::Right, VPos::Top))
            }
        }
    }
}
