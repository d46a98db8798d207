//! Controls, and what can be pressed.

use super::machine::{Deed, PAGES};
use super::model::AddressSpaces;
use super::picture::picture;
use crate::kit::{Control, Figure, Layout, Node, Preset};

impl Figure for AddressSpaces {
    const ID: &'static str = "address-spaces";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    /// The process acts: map first, then use the chosen page.
    fn controls(&self) -> Vec<Control<Self>> {
        let last_page = (PAGES - 1) as f64;
        vec![
            Control::choice("Process", &[(0, "A"), (1, "B")], self.actor, |m, actor| m.actor = actor),
            Control::deeds("Change the map", &MAPS.map(|(name, _)| name), |m, i| act(m, MAPS[i].1)),
            Control::deeds("Use the chosen page", &USES.map(|(name, _)| name), |m, i| act(m, USES[i].1)),
            Control::slider(
                "Chosen page",
                (0.0, last_page),
                self.page as f64,
                self.page.to_string(),
                |m: &mut Self, v| m.page = v.round() as usize,
            ),
            Control::stepper(self.step, self.ops.len() + 1, |m, to| m.step = to),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn press(&mut self, part: usize) {
        (self.actor, self.page) = ((part / PAGES).min(1), part % PAGES);
    }
}

/// Name on a button, and what it does to the chosen page.
type Button = (&'static str, fn(usize) -> Deed);

const MAPS: [Button; 5] = [
    ("malloc 1 GiB", |_| Deed::Malloc),
    ("mmap file", |_| Deed::MapFile),
    ("mmap shared", |_| Deed::MapShared),
    ("munmap", Deed::Unmap),
    ("fork", |_| Deed::Fork),
];

const USES: [Button; 3] = [("read", Deed::Read), ("write", Deed::Write), ("write all 4", Deed::WriteAll)];

fn act(model: &mut AddressSpaces, deed: fn(usize) -> Deed) {
    model.act(deed(model.page));
}
