//! The scene, the steps as a list, and the controls.

use super::breaks::BREAKS;
use super::model::FabricHandle;
use super::places::{BOTTOM, NVLINK, Place, WIRES, frames};
use super::steps::{PATHS, Path, Spot, Step};
use crate::kit::scene::{Rect, Role, WireState, place, step_mark, wire, wire_label};
use crate::kit::{Control, Figure, Layout, Node, Preset, part_with_words, svg};

impl Figure for FabricHandle {
    const ID: &'static str = "fabric-handle";

    fn presets(&self) -> Vec<Preset<Self>> {
        Self::presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let paths = PATHS.map(|(path, _, name)| (path, name));
        let mut broken = vec![(None, "nothing")];
        broken.extend(BREAKS.iter().enumerate().map(|(i, b)| (Some(i), b.name)));
        vec![
            Control::stepper(self.step, self.reach() + 1, |m: &mut Self, to| m.go(to)),
            Control::choice("The buffer is shared within", &paths, self.path, |m, path| m.choose_path(path)),
            Control::choice("Broken", &broken, self.broken, |m, b| m.choose_break(b)),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        let list_top = BOTTOM + 12.0;
        let height = list_top + 7.0 * pitch(layout) + 4.0;
        svg::picture((layout.width(), height), "Two users of one GPU buffer, and who checks each call", true)
            .with(hosts(self, layout))
            .with(wires(self, layout))
            .with(boxes(self, layout))
            .with(list(self, layout, list_top))
    }

    fn press(&mut self, part: usize) {
        self.go(part + 1);
    }
}

/// Frames of the hosts, with what they are.
fn hosts(model: &FabricHandle, layout: Layout) -> Node {
    let clique = if model.is_broken("clique") { 7 } else { 3 };
    let names = match model.path {
        Path::Process => ["one process, one kernel".to_owned(), String::new()],
        Path::Host => ["one host, one kernel".to_owned(), String::new()],
        Path::Trays => {
            let [a, b] = layout.pick(
                ["tray A, kernel A, clique 3", "tray B, kernel B, clique "],
                ["tray A, clique 3", "tray B, clique "],
            );
            [a.to_owned(), b.to_owned() + &clique.to_string()]
        }
    };
    let one = |(at, name): (Rect, String)| {
        Node::from([
            svg::rect("fh-host", at).set("rx", 8),
            svg::text("small muted", (at.x + 4.0, 16.0), name),
        ])
    };
    frames(model.path, layout).into_iter().zip(names).map(one).collect()
}

/// What a box says: its name and its state.
fn words(model: &FabricHandle, at: Place) -> (Role, &'static str, &'static str) {
    let done = |call: &str, spot: Spot| {
        let steps = model.path.steps().iter().take(model.step - usize::from(model.failed().is_some()));
        steps.into_iter().any(|s| s.spot == spot && s.call.starts_with(call))
    };
    let trays = model.path == Path::Trays;
    let mapped = done("cuMemMap", Spot::B) || (model.path == Path::Process && done("cuMemMap", Spot::A));
    let granted = done("cuMemSetAccess", Spot::B) || done("cuMemSetAccess", Spot::A);
    match at {
        Place::ProcessA if model.path == Path::Process => (Role::Cpu, "the process", "uses GPU 0 and GPU 1"),
        Place::ProcessA if done("cuMemExport", Spot::A) => {
            (Role::Cpu, "process A", if trays { "has 64 bytes" } else { "has descriptor 23" })
        }
        Place::ProcessA => (Role::Cpu, "process A", "owns the buffer"),
        Place::ProcessB if done("cuMemImport", Spot::Import) => (Role::Cpu, "process B", "has a handle"),
        Place::ProcessB if done("se", Spot::Between) => {
            (Role::Cpu, "process B", if trays { "has 64 bytes" } else { "has descriptor 9" })
        }
        Place::ProcessB => (Role::Cpu, "process B", "wants to use it"),
        Place::DriverA if !trays => {
            (Role::Kernel, "kernel and driver", "one table of descriptors per process")
        }
        Place::DriverA | Place::DriverB => (Role::Kernel, "driver", ""),
        Place::ChannelA if model.is_broken("channel") => (Role::Kernel, "channel", "none"),
        Place::ChannelB if model.is_broken("other") => (Role::Kernel, "channel", "1"),
        Place::ChannelA | Place::ChannelB => (Role::Kernel, "channel", "0"),
        Place::ImexA if model.is_broken("daemon") => (Role::Kernel, "IMEX", "down"),
        Place::ImexB if model.is_broken("domains") => (Role::Kernel, "IMEX", "two domains"),
        Place::ImexA | Place::ImexB => (Role::Kernel, "IMEX", "ready"),
        Place::Gpu0 if done("cuMemCreate", Spot::A) => (Role::Gpu, "GPU 0", "holds the buffer"),
        Place::Gpu0 => (Role::Gpu, "GPU 0", "no buffer yet"),
        Place::Gpu1 if granted && !model.is_broken("access") => (Role::Gpu, "GPU 1", "mapped, may load"),
        Place::Gpu1 if mapped => (Role::Gpu, "GPU 1", "mapped, no access"),
        Place::Gpu1 => (Role::Gpu, "GPU 1", "not mapped"),
    }
}

/// Boxes that take part in a step.
fn takes_part(spot: Spot, at: Place) -> bool {
    use Place::{ChannelA, ChannelB, DriverA, DriverB, Gpu0, Gpu1, ImexA, ImexB, ProcessA, ProcessB};
    match spot {
        Spot::A => matches!(at, ProcessA | DriverA | ChannelA | Gpu0),
        Spot::Between => matches!(at, ProcessA | ProcessB),
        Spot::Import => matches!(at, ProcessB | DriverB | ChannelB | ImexA | ImexB | DriverA),
        Spot::B => matches!(at, ProcessB | DriverB | Gpu1),
        Spot::Load => matches!(at, Gpu0 | Gpu1),
    }
}

fn boxes(model: &FabricHandle, layout: Layout) -> Node {
    let spot = model.last().map(|s| s.spot);
    let one = |at: Place| {
        let rect = at.rect(model.path, layout);
        if !at.exists(model.path) {
            return svg::g("fs-absent").with(svg::rect("", rect));
        }
        let guilty = model.failed().is_some_and(|b| b.place(model.path) == at);
        let lit = guilty
            || spot.is_some_and(|s| {
                takes_part(s, at) || (model.path == Path::Host && s == Spot::B && at == Place::DriverA)
            });
        let (role, name, detail) = words(model, at);
        let role = if guilty { Role::Trouble } else { role };
        let corner = (rect.x + rect.width, rect.y);
        let cross = svg::g(if guilty { "fh-cross" } else { "fs-absent" })
            .with(svg::circle("", corner, 9.0))
            .with(svg::text("middle strong", (corner.0, corner.1 + 5.0), "✗"));
        svg::g("")
            .with(svg::rect("place-back", rect).set("rx", 4))
            .with(place(rect, role, name, detail, f64::from(u8::from(lit)), lit))
            .with(cross)
    };
    Place::ALL.map(one).into()
}

/// Wires; those of the last step are lit. The one between the processes and the one between the daemons
/// are named.
fn wires(model: &FabricHandle, layout: Layout) -> Node {
    let spot = model.last().map(|s| s.spot);
    let line = |line: &[[f64; 4]; 2]| {
        let [x0, y0, x1, y1] = line[layout.pick(0, 1)];
        [(x0, y0), (x1, y1)]
    };
    let one = |w: &super::places::Wire| {
        let lit = spot.is_some_and(|s| w.spots.contains(&s));
        let state = if lit { WireState::Lit } else { WireState::Quiet };
        let class = if w.exists(model.path) { "" } else { "fs-absent" };
        let corners = line(&w.line);
        let (x, y) = ((corners[0].0 + corners[1].0) / 2.0, corners[0].1);
        let name = match w.ends {
            (Place::ProcessA, Place::ProcessB) => layout.pick(travels(model.path).0, travels(model.path).1),
            (Place::ImexA, _) => layout.pick("gRPC, TCP port 50000", "TCP"),
            _ => "",
        };
        svg::g(class).with(wire(&corners, Role::Wire, 1e9, state)).with(wire_label(
            x,
            y - 12.0,
            Role::Wire,
            name,
            state,
        ))
    };
    let loads = spot == Some(Spot::Load) && model.failed().is_none();
    let state = if loads { WireState::Lit } else { WireState::Quiet };
    let corners = line(&NVLINK);
    let x = (corners[0].0 + corners[1].0) / 2.0;
    let name = layout.pick("NVLink through a switch", "NVLink");
    Node::from([
        WIRES.iter().map(one).collect(),
        wire(&corners, Role::Wire, 900e9, state),
        wire_label(x, 256.0, Role::Wire, name, state),
        svg::text("small muted middle", (layout.width() / 2.0, 206.0), remark(model.path, layout)),
    ])
}

/// What goes from A to B, in the wide and in the narrow drawing.
fn travels(path: Path) -> (&'static str, &'static str) {
    match path {
        Path::Process => ("", ""),
        Path::Host => ("Unix socket: descriptor", "fd"),
        Path::Trays => ("TCP, MPI: 64 bytes", "64 B"),
    }
}

/// What stands where two trays have their daemons.
fn remark(path: Path, layout: Layout) -> &'static str {
    match path {
        Path::Process => {
            layout.pick("No handle, no daemon: nobody else is asked.", "No handle and no daemon.")
        }
        Path::Host => {
            layout.pick("No daemon: one kernel knows both processes.", "No daemon: one kernel knows both.")
        }
        Path::Trays => "",
    }
}

