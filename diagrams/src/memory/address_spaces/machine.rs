//! Two processes with areas and page tables, and what the kernel does on `mmap`, touch, `fork`, `munmap`.
//!
//! It follows Linux: a private mapping maps the page of zeros on a read and takes a frame on a write; pages
//! of the file are those of the page cache until they are written; `fork` copies the entries of areas that
//! hold anonymous pages and makes them read-only on both sides; a write to such a page copies it unless
//! the writer is alone by then. Entries of file and shared areas are not copied by `fork`, since a fault
//! can restore them.

use super::frames::{Frames, Kind};

/// Pages of an area: 1 GiB in boxes of 256 MiB.
pub const AREA_PAGES: usize = 4;
/// Areas that a process can have.
pub const AREAS: usize = 4;
/// Pages of a process.
pub const PAGES: usize = AREAS * AREA_PAGES;

/// What is behind an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backing {
    /// `malloc`, or `mmap` with `MAP_PRIVATE | MAP_ANONYMOUS`.
    Anonymous,
    /// `mmap` of the file with `MAP_PRIVATE`.
    File,
    /// `mmap` with `MAP_SHARED | MAP_ANONYMOUS`, as `/dev/shm`.
    Shared(u8),
}

/// A range of addresses with a meaning: a VMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// What is behind it.
    pub backing: Backing,
    /// Whether it ever held an anonymous page (`anon_vma`): then `fork` copies its entries.
    pub anonymous: bool,
}

/// A page-table entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// Not present.
    #[default]
    None,
    /// The page of zeros that all processes share, read-only. It is in no process' RSS.
    Zero,
    /// A frame.
    Frame {
        /// Its number.
        frame: usize,
        /// Whether the entry allows writing.
        write: bool,
    },
}

/// A process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Its areas.
    pub areas: [Option<Area>; AREAS],
    /// Its page table.
    pub table: [Entry; PAGES],
    /// Whether a signal ended it.
    pub killed: bool,
}

/// What is done to an address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// `malloc` of 1 GiB.
    Malloc,
    /// `mmap` of the file, private.
    MapFile,
    /// `mmap` of shared memory.
    MapShared,
    /// A load from a page.
    Read(usize),
    /// A store into a page.
    Write(usize),
    /// Stores into all pages of the area.
    WriteAll(usize),
    /// `munmap` of the area of a page.
    Unmap(usize),
    /// `fork`: the other process exits and the child takes its place.
    Fork,
}

/// A deed and who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// 0 or 1.
    pub process: usize,
    /// What.
    pub deed: Deed,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An area was added from this page on.
    Mapped(usize),
    /// All areas are taken.
    NoRoom,
    /// The entry was there: no fault.
    Hit,
    /// First read: the page of zeros.
    Zeros,
    /// First write: a frame, cleared.
    Fresh(usize),
    /// The page cache had it.
    Cached(usize),
    /// It had to be read from the drive first.
    FromDrive(usize),
    /// A page of shared memory that another one had already.
    SharedHit(usize),
    /// A write to a shared page: copied from one frame to another.
    Copied(usize, usize),
    /// A write to a page that nobody shares any more: kept.
    Kept(usize),
    /// Several pages were written, with so many faults.
    WroteAll(usize),
    /// Unmapped, with so many frames free again.
    Unmapped(usize),
    /// No area covers the page: SIGSEGV ends the process.
    Segv,
    /// No frame was left: the OOM killer ended this process.
    OutOfMemory(usize),
    /// The child has so many entries.
    Forked(usize),
}

/// Virtual, resident, proportional and unique pages of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Pages of all areas.
    pub virt: f64,
    /// Pages that are resident.
    pub rss: f64,
    /// Resident pages, each divided by its sharers.
    pub pss: f64,
    /// Resident pages that have one sharer.
    pub uss: f64,
}

/// Both processes and physical memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// The processes A and B.
    pub processes: [Process; 2],
    /// Physical memory.
    pub frames: Frames,
    objects: u8,
    /// Whom the OOM killer ended during the present deed.
    ended: Option<usize>,
}

/// Why a frame could not be had: the process that asked is gone.
struct Killed;

impl Machine {
    /// Performs one deed.
    pub fn perform(&mut self, op: Op) -> Outcome {
        let p = op.process.min(1);
        let outcome = match op.deed {
            Deed::Malloc => self.map(p, Backing::Anonymous),
            Deed::MapFile => self.map(p, Backing::File),
            Deed::MapShared => {
                self.objects = self.objects.wrapping_add(1);
                self.map(p, Backing::Shared(self.objects))
            }
            Deed::Read(page) => self.touch(p, page % PAGES, false),
            Deed::Write(page) => self.touch(p, page % PAGES, true),
            Deed::WriteAll(page) => self.write_all(p, page % PAGES),
            Deed::Unmap(page) => self.unmap(p, page % PAGES / AREA_PAGES),
            Deed::Fork => self.fork(p),
        };
        self.ended.take().map_or(outcome, Outcome::OutOfMemory)
    }

