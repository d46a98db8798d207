//! Loading by direct reads.

use std::fs::File;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::checkpoint::{Checkpoint, DATA_AT};
use super::direct;
use super::engines::{Loaded, Once, Start};
use crate::measure::mapping::{Mapping, Pages};
use crate::measure::usage::Faults;

/// Threads at most.
const MOST_THREADS: usize = 4;

impl Once<'_> {
    /// Direct reads of large blocks, the blocks dealt out to several threads.
    ///
    /// # Errors
    /// What the system said.
    pub(super) fn direct(&self) -> io::Result<Option<Loaded>> {
        let file = direct::open(&self.checkpoint.scratch.file)?;
        let blocks = self.bytes().div_ceil(direct::BLOCK as u64);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let mut buffers = Vec::new();
        for _ in 0..threads {
            let mut buffer = Mapping::new(direct::BLOCK, Pages::Base)?;
            buffer.touch();
            buffers.push(buffer);
        }
        let shared = Direct {
            once: self,
            file: &file,
            next: AtomicU64::new(0),
            right: AtomicBool::new(true),
            failed: Mutex::default(),
        };
        let start = Start::now();
        std::thread::scope(|scope| {
            buffers.iter_mut().for_each(|buffer| drop(scope.spawn(|| shared.work(buffer, blocks))));
        });
        let spent = start.spent();
        let (right, failed) = (shared.right.into_inner(), shared.failed.into_inner());
        if let Ok(Some(error)) = failed {
            return Err(error);
        }
        let loaded =
            || Loaded { right, threads: threads as u64, ..self.loaded(spent, Faults::default(), blocks) };
        Ok((!(self.stopped)()).then(loaded))
    }
}

/// What the threads of the direct reads share.
struct Direct<'a> {
    once: &'a Once<'a>,
    file: &'a File,
    next: AtomicU64,
    right: AtomicBool,
    failed: Mutex<Option<io::Error>>,
}

impl Direct<'_> {
    fn work(&self, buffer: &mut Mapping, blocks: u64) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= blocks || (self.once.stopped)() {
                return;
            }
            let at = index * direct::BLOCK as u64;
            let len = (self.once.bytes() - at).min(direct::BLOCK as u64) as usize;
            if let Err(error) = direct::read(self.file, &mut buffer[..len], at) {
                self.next.store(blocks, Ordering::Relaxed);
                if let Ok(mut failed) = self.failed.lock() {
                    *failed = Some(error);
                }
                return;
            }
            self.check(&buffer[..len], at);
        }
    }

    /// Looks at one word of each block only: looking at all of them would be in the time.
    fn check(&self, block: &[u8], at: u64) {
        if at >= DATA_AT && !Checkpoint::is_right(&block[..8], at - DATA_AT) {
            self.right.store(false, Ordering::Relaxed);
        }
    }
}
