//! Draws the chart: axes, curves, points, and the strip of what is left over.

use plotters::prelude::{Circle, Color, IntoFont, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, TextStyle};

use super::choice::{Algorithm, View};
use super::cost::Standing;
use super::frame::{Frame, labelled_sizes};
use super::model::{AllReduce, bytes_of};
use super::words::{time, value, who};
use crate::kit::plot::{Ink, Key, PlotError, Surface, chart, legend};
use crate::kit::scene::{Rect, Role};
use crate::kit::units::{bytes, number};
use crate::kit::{FigureModel, Layout, Node, draggable, svg};

/// From this distance on a point counts as missed, and a median as a model that does not fit.
const MISFIT: f64 = 0.3;
const GPU: Ink = Ink::role(Role::Gpu);
const LEGEND: [(Key, &str, Ink); 4] = [
    (Key::Open, "published run", Ink::MUTED),
    (Key::Disc, "yours", Ink::TEXT),
    (Key::Gap, "expected, not published", Ink::MUTED),
    (Key::Bar, "within 10 %", GPU),
];

/// The whole picture.
pub fn picture(state: &AllReduce, layout: Layout) -> Node {
    let frame = Frame::of(layout);
    let height = frame.height();
    let plotted = chart(layout.width(), height, |surface| {
        let pen = Pen { surface, frame };
        pen.readout(state)?;
        pen.axes(state)?;
        pen.strip(state)?;
        pen.points(state)?;
        pen.own(state)?;
        pen.cursor(state)?;
        legend(surface, frame.legend(), &LEGEND)
    });
    let (curves, names) = curves(state, frame);
    svg::picture(
        (layout.width(), height),
        format!("Time of an all-reduce against its size. {}", state.sentence()),
        true,
    )
    .set("class", "ar-chart")
    .with(svg::g("").set("aria-hidden", "true").with(curves).with(plotted).with(names).with(sizes(frame)))
}

/// Pointing at a size chooses it. The slider does the same for the keyboard.
fn sizes(frame: Frame) -> Node {
    let at = Rect::new(frame.x.0, frame.y.0, frame.x.1 - frame.x.0, frame.strip.1 - frame.y.0);
    draggable(svg::rect("ar-sizes", at), 0)
}

