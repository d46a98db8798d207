//! A figure that uses every part of the kit and teaches nothing: to try the kit by hand and by script.

use diagrams::FigureEntry;
use diagrams::kit::scene::{Rect, Role, place};
use diagrams::kit::units::bytes;
use diagrams::kit::{
    Control, Counter, DataTable, Figure, FigureModel, Layout, Node, Preset, Query, part, svg,
};

/// The trial as the registry would list it.
pub const TRIAL: FigureEntry = FigureEntry::of::<Trial>("kit", "Every control");

const STEPS: usize = 4;
const PLACES: [(&str, Role); 3] = [("CPU", Role::Cpu), ("Wire", Role::Wire), ("GPU", Role::Gpu)];

/// State of the trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    size_exponent: u32,
    colour: usize,
    marked: bool,
    step: usize,
    chosen: usize,
}

impl Default for Trial {
    fn default() -> Self {
        Self { size_exponent: 20, colour: 0, marked: false, step: 1, chosen: 0 }
    }
}

impl FigureModel for Trial {
    fn to_query(&self) -> Query {
        let d = Self::default();
        Query::new()
            .set("size", self.size_exponent, d.size_exponent)
            .set("colour", self.colour, d.colour)
            .set("marked", self.marked, d.marked)
            .set("step", self.step, d.step)
            .set("chosen", self.chosen, d.chosen)
    }

    fn from_query(query: &Query) -> Self {
        let d = Self::default();
        Self {
            size_exponent: query.number("size", f64::from(d.size_exponent), 12.0..=30.0) as u32,
            colour: query.parse("colour", d.colour).min(2),
            marked: query.parse("marked", d.marked),
            step: query.parse("step", d.step).min(STEPS - 1),
            chosen: query.parse("chosen", d.chosen).min(2),
        }
    }

    fn sentence(&self) -> String {
        format!(
            "{} of colour {} stand at step {}; {} is chosen.",
            bytes(f64::from(2u32.pow(self.size_exponent))),
            self.colour,
            self.step + 1,
            PLACES[self.chosen].0
        )
    }

    fn table(&self) -> DataTable {
        let mut table = DataTable::new(&["what", "value"]);
        table.row(["size exponent".to_owned(), self.size_exponent.to_string()]);
        table.row(["step".to_owned(), self.step.to_string()]);
        table
    }

    fn counters(&self) -> Vec<Counter> {
        vec![
            Counter::new("Size", bytes(f64::from(2u32.pow(self.size_exponent)))),
            Counter::new("Marked", if self.marked { "yes" } else { "no" }),
        ]
    }
}

impl Figure for Trial {
    const ID: &'static str = "trial";

    fn presets(&self) -> Vec<Preset<Self>> {
        let big = Self { size_exponent: 30, step: 3, chosen: 2, ..Self::default() };
        vec![Preset { name: "small", state: Self::default() }, Preset { name: "big", state: big }]
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let size = bytes(f64::from(2u32.pow(self.size_exponent)));
        let colours = [(0, "red"), (1, "green"), (2, "blue")];
        vec![
            Control::slider("Size", (12.0, 30.0), f64::from(self.size_exponent), size, |m: &mut Self, v| {
                m.size_exponent = v as u32;
            }),
            Control::choice("Colour", &colours, self.colour, |m, v| m.colour = v),
            Control::switch("Mark it", self.marked, |m, on| m.marked = on),
            Control::stepper(self.step, STEPS, |m, step| m.step = step),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let gap = layout.width() / 3.0;
        let boxes = PLACES.into_iter().enumerate().map(|(i, (name, role))| {
            let at = Rect::new(gap * i as f64 + 8.0, 24.0, gap - 16.0, 72.0);
            let chosen = self.chosen == i;
            let fill = if i <= self.step { 1.0 } else { 0.2 };
            let detail = if chosen { "chosen" } else { "" };
            part(i, name, Some(chosen), place(at, role, name, detail, fill, chosen))
        });
        svg::picture((layout.width(), 120.0), "Three places", true).with(boxes.collect::<Node>())
    }

    fn press(&mut self, part: usize) {
        self.chosen = part.min(PLACES.len() - 1);
    }
}
