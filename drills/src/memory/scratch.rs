//! A file to measure with, that no ending of this program leaves behind: it has no name.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use drills_results::{Measurement, Reason, Status};

use crate::host::filesystem;
use crate::measure::mapping::page_bytes;

/// A file takes at most this share of the free space.
pub(crate) const SHARE_OF_FREE_SPACE: u64 = 4;
/// Bytes written at once.
const BLOCK: usize = 4 << 20;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// Not even a small file fits.
    #[error("In {folder}, {free} bytes are free; a file may take a quarter of that and needs {needed}.")]
    NoSpace {
        /// Folder.
        folder: PathBuf,
        /// Free bytes.
        free: u64,
        /// Bytes of the smallest useful file.
        needed: u64,
    },
    /// The system refused.
    #[error("A file in {folder} could not be made: {source}.")]
    Io {
        /// Folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The user ended the run.
    #[error("The run was ended first.")]
    Stopped,
}

impl Trouble {
    /// A measurement that was not taken for want of the file.
    pub(crate) fn measurement(&self, key: &str, method: &str) -> Measurement {
        let fix = "Run in a folder on the drive to be measured, or name one with --dir.";
        let (status, code) = match self {
            Self::NoSpace { .. } => (Status::Skipped, "no-space"),
            Self::Io { .. } => (Status::Skipped, "no-file"),
            Self::Stopped => (Status::Interrupted, "interrupted"),
        };
        let reason = Reason::new(code, self.to_string(), fix);
        Measurement { status, ..Measurement::skipped(key, super::unit_of(key), method, reason) }
    }
}

/// An open file without a name.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// The file, for reading and writing.
    pub(crate) file: File,
    /// Its size.
    pub(crate) bytes: u64,
    /// Name of its file system, where the kernel tells.
    pub(crate) filesystem: Option<String>,
}

impl Scratch {
    /// A file of `bytes` in `folder`, written back. `fill` writes the block that begins at an offset.
    ///
    /// # Errors
    /// [`Trouble`]; the space is given back then.
    pub(crate) fn create(
        folder: &Path,
        bytes: u64,
        fill: &mut dyn FnMut(&mut [u8], u64),
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, Trouble> {
        let failed = |source| Trouble::Io { folder: folder.to_owned(), source };
        let mut file = tempfile::tempfile_in(folder).map_err(failed)?;
        write_all(&mut file, bytes, fill, stopped).map_err(failed)?.ok_or(Trouble::Stopped)?;
        Ok(Self { file, bytes, filesystem: filesystem::of(folder) })
    }

    /// A second open file with a position and flags of its own.
    ///
    /// # Errors
    /// What the system said.
    pub(crate) fn reopen(&self) -> io::Result<File> {
        use std::os::fd::AsRawFd;
        File::open(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
    }

    /// Reads the first `bytes` in order, in blocks, with readahead: the cache holds them then.
    ///
    /// # Errors
    /// What the system said.
    pub(crate) fn read_through(&self, bytes: u64) -> io::Result<()> {
        read_through(&self.reopen()?, bytes)
    }
}

/// Writes `bytes` in blocks and has the system write them back. `None` when stopped.
///
/// # Errors
/// What the system said.
pub(crate) fn write_all(
    file: &mut File,
    bytes: u64,
    fill: &mut dyn FnMut(&mut [u8], u64),
    stopped: &dyn Fn() -> bool,
) -> io::Result<Option<()>> {
    let mut block = vec![0; BLOCK];
    let mut at = 0;
    while at < bytes {
        if stopped() {
            return Ok(None);
        }
        let len = (bytes - at).min(BLOCK as u64) as usize;
        fill(&mut block[..len], at);
        file.write_all(&block[..len])?;
        at += len as u64;
        // Without this, a fast writer fills the memory with dirty pages and the last call takes it all.
        if at.is_multiple_of(16 * BLOCK as u64) {
            file.sync_data()?;
        }
    }
    file.sync_all()?;
    Ok(Some(()))
}

/// Reads the first `bytes` of a file in order. The file's position stays.
///
/// # Errors
/// What the system said.
pub(crate) fn read_through(file: &File, bytes: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    let mut block = vec![0; BLOCK];
    let mut at = 0;
    while at < bytes {
        let len = (bytes - at).min(block.len() as u64) as usize;
        file.read_exact_at(&mut block[..len], at)?;
        at += len as u64;
    }
    Ok(())
}

/// Bytes that a new file in `folder` may take: a quarter of what is free for this user.
///
/// # Errors
/// [`Trouble::Io`] when the folder is none, [`Trouble::NoSpace`] when less than `needed` is allowed.
pub(crate) fn allowed_bytes(folder: &Path, needed: u64) -> Result<u64, Trouble> {
    let failed = |e: rustix::io::Errno| Trouble::Io { folder: folder.to_owned(), source: e.into() };
    let stat = rustix::fs::statvfs(folder).map_err(failed)?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    let allowed = free / SHARE_OF_FREE_SPACE;
    if allowed < needed {
        return Err(Trouble::NoSpace { folder: folder.to_owned(), free, needed });
    }
    Ok(allowed)
}

/// Rounds down to whole pages of the largest base page there is, so that files fit every machine.
pub(crate) fn whole_pages(bytes: u64) -> u64 {
    let page = (page_bytes() as u64).max(64 << 10);
    bytes / page * page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_content_and_no_name() {
        use std::os::unix::fs::FileExt;
        let dir = tempfile::tempdir().expect("a folder");
        let mut fill = |block: &mut [u8], at: u64| block.fill((at / BLOCK as u64) as u8 + 1);
        let bytes = BLOCK as u64 + 10;
        let scratch = Scratch::create(dir.path(), bytes, &mut fill, &|| false).expect("a file");
        assert_eq!(std::fs::read_dir(dir.path()).expect("a folder").count(), 0, "nothing to leave behind");
        let mut tail = [0; 11];
        scratch.reopen().expect("it can be opened again").read_exact_at(&mut tail, bytes - 11).expect("read");
        assert_eq!(tail, [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn a_user_who_stops_and_a_folder_that_is_none_have_their_reasons() {
        let dir = tempfile::tempdir().expect("a folder");
        let code = |trouble: Trouble| {
            let m = trouble.measurement("load.read.cold", "load.host_clock");
            (m.status, m.reason.map(|r| r.code).unwrap_or_default())
        };
        let stopped = Scratch::create(dir.path(), 9, &mut |_, _| (), &|| true).map(drop);
        assert_eq!(stopped.map_err(code), Err((Status::Interrupted, "interrupted".into())));
        let none = Scratch::create(&dir.path().join("no"), 9, &mut |_, _| (), &|| false).map(drop);
        assert_eq!(none.map_err(code), Err((Status::Skipped, "no-file".into())));
        let full = allowed_bytes(dir.path(), u64::MAX).map(drop);
        assert_eq!(full.map_err(code), Err((Status::Skipped, "no-space".into())));
        assert!(allowed_bytes(dir.path(), 1).is_ok_and(|bytes| bytes > 0));
    }
}