    fn map(&mut self, p: usize, backing: Backing) -> Outcome {
        let process = &mut self.processes[p];
        let Some(free) = process.areas.iter().position(Option::is_none) else { return Outcome::NoRoom };
        process.areas[free] = Some(Area { backing, anonymous: false });
        process.killed = false;
        Outcome::Mapped(free * AREA_PAGES)
    }

    fn touch(&mut self, p: usize, page: usize, write: bool) -> Outcome {
        let Some(area) = self.processes[p].areas[page / AREA_PAGES] else {
            self.kill(p);
            return Outcome::Segv;
        };
        let done = match (self.processes[p].table[page], area.backing, write) {
            (Entry::Frame { write: true, .. }, _, _) | (Entry::Frame { .. } | Entry::Zero, _, false) => {
                Ok(Outcome::Hit)
            }
            (Entry::Frame { frame, .. }, _, true) => self.write_protected(p, page, frame),
            (Entry::Zero, _, true) | (Entry::None, Backing::Anonymous, true) => self.fresh(p, page),
            (Entry::None, Backing::Anonymous, false) => {
                self.processes[p].table[page] = Entry::Zero;
                Ok(Outcome::Zeros)
            }
            (Entry::None, Backing::File, false) => self.map_file_page(p, page),
            (Entry::None, Backing::File, true) => self.copy_file_page(p, page),
            (Entry::None, Backing::Shared(object), _) => self.map_shared_page(p, page, object),
        };
        done.unwrap_or(Outcome::OutOfMemory(p))
    }

    fn write_all(&mut self, p: usize, page: usize) -> Outcome {
        let first = page / AREA_PAGES * AREA_PAGES;
        let mut faults = 0;
        for page in first..first + AREA_PAGES {
            match self.touch(p, page, true) {
                Outcome::Hit => {}
                bad @ (Outcome::Segv | Outcome::OutOfMemory(_)) => return bad,
                _ => faults += 1,
            }
        }
        Outcome::WroteAll(faults)
    }

    /// A write to a present page that does not allow it: `do_wp_page`.
    fn write_protected(&mut self, p: usize, page: usize, from: usize) -> Result<Outcome, Killed> {
        let old = self.frames.get(from);
        if old.kind == Kind::Anonymous && old.maps == 1 {
            self.processes[p].table[page] = Entry::Frame { frame: from, write: true };
            return Ok(Outcome::Kept(from));
        }
        let to = self.private_frame(p, page)?;
        self.frames.unmap(from);
        Ok(Outcome::Copied(from, to))
    }

    /// First write to anonymous memory: `do_anonymous_page`.
    fn fresh(&mut self, p: usize, page: usize) -> Result<Outcome, Killed> {
        self.private_frame(p, page).map(Outcome::Fresh)
    }

    /// Takes a frame for this page alone and maps it for writing.
    fn private_frame(&mut self, p: usize, page: usize) -> Result<usize, Killed> {
        let frame = self.take(p, Kind::Anonymous)?;
        self.frames.map(frame);
        let process = &mut self.processes[p];
        process.table[page] = Entry::Frame { frame, write: true };
        if let Some(area) = &mut process.areas[page / AREA_PAGES] {
            area.anonymous = true;
        }
        Ok(frame)
    }

    fn map_file_page(&mut self, p: usize, page: usize) -> Result<Outcome, Killed> {
        let (frame, cached) = self.page_cache(p, Kind::File { page: page % AREA_PAGES })?;
        self.frames.map(frame);
        self.processes[p].table[page] = Entry::Frame { frame, write: false };
        Ok(if cached { Outcome::Cached(frame) } else { Outcome::FromDrive(frame) })
    }

    /// A first write to a private file page copies it out of the page cache: `do_cow_fault`.
    fn copy_file_page(&mut self, p: usize, page: usize) -> Result<Outcome, Killed> {
        let (from, _) = self.page_cache(p, Kind::File { page: page % AREA_PAGES })?;
        // Held while it is copied, or the search for a second frame could give it up.
        self.frames.map(from);
        let to = self.private_frame(p, page);
        self.frames.unmap(from);
        Ok(Outcome::Copied(from, to?))
    }

