//! Anonymous memory whose alignment and page size are known.

use std::io;
use std::ops::{Deref, DerefMut};

use crate::measure::smaps;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

/// Mappings start at a multiple of this, so that transparent huge pages of 2 MiB fit without edges.
pub const ALIGNMENT: usize = 2 << 20;

/// Which pages to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// What `malloc` of a large size gets: no advice.
    Default,
    /// Base pages only (`MADV_NOHUGEPAGE`).
    Base,
    /// Transparent huge pages (`MADV_HUGEPAGE`). The kernel may not grant them: see [`Mapping::huge_bytes`].
    Huge,
}

/// A private anonymous mapping, unmapped on drop. Derefs to its bytes.
#[derive(Debug)]
pub struct Mapping {
    start: *mut u8,
    len: usize,
}

// SAFETY: the mapping is plain memory that this value owns alone.
unsafe impl Send for Mapping {}
// SAFETY: shared references only allow reading.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `len` bytes, untouched.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn new(len: usize, pages: Pages) -> io::Result<Self> {
        Self::aligned(len, pages, ALIGNMENT)
    }

    /// The same, from a multiple of `alignment` on, which is a power of two and at least a page.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn aligned(len: usize, pages: Pages, alignment: usize) -> io::Result<Self> {
        let padded = len.max(1).checked_add(alignment).ok_or(io::ErrorKind::OutOfMemory)?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice aliases nothing.
        let raw = unsafe {
            mmap_anonymous(std::ptr::null_mut(), padded, ProtFlags::READ | ProtFlags::WRITE, flags)?
        }
        .cast::<u8>();
        let before = raw.align_offset(alignment);
        let len = len.max(1).next_multiple_of(page_bytes());
        let start = raw.wrapping_add(before);
        let after = padded - before - len;
        // SAFETY: both ranges lie inside the mapping made above and outside the part that is kept; their
        // ends are page multiples because the mapping's own are.
        unsafe {
            if before > 0 {
                munmap(raw.cast(), before)?;
            }
            if after >= page_bytes() {
                munmap(start.wrapping_add(len).cast(), after)?;
            }
        }
        let mapping = Self { start, len };
        mapping.advise(pages);
        Ok(mapping)
    }

    /// Maps `count` pages of the hugetlb pool of `page` bytes each, untouched.
    ///
    /// # Errors
    /// What the kernel said, such as "out of memory" when the pool has fewer pages.
    pub fn of_pool(page: usize, count: usize) -> io::Result<Self> {
        let len = page.checked_mul(count).filter(|len| *len > 0).ok_or(io::ErrorKind::InvalidInput)?;
        // The size is the power of two in the bits that mmap(2) reserves for it.
        let size = MapFlags::from_bits_retain(page.trailing_zeros() << libc::MAP_HUGE_SHIFT);
        let flags = MapFlags::PRIVATE | MapFlags::HUGETLB | size;
        // SAFETY: a new mapping at an address of the kernel's choice aliases nothing.
        let start =
            unsafe { mmap_anonymous(std::ptr::null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, flags)? };
        Ok(Self { start: start.cast(), len })
    }

    /// The kernel may lack transparent huge pages; the advice is a wish and the result is checked by
    /// whoever depends on it.
    fn advise(&self, pages: Pages) {
        let advice = match pages {
            Pages::Default => return,
            Pages::Base => Advice::LinuxNoHugepage,
            Pages::Huge => Advice::LinuxHugepage,
        };
        // SAFETY: the range is this mapping; neither advice changes its contents.
        let _ = unsafe { madvise(self.start.cast(), self.len, advice) };
    }

    /// First byte.
    pub fn as_ptr(&self) -> *mut u8 {
        self.start
    }

    /// Has the kernel put memory behind each page of a piece in one call (`MADV_POPULATE_WRITE`, Linux
    /// 5.14). The piece begins at a multiple of a page and ends with the mapping at the latest.
    ///
    /// # Errors
    /// What the kernel said; "invalid argument" from older ones.
    pub fn populate(&mut self, offset: usize, len: usize) -> io::Result<()> {
        let len = len.min(self.len.saturating_sub(offset));
        // SAFETY: the range lies inside this mapping; the advice changes none of its contents.
        Ok(unsafe { madvise(self.start.wrapping_add(offset).cast(), len, Advice::LinuxPopulateWrite) }?)
    }

    /// Writes one byte to each page, so that each has memory behind it. Reading would map the shared
    /// zero page instead.
    pub fn touch(&mut self) {
        for page in self.chunks_mut(page_bytes()) {
            // SAFETY: `page` is a valid, exclusive, non-empty slice.
            unsafe { std::ptr::write_volatile(page.as_mut_ptr(), 1) };
        }
    }

    /// First and last address.
    pub fn range(&self) -> std::ops::Range<u64> {
        self.start as u64..self.start as u64 + self.len as u64
    }

    /// Bytes of this mapping that huge pages back, from the kernel's own account of the range.
    pub fn huge_bytes(&self) -> Option<u64> {
        Some(smaps::of_self(self.range()).ok()?.anon_huge.min(self.len as u64))
    }
}

impl Deref for Mapping {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: the range is mapped, readable and owned by self; anonymous memory is always initialised.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl DerefMut for Mapping {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is this mapping and no reference to it outlives self.
        let _ = unsafe { munmap(self.start.cast(), self.len) };
    }
}

/// Base page size in bytes.
pub fn page_bytes() -> usize {
    rustix::param::page_size()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_aligned_zeroed_and_writable() {
        let mut map = Mapping::new(3 * page_bytes() + 1, Pages::Base).expect("memory");
        assert_eq!(map.as_ptr() as usize % ALIGNMENT, 0);
        assert_eq!(map.len(), 4 * page_bytes());
        assert!(map.iter().all(|byte| *byte == 0));
        map.touch();
        assert_eq!(map.iter().filter(|byte| **byte == 1).count(), 4);
        assert_eq!(map.huge_bytes(), Some(0));
    }
}
