//! The driver: reservations, physical memory with its handles, mappings with their rights.

use super::call::{Call, LIMITS};
use super::outcome::{Evidence, Outcome, Status};

/// Granularity in MiB: minimal and recommended on the H200 and the RTX 4090.
pub const GRANULARITY_MIB: u32 = 2;
/// Addresses of a process in MiB.
pub const RANGE_MIB: u32 = 16;
/// Memory of each of the two GPUs in MiB: small, so that it can run out.
pub const DEVICE_MIB: u32 = 8;
/// Devices of a multicast team: all of them.
const TEAM: u8 = 0b11;

/// What a handle stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chunks of a GPU's memory, by number.
    Physical {
        /// The GPU.
        device: usize,
        /// Chunks of [`GRANULARITY_MIB`].
        chunks: Vec<u32>,
    },
    /// A multicast object.
    Team {
        /// Devices that were added, a bit each.
        added: u8,
        /// Memories that were bound, one for each device.
        bound: Vec<usize>,
    },
}

/// What `cuMemCreate` or `cuMulticastCreate` made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Size.
    pub mib: u32,
    /// What it is.
    pub kind: Kind,
    /// Whether it was made with a handle type.
    pub shareable: bool,
    /// Handles that each process holds.
    pub handles: [u32; 2],
    /// Whether an exported descriptor is under way.
    pub descriptor: bool,
    /// Whether it exists still.
    pub alive: bool,
}

/// A memory at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Whose address.
    pub process: usize,
    /// Address in MiB.
    pub at: u32,
    /// Size in MiB.
    pub mib: u32,
    /// What is there.
    pub memory: usize,
    /// Devices that may read and write, a bit each.
    pub access: u8,
}

impl Mapping {
    fn end(&self) -> u32 {
        self.at + self.mib
    }
}

/// All that the calls have made so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Driver {
    /// Process, address, size of each reservation.
    pub reservations: Vec<(usize, u32, u32)>,
    /// Everything that was ever created; the index is its name.
    pub memories: Vec<Memory>,
    /// What is mapped.
    pub mappings: Vec<Mapping>,
}

impl Driver {
    /// Makes a call. A call that fails or waits changes nothing.
    pub fn call(&mut self, call: Call) -> Outcome {
        match call {
            Call::Reserve { process, at, mib } => self.reserve(process, at, mib),
            Call::Create { process, mib, device, shareable } => self.create(process, mib, device, shareable),
            Call::Map { process, at, mib, memory } => self.map(process, at, mib, memory),
            Call::SetAccess { process, at, mib, device } => self.set_access(process, at, mib, device),
            Call::Write { process, at, mib } => self.write(process, at, mib),
            Call::Export { process, memory } => self.export(process, memory),
            Call::Import { process } => self.import(process),
            Call::Unmap { process, at, mib } => self.unmap(process, at, mib),
            Call::Release { process, memory } => self.release(process, memory),
            Call::Free { process, at, mib } => self.free(process, at, mib),
            Call::TeamCreate { process, mib } => self.team_create(process, mib),
            Call::TeamAdd { process, team, device } => self.team_add(process, team, device),
            Call::TeamBind { process, team, memory } => self.team_bind(process, team, memory),
        }
    }

    /// Mappings of a memory.
    pub fn mapped(&self, memory: usize) -> usize {
        self.mappings.iter().filter(|m| m.memory == memory).count()
    }

    /// Memory of a GPU that is taken, in MiB.
    pub fn used_mib(&self, device: usize) -> u32 {
        let of = |m: &Memory| match &m.kind {
            Kind::Physical { device: d, chunks } if *d == device && m.alive => chunks.len() as u32,
            _ => 0,
        };
        self.memories.iter().map(of).sum::<u32>() * GRANULARITY_MIB
    }

