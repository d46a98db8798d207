//! What the reader did, and what follows in words.

use super::frames::{FRAMES, Kind};
use super::machine::{AREA_PAGES, Backing, Deed, Entry, Machine, Op, Outcome, PAGES};
use crate::kit::units::{bytes, number};
use crate::kit::{Counter, DataTable, FigureModel, Preset, Query};

/// Bytes that a box stands for.
pub const BOX_BYTES: f64 = 268_435_456.0;
/// Deeds that a history may have.
pub const MAX_OPS: usize = 40;

/// State of the figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressSpaces {
    /// Everything done, the part after `step` included.
    pub ops: Vec<Op>,
    /// Deeds done so far.
    pub step: usize,
    /// Process that acts and whose page is chosen.
    pub actor: usize,
    /// Chosen page.
    pub page: usize,
}

impl Default for AddressSpaces {
    fn default() -> Self {
        Self::story("Am,Aw0,Af,Ar4,Ar5,Bf,Br0", 1, 0)
    }
}

impl AddressSpaces {
    /// A history that has run to its end, with a chosen page.
    pub fn story(ops: &str, actor: usize, page: usize) -> Self {
        let ops = read_ops(ops);
        Self { step: ops.len(), ops, actor, page }
    }

    /// The machine after the deeds so far, and what the last one did.
    pub fn so_far(&self) -> (Machine, Option<(Op, Outcome)>) {
        let mut machine = Machine::default();
        let mut last = None;
        for &op in self.ops.iter().take(self.step) {
            last = Some((op, machine.perform(op)));
        }
        (machine, last)
    }

    /// The acting process does something. The choice goes to the page that matters then.
    pub fn act(&mut self, deed: Deed) {
        self.ops.truncate(self.step);
        if self.ops.len() >= MAX_OPS {
            self.ops.clear();
        }
        self.ops.push(Op { process: self.actor, deed });
        self.step = self.ops.len();
        if let (_, Some((_, Outcome::Mapped(page)))) = self.so_far() {
            self.page = page;
        }
    }

    /// Small stories.
    pub fn presets() -> Vec<Preset<Self>> {
        vec![
            Preset { name: "one file, two readers", state: Self::default() },
            Preset { name: "fork, then write", state: Self::story("Am,AW0,Ak,Bw0,Aw0", 1, 1) },
            Preset { name: "reading nothing", state: Self::story("Am,Ar0,Ar1,Ar2,Ar3,Aw0", 0, 1) },
            Preset { name: "shared memory", state: Self::story("As,Ak,AW0,Br0,Bw1", 1, 1) },
            Preset { name: "write to a mapped file", state: Self::story("Af,Bf,Ar0,Br0,Bw0", 1, 0) },
            Preset {
                name: "more than there is",
                state: Self::story("Am,Am,Am,Am,Bm,Bm,Bm,AW0,AW4,AW8,AW12,BW0,BW4,BW8", 1, 8),
            },
        ]
    }

    fn tell(op: Op, outcome: Outcome) -> String {
        let who = name(op.process);
        let other = name(1 - op.process.min(1));
        match outcome {
            Outcome::Mapped(_) => format!(
                "{who} {}: an area of 1 GiB is on its list now, and no frame was taken.",
                match op.deed {
                    Deed::Malloc => "calls malloc",
                    Deed::MapFile => "maps the file",
                    _ => "maps shared memory",
                }
            ),
            Outcome::NoRoom => {
                format!("{who} has no room left in this figure; a real address space has 128 TiB.")
            }
            Outcome::Hit => {
                format!("{who} {}: the entry is there and allows it, so the kernel hears nothing.", does(op))
            }
            Outcome::Zeros => format!(
                "{who} {}: a fault, and the kernel maps the one page of zeros that everybody shares. No frame was \
                 taken, RSS stays.",
                does(op)
            ),
            Outcome::Fresh(f) => {
                format!("{who} {}: first touch, so the kernel takes frame {f}, clears and maps it.", does(op))
            }
            Outcome::Cached(f) => {
                format!(
                    "{who} {}: the page cache has it in frame {f}; a minor fault maps that frame, nothing is copied.",
                    does(op)
                )
            }
            Outcome::FromDrive(f) => {
                format!(
                    "{who} {}: the page cache does not have it, so a major fault reads it from the drive into frame {f}.",
                    does(op)
                )
            }
            Outcome::SharedHit(f) => {
                format!(
                    "{who} {}: shared memory has this page in frame {f} already, so {who} maps the same frame.",
                    does(op)
                )
            }
            Outcome::Copied(from, to) => format!(
                "{who} {}: frame {from} is not {who}'s alone, so the kernel copies it to frame {to} and maps that for \
                 writing.",
                does(op)
            ),
            Outcome::Kept(f) => {
                format!(
                    "{who} {}: a fault finds that nobody else maps frame {f} any more, and allows writing. No copy.",
                    does(op)
                )
            }
            Outcome::WroteAll(0) => format!("{who} writes all pages of the area without a fault."),
            Outcome::WroteAll(n) => {
                format!("{who} writes all pages of the area, and {n} of 4 had to be faulted in or copied.")
            }
            Outcome::Unmapped(n) => {
                format!(
                    "{who} unmaps an area. {} of memory are free again; the page cache keeps what it has.",
                    bytes(n as f64 * BOX_BYTES)
                )
            }
            Outcome::Segv => format!(
                "{who} {}: no area covers that address. SIGSEGV ends {who}, and its memory is free.",
                does(op)
            ),
            Outcome::OutOfMemory(p) => format!(
                "{who} needs a frame and none is left: more was promised than there is. The OOM killer ends {}, which \
                 has the largest RSS{}.",
                name(p),
                if p == op.process { "" } else { ", and the write goes on with its frames" },
            ),
            Outcome::Forked(0) => format!(
                "{who} forks; {other} exits and the child takes its place. It has {who}'s areas and not one entry yet: \
                 there is nothing that a fault could not restore."
            ),
            Outcome::Forked(n) => format!(
                "{who} forks; {other} exits and the child takes its place. Entries of {n} pages in the figure were copied, no data, \
                 and both sides may now only read those pages."
            ),
        }
    }
}

