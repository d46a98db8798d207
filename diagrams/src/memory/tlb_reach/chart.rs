//! Draws time per read over the working set.

use plotters::chart::ChartContext;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, Circle, Color, IntoFont, IntoLogRange, LineSeries, PathElement, Text,
};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::state::{PAGES, TlbReach, WORKING_SETS, miss_text, page_text};
use crate::kit::plot::{
    FONT_NARROW, FONT_WIDE, Ink, Key, PlotError, RowGrid, Surface, SvgNodes, chart, legend, legend_lines,
    text_width,
};
use crate::kit::scene::Role;
use crate::kit::units::{bytes, duration_ns};
use crate::kit::{Layout, Node};

/// Ends of the axis of times, in nanoseconds.
const TIMES: (f64, f64) = (4.0, 5_000.0);
/// Times with a line across the plot.
const TICKS: [f64; 3] = [10.0, 100.0, 1_000.0];
/// The colour of translations.
const KERNEL: Ink = Ink::role(Role::Kernel);

const LEGEND: [(Key, &str, Ink); 5] = [
    (Key::Bar, "chosen page size", KERNEL),
    (Key::Stop, "others", KERNEL),
    (Key::Gap, "data alone, no misses", Ink::MUTED),
    (Key::Assumed, "your choice, from the model", KERNEL),
    (Key::Disc, "measured on your machine", Ink::TEXT),
];

/// Where things are: a grid of one tall row, so that axis and legend lie as in every chart.
pub fn grid(layout: Layout) -> RowGrid {
    let (width, font) = (layout.width(), layout.pick(FONT_WIDE, FONT_NARROW));
    RowGrid {
        width,
        top: layout.pick(76.0, 108.0),
        pitch: layout.pick(340.0, 320.0),
        count: 1,
        axis: layout.pick((64.0, 640.0), (8.0, 268.0)),
        mark: 0.0,
        legend: 16.0 + 20.0 * legend_lines(&LEGEND, width - 8.0, font) as f64,
        font,
    }
}

type Chart<'a, 'b> = ChartContext<'a, SvgNodes<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// The whole picture as SVG elements.
pub fn draw(state: &TlbReach, layout: Layout) -> Node {
    let grid = grid(layout);
    chart(grid.width, grid.height(), |surface| {
        let mut drawing = Drawing::new(surface, state, grid)?;
        drawing.axes()?;
        drawing.curves()?;
        drawing.reach()?;
        drawing.times(layout)?;
        drawing.yours()?;
        drawing.readout(layout)?;
        legend(surface, grid, &LEGEND)
    })
}

/// Working set under a share of the axis, as a power of two.
pub fn exponent_at(share: f64) -> u32 {
    let (low, high) = WORKING_SETS;
    low + (share.clamp(0.0, 1.0) * f64::from(high - low)).round() as u32
}

struct Drawing<'a, 'b> {
    surface: &'a Surface<'b>,
    chart: Chart<'a, 'b>,
    state: &'a TlbReach,
    grid: RowGrid,
}

impl<'a, 'b> Drawing<'a, 'b> {
    fn new(surface: &'a Surface<'b>, state: &'a TlbReach, grid: RowGrid) -> Result<Self, PlotError> {
        let (low, high) = WORKING_SETS;
        let sizes = f64::from(low).exp2()..f64::from(high).exp2();
        // Plotters counts pixels: its area ends one before its edge.
        let chart = ChartBuilder::on(surface)
            .margin_left(grid.axis.0 as i32)
            .margin_right((grid.width - grid.axis.1) as i32 - 1)
            .margin_top(grid.top as i32)
            .margin_bottom((grid.height() - grid.bottom()) as i32 - 1)
            .build_cartesian_2d(sizes.log_scale(), (TIMES.0..TIMES.1).log_scale())?;
        Ok(Self { surface, chart, state, grid })
    }

    fn x(&self, size: f64) -> f64 {
        let (low, high) = WORKING_SETS;
        let share = (size.log2() - f64::from(low)) / f64::from(high - low);
        self.grid.axis.0 + share.clamp(0.0, 1.0) * (self.grid.axis.1 - self.grid.axis.0)
    }

    fn y(&self, ns: f64) -> f64 {
        let share = (ns.clamp(TIMES.0, TIMES.1) / TIMES.0).ln() / (TIMES.1 / TIMES.0).ln();
        self.grid.bottom() - share * (self.grid.bottom() - self.grid.top)
    }

