//! Controls, presets, the reader's numbers, and the working set under the pointer.

use drills_results::Report;

use super::chart;
use super::chips::Chip;
use super::model::Pattern;
use super::own::chases;
use super::state::{ENTRIES, MEMORY_NS, PAGES, READS, TlbReach, WORKING_SETS, entries_text};
use crate::kit::scene::Rect;
use crate::kit::units::{bytes, duration_ns};
use crate::kit::{Control, Figure, Layout, Node, Preset, draggable, svg};

impl Figure for TlbReach {
    const ID: &'static str = "tlb-reach";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let names = ["4 KiB", "16 KiB", "64 KiB", "2 MiB", "512 MiB"];
        let pages: Vec<_> = PAGES.into_iter().zip(names).collect();
        let patterns = [(Pattern::AnyLine, "any line"), (Pattern::LinePerPage, "one line per page")];
        let entries = ENTRIES.iter().position(|&e| e == self.entries).unwrap_or(6) as f64;
        let last_entry = (ENTRIES.len() - 1) as f64;
        let whole = |(low, high): (u32, u32)| (f64::from(low), f64::from(high));
        vec![
            Control::choice("Page", &pages, self.page_bytes, |m, page| m.page_bytes = page),
            Control::choice("Read by", &Chip::ALL.map(|c| (c, c.name())), self.chip, Self::choose),
            Control::choice("Random reads of", &patterns, self.pattern, |m, pattern| m.pattern = pattern),
            Control::slider(
                "Working set",
                whole(WORKING_SETS),
                f64::from(self.exponent),
                bytes(self.working_set_bytes()),
                |m: &mut Self, v| m.exponent = v.round() as u32,
            ),
            Control::slider(
                "TLB entries",
                (0.0, last_entry),
                entries,
                entries_text(self.entries),
                |m: &mut Self, v| m.entries = ENTRIES[(v.round() as usize).min(ENTRIES.len() - 1)],
            ),
            Control::slider(
                "Reads per walk",
                whole(READS),
                f64::from(self.reads),
                reads_text(self.reads),
                |m: &mut Self, v| m.reads = v.round() as u32,
            ),
            Control::slider(
                "A read from memory",
                (0.0, f64::from(MEMORY_NS.steps)),
                MEMORY_NS.position(self.memory_ns).round(),
                duration_ns(self.memory_ns),
                |m: &mut Self, v| m.memory_ns = MEMORY_NS.value(v),
            ),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let grid = chart::grid(layout);
        let (left, right) = grid.axis;
        let area = Rect::new(left, grid.top, right - left, grid.bottom() - grid.top);
        let plotted = svg::g("plotted").set("aria-hidden", "true").with(chart::draw(self, layout));
        let title = "Time per random read over the working set, for several page sizes";
        svg::picture((grid.width, grid.height()), title, false)
            .set("class", "rowchart")
            .with(plotted)
            .with(draggable(svg::rect("tr-drag", area), 0))
    }

    fn point(&mut self, _part: usize, share: f64) {
        self.exponent = chart::exponent_at(share);
    }

    fn read(&mut self, report: Option<&Report>) {
        self.yours = report.map(chases).unwrap_or_default();
    }
}

fn reads_text(reads: u32) -> String {
    match reads {
        1 => "1, warm".into(),
        4 => "4, cold".into(),
        24 => "24, VM".into(),
        _ => reads.to_string(),
    }
}

fn presets() -> Vec<Preset<TlbReach>> {
    let x86 = TlbReach::default;
    let preset = |name, state| Preset { name, state };
    vec![
        preset("x86, 4 KiB", x86()),
        preset("x86, 2 MiB", TlbReach { page_bytes: PAGES[3], ..x86() }),
        preset("Grace, 64 KiB", TlbReach { page_bytes: PAGES[2], ..TlbReach::on(Chip::NeoverseV2) }),
        preset("GPU, 2 MiB", TlbReach { page_bytes: PAGES[3], ..TlbReach::on(Chip::Gpu) }),
        preset("just inside", TlbReach { page_bytes: PAGES[3], exponent: 32, ..x86() }),
        preset("in a virtual machine", TlbReach { reads: 24, ..x86() }),
        preset("the drill's chase", TlbReach { pattern: Pattern::LinePerPage, exponent: 30, ..x86() }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::FigureModel;

    #[test]
    fn each_story_reads_differently_and_is_a_state_of_the_address() {
        let told: std::collections::HashSet<String> = presets().iter().map(|p| p.state.sentence()).collect();
        assert_eq!(told.len(), presets().len());
        for preset in presets() {
            assert_eq!(TlbReach::from_query(&preset.state.to_query()), preset.state);
        }
    }
}