/// The processes' names.
pub fn name(process: usize) -> &'static str {
    ["A", "B"][process.min(1)]
}

fn does(op: Op) -> String {
    match op.deed {
        Deed::Read(page) => format!("reads page {page}"),
        Deed::Write(page) => format!("writes page {page}"),
        _ => "writes".into(),
    }
}

/// What a frame holds, in a word.
pub fn holds(kind: Kind) -> String {
    match kind {
        Kind::Free => "free".into(),
        Kind::Anonymous => "anon".into(),
        Kind::File { page } => format!("file {page}"),
        Kind::Shared { page, .. } => format!("shm {page}"),
    }
}

/// What is behind an area, in a word.
pub fn behind(backing: Backing) -> &'static str {
    match backing {
        Backing::Anonymous => "malloc rw-p",
        Backing::File => "file rw-p",
        Backing::Shared(_) => "shared rw-s",
    }
}

fn write_ops(ops: &[Op]) -> String {
    let one = |op: &Op| {
        let deed = match op.deed {
            Deed::Malloc => "m".to_owned(),
            Deed::MapFile => "f".into(),
            Deed::MapShared => "s".into(),
            Deed::Fork => "k".into(),
            Deed::Read(page) => format!("r{page}"),
            Deed::Write(page) => format!("w{page}"),
            Deed::WriteAll(page) => format!("W{page}"),
            Deed::Unmap(page) => format!("u{page}"),
        };
        format!("{}{deed}", name(op.process))
    };
    ops.iter().map(one).collect::<Vec<_>>().join(",")
}

fn read_ops(text: &str) -> Vec<Op> {
    text.split(',').filter_map(read_op).take(MAX_OPS).collect()
}

fn read_op(text: &str) -> Option<Op> {
    let mut letters = text.chars();
    let process = match letters.next()? {
        'A' => 0,
        'B' => 1,
        _ => return None,
    };
    let deed = letters.next()?;
    let rest = letters.as_str();
    let page = || rest.parse().ok().filter(|&p: &usize| p < PAGES);
    let deed = match deed {
        'm' => Deed::Malloc,
        'f' => Deed::MapFile,
        's' => Deed::MapShared,
        'k' => Deed::Fork,
        'r' => Deed::Read(page()?),
        'w' => Deed::Write(page()?),
        'W' => Deed::WriteAll(page()?),
        'u' => Deed::Unmap(page()?),
        _ => return None,
    };
    Some(Op { process, deed })
}

impl FigureModel for AddressSpaces {
    fn to_query(&self) -> Query {
        let d = Self::default();
        Query::new()
            .set("ops", write_ops(&self.ops), write_ops(&d.ops))
            .set("step", self.step, self.ops.len())
            .set("who", name(self.actor), name(d.actor))
            .set("page", self.page, d.page)
    }

    fn from_query(query: &Query) -> Self {
        let d = Self::default();
        let ops = query.get("ops").map_or(d.ops, read_ops);
        Self {
            step: query.parse("step", ops.len()).min(ops.len()),
            ops,
            actor: match query.get("who") {
                Some("A") => 0,
                Some("B") => 1,
                _ => d.actor,
            },
            page: Some(query.parse("page", d.page)).filter(|&p| p < PAGES).unwrap_or(d.page),
        }
    }

