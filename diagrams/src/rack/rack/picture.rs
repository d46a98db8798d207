//! Draws the rack.

use super::failure::{Daemon, Gpu, Kernel, Outcome};
use super::layout::Grid;
use super::model::{Fault, PART_DAEMON, PART_SWITCH, PART_TRAY, Pick, Rack, Stage};
use super::plant::{LINKS, SWITCHES, TRAY_GPUS};
use super::words::{headline, tray_name};
use crate::kit::scene::Rect;
use crate::kit::{FigureModel, Layout, Node, part, pressable, svg};

/// The whole picture.
pub fn picture(state: &Rack, layout: Layout) -> Node {
    let grid = Grid::of(layout);
    let outcome = state.outcome();
    let draw = Draw { state, outcome: &outcome, grid: &grid };
    svg::picture((layout.width(), grid.height()), format!("The trays of a rack. {}", state.sentence()), true)
        .set("class", "rk")
        .with(draw.heads())
        .with(draw.spine())
        .with((0..grid.rows.len()).map(|row| draw.row(row)).collect::<Node>())
        .with(draw.curtain())
        .with(draw.management())
        .with(draw.legend())
}

/// A box with a word in it: how it looks and what it says.
type Look = (&'static str, &'static str);

/// Class and mark of a GPU. A GPU that works shows its rank, one with fewer links how many.
fn gpu_look(gpu: Gpu) -> Look {
    match gpu {
        Gpu::Works => ("rk-box gpu rk-on", ""),
        Gpu::Slow => ("rk-box caution rk-on", ""),
        Gpu::Waits => ("rk-box gpu rk-on", "…"),
        Gpu::Stopped => ("rk-box trouble", "–"),
        Gpu::Spare => ("rk-box plain rk-dash", ""),
        Gpu::Parked => ("rk-box caution rk-dash", "P"),
        Gpu::Lost => ("rk-box trouble rk-full", "×"),
    }
}

/// Class of a kernel; its words, wide and narrow.
fn kernel_look(kernel: Kernel) -> (&'static str, [&'static str; 2]) {
    match kernel {
        Kernel::Fine => ("rk-box kernel", ["nothing to report", "fine"]),
        Kernel::CleanedUp => ("rk-box caution rk-on", ["process cleaned up", "freed"]),
        Kernel::Xid => ("rk-box trouble rk-on", ["Xid in dmesg", "Xid"]),
        Kernel::Down => ("rk-box trouble rk-full", ["down", "down"]),
    }
}

/// Class of a daemon; its words, wide and narrow.
fn daemon_look(daemon: Daemon) -> (&'static str, [&'static str; 2]) {
    match daemon {
        Daemon::Connected => ("rk-box cpu", ["connected", "ok"]),
        Daemon::LostPeer => ("rk-box caution", ["misses a peer", "lost 1"]),
        Daemon::Alone => ("rk-box caution rk-on", ["alone", "alone"]),
        Daemon::Down => ("rk-box trouble rk-full", ["down", "down"]),
        Daemon::NewInstance => ("rk-box caution rk-on", ["new instance", "new"]),
    }
}

/// What is drawn.
struct Draw<'a> {
    state: &'a Rack,
    outcome: &'a Outcome,
    grid: &'a Grid,
}

/// A box with a word in its middle.
fn boxed(class: String, at: Rect, word: String) -> Node {
    let (x, y) = at.center();
    svg::g(class)
        .with(svg::rect("place-back", at))
        .with(svg::rect("rk-edge", at).set("rx", 3))
        .with(svg::text("rk-word middle", (x, y + 4.5), word))
}

