//! A mapped file.

use std::fs::File;
use std::io;
use std::ops::Deref;

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};

use crate::measure::mapping::page_bytes;

/// What a mapping is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Reading the page cache (`MAP_SHARED`).
    Read,
    /// Writing to copies of its own (`MAP_PRIVATE`).
    PrivateWrite,
}

/// A mapping of a file's first bytes, unmapped on drop. Derefs to them. Nobody may shorten the file while
/// it is mapped; drills map only files of their own.
#[derive(Debug)]
pub(crate) struct FileMap {
    start: *mut u8,
    len: usize,
}

// SAFETY: the mapping is memory that this value owns alone.
unsafe impl Send for FileMap {}
// SAFETY: shared references only allow reading.
unsafe impl Sync for FileMap {}

impl FileMap {
    /// Maps the first `len` bytes.
    ///
    /// # Errors
    /// What the kernel said.
    pub(crate) fn new(file: &File, len: usize, purpose: Use) -> io::Result<Self> {
        let (protection, flags) = match purpose {
            Use::Read => (ProtFlags::READ, MapFlags::SHARED),
            Use::PrivateWrite => (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE),
        };
        // SAFETY: a new mapping at an address of the kernel's choice aliases nothing.
        let start = unsafe { mmap(std::ptr::null_mut(), len, protection, flags, file, 0)? };
        Ok(Self { start: start.cast(), len })
    }

    /// First byte.
    pub(crate) fn as_ptr(&self) -> *mut u8 {
        self.start
    }

    /// Turns readahead off (`MADV_RANDOM`). Pages in the cache are still mapped along with their
    /// neighbours.
    pub(crate) fn without_readahead(&self) -> io::Result<()> {
        // SAFETY: the range is this mapping; the advice changes none of its contents.
        Ok(unsafe { madvise(self.start.cast(), self.len, Advice::Random) }?)
    }

    /// Reads a byte of page `index`.
    #[inline]
    pub(crate) fn read_page(&self, index: usize) -> u8 {
        let at = index * page_bytes();
        assert!(at < self.len, "inside the mapping");
        // SAFETY: inside the mapping, which is readable.
        unsafe { std::ptr::read_volatile(self.start.add(at)) }
    }

    /// Writes a byte of page `index`, in a mapping for [`Use::PrivateWrite`].
    #[inline]
    pub(crate) fn write_page(&mut self, index: usize) {
        let at = index * page_bytes();
        assert!(at < self.len, "inside the mapping");
        // SAFETY: inside the mapping; the caller made it writable, and its pages are copies of its own.
        unsafe { std::ptr::write_volatile(self.start.add(at), 1) };
    }

    /// Number of pages, the last one possibly in part.
    pub(crate) fn pages(&self) -> usize {
        self.len.div_ceil(page_bytes())
    }
}

impl Deref for FileMap {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: mapped and readable as long as self lives.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for FileMap {
    fn drop(&mut self) {
        // SAFETY: the range is this mapping and no reference to it outlives self.
        let _ = unsafe { munmap(self.start.cast(), self.len) };
    }
}
