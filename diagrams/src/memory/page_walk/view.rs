//! Controls, presets, and the bits under the pointer.

use super::machine::{Level, Machine};
use super::picture::{bit_at, picture};
use super::space::Mapping;
use super::state::{EXAMPLE, PageWalk};
use super::walk::Access;
use crate::kit::{Control, Figure, Layout, Node, Preset};

impl Figure for PageWalk {
    const ID: &'static str = "page-walk";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let machines = Machine::ALL.map(|m| (m, m.name()));
        let accesses = Access::ALL.map(|a| (a, a.name()));
        let mut all = vec![
            Control::entry("Virtual address, hexadecimal", 40, self.address_text(), Self::type_address),
            Control::stepper(self.step(), self.steps(), |m, to| m.go(to)),
            Control::choice("Tables", &machines, self.machine, |m, machine| m.machine = machine),
            Control::choice(
                "Mapped: the regions of, or everything in pages of",
                &mappings(self.machine),
                self.mapping,
                |m, mapping| m.mapping = mapping,
            ),
            Control::choice("The program wants to", &accesses, self.access, |m, access| m.access = access),
            Control::switch("Page-walk caches warm", self.warm, |m, warm| m.warm = warm),
        ];
        all.extend(self.machine.levels().into_iter().map(|level| index(self, level)));
        all.push(offset(self));
        all
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn point(&mut self, row: usize, share: f64) {
        if let Some(bit) = bit_at(row, share) {
            self.move_to(self.address ^ 1 << bit);
        }
    }
}

/// What is mapped: sizes depend on the tables.
fn mappings(machine: Machine) -> Vec<(Mapping, &'static str)> {
    let sizes: &[_] = match machine {
        Machine::Arm16K => &[(Mapping::Base, "16 KiB"), (Mapping::Large, "32 MiB")],
        Machine::Arm64K => &[(Mapping::Base, "64 KiB"), (Mapping::Large, "512 MiB")],
        _ => &[(Mapping::Base, "4 KiB"), (Mapping::Large, "2 MiB"), (Mapping::Largest, "1 GiB")],
    };
    [(Mapping::Process, "one process")].iter().chain(sizes).copied().collect()
}

/// A slider for the index into one table.
fn index(model: &PageWalk, level: Level) -> Control<PageWalk> {
    let (now, last) = (level.index(model.address), level.entries() - 1);
    Control::slider(
        level.name,
        (0.0, last as f64),
        now as f64,
        now.to_string(),
        move |m: &mut PageWalk, v| {
            m.set_index(&level, v as u64);
        },
    )
}

fn offset(model: &PageWalk) -> Control<PageWalk> {
    let (now, last) = (model.machine.offset(model.address), model.machine.page_bytes() - 1);
    Control::slider("Offset", (0.0, last as f64), now as f64, format!("{now:#x}"), |m: &mut PageWalk, v| {
        m.set_offset(v as u64);
    })
}

fn presets() -> Vec<Preset<PageWalk>> {
    let at = |address: u64| PageWalk { address, ..PageWalk::default() };
    let preset = |name, state| Preset { name, state };
    vec![
        preset("the text's example", at(EXAMPLE)),
        preset("64 KiB pages", PageWalk { machine: Machine::Arm64K, ..at(EXAMPLE) }),
        preset("a huge page", at(0x7f20_1234_5678)),
        preset("mapped, never touched", PageWalk { access: Access::Write, ..at(0x7f3b_8000_0000) }),
        preset("null plus sixteen", at(0x10)),
        preset("shared since the fork", PageWalk { access: Access::Write, ..at(0x7f30_0000_1040) }),
        preset("write to a checkpoint", PageWalk { access: Access::Write, ..at(0x7f3c_6000_0008) }),
        preset("the kernel's half", at(0xffff_8880_4000_0000)),
        preset("one bit too many", at(EXAMPLE | 1 << 47)),
        preset("five levels", PageWalk { machine: Machine::X86Five, ..at(EXAMPLE) }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::FigureModel;

    #[test]
    fn each_story_ends_in_a_way_of_its_own() {
        let told: std::collections::HashSet<String> = presets().iter().map(|p| p.state.sentence()).collect();
        assert_eq!(told.len(), presets().len());
        assert!(presets()[0].state.to_query().is_empty());
    }
}
