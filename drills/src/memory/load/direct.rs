//! `O_DIRECT`: from the drive into buffers of the program, past the page cache.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use rustix::fs::{AtFlags, StatxFlags};

use crate::measure::mapping::page_bytes;

/// Bytes of a request. The kernel splits it into what the drive takes, all of them in flight at once.
pub(crate) const BLOCK: usize = 8 << 20;

/// What direct reads of a file have to begin at multiples of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alignment {
    /// Of addresses, in bytes.
    pub(crate) memory: usize,
    /// Of offsets and lengths, in bytes.
    pub(crate) offset: usize,
    /// Who said so: `statx`, or `page` where it does not tell.
    pub(crate) from: &'static str,
}

/// Asks the kernel (`STATX_DIOALIGN`, Linux 6.1). Where it does not tell, a page suits every drive.
/// Absent when the file system says that it takes no direct reads.
pub(crate) fn alignment(file: &File) -> Option<Alignment> {
    let page = page_bytes();
    let guess = Alignment { memory: page, offset: page, from: "page" };
    let Ok(told) = rustix::fs::statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) else {
        return Some(guess);
    };
    if told.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
        return Some(guess);
    }
    let (memory, offset) = (told.stx_dio_mem_align as usize, told.stx_dio_offset_align as usize);
    (memory > 0 && offset > 0).then_some(Alignment { memory, offset, from: "statx" })
}

/// Opens an open file once more, for direct reads.
///
/// # Errors
/// What the system said; "invalid argument" where the file system has no such thing.
pub(crate) fn open(file: &File) -> io::Result<File> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    File::options().read(true).custom_flags(libc::O_DIRECT).open(path)
}

/// Reads `buffer` full from `offset` on. Both must be aligned.
///
/// # Errors
/// What the system said, or that the file ended first.
pub(crate) fn read(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        // A short read ends at a multiple of the alignment, unless the file does.
        match file.read_at(&mut buffer[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(len) => done += len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::mapping::{Mapping, Pages};
    use crate::memory::load::checkpoint::{Checkpoint, DATA_AT};

    #[test]
    fn direct_reads_bring_the_same_bytes() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let made = Checkpoint::create(&folder, 8 << 20, &|| false).expect("a file");
        // File systems in memory have none.
        let Some(alignment) = alignment(&made.scratch.file) else { return };
        let Ok(file) = open(&made.scratch.file) else { return };
        assert!(
            alignment.offset <= DATA_AT as usize,
            "the data begins where a direct read may: {alignment:?}"
        );
        let mut buffer = Mapping::new(1 << 20, Pages::Base).expect("memory");
        read(&file, &mut buffer, DATA_AT).expect("a direct read");
        assert!(Checkpoint::is_right(&buffer, 0));
        let beyond = made.scratch.bytes;
        assert!(read(&file, &mut buffer, beyond).is_err(), "behind the end is nothing");
    }
}
