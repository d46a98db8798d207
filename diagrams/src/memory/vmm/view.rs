//! Stories, arguments, calls.

use super::call::Call;
use super::picture::{mib_at, picture};
use super::scripts::Story;
use super::state::{Arguments, Vmm};
use crate::kit::{Control, Figure, Layout, Node, Preset};

impl Figure for Vmm {
    const ID: &'static str = "vmm";

    fn presets(&self) -> Vec<Preset<Self>> {
        presets()
    }

    fn controls(&self) -> Vec<Control<Self>> {
        let next = &self.next;
        let letters = ["A", "B", "C", "D", "E", "F", "G", "H"];
        let handles: Vec<_> = letters.into_iter().enumerate().collect();
        let (at, mib) = (format!("+{} MiB", next.at), format!("{} MiB", next.mib));
        vec![
            Control::stepper(self.step, self.calls().len() + 1, |m, to| m.step = to),
            Control::deeds("Make a call with the arguments below", &CALLS.map(|(name, _)| name), |m, i| {
                m.make(CALLS[i].1(m));
            }),
            Control::choice("Process", &[(0, "0"), (1, "1")], next.process, |m, v| m.next.process = v),
            Control::slider("Address", (0.0, 15.0), f64::from(next.at), at, |m: &mut Self, v| {
                m.next.at = v.round() as u32;
            }),
            Control::slider("Size", (1.0, 16.0), f64::from(next.mib), mib, |m: &mut Self, v| {
                m.next.mib = v.round() as u32;
            }),
            Control::choice("Handle", &handles, next.memory, |m, v| m.next.memory = v),
            Control::choice("GPU", &[(0, "0"), (1, "1")], next.device, |m, v| m.next.device = v),
            Control::switch("Create with a handle type", next.shareable, |m, on| m.next.shareable = on),
        ]
    }

    fn picture(&self, layout: Layout) -> Node {
        picture(self, layout)
    }

    fn point(&mut self, process: usize, share: f64) {
        (self.next.process, self.next.at) = (process.min(1), mib_at(share));
    }
}

fn presets() -> Vec<Preset<Vmm>> {
    let preset = |name, story, step| Preset { name, state: Vmm::telling(story, step) };
    vec![
        Preset { name: "from reserve to free", state: Vmm::default() },
        preset("a segment that grows", Story::Segment, 10),
        preset("a peer's memory", Story::Peer, 11),
        preset("one address, two GPUs", Story::Multicast, 17),
        preset("wrong orders", Story::WrongOrder, 1),
        Preset { name: "start empty", state: Vmm::telling(Story::Life, 0) },
    ]
}

/// Name on the button, and the call that it makes.
type Button = (&'static str, fn(&Vmm) -> Call);

/// Calls that a reader can make, and what they make of the arguments.
const CALLS: [Button; 13] = [
    ("AddressReserve", |m| with(m, |a| Call::Reserve { process: a.process, at: a.at, mib: a.mib })),
    ("Create", |m| {
        with(m, |a| Call::Create { process: a.process, mib: a.mib, device: a.device, shareable: a.shareable })
    }),
    ("Map", |m| with(m, |a| Call::Map { process: a.process, at: a.at, mib: a.mib, memory: a.memory })),
    ("SetAccess", |m| {
        with(m, |a| Call::SetAccess { process: a.process, at: a.at, mib: a.mib, device: a.device })
    }),
    ("MemsetD8", |m| with(m, |a| Call::Write { process: a.process, at: a.at, mib: a.mib })),
    ("Export", |m| with(m, |a| Call::Export { process: a.process, memory: a.memory })),
    ("Import", |m| with(m, |a| Call::Import { process: a.process })),
    ("Unmap", |m| with(m, |a| Call::Unmap { process: a.process, at: a.at, mib: a.mib })),
    ("Release", |m| with(m, |a| Call::Release { process: a.process, memory: a.memory })),
    ("AddressFree", |m| with(m, |a| Call::Free { process: a.process, at: a.at, mib: a.mib })),
    ("MulticastCreate", |m| with(m, |a| Call::TeamCreate { process: a.process, mib: a.mib })),
    ("MulticastAddDevice", |m| {
        with(m, |a| Call::TeamAdd { process: a.process, team: m.team(), device: a.device })
    }),
    ("MulticastBindMem", |m| {
        with(m, |a| Call::TeamBind { process: a.process, team: m.team(), memory: a.memory })
    }),
];

fn with(model: &Vmm, call: impl Fn(Arguments) -> Call) -> Call {
    call(model.next)
}