impl Draw<'_> {
    fn pick<T>(&self, both: [T; 2]) -> T {
        let [wide, narrow] = both;
        self.grid.layout.pick(wide, narrow)
    }

    fn heads(&self) -> Node {
        let g = self.grid;
        let y = g.top - 8.0;
        let head = |x: f64, words: [&'static str; 2]| svg::text("small muted", (x, y), self.pick(words));
        let [first, second] = headline(self.state, self.outcome);
        let wide = g.layout == Layout::Wide;
        let (first, second) =
            if wide { (format!("{first} {second}"), String::new()) } else { (first, second) };
        Node::from([
            svg::text("strong", (4.0, 16.0), first),
            svg::text("strong", (4.0, 36.0), second),
            head(g.tray.0, ["Compute and switch trays, ranks", "Tray, GPUs"]),
            svg::text("small muted middle", ((g.spine.0 + g.spine_end()) / 2.0, y), "NVLink"),
            head(g.kernel.0, ["Its kernel reports", "Kernel"]),
            head(g.daemon.0, ["Its IMEX daemon", "IMEX"]),
        ])
    }

    fn broken_switch(&self) -> Option<u8> {
        let broken = self.state.fault == Fault::Switch && self.state.stage != Stage::Back;
        broken.then_some(self.state.switch)
    }

    /// Nine lines, one for each switch tray; lit where the chosen part uses them.
    fn spine(&self) -> Node {
        let (g, state) = (self.grid, self.state);
        let (top, bottom) = (g.middle(0), g.middle(g.rows.len() - 1));
        let tray_y = g.middle(g.row(Pick::Tray, state.tray()));
        let by_tray = matches!(state.pick, Pick::Tray | Pick::Gpu);
        let bad_link = state.fault == Fault::Link && state.stage != Stage::Back;
        let line = |switch: u8| {
            let (x, y) = (g.line(switch), g.middle(g.row(Pick::Switch, switch)));
            let chosen = state.pick == Pick::Switch && state.switch == switch;
            let lost = self.broken_switch() == Some(switch);
            let class = if lost {
                "rk-link trouble rk-cut"
            } else if chosen {
                "rk-link gpu rk-lit"
            } else {
                "rk-link gpu"
            };
            let own = bad_link && state.switch == switch;
            let lit = match (by_tray, own || lost) {
                (false, _) => "rk-link rk-none",
                (true, true) => "rk-link trouble rk-cut",
                (true, false) => "rk-link gpu rk-lit",
            };
            [
                svg::line(class, (x, top), (x, bottom)),
                svg::line(class, (g.tray.1, y), (x, y)),
                svg::line(lit, (x, tray_y), (x, y)),
            ]
        };
        let lines = (0..SWITCHES).flat_map(line).collect::<Node>();
        let stub = if by_tray { "rk-link gpu rk-lit" } else { "rk-link rk-none" };
        svg::g("").with(lines).with(svg::line(stub, (g.tray.1, tray_y), (g.spine_end(), tray_y)))
    }

    fn row(&self, row: usize) -> Node {
        match self.grid.rows[row] {
            (Pick::Switch, switch) => self.switch_row(row, switch),
            (_, tray) => self.tray_row(row, tray),
        }
    }

    fn switch_row(&self, row: usize, switch: u8) -> Node {
        let g = self.grid;
        let chosen = self.state.pick == Pick::Switch && self.state.switch == switch;
        let lost = self.broken_switch() == Some(switch);
        let class = if lost { "rk-box trouble rk-full" } else { "rk-box wire" };
        let at = g.tray_box(row);
        let number = u16::from(switch) + 1;
        let word = self.pick([format!("switch tray {number}"), format!("switch {number}")]);
        let word = if lost { format!("{word} ×") } else { word };
        let label = word.clone();
        part(PART_SWITCH + usize::from(switch), label, Some(chosen), boxed(lit(class, chosen), at, word))
    }

    fn tray_row(&self, row: usize, tray: u8) -> Node {
        let (g, state) = (self.grid, self.state);
        let at = g.tray_box(row);
        let here = state.tray() == tray;
        let kernel = self.outcome.kernels[usize::from(tray)];
        let down = kernel == Kernel::Down;
        let frame = if down { "rk-box plain rk-dash" } else { "rk-box plain" };
        let chosen = here && state.pick == Pick::Tray;
        let name = self.pick([tray_name(tray), (u16::from(tray) + 1).to_string()]);
        let (class, words) = kernel_look(kernel);
        let label = format!("{}, kernel: {}", tray_name(tray), words[0]);
        let word = self.pick(words).to_owned();
        let word = self.pick([format!("{}: {word}", u16::from(tray) + 1), word.clone()]);
        let number = PART_TRAY + usize::from(tray);
        let frame = svg::g(lit(frame, chosen))
            .with(svg::rect("place-back", at))
            .with(svg::rect("rk-edge", at).set("rx", 3));
        let name = svg::text("", (at.x + 8.0, at.y + at.height / 2.0 + 4.5), name);
        // What lies in the tray is drawn over its button, not in it: a button is called by what it says.
        Node::from([
            part(number, label, Some(chosen), [frame, name]),
            pressable(self.graces(row), number),
            (0..TRAY_GPUS).map(|i| self.gpu(row, tray * TRAY_GPUS + i)).collect::<Node>(),
            pressable(boxed(lit(class, chosen), g.cell(row, g.kernel), word), number),
            self.daemon(row, tray),
        ])
    }

    /// The two CPUs of a tray.
    fn graces(&self, row: usize) -> Node {
        let (x, width, step) = self.grid.layout.pick((76.0, 20.0, 26.0), (32.0, 10.0, 14.0));
        let y = self.grid.gpu_box(row, 0);
        let chip = |i: f64| svg::rect("rk-chip", Rect::new(x + step * i, y.y, width, y.height)).set("rx", 2);
        svg::g("cpu").with(chip(0.0)).with(chip(1.0))
    }

    fn gpu(&self, row: usize, gpu: u8) -> Node {
        let now = self.outcome.gpus[usize::from(gpu)];
        let (class, mark) = gpu_look(now);
        let chosen = self.state.gpu == gpu && self.state.pick == Pick::Gpu;
        let word = match now {
            Gpu::Works => gpu.to_string(),
            Gpu::Slow => {
                self.pick([format!("{}/{LINKS}", self.outcome.links), self.outcome.links.to_string()])
            }
            _ => mark.to_owned(),
        };
        pressable(boxed(lit(class, chosen), self.grid.gpu_box(row, gpu), word), usize::from(gpu))
    }

    fn daemon(&self, row: usize, tray: u8) -> Node {
        let (class, words) = daemon_look(self.outcome.daemons[usize::from(tray)]);
        let chosen = self.state.tray() == tray && self.state.pick == Pick::Daemon;
        let at = self.grid.cell(row, self.grid.daemon);
        pressable(boxed(lit(class, chosen), at, self.pick(words).to_owned()), PART_DAEMON + usize::from(tray))
    }

    /// Beside the switch trays: nothing that a kernel would see.
    fn curtain(&self) -> Node {
        let g = self.grid;
        let (first, last) = (g.row(Pick::Switch, SWITCHES - 1), g.row(Pick::Switch, 0));
        let x = g.kernel.0;
        let right = g.daemon.0 + g.daemon.1;
        let y = g.top + g.pitch * first as f64 + 4.0;
        let at = Rect::new(x, y, right - x, g.middle(last) + g.pitch / 2.0 - 4.0 - y);
        let (cx, cy) = at.center();
        let lines: &[&'static str] = g.layout.pick(
            &[
                "Switch trays run a system of their own.",
                "No kernel of a compute tray lists NVLink:",
                "no bus, no device, no counter, no node.",
            ],
            &["No kernel", "lists NVLink:", "no bus,", "no device,", "no counter."],
        );
        let step = 20.0;
        let top = cy - step * (lines.len() as f64 - 1.0) / 2.0 + 4.5;
        let text = |(i, line): (usize, &&'static str)| {
            svg::text("small muted middle", (cx, top + step * i as f64), *line)
        };
        svg::g("")
            .with(svg::rect("rk-curtain", at).set("rx", 4))
            .with(lines.iter().enumerate().map(text).collect::<Node>())
    }

    /// The network over which daemons meet.
    fn management(&self) -> Node {
        let g = self.grid;
        let gone = self.state.fault == Fault::Management && self.state.stage != Stage::Back;
        let class = if gone { "rk-link trouble rk-cut" } else { "rk-link cpu" };
        let x = g.daemon.0 + g.daemon.1 + 4.0;
        let word = if gone { "management network ×" } else { "management network" };
        let line = svg::line(class, (x, g.middle(0)), (x, g.bottom()));
        svg::g("").with(line).with(svg::text("small muted end", (x, g.bottom() + 14.0), word))
    }

    fn legend(&self) -> Node {
        let y = self.grid.bottom() + self.pick([30.0, 36.0]);
        let places = self.pick([[4.0, 128.0, 196.0, 364.0], [4.0, 84.0, 142.0, 212.0]]);
        let words = self.pick([
            ["– its job stopped", "× lost", "… waits for a slower one", "P parked: lacks links"],
            ["– stopped", "× lost", "… waits", "P parked"],
        ]);
        let word = |(x, word): (f64, &'static str)| svg::text("small muted", (x, y), word);
        places.into_iter().zip(words).map(word).collect()
    }
}

/// The class with what marks the chosen part.
fn lit(class: &'static str, chosen: bool) -> String {
    if chosen { format!("{class} lit") } else { class.to_owned() }
}