    fn sentence(&self) -> String {
        match self.so_far().1 {
            Some((op, outcome)) => Self::tell(op, outcome),
            None => "Two processes with empty address spaces. Let one of them map something.".into(),
        }
    }

    fn note(&self) -> Option<String> {
        let (machine, _) = self.so_far();
        let (who, page) = (name(self.actor), self.page);
        let process = &machine.processes[self.actor];
        Some(match (process.areas[page / AREA_PAGES], process.table[page]) {
            (None, _) => format!("Page {page} of {who} is in no area: touching it means SIGSEGV."),
            (Some(_), Entry::None) => {
                format!(
                    "Page {page} of {who} has no entry in the page table. It counts in VIRT and nowhere else."
                )
            }
            (Some(_), Entry::Zero) => format!(
                "Page {page} of {who} is mapped to the page of zeros, 4 KiB for all 65,536 pages of the box. It counts in \
                 VIRT only; a write would take a frame."
            ),
            (Some(_), Entry::Frame { frame, write }) => {
                let sharers: Vec<String> = machine
                    .sharers(frame)
                    .into_iter()
                    .map(|(p, q)| format!("page {q} of {}", name(p)))
                    .collect();
                let cow = machine.is_cow(self.actor, page);
                format!(
                    "Page {page} of {who} lies in frame {frame} ({}), mapped by {}. Each counts {} of it in PSS. {}",
                    holds(machine.frames.get(frame).kind),
                    sharers.join(" and "),
                    share(sharers.len()),
                    match (cow, write) {
                        (true, _) =>
                            "The entry is read-only: a write goes through the kernel, which copies the page or, if nobody shares it, keeps it.",
                        (_, true) => "The entry allows writing.",
                        _ => "",
                    }
                )
            }
        })
    }

    fn counters(&self) -> Vec<Counter> {
        let (machine, _) = self.so_far();
        let size = |boxes: f64| bytes(boxes * BOX_BYTES);
        let (a, b) = (machine.sizes(0), machine.sizes(1));
        vec![
            Counter::new("Memory in use", size(machine.frames.used() as f64)),
            Counter::new("of it mapped", size(machine.frames.mapped() as f64)),
            Counter::new("Sum of PSS", size(a.pss + b.pss)),
            Counter::new("Sum of RSS", size(a.rss + b.rss)),
            Counter::new("Promised (VIRT)", size(a.virt + b.virt)),
        ]
    }

    fn table(&self) -> DataTable {
        let (machine, _) = self.so_far();
        let mut table = DataTable::new(&["what", "area", "state", "frame", "mapped by"]);
        for p in 0..2 {
            let s = machine.sizes(p);
            let sizes = [("VIRT", s.virt), ("RSS", s.rss), ("PSS", s.pss), ("USS", s.uss)];
            let text = sizes.map(|(n, v)| format!("{n} {} MiB", number(v * 256.0))).join(", ");
            table.row([format!("process {}", name(p)), String::new(), text, String::new(), String::new()]);
            for page in 0..PAGES {
                let Some(area) = machine.processes[p].areas[page / AREA_PAGES] else { continue };
                let (state, frame) = match machine.processes[p].table[page] {
                    Entry::None => ("not present", None),
                    Entry::Zero => ("page of zeros", None),
                    Entry::Frame { frame, write: true } => ("writable", Some(frame)),
                    Entry::Frame { frame, .. } => ("read-only, copy on write", Some(frame)),
                };
                table.row([
                    format!("{} page {page}", name(p)),
                    behind(area.backing).to_owned(),
                    state.to_owned(),
                    frame.map(|f| f.to_string()).unwrap_or_default(),
                    frame.map(|f| machine.frames.get(f).maps.to_string()).unwrap_or_default(),
                ]);
            }
        }
        for (number, frame) in machine.frames.iter().filter(|(_, f)| f.kind != Kind::Free) {
            table.row([
                format!("frame {number}"),
                String::new(),
                holds(frame.kind),
                String::new(),
                frame.maps.to_string(),
            ]);
        }
        let free = FRAMES - machine.frames.used();
        table.row(["free frames".to_owned(), String::new(), free.to_string(), String::new(), String::new()]);
        table
    }
}

fn share(sharers: usize) -> String {
    match sharers {
        1 => "all".into(),
        2 => "half".into(),
        n => format!("1/{n}"),
    }
}

#[cfg(test)]
mod tests;