/// Height of a line of the list.
fn pitch(layout: Layout) -> f64 {
    layout.pick(28.0, 44.0)
}

/// The steps; pressing one goes there.
fn list(model: &FabricHandle, layout: Layout, top: f64) -> Node {
    let width = layout.width() - 8.0;
    let one = |(i, step): (usize, &Step)| {
        let y = top + pitch(layout) * i as f64;
        let now = i + 1 == model.step;
        let failed = model.failed().filter(|_| now);
        let class = match (now, i < model.step, i < model.reach()) {
            (true, ..) => "pl-log pl-now",
            (_, true, _) => "pl-log",
            (_, _, true) => "pl-log pl-later",
            _ => "pl-log fh-never",
        };
        let (said_class, said) = match failed {
            Some(b) => ("strong trouble pl-said", b.error.to_owned()),
            None => ("small muted", "checked by ".to_owned() + step.judge),
        };
        let said_class = said_class.to_owned() + layout.pick(" end", "");
        let said_at = layout.pick((width - 4.0, y + 18.0), (36.0, y + 34.0));
        let label = "Step ".to_owned() + &(i + 1).to_string() + ": " + step.call + ". " + &said;
        let at = Rect::new(4.0, y + 1.0, width, pitch(layout) - 2.0);
        let shape = svg::rect("pl-line", at).set("rx", 4);
        let words = Node::from([
            step_mark(20.0, y + 14.0, &(i + 1).to_string()),
            svg::text("mono", (36.0, y + 18.0), step.call),
            svg::text(said_class, said_at, said),
        ]);
        svg::g(class).with(part_with_words(i, label, Some(now), shape, words))
    };
    svg::g("").with(model.path.steps().iter().enumerate().map(one).collect::<Node>())
}
