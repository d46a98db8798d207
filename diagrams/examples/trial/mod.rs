//! A figure that uses every part of the kit and teaches nothing: to try the kit by hand and by script.

use diagrams::kit::scene::{Hit, Rect, Role, place};
use diagrams::kit::units::bytes;
use diagrams::kit::{
    Choice, Counter, DataTable, FigureModel, Frame, Layout, Preset, Query, Slider, Stepper, Switch,
};
use diagrams::{FigureEntry, FigureProps};
use leptos::prelude::*;

/// The trial as the registry would list it.
pub const TRIAL: FigureEntry = FigureEntry { id: "trial", module: "kit", title: "Every control", view };

const STEPS: usize = 4;
const PLACES: [(&str, Role); 3] = [("CPU", Role::Cpu), ("Wire", Role::Wire), ("GPU", Role::Gpu)];

#[derive(Clone, Debug, PartialEq)]
struct Trial {
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

fn picture(model: &Trial, layout: Layout, state: RwSignal<Trial>) -> AnyView {
    let gap = layout.width() / 3.0;
    let boxes = PLACES.into_iter().enumerate().map(|(i, (name, role))| {
        let at = Rect::new(gap * i as f64 + 8.0, 24.0, gap - 16.0, 72.0);
        let chosen = model.chosen == i;
        let fill = if i <= model.step { 1.0 } else { 0.2 };
        let detail = if chosen { "chosen" } else { "" };
        view! {
            <Hit label=name.to_owned() pressed=chosen on_choose=move || state.update(|m| m.chosen = i)>
                {place(at, role, name, detail, fill, chosen)}
            </Hit>
        }
    });
    view! {
        <svg viewBox=format!("0 0 {} 120", layout.width()) role="group" aria-label="Three places">
            {boxes.collect_view()}
        </svg>
    }
    .into_any()
}

fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(Trial::default());
    let big = Trial { size_exponent: 30, step: 3, chosen: 2, ..Trial::default() };
    let presets = vec![Preset { name: "small", state: Trial::default() }, Preset { name: "big", state: big }];
    view! {
        <Frame id="trial" caption=props.caption state=state presets=presets picture=move |m, layout| picture(m, layout, state)>
            <Slider
                label="Size"
                min=12.0
                max=30.0
                value=Signal::derive(move || f64::from(state.get().size_exponent))
                text=Signal::derive(move || bytes(f64::from(2u32.pow(state.get().size_exponent))))
                on_input=move |v| state.update(|m| m.size_exponent = v as u32)
            />
            <Choice
                label="Colour"
                name="trial-colour"
                options=vec![(0, "red"), (1, "green"), (2, "blue")]
                value=Signal::derive(move || state.get().colour)
                on_choose=move |v| state.update(|m| m.colour = v)
            />
            <Switch
                label="Mark it"
                value=Signal::derive(move || state.get().marked)
                on_toggle=move |v| state.update(|m| m.marked = v)
            />
            <Stepper
                step=Signal::derive(move || state.get().step)
                count=Signal::stored(STEPS)
                on_step=move |v| state.update(|m| m.step = v)
            />
        </Frame>
    }
    .into_any()
}