    fn axes(&mut self) -> Result<(), PlotError> {
        let grid = self.grid;
        let sizes = [20, 25, 30, 35, 40].map(|e| 2f64.powi(e));
        let down =
            sizes.map(|s| PathElement::new(vec![(s, TIMES.0), (s, TIMES.1)], Ink::GRID.stroke_width(1)));
        self.chart.draw_series(down)?;
        let ends = (sizes[0], sizes[4]);
        let across =
            TICKS.map(|t| PathElement::new(vec![(ends.0, t), (ends.1, t)], Ink::GRID.stroke_width(1)));
        self.chart.draw_series(across)?;
        let base = PathElement::new(vec![(ends.0, TIMES.0), (ends.1, TIMES.0)], Ink::AXIS.stroke_width(1));
        self.chart.draw_series([base])?;
        for size in sizes {
            let label = bytes(size);
            let half = text_width(&label, grid.font, false) / 2.0;
            let x = self.x(size).clamp(half, grid.width - half);
            self.text(&label, (x, grid.bottom() + 6.0), Ink::MUTED, (HPos::Center, VPos::Top), false)?;
        }
        let middle = ((grid.axis.0 + grid.axis.1) / 2.0, grid.bottom() + 40.0);
        self.text("Working set, log scale", middle, Ink::MUTED, (HPos::Center, VPos::Bottom), false)?;
        let title = (grid.inset(), grid.top - 8.0);
        self.text("Time per read, log scale", title, Ink::MUTED, (HPos::Left, VPos::Bottom), false)
    }

    fn times(&self, layout: Layout) -> Result<(), PlotError> {
        for time in TICKS {
            // On phones the numbers stand on their lines, and the curves pass there.
            let (at, pos) = match layout {
                Layout::Wide => ((self.grid.axis.0 - 8.0, self.y(time)), (HPos::Right, VPos::Center)),
                Layout::Narrow => ((self.grid.axis.0, self.y(time) - 2.0), (HPos::Left, VPos::Bottom)),
            };
            self.text(&duration_ns(time), at, Ink::MUTED.halo(), pos, false)?;
        }
        Ok(())
    }

    /// Points of a curve, four per doubling of the working set.
    fn curve(&self, time: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let (low, high) = WORKING_SETS;
        let points = (low * 4)..=(high * 4);
        points
            .map(|step| {
                let size = (f64::from(step) / 4.0).exp2();
                (size, time(size).clamp(TIMES.0, TIMES.1))
            })
            .collect()
    }

    fn curves(&mut self) -> Result<(), PlotError> {
        let state = self.state;
        let data = self.curve(|size| state.setup(state.page_bytes, size).cost().data_ns);
        self.chart.draw_series(LineSeries::new(data, Ink::MUTED.dashed().stroke_width(1)))?;
        // From top to bottom; at one height the smaller page comes first.
        let mut ends: Vec<(f64, u64, bool)> = Vec::new();
        // The chosen one is drawn last, above the others.
        let others = [PAGES[0], PAGES[2], PAGES[3]].into_iter().filter(|&p| p != state.page_bytes);
        for page in others.chain([state.page_bytes]) {
            let chosen = page == state.page_bytes;
            let line = self.curve(|size| state.setup(page, size).cost().total_ns());
            let y = self.y(line.last().map_or(TIMES.0, |p| p.1));
            let at = ends.partition_point(|end| (end.0, end.1) < (y, page));
            ends.insert(at, (y, page, chosen));
            let ink = if chosen { KERNEL.stroke_width(3) } else { KERNEL.opacity(0.5).stroke_width(2) };
            self.chart.draw_series(LineSeries::new(line, ink))?;
        }
        self.names(ends)
    }

    /// Sizes of pages beside the ends of their curves, given from top to bottom; no two on one another.
    fn names(&self, ends: Vec<(f64, u64, bool)>) -> Result<(), PlotError> {
        let apart = self.grid.font + 4.0;
        let mut above = f64::MIN;
        for (y, page, chosen) in ends {
            let y = y.max(above + apart);
            above = y;
            let ink = if chosen { Ink::TEXT } else { Ink::MUTED };
            self.text(
                &page_text(page),
                (self.grid.axis.1 + 6.0, y),
                ink,
                (HPos::Left, VPos::Center),
                chosen,
            )?;
        }
        Ok(())
    }