    fn reserve(&mut self, process: usize, at: u32, mib: u32) -> Outcome {
        if !is_whole(mib) {
            return Outcome::refused("The size is no multiple of the granularity, 2 MiB.");
        }
        let free = |at: u32| {
            at + mib <= RANGE_MIB
                && !self.reservations.iter().any(|&(p, a, m)| p == process && a < at + mib && at < a + m)
        };
        // The address is a hint: where it cannot be had the driver picks another.
        let hint = at - at % GRANULARITY_MIB;
        let places = (0..RANGE_MIB).step_by(GRANULARITY_MIB as usize);
        let Some(place) = std::iter::once(hint).chain(places).find(|&a| free(a)) else {
            return Outcome::other(
                Status::OutOfMemory,
                "No gap among the 16 MiB of addresses is large enough.",
            );
        };
        self.reservations.push((process, place, mib));
        Outcome::done("Addresses are set aside. No memory is taken, and nothing may be touched yet.")
    }

    fn create(&mut self, process: usize, mib: u32, device: usize, shareable: bool) -> Outcome {
        if !is_whole(mib) {
            return Outcome::refused("The size is no multiple of the granularity, 2 MiB.");
        }
        let taken: Vec<u32> = self.chunks_of(device);
        let free = (0..DEVICE_MIB / GRANULARITY_MIB).filter(|c| !taken.contains(c));
        let chunks: Vec<u32> = free.take((mib / GRANULARITY_MIB) as usize).collect();
        if chunks.len() as u32 * GRANULARITY_MIB < mib {
            return Outcome::other(Status::OutOfMemory, "This small GPU has 8 MiB, and too few are free.");
        }
        self.add(process, mib, Kind::Physical { device, chunks }, shareable).unwrap_or(Outcome::done(
            "Physical memory is taken and named by a handle. It has no address yet.",
        ))
    }

    /// Adds a memory with one handle; an outcome only if the figure has no letter left.
    fn add(&mut self, process: usize, mib: u32, kind: Kind, shareable: bool) -> Option<Outcome> {
        if self.memories.len() > LIMITS.2 {
            return Some(Outcome::other(
                Status::OutOfMemory,
                "This figure has letters for eight memories; start over.",
            ));
        }
        let mut handles = [0, 0];
        handles[process] = 1;
        self.memories.push(Memory { mib, kind, shareable, handles, descriptor: false, alive: true });
        None
    }

    fn chunks_of(&self, device: usize) -> Vec<u32> {
        let of = |m: &Memory| match &m.kind {
            Kind::Physical { device: d, chunks } if *d == device && m.alive => chunks.clone(),
            _ => Vec::new(),
        };
        self.memories.iter().flat_map(of).collect()
    }

    fn map(&mut self, process: usize, at: u32, mib: u32, memory: usize) -> Outcome {
        let Some(held) = self.held(process, memory) else {
            return Outcome::other(Status::InvalidValue, "The process holds no such handle.");
        };
        let (size, waits) = (held.mib, matches!(held.kind, Kind::Team { added, .. } if added != TEAM));
        if !at.is_multiple_of(GRANULARITY_MIB) {
            return Outcome::refused("The address is no multiple of the granularity, 2 MiB.");
        }
        let inside = |&(p, a, m): &(usize, u32, u32)| p == process && a <= at && at + mib <= a + m;
        if !self.reservations.iter().any(inside) {
            return Outcome::refused("These addresses were not reserved.");
        }
        if self.overlapping(process, at, mib).next().is_some() {
            return Outcome::refused("Something is mapped there already. Unmap it first.");
        }
        if mib < size {
            let why = "Only whole handles can be mapped.";
            return Outcome { status: Status::NotSupported, why, evidence: Evidence::Seen };
        }
        if mib > size {
            return Outcome::other(Status::InvalidValue, "The handle has less memory than that.");
        }
        if waits {
            return Outcome::other(Status::Waits, "The call waits until all devices have joined the team.");
        }
        let again = self.mapped(memory) > 0;
        self.mappings.push(Mapping { process, at, mib, memory, access: 0 });
        if again {
            Outcome::done("The same memory has another address now: an alias, two views of one memory.")
        } else {
            Outcome::done("The addresses have memory behind them. No device may use them yet.")
        }
    }

