//! Physical memory: frames, what lies in them, and how many page tables name them.

/// Frames of the machine. Each box of the figure stands for 256 MiB, so this is 6 GiB.
pub const FRAMES: usize = 24;

/// What a frame holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: it can be given out.
    #[default]
    Free,
    /// Memory of no file: heaps, stacks, private copies.
    Anonymous,
    /// A page of the file, in the page cache.
    File {
        /// Page of the file.
        page: usize,
    },
    /// A page of shared memory, which the kernel keeps as a file without a name.
    Shared {
        /// Which shared memory.
        object: u8,
        /// Page of it.
        page: usize,
    },
}

/// One frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// What it holds.
    pub kind: Kind,
    /// Page-table entries that name it.
    pub maps: u32,
}

/// All frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    all: [Frame; FRAMES],
}

impl Default for Frames {
    fn default() -> Self {
        Self { all: [Frame::default(); FRAMES] }
    }
}

impl Frames {
    /// The frame with this number.
    pub fn get(&self, frame: usize) -> Frame {
        self.all.get(frame).copied().unwrap_or_default()
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Frame)> + '_ {
        self.all.iter().copied().enumerate()
    }

    /// The frame that holds this, if there is one. Not for anonymous memory, which has no name.
    pub fn find(&self, kind: Kind) -> Option<usize> {
        self.all.iter().position(|f| f.kind == kind)
    }

    /// Takes a free frame, or one of the page cache that nobody maps. The second value says whether the
    /// cache had to give it up.
    pub fn take(&mut self, kind: Kind) -> Option<(usize, bool)> {
        let free = self.all.iter().position(|f| f.kind == Kind::Free);
        let reclaimable = |f: &Frame| matches!(f.kind, Kind::File { .. }) && f.maps == 0;
        let found = free.or_else(|| self.all.iter().position(reclaimable))?;
        self.all[found] = Frame { kind, maps: 0 };
        Some((found, free.is_none()))
    }

    /// One more page-table entry names it.
    pub fn map(&mut self, frame: usize) {
        self.all[frame].maps += 1;
    }

    /// One entry less. Anonymous memory that nobody maps is free; the page cache keeps what it has.
    pub fn unmap(&mut self, frame: usize) {
        let f = &mut self.all[frame];
        f.maps = f.maps.saturating_sub(1);
        if f.maps == 0 && f.kind == Kind::Anonymous {
            f.kind = Kind::Free;
        }
    }

    /// Shared memory that no area refers to is gone.
    pub fn drop_shared(&mut self, alive: impl Fn(u8) -> bool) {
        for f in &mut self.all {
            if matches!(f.kind, Kind::Shared { object, .. } if !alive(object)) {
                *f = Frame::default();
            }
        }
    }

    /// Frames that hold something.
    pub fn used(&self) -> usize {
        self.all.iter().filter(|f| f.kind != Kind::Free).count()
    }

    /// Frames that some page table names.
    pub fn mapped(&self) -> usize {
        self.all.iter().filter(|f| f.maps > 0).count()
    }
}
