//! A figure: a model with the picture and the controls that drive it.

use drills_results::Report;

use super::{Control, Face, FigureModel, Layout, Node, Operation, Preset, Query};

/// What a figure adds to its model. All of it is plain data, so the frame, compiled once, does the rest.
pub trait Figure: FigureModel {
    /// Kebab-case id, unique in the course.
    const ID: &'static str;

    /// Named states, the first being the default one.
    fn presets(&self) -> Vec<Preset<Self>>;

    /// The controls in their present state.
    fn controls(&self) -> Vec<Control<Self>>;

    /// The picture: one `<svg>` with a fixed `viewBox` per layout, so that nothing jumps.
    fn picture(&self, layout: Layout) -> Node;

    /// A part of the picture was pressed, see [`super::part`].
    fn press(&mut self, _part: usize) {}

    /// A place in a part was pointed at, see [`super::pointable`] and [`super::draggable`]; `share` says
    /// where in it from left to right, 0 to 1.
    fn point(&mut self, _part: usize, _share: f64) {}

    /// Takes over what it shows of the reader's report; `None` if the reader chose no machine.
    fn read(&mut self, _report: Option<&Report>) {}
}

/// A figure at work, without the type of its model.
pub(super) trait Driven: Send + Sync {
    fn sentence(&self) -> String;
    fn note(&self) -> Option<String>;
    fn counters(&self) -> Vec<super::Counter>;
    fn table(&self) -> super::DataTable;
    fn query(&self) -> Query;
    fn presets(&self) -> Vec<(&'static str, Query)>;
    fn faces(&self) -> Vec<Face>;
    fn picture(&self, layout: Layout) -> Node;
    /// Each of these changes the state and says whether it is another one now.
    fn operate(&mut self, control: usize, operation: &Operation) -> bool;
    fn press(&mut self, part: usize) -> bool;
    fn point(&mut self, part: usize, share: f64) -> bool;
    fn adopt(&mut self, query: &Query) -> bool;
    fn choose(&mut self, preset: usize) -> bool;
    fn reset(&mut self) -> bool;
    fn read(&mut self, report: Option<&Report>) -> bool;
}

impl<M: Figure> Driven for M {
    fn sentence(&self) -> String {
        FigureModel::sentence(self)
    }

    fn note(&self) -> Option<String> {
        FigureModel::note(self)
    }

    fn counters(&self) -> Vec<super::Counter> {
        FigureModel::counters(self)
    }

    fn table(&self) -> super::DataTable {
        FigureModel::table(self)
    }

    fn query(&self) -> Query {
        self.to_query()
    }

    fn presets(&self) -> Vec<(&'static str, Query)> {
        Figure::presets(self).iter().map(|preset| (preset.name, preset.state.to_query())).collect()
    }

    fn faces(&self) -> Vec<Face> {
        self.controls().into_iter().map(|control| control.face).collect()
    }

    fn picture(&self, layout: Layout) -> Node {
        Figure::picture(self, layout)
    }

    fn operate(&mut self, control: usize, operation: &Operation) -> bool {
        let mut next = self.clone();
        if let Some(control) = self.controls().get(control) {
            control.operate(&mut next, operation);
        }
        become_state(self, next)
    }

    fn press(&mut self, part: usize) -> bool {
        let mut next = self.clone();
        Figure::press(&mut next, part);
        become_state(self, next)
    }

    fn point(&mut self, part: usize, share: f64) -> bool {
        let mut next = self.clone();
        Figure::point(&mut next, part, share);
        become_state(self, next)
    }

    fn adopt(&mut self, query: &Query) -> bool {
        let next = M::from_query(query).carry_over(self);
        become_state(self, next)
    }

    fn choose(&mut self, preset: usize) -> bool {
        let chosen = Figure::presets(self).into_iter().nth(preset).map(|preset| preset.state);
        let next = chosen.map_or_else(|| self.clone(), |state| state.carry_over(self));
        become_state(self, next)
    }

    fn reset(&mut self) -> bool {
        let next = M::default().carry_over(self);
        become_state(self, next)
    }

    fn read(&mut self, report: Option<&Report>) -> bool {
        let mut next = self.clone();
        Figure::read(&mut next, report);
        become_state(self, next)
    }
}

fn become_state<M: PartialEq>(now: &mut M, next: M) -> bool {
    let changed = *now != next;
    *now = next;
    changed
}