    fn set_access(&mut self, process: usize, at: u32, mib: u32, device: usize) -> Outcome {
        match self.cover(process, at, mib) {
            Cover::Whole => {}
            Cover::Partial => {
                return Outcome::other(Status::InvalidValue, "The range cuts a mapping in two.");
            }
            Cover::Gap => return Outcome::refused("Not all of the range is mapped."),
        }
        for mapping in
            self.mappings.iter_mut().filter(|m| m.process == process && at <= m.at && m.end() <= at + mib)
        {
            mapping.access |= 1 << device;
        }
        if device == process {
            Outcome::done("The GPU may read and write here. Now the pointer works.")
        } else {
            Outcome::told(
                "The other GPU may read and write here too, over NVLink or PCIe. Each range needs this of its own.",
            )
        }
    }

    fn write(&mut self, process: usize, at: u32, mib: u32) -> Outcome {
        let covered: u32 = self
            .overlapping(process, at, mib)
            .filter(|m| m.access >> process & 1 == 1)
            .map(|m| m.end().min(at + mib) - m.at.max(at))
            .sum();
        if mib == 0 || covered < mib {
            return Outcome::refused("The GPU has no access to all of these bytes.");
        }
        let team = self
            .overlapping(process, at, mib)
            .any(|m| matches!(self.memories[m.memory].kind, Kind::Team { .. }));
        if team {
            return Outcome::told(
                "One store, and the switch writes it to the memory of every GPU in the team.",
            );
        }
        Outcome::done("The bytes are written.")
    }

    fn export(&mut self, process: usize, memory: usize) -> Outcome {
        let Some(held) = self.held(process, memory) else {
            return Outcome::other(Status::InvalidValue, "The process holds no such handle.");
        };
        if !held.shareable {
            return Outcome::refused("The memory was created without a handle type, so it cannot be shared.");
        }
        self.memories[memory].descriptor = true;
        Outcome::told(
            "A file descriptor stands for the memory. Send it over a Unix socket; it counts as a reference.",
        )
    }

    fn import(&mut self, process: usize) -> Outcome {
        let Some(memory) = self.memories.iter_mut().rev().find(|m| m.alive && m.descriptor) else {
            return Outcome::other(Status::InvalidValue, "No descriptor has been exported.");
        };
        memory.descriptor = false;
        memory.handles[process] += 1;
        Outcome::told(
            "The process has a handle to the same memory and closes the descriptor. It still has to map it.",
        )
    }

    fn unmap(&mut self, process: usize, at: u32, mib: u32) -> Outcome {
        match self.cover(process, at, mib) {
            Cover::Whole => {}
            Cover::Partial => {
                return Outcome::refused("A mapping goes as a whole. Half of a handle stays mapped.");
            }
            Cover::Gap => return Outcome::other(Status::InvalidValue, "Not all of the range is mapped."),
        }
        self.mappings.retain(|m| m.process != process || m.at < at || m.end() > at + mib);
        if self.bury() {
            Outcome::done("It was the last mapping, and no handle was left: now the memory is free.")
        } else {
            Outcome::done("The addresses are empty and stay reserved. The memory stays with its handle.")
        }
    }

    fn release(&mut self, process: usize, memory: usize) -> Outcome {
        if self.held(process, memory).is_none() {
            return Outcome::refused("The process holds no such handle, or not any more.");
        }
        self.memories[memory].handles[process] -= 1;
        if self.bury() {
            return Outcome::done("Nothing refers to the memory any more: it is free.");
        }
        if self.mapped(memory) > 0 {
            return Outcome::done(
                "The handle is gone and nothing is freed: a mapping keeps the memory, and it stays usable.",
            );
        }
        Outcome::told("The handle is gone. Another one, or a descriptor, keeps the memory.")
    }

    fn free(&mut self, process: usize, at: u32, mib: u32) -> Outcome {
        let Some(index) = self.reservations.iter().position(|&r| r == (process, at, mib)) else {
            return Outcome::other(Status::InvalidValue, "No reservation has this address and size.");
        };
        if self.overlapping(process, at, mib).next().is_some() {
            return Outcome::refused("Something is still mapped there.");
        }
        self.reservations.remove(index);
        Outcome::done("The addresses may be given to somebody else.")
    }