    /// Where the reach ends, and the present working set.
    fn reach(&mut self) -> Result<(), PlotError> {
        let setup = self.state.now();
        let (low, high) = (f64::from(WORKING_SETS.0).exp2(), f64::from(WORKING_SETS.1).exp2());
        let reach = setup.reach_bytes().clamp(low, high);
        let line =
            PathElement::new(vec![(reach, TIMES.0), (reach, TIMES.1)], KERNEL.dashed().stroke_width(1));
        self.chart.draw_series([line])?;
        let label = format!("reach {}", bytes(setup.reach_bytes()));
        let width = text_width(&label, self.grid.font, false);
        let x = self.x(reach);
        let (x, side) =
            if x + width + 8.0 < self.grid.axis.1 { (x + 6.0, HPos::Left) } else { (x - 6.0, HPos::Right) };
        self.text(&label, (x, self.grid.top + 4.0), Ink::TEXT, (side, VPos::Top), false)?;
        let at = (setup.working_set_bytes, setup.cost().total_ns().clamp(TIMES.0, TIMES.1));
        self.chart.draw_series([Circle::new(at, 7, KERNEL.open_dashed().stroke_width(2))])?;
        Ok(())
    }

    fn yours(&mut self) -> Result<(), PlotError> {
        let (low, high) = (f64::from(WORKING_SETS.0).exp2(), f64::from(WORKING_SETS.1).exp2());
        for chase in &self.state.yours {
            let inside = |p: &&(f64, f64)| (low..=high).contains(&p.0) && (TIMES.0..=TIMES.1).contains(&p.1);
            let points: Vec<(f64, f64)> = chase.points.iter().filter(inside).copied().collect();
            self.chart.draw_series(LineSeries::new(points.iter().copied(), Ink::TEXT.stroke_width(1)))?;
            self.chart.draw_series(points.iter().map(|&p| Circle::new(p, 3, Ink::TEXT.filled())))?;
            if let Some(&(size, ns)) = points.last() {
                let at = (self.x(size) - 6.0, self.y(ns) - 8.0);
                self.text(chase.name, at, Ink::TEXT, (HPos::Right, VPos::Bottom), false)?;
            }
        }
        Ok(())
    }

    /// The present numbers, above the chart.
    fn readout(&self, layout: Layout) -> Result<(), PlotError> {
        let cost = self.state.now().cost();
        let head = format!("{} per read", duration_ns(cost.total_ns()));
        let parts = format!(
            "{} for the data, {} for walking",
            duration_ns(cost.data_ns),
            duration_ns(cost.walking_ns())
        );
        let misses = format!(
            "{} of reads over {} miss",
            miss_text(cost.miss_rate),
            bytes(self.state.working_set_bytes())
        );
        self.headline(&head)?;
        let x = self.grid.inset();
        let pos = (HPos::Left, VPos::Top);
        match layout {
            Layout::Wide => self.text(&format!("{parts}; {misses}"), (x, 26.0), Ink::MUTED, pos, false),
            Layout::Narrow => {
                self.text(&parts, (x, 26.0), Ink::MUTED, pos, false)?;
                self.text(&misses, (x, 46.0), Ink::MUTED, pos, false)
            }
        }
    }

    fn headline(&self, text: &str) -> Result<(), PlotError> {
        let font = ("sans-serif", 18.0).into_font().style(plotters::style::FontStyle::Bold);
        let style = TextStyle::from(font).color(&Ink::TEXT).pos(Pos::new(HPos::Left, VPos::Top));
        self.surface.draw(&Text::new(text.to_owned(), (self.grid.inset() as i32, 0), style))
    }

    fn text(
        &self,
        text: &str,
        (x, y): (f64, f64),
        ink: Ink,
        (h, v): (HPos, VPos),
        strong: bool,
    ) -> Result<(), PlotError> {
        let font = ("sans-serif", self.grid.font).into_font();
        let font = if strong { font.style(plotters::style::FontStyle::Bold) } else { font };
        let style = TextStyle::from(font).color(&ink).pos(Pos::new(h, v));
        self.surface.draw(&Text::new(text.to_owned(), (x.round() as i32, y.round() as i32), style))
    }
}