/// Curves with their names at the right end.
fn curves(state: &AllReduce, frame: Frame) -> (Node, Node) {
    let mut all: Vec<(&str, &'static str, super::frame::Curve)> = Vec::new();
    let mut add = |name, class, time_us: &dyn Fn(f64) -> Option<f64>| {
        all.push((name, class, frame.curve(state, time_us)));
    };
    let hierarchy = state.algorithm == Algorithm::Fit && state.phases(1.0).is_some();
    if hierarchy {
        let known = |bytes: f64| bytes >= state.from_bytes();
        add("inside", "ar-thin gpu", &|b| state.phases(b).filter(|_| known(b)).map(|p| p.inside_us));
        add("network", "ar-thin wire", &|b| state.phases(b).filter(|_| known(b)).map(|p| p.across_us));
    } else {
        for (algorithm, class) in [
            (Algorithm::Ring, "ar-thin ar-ring"),
            (Algorithm::Tree, "ar-thin ar-tree"),
            (Algorithm::Nvls, "ar-thin ar-nvls"),
        ] {
            if state.algorithm != algorithm {
                add(algorithm.name(), class, &|b| state.time_us(algorithm, b));
            }
        }
        if state.machine().domain_gpus > 8 && state.gpus > 8 {
            let eight = AllReduce { gpus: 8, domains: 1, algorithm: Algorithm::Fit, ..state.clone() };
            // Each with its own factor: that is the point of bus bandwidth.
            let scale = if state.view == View::Bus { eight.bus_share(state) } else { 1.0 };
            add("8 GPUs", "ar-thin gpu", &|b| eight.time_us(Algorithm::Fit, b).map(|us| us / scale));
        }
    }
    let class = match (state.algorithm, state.standing()) {
        (Algorithm::Fit, Standing::Fitted | Standing::Checked) => "ar-main gpu",
        (Algorithm::Fit, Standing::Misfit) => "ar-main pale ar-wrong",
        _ => "ar-main gpu ar-expected",
    };
    let name = if state.algorithm == Algorithm::Fit { "model" } else { state.algorithm.name() };
    add(name, class, &|b| state.time_us(state.algorithm, b));
    let names = names(&all, frame);
    let paths = all.into_iter().map(|(_, class, curve)| svg::path(class, curve.data)).collect();
    (paths, names)
}

/// Names of curves, pushed apart where their ends meet.
fn names(all: &[(&str, &'static str, super::frame::Curve)], frame: Frame) -> Node {
    let mut places: Vec<(f64, usize)> =
        all.iter().enumerate().filter_map(|(i, (_, _, c))| c.end.map(|(_, y)| (y, i))).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = frame.y.0 - 4.0;
    for place in &mut places {
        place.0 = place.0.max(free);
        free = place.0 + 16.0;
    }
    let name = |&(y, i): &(f64, usize)| {
        let strong = if i + 1 == all.len() { "strong halo" } else { "small muted halo" };
        svg::text(strong, (frame.x.1 + 8.0, y + 4.0), all[i].0.to_owned())
    };
    places.iter().map(name).collect()
}

/// Draws on whole units.
struct Pen<'a, 'b> {
    surface: &'a Surface<'b>,
    frame: Frame,
}

impl Pen<'_, '_> {
    fn line(&self, points: &[(f64, f64)], ink: Ink, width: u32) -> Result<(), PlotError> {
        let points: Vec<(i32, i32)> = points.iter().map(|p| whole(*p)).collect();
        self.surface.draw(&PathElement::new(points, ink.stroke_width(width)))
    }

    fn disc(&self, at: (f64, f64), ink: Ink, filled: bool) -> Result<(), PlotError> {
        let style = if filled { ink.filled() } else { ink.open().stroke_width(2) };
        self.surface.draw(&Circle::new(whole(at), 4, style))
    }

    fn text(&self, text: &str, at: (f64, f64), ink: Ink, place: (HPos, VPos)) -> Result<(), PlotError> {
        let style = TextStyle::from(("sans-serif", self.frame.font).into_font()).color(&ink);
        self.surface.draw(&Text::new(text.to_owned(), whole(at), style.pos(Pos::new(place.0, place.1))))
    }

    /// The chosen size in words, above the chart.
    fn readout(&self, state: &AllReduce) -> Result<(), PlotError> {
        let head = super::words::headline(state);
        let font = ("sans-serif", 18.0).into_font().style(FontStyle::Bold);
        let style = TextStyle::from(font).color(&Ink::TEXT).pos(Pos::new(HPos::Left, VPos::Top));
        self.surface.draw(&Text::new(head, (0, 0), style))?;
        let rates = super::words::rates(state);
        let lines = self
            .frame
            .layout
            .pick([format!("{}: {rates}", who(state)), String::new()], [who(state), rates.clone()]);
        for (index, line) in lines.iter().enumerate() {
            self.text(line, (0.0, 26.0 + 20.0 * index as f64), Ink::MUTED, (HPos::Left, VPos::Top))?;
        }
        Ok(())
    }

    fn axes(&self, state: &AllReduce) -> Result<(), PlotError> {
        let Frame { x, y, font, .. } = self.frame;
        let mut ticks: Vec<f64> = Vec::new();
        match state.view {
            View::Time => ticks.extend((1..=6).map(|e| 10f64.powi(e))),
            View::Array | View::Bus => {
                ticks.extend((0..=4).map(|i| state.machine().axis_gb_per_s / 4.0 * f64::from(i)));
            }
        }
        for tick in ticks {
            let Some(at) = self.frame.y_of(state, tick) else { continue };
            self.line(&[(x.0, at), (x.1, at)], Ink::GRID, 1)?;
            let text = if state.view == View::Time { time(tick) } else { number(tick) };
            self.text(&text, (x.0 - 8.0, at), Ink::MUTED, (HPos::Right, VPos::Center))?;
        }
        let title = match state.view {
            View::Time => "Time, log scale",
            View::Array => "Array rate, GB/s",
            View::Bus => "Bus bandwidth, GB/s",
        };
        self.text(title, (x.0, y.0 - 6.0 - font), Ink::MUTED, (HPos::Left, VPos::Top))?;
        for (exponent, size) in labelled_sizes() {
            let at = self.frame.x_of(size);
            self.line(&[(at, y.0), (at, y.1)], Ink::GRID, 1)?;
            self.line(&[(at, self.frame.strip.0), (at, self.frame.strip.1)], Ink::GRID, 1)?;
            // Phones have room for every other one.
            if self.frame.layout == Layout::Wide || exponent % 10 == 0 {
                self.text(&bytes(size), (at, y.1 + 10.0), Ink::MUTED, (HPos::Center, VPos::Top))?;
            }
        }
        self.line(&[(x.0, y.1), (x.1, y.1)], Ink::AXIS, 1)
    }

    /// Axis of the strip: how long the published run took, by how long the model says.
    fn strip(&self, state: &AllReduce) -> Result<(), PlotError> {
        let Frame { x, strip, .. } = self.frame;
        let title =
            self.frame.layout.pick("Published time ÷ model, log scale", "Published ÷ model, log scale");
        self.text(title, (x.0, strip.0 - 8.0), Ink::MUTED, (HPos::Left, VPos::Bottom))?;
        let band = [whole((x.0, self.frame.strip_y(1.1))), whole((x.1, self.frame.strip_y(0.9)))];
        self.surface.draw(&Rectangle::new(band, GPU.opacity(0.2).filled()))?;
        for (ratio, label) in [(0.5, "½"), (1.0, "1"), (2.0, "2"), (4.0, "4")] {
            let at = self.frame.strip_y(ratio);
            let ink = if ratio == 1.0 { Ink::AXIS } else { Ink::GRID };
            self.line(&[(x.0, at), (x.1, at)], ink, 1)?;
            self.text(label, (x.0 - 8.0, at), Ink::MUTED, (HPos::Right, VPos::Center))?;
        }
        let (text, ink) = match state.median_miss() {
            Some(miss) if miss > MISFIT => {
                (self.frame.layout.pick("The model does not fit", "does not fit"), Ink::role(Role::Trouble))
            }
            None if state.misses().is_empty() => ("no published run", Ink::MUTED),
            _ => return Ok(()),
        };
        self.text(text, (x.0 + 12.0, self.frame.strip_y(2.83)), ink, (HPos::Left, VPos::Center))
    }

    /// Published points, in the chart and in the strip. Where one lies far off, a line shows how far.
    fn points(&self, state: &AllReduce) -> Result<(), PlotError> {
        for miss in state.misses() {
            let size = bytes_of(miss.exponent.into());
            let x = self.frame.x_of(size);
            let far = miss.off().is_some_and(|off| off.abs() > MISFIT);
            let ink = if far { Ink::role(Role::Trouble) } else { GPU };
            let y = |us: f64| self.frame.y_of(state, state.on_axis(size, us));
            let model = miss.ratio.map(|ratio| miss.time_us / ratio);
            if let Some(at) = y(miss.time_us) {
                if let Some(other) = model.and_then(y).filter(|_| far) {
                    self.line(&[(x, at), (x, other)], ink, 1)?;
                }
                self.disc((x, at), ink, false)?;
            }
            if let Some(ratio) = miss.ratio {
                self.disc((x, self.frame.strip_y(ratio)), ink, false)?;
            }
        }
        Ok(())
    }

    fn own(&self, state: &AllReduce) -> Result<(), PlotError> {
        let own = &state.yours;
        for &(size, us) in &own.points {
            let array = size / us / 1e3;
            let shown = match state.view {
                View::Time => us,
                View::Array => array,
                View::Bus => array * super::cost::bus_factor(own.ranks),
            };
            let inside = (bytes_of(super::model::SIZES.0)..=bytes_of(super::model::SIZES.1)).contains(&size);
            if let Some(y) = self.frame.y_of(state, shown).filter(|_| inside) {
                self.disc((self.frame.x_of(size), y), Ink::TEXT, true)?;
            }
            // Against the model only where it speaks of as many GPUs.
            let model = state.time_us(state.algorithm, size).filter(|_| inside && own.ranks == state.ranks());
            if let Some(model) = model {
                self.disc((self.frame.x_of(size), self.frame.strip_y(us / model)), Ink::TEXT, true)?;
            }
        }
        Ok(())
    }

    /// The chosen size: a line through chart and strip, and the value on the axis.
    fn cursor(&self, state: &AllReduce) -> Result<(), PlotError> {
        let x = self.frame.x_of(state.bytes());
        self.line(&[(x, self.frame.y.0), (x, self.frame.y.1)], Ink::TEXT, 1)?;
        self.line(&[(x, self.frame.strip.0), (x, self.frame.strip.1)], Ink::TEXT, 1)?;
        let Some(us) = state.chosen_us() else { return Ok(()) };
        let shown = state.on_axis(state.bytes(), us);
        let Some(y) = self.frame.y_of(state, shown) else { return Ok(()) };
        self.line(&[(x - 7.0, y), (x + 7.0, y)], Ink::TEXT, 2)?;
        let left = x > self.frame.x.0 + 120.0;
        let (at, place) = if left { (x - 12.0, HPos::Right) } else { (x + 12.0, HPos::Left) };
        let above = if state.view == View::Time { -4.0 } else { -8.0 };
        self.text(&value(state, shown), (at, y + above), Ink::TEXT, (place, VPos::Bottom))
    }
}

fn whole((x, y): (f64, f64)) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}
