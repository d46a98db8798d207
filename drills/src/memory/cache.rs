//! What of a file the page cache holds: looked up, and evicted.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use drills_results::Reason;
use rustix::fs::Advice;

use crate::host::filesystem;
use crate::measure::mapping::page_bytes;
use crate::memory::{FileMap, Use};

/// Number of `cachestat` on all architectures; Linux 6.5.
const SYS_CACHESTAT: libc::c_long = 451;
/// Evictions tried: pages that are being written back stay the first time.
const TRIES: usize = 3;

/// Pages of a file in the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residency {
    /// Pages of the file.
    pub(crate) pages: u64,
    /// Those in the cache.
    pub(crate) cached: u64,
    /// Who said so: `cachestat` or `mincore`.
    pub(crate) proof: &'static str,
}

impl Residency {
    /// Whether the next load has to go to the drive: at most 1 % is cached.
    pub(crate) fn is_cold(&self) -> bool {
        self.cached * 100 <= self.pages
    }

    /// Whether the next load finds everything: at most 1 % is missing.
    pub(crate) fn is_warm(&self) -> bool {
        (self.pages - self.cached) * 100 <= self.pages
    }

    /// Why a file that was evicted is in memory all the same.
    pub(crate) fn still_cached(self, filesystem: Option<&str>) -> Reason {
        let name = filesystem.unwrap_or("this file system");
        let caveat = filesystem.and_then(filesystem::caveat);
        let because = caveat.map_or_else(String::new, |caveat| format!(" On {name}, {caveat}."));
        let Self { pages, cached, proof } = self;
        let text = format!("After eviction {cached} of {pages} pages were in memory ({proof}).{because}");
        Reason::new("still-cached", text, "Run in a folder on a drive, or name one with --dir.")
    }

    /// Why a file that was read is not in memory.
    pub(crate) fn not_cached(self) -> Reason {
        let text = format!("After reading it, only {} of {} pages were in memory.", self.cached, self.pages);
        Reason::new("not-cached", text, "Free memory, or raise the memory limit of the control group.")
    }
}

/// Looks up what is cached of the file's first `bytes`. Only the kernel's word for a file that this user
/// may write counts: `mincore` calls everything resident for others.
///
/// # Errors
/// What the kernel said to both calls.
pub(crate) fn residency(file: &File, bytes: u64) -> io::Result<Residency> {
    let pages = bytes.div_ceil(page_bytes() as u64);
    match cachestat(file, bytes) {
        Ok(cached) => Ok(Residency { pages, cached: cached.min(pages), proof: "cachestat" }),
        Err(_) => Ok(Residency { pages, cached: mincore(file, bytes)?.min(pages), proof: "mincore" }),
    }
}

/// As `linux/mman.h` has them.
#[repr(C)]
struct Range {
    offset: u64,
    len: u64,
}

#[derive(Default)]
#[repr(C)]
struct Stat {
    cached: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

fn cachestat(file: &File, bytes: u64) -> io::Result<u64> {
    let range = Range { offset: 0, len: bytes };
    let mut stat = Stat::default();
    // SAFETY: both structs have the layout of the kernel's and outlive the call.
    let result =
        unsafe { libc::syscall(SYS_CACHESTAT, file.as_raw_fd(), &raw const range, &raw mut stat, 0) };
    if result == 0 { Ok(stat.cached) } else { Err(io::Error::last_os_error()) }
}

fn mincore(file: &File, bytes: u64) -> io::Result<u64> {
    let map = FileMap::new(file, bytes as usize, Use::Read)?;
    let mut resident = vec![0u8; map.len().div_ceil(page_bytes())];
    // SAFETY: the range is the mapping, and the vector has a byte for each of its pages.
    let result = unsafe { libc::mincore(map.as_ptr().cast(), map.len(), resident.as_mut_ptr()) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(resident.iter().filter(|byte| **byte & 1 == 1).count() as u64)
}

/// Writes the file back and takes it out of the page cache, as far as the kernel lets it; mapped pages
/// stay. Returns what is left.
///
/// # Errors
/// What the kernel said.
pub(crate) fn evict(file: &File, bytes: u64) -> io::Result<Residency> {
    // Dirty pages are not dropped.
    file.sync_all()?;
    for _ in 1..TRIES {
        rustix::fs::fadvise(file, 0, None, Advice::DontNeed)?;
        let left = residency(file, bytes)?;
        if left.cached == 0 {
            return Ok(left);
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    rustix::fs::fadvise(file, 0, None, Advice::DontNeed)?;
    residency(file, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_file_is_evicted_and_read_back() {
        // The build's own folder: /tmp may be memory, which cannot be evicted.
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let bytes = 64 * page_bytes() as u64;
        let scratch =
            crate::memory::scratch::Scratch::create(&folder, bytes, &mut |block, _| block.fill(7), &|| false)
                .expect("a file");
        let left = evict(&scratch.file, bytes).expect("eviction");
        if filesystem::of(&folder).is_none_or(|name| filesystem::caveat(&name).is_some()) {
            return;
        }
        assert!(left.is_cold(), "{left:?}");
        let mut content = Vec::new();
        scratch.reopen().expect("open").read_to_end(&mut content).expect("read");
        let full = residency(&scratch.file, bytes).expect("residency");
        assert_eq!((full.cached, full.pages, full.is_warm()), (64, 64, true));
        assert_eq!(mincore(&scratch.file, bytes).expect("mincore"), 64, "both calls agree");
    }

    #[test]
    fn a_file_in_memory_is_named() {
        let left = Residency { pages: 10, cached: 10, proof: "cachestat" };
        assert!(left.still_cached(Some("tmpfs")).text.contains("are memory"));
        assert!(left.still_cached(None).text.contains("10 of 10"));
    }

    #[test]
    fn cold_and_warm_leave_one_percent() {
        let of = |cached| Residency { pages: 1000, cached, proof: "mincore" };
        assert!(of(10).is_cold() && !of(11).is_cold());
        assert!(of(990).is_warm() && !of(989).is_warm());
    }
}
