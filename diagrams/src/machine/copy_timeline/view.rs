//! Controls, presets, the reader's numbers.

use drills_results::Report;

use super::model::{Direction, Machine, Registration};
use super::picture::picture;
use super::state::{CHUNK_EXPONENTS, CopyTimeline, KERNEL_NS, LINK, MAX_COPIES, MEMCPY, SIZE_EXPONENTS};
use crate::kit::units::{bytes, duration_ns, rate};
use crate::kit::{Control, Figure, Layout, LogScale, Node, Preset};

impl Figure for CopyTimeline {
    const ID: &'static str = "copy-timeline";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets(self.yours.as_ref())
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let directions = [(Direction::ToDevice, "to device"), (Direction::ToHost, "to host")];
        let registrations = [(Registration::Once, "once"), (Registration::EachTime, "each time")];
        let copies = [(1, "1"), (2, "2"), (MAX_COPIES, "4")];
        let machine = &self.machine;
        vec![
            exponent("Size of a copy", SIZE_EXPONENTS, self.size_exponent, |m, v| m.size_exponent = v),
            scale("memcpy of one core", MEMCPY, rate, machine.memcpy_bytes_per_s, |m, v| {
                m.machine.memcpy_bytes_per_s = v;
            }),
            scale("Link, one direction", LINK, rate, machine.link_bytes_per_s, |m, v| {
                m.machine.link_bytes_per_s = v;
            }),
            scale("Kernel on the SMs", KERNEL_NS, duration_ns, self.kernel_ns, |m, v| m.kernel_ns = v),
            exponent("Staging buffer", CHUNK_EXPONENTS, self.chunk_exponent, |m, v| m.chunk_exponent = v),
            Control::choice("Staging buffers", &[(1, "1"), (2, "2"), (4, "4")], self.buffers, |m, v| {
                m.buffers = v;
            }),
            Control::choice("Copies in a row", &copies, self.copies, |m, v| m.copies = v),
            Control::choice("Direction", &directions, self.direction, |m, v| m.direction = v),
            Control::choice("Register", &registrations, self.registration, |m, v| m.registration = v),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn read(&mut self, report: Option<&Report>) {
        let untouched = *self == Self { yours: self.yours.clone(), ..Self::default() };
        self.yours = report.and_then(read_machine);
        // A figure that nobody has touched starts from the reader's machine.
        if let Some((_, machine)) = self.yours.as_ref().filter(|_| untouched) {
            self.machine = *machine;
        }
    }
}

/// A slider over powers of two in bytes.
fn exponent(
    label: &'static str,
    (min, max): (u32, u32),
    now: u32,
    set: fn(&mut CopyTimeline, u32),
) -> Control<CopyTimeline> {
    let text = bytes(f64::from(now).exp2());
    let set = move |m: &mut CopyTimeline, v: f64| set(m, v.round() as u32);
    Control::slider(label, (f64::from(min), f64::from(max)), f64::from(now), text, set)
}

/// A slider over decades.
fn scale(
    label: &'static str,
    scale: LogScale,
    say: fn(f64) -> String,
    now: f64,
    set: fn(&mut CopyTimeline, f64),
) -> Control<CopyTimeline> {
    let range = (0.0, f64::from(scale.steps));
    let set = move |m: &mut CopyTimeline, v: f64| set(m, scale.value(v));
    Control::slider(label, range, scale.position(now).round(), say(now), set)
}

fn presets(yours: Option<&(String, Machine)>) -> Vec<Preset<CopyTimeline>> {
    let base = CopyTimeline::default;
    let on = |machine| CopyTimeline { machine, ..CopyTimeline::default() };
    let h200 = Machine::H200;
    let mut all: Vec<_> =
        yours.map(|(_, machine)| Preset { name: "yours", state: on(*machine) }).into_iter().collect();
    all.extend([
        Preset { name: "H200", state: base() },
        Preset { name: "H200, link twice as fast", state: on(Machine { link_bytes_per_s: 109e9, ..h200 }) },
        Preset { name: "RTX 4090", state: on(Machine::RTX4090) },
        Preset {
            name: "RTX 4090, slow core",
            state: on(Machine { memcpy_bytes_per_s: 8.05e9, ..Machine::RTX4090 }),
        },
        Preset { name: "one staging buffer", state: CopyTimeline { buffers: 1, ..on(Machine::RTX4090) } },
        Preset {
            name: "back to the host",
            state: CopyTimeline {
                direction: Direction::ToHost,
                ..on(Machine { memcpy_bytes_per_s: 12.6e9, link_bytes_per_s: 55.3e9, ..h200 })
            },
        },
        Preset {
            name: "tiny copies",
            state: CopyTimeline { size_exponent: 14, copies: MAX_COPIES, kernel_ns: 1e4, ..base() },
        },
        Preset {
            name: "register each time",
            state: CopyTimeline { registration: Registration::EachTime, copies: MAX_COPIES, ..base() },
        },
    ]);
    all
}

/// The reader's machine, if it has a GPU and its copies were measured. Where the pageable copy keeps up
/// with the link, its rate says nothing about memcpy; then the measured memcpy is taken.
fn read_machine(report: &Report) -> Option<(String, Machine)> {
    let value = |key| report.value(key).filter(|v| *v > 0.0);
    let link = value("copy.h2d.pinned")?;
    let pageable = value("copy.h2d.pageable")?;
    let memcpy = if pageable < 0.95 * link { pageable } else { value("memcpy.one_thread")?.max(pageable) };
    let h200 = Machine::H200;
    let machine = Machine {
        memcpy_bytes_per_s: tidy(memcpy.clamp(MEMCPY.min, MEMCPY.max)),
        link_bytes_per_s: tidy(link.clamp(LINK.min, LINK.max)),
        submit_ns: value("copy.h2d.pinned.returned").map_or(h200.submit_ns, f64::round),
        register_ns_per_gib: value("pin.register").map_or(h200.register_ns_per_gib, f64::round),
        unregister_ns_per_gib: value("pin.unregister").map_or(h200.unregister_ns_per_gib, f64::round),
    };
    Some((report.label.clone(), machine))
}

/// Whole MB/s, as the address carries them.
fn tidy(bytes_per_s: f64) -> f64 {
    (bytes_per_s / 1e6).round() * 1e6
}