    fn map_shared_page(&mut self, p: usize, page: usize, object: u8) -> Result<Outcome, Killed> {
        let (frame, there) = self.page_cache(p, Kind::Shared { object, page: page % AREA_PAGES })?;
        self.frames.map(frame);
        self.processes[p].table[page] = Entry::Frame { frame, write: true };
        Ok(if there { Outcome::SharedHit(frame) } else { Outcome::Fresh(frame) })
    }

    /// The frame that holds this page of a file, and whether it was there already.
    fn page_cache(&mut self, p: usize, kind: Kind) -> Result<(usize, bool), Killed> {
        match self.frames.find(kind) {
            Some(frame) => Ok((frame, true)),
            None => self.take(p, kind).map(|frame| (frame, false)),
        }
    }

    /// A frame for process `p`. If there is none, the process with the largest RSS has to go.
    fn take(&mut self, p: usize, kind: Kind) -> Result<usize, Killed> {
        loop {
            if let Some((frame, _)) = self.frames.take(kind) {
                return Ok(frame);
            }
            let other = 1 - p;
            let victim = if self.sizes(other).rss > self.sizes(p).rss { other } else { p };
            self.kill(victim);
            self.ended = Some(victim);
            if victim == p {
                return Err(Killed);
            }
        }
    }

    fn kill(&mut self, p: usize) {
        self.exit(p);
        self.processes[p].killed = true;
    }

    fn exit(&mut self, p: usize) {
        for area in 0..AREAS {
            self.unmap(p, area);
        }
        self.processes[p] = Process::default();
    }

    fn unmap(&mut self, p: usize, area: usize) -> Outcome {
        let before = self.frames.used();
        for page in area * AREA_PAGES..(area + 1) * AREA_PAGES {
            if let Entry::Frame { frame, .. } = self.processes[p].table[page] {
                self.frames.unmap(frame);
            }
            self.processes[p].table[page] = Entry::None;
        }
        self.processes[p].areas[area] = None;
        let referred: Vec<Backing> =
            self.processes.iter().flat_map(|q| q.areas.iter().flatten()).map(|a| a.backing).collect();
        self.frames.drop_shared(|object| referred.contains(&Backing::Shared(object)));
        Outcome::Unmapped(before - self.frames.used())
    }

    fn fork(&mut self, p: usize) -> Outcome {
        self.exit(1 - p);
        let mut child = Process { areas: self.processes[p].areas, ..Process::default() };
        let mut copied = 0;
        for (page, child_entry) in child.table.iter_mut().enumerate() {
            let Some(area) = child.areas[page / AREA_PAGES].filter(|a| a.anonymous) else { continue };
            let entry = &mut self.processes[p].table[page];
            if let Entry::Frame { frame, write } = entry {
                *write &= matches!(area.backing, Backing::Shared(_));
                self.frames.map(*frame);
            }
            *child_entry = *entry;
            copied += usize::from(*entry != Entry::None);
        }
        self.processes[1 - p] = child;
        Outcome::Forked(copied)
    }

    /// The four numbers of a process, in pages.
    pub fn sizes(&self, p: usize) -> Sizes {
        let process = &self.processes[p];
        let maps: Vec<f64> = process
            .table
            .iter()
            .filter_map(|entry| match entry {
                Entry::Frame { frame, .. } => Some(f64::from(self.frames.get(*frame).maps)),
                _ => None,
            })
            .collect();
        Sizes {
            virt: (process.areas.iter().flatten().count() * AREA_PAGES) as f64,
            rss: maps.len() as f64,
            pss: maps.iter().map(|m| 1.0 / m).sum(),
            uss: maps.iter().filter(|m| **m == 1.0).count() as f64,
        }
    }

    /// Whether a store to this page would copy it: present, private, and not writable.
    pub fn is_cow(&self, p: usize, page: usize) -> bool {
        let private = self.processes[p].areas[page / AREA_PAGES]
            .is_some_and(|area| !matches!(area.backing, Backing::Shared(_)));
        private && matches!(self.processes[p].table[page], Entry::Frame { write: false, .. })
    }

    /// Everybody who maps a frame, as process and page.
    pub fn sharers(&self, frame: usize) -> Vec<(usize, usize)> {
        let pages = (0..2).flat_map(|p| (0..PAGES).map(move |page| (p, page)));
        pages.filter(|&(p, page)| self.frame_of(p, page) == Some(frame)).collect()
    }

    /// The frame behind a page.
    pub fn frame_of(&self, p: usize, page: usize) -> Option<usize> {
        match self.processes[p].table[page] {
            Entry::Frame { frame, .. } => Some(frame),
            _ => None,
        }
    }
}
