//! Units in which the page cache holds a file, where the kernel shows them (root only), and the faults
//! that follow from them.
//!
//! Since Linux 6.18 a fault on a cached page maps each folio of its window whole, if the folio lies in the
//! mapping and under one table of the last level, and not only the part inside the window.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::measure::mapping::page_bytes;
use crate::memory::FileMap;
use crate::memory::predict;

/// Bit 63 of an entry of `/proc/self/pagemap`: the page is in memory.
const PRESENT: u64 = 1 << 63;
/// Its low 55 bits: the frame, or 0 where this program may not know.
const FRAME: u64 = (1 << 55) - 1;
/// Bits of `/proc/kpageflags`: first page of a larger unit, and one of its others.
const HEAD: u64 = 1 << 15;
const TAIL: u64 = 1 << 16;

/// Faults that a touch of all of `map` takes, by the folios behind it. The map has been touched, so that
/// its pages can be looked up. Absent where the kernel does not show them.
pub(crate) fn faults_of(map: &FileMap) -> Option<u64> {
    let firsts = firsts(map)?;
    let page = page_bytes() as u64;
    let shape = Shape {
        start: map.as_ptr() as usize / page_bytes(),
        window: (predict::fault_around_bytes(page) / page) as usize,
        // A table of the last level is one page of 8-byte entries.
        table: page_bytes() / 8,
    };
    Some(shape.faults(&firsts))
}

/// For each page the index of the first page of its folio.
fn firsts(map: &FileMap) -> Option<Vec<usize>> {
    let pagemap = File::open("/proc/self/pagemap").ok()?;
    let flags = File::open("/proc/kpageflags").ok()?;
    let entry = |file: &File, index: u64| {
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, index * 8).ok()?;
        Some(u64::from_ne_bytes(bytes))
    };
    let start = map.as_ptr() as u64 / page_bytes() as u64;
    let mut firsts: Vec<usize> = Vec::with_capacity(map.pages());
    for index in 0..map.pages() {
        let page = entry(&pagemap, start + index as u64)?;
        if page & PRESENT == 0 || page & FRAME == 0 {
            return None;
        }
        let flags = entry(&flags, page & FRAME)?;
        let follows = flags & TAIL != 0 && flags & HEAD == 0;
        firsts.push(firsts.last().copied().filter(|_| follows).unwrap_or(index));
    }
    Some(firsts)
}

/// Sizes in pages.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Page number of the mapping's first address.
    start: usize,
    /// Window around a fault.
    window: usize,
    /// Pages under one table of the last level.
    table: usize,
}

impl Shape {
    fn faults(self, firsts: &[usize]) -> u64 {
        let mut mapped = vec![false; firsts.len()];
        let mut faults = 0;
        for index in 0..firsts.len() {
            if mapped[index] {
                continue;
            }
            faults += 1;
            let at = self.start + index;
            let from = (at / self.window * self.window).max(self.start) - self.start;
            let to = (at / self.window * self.window + self.window - self.start).min(firsts.len());
            mapped[from..to].fill(true);
            // Folios that reach out of the window at either end.
            for page in [from, to - 1] {
                let first = firsts[page];
                let end = (page + 1..firsts.len()).find(|next| firsts[*next] != first);
                let end = end.unwrap_or(firsts.len());
                let table = |page: usize| (self.start + page) / self.table;
                if table(first) == table(end - 1) {
                    mapped[first..end].fill(true);
                }
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { start: 512, window: 16, table: 512 };

    /// Pages in folios of these sizes.
    fn folios(sizes: &[usize]) -> Vec<usize> {
        let mut firsts = Vec::new();
        for size in sizes {
            firsts.extend(vec![firsts.len(); *size]);
        }
        firsts
    }

    #[test]
    fn single_pages_fault_by_windows() {
        assert_eq!(SHAPE.faults(&folios(&[1; 64])), 4);
        assert_eq!(Shape { start: 520, ..SHAPE }.faults(&folios(&[1; 64])), 5, "it begins inside a window");
    }

    #[test]
    fn a_folio_is_mapped_whole() {
        assert_eq!(SHAPE.faults(&folios(&[256, 256])), 2);
        assert_eq!(SHAPE.faults(&folios(&[4; 16])), 4, "smaller ones fill the window");
        // The first window ends inside the folio of 32, which comes along; so does the last one's.
        assert_eq!(SHAPE.faults(&folios(&[8, 32, 24])), 2);
    }

    #[test]
    fn a_folio_under_two_tables_is_mapped_by_windows() {
        let across = Shape { start: 512 - 128, ..SHAPE };
        assert_eq!(across.faults(&folios(&[256])), 16);
    }
}