    fn team_create(&mut self, process: usize, mib: u32) -> Outcome {
        if !is_whole(mib) {
            return Outcome::other(Status::InvalidValue, "The size is no multiple of the granularity.");
        }
        self.add(process, mib, Kind::Team { added: 0, bound: Vec::new() }, true).unwrap_or(Outcome::told(
            "A handle for the memory of two GPUs. It has none of its own. Needs NVSwitch and MULTICAST_SUPPORTED.",
        ))
    }

    fn team_add(&mut self, process: usize, team: usize, device: usize) -> Outcome {
        let held = self.held(process, team).map(|m| m.kind.clone());
        let Some(Kind::Team { added, .. }) = held else {
            return Outcome::other(
                Status::InvalidValue,
                "The handle is no multicast object of this process.",
            );
        };
        if added >> device & 1 == 1 {
            return Outcome::other(Status::InvalidValue, "This GPU is in the team already.");
        }
        if let Kind::Team { added, .. } = &mut self.memories[team].kind {
            *added |= 1 << device;
        }
        Outcome::told(
            "The GPU has joined, for as long as the object lives. Binding and mapping wait for all.",
        )
    }

    fn team_bind(&mut self, process: usize, team: usize, memory: usize) -> Outcome {
        let (Some(object), Some(part)) = (self.held(process, team), self.held(process, memory)) else {
            return Outcome::other(Status::InvalidValue, "The process holds no such handle.");
        };
        let (Kind::Team { added, bound }, Kind::Physical { device, .. }) = (&object.kind, &part.kind) else {
            return Outcome::other(Status::InvalidValue, "Bind memory of a GPU to a multicast object.");
        };
        if part.mib > object.mib {
            return Outcome::other(Status::InvalidValue, "The memory is larger than the object.");
        }
        if *added != TEAM {
            return Outcome::other(Status::Waits, "The call waits until all devices have joined the team.");
        }
        let same =
            |&m: &usize| matches!(&self.memories[m].kind, Kind::Physical { device: d, .. } if d == device);
        if bound.iter().any(same) {
            return Outcome::other(Status::InvalidValue, "This GPU has memory bound there already.");
        }
        if let Kind::Team { bound, .. } = &mut self.memories[team].kind {
            bound.push(memory);
        }
        Outcome::told("The GPU's memory is part of the object: a store to it will reach this memory too.")
    }

    /// A memory to which the process holds a handle.
    fn held(&self, process: usize, memory: usize) -> Option<&Memory> {
        self.memories.get(memory).filter(|m| m.handles[process] > 0)
    }

    fn overlapping(&self, process: usize, at: u32, mib: u32) -> impl Iterator<Item = &Mapping> {
        self.mappings.iter().filter(move |m| m.process == process && m.at < at + mib && at < m.end())
    }

    /// Whether mappings fill a range, and fill it without being cut.
    fn cover(&self, process: usize, at: u32, mib: u32) -> Cover {
        let inside: Vec<&Mapping> = self.overlapping(process, at, mib).collect();
        if inside.iter().any(|m| m.at < at || m.end() > at + mib) {
            return Cover::Partial;
        }
        let sum: u32 = inside.iter().map(|m| m.mib).sum();
        if mib > 0 && sum == mib { Cover::Whole } else { Cover::Gap }
    }

    /// Frees what nothing refers to. Whether there was any.
    fn bury(&mut self) -> bool {
        let mut any = false;
        // A multicast object refers to the memory that is bound to it, so it goes first.
        for _ in 0..2 {
            for index in 0..self.memories.len() {
                let bound = self.memories.iter().any(|m| {
                    m.alive && matches!(&m.kind, Kind::Team { bound, .. } if bound.contains(&index))
                });
                let mapped = self.mapped(index) > 0;
                let memory = &mut self.memories[index];
                let kept = memory.handles.iter().any(|h| *h > 0) || memory.descriptor || mapped || bound;
                if memory.alive && !kept {
                    memory.alive = false;
                    any = true;
                }
            }
        }
        any
    }
}

enum Cover {
    Whole,
    Partial,
    Gap,
}

/// Whether a size is one or more granules.
fn is_whole(mib: u32) -> bool {
    mib > 0 && mib.is_multiple_of(GRANULARITY_MIB)
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
