//! Ways to bring a file into host memory.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use safetensors::SafeTensors;

use super::checkpoint::{Checkpoint, DATA_AT};
use super::direct;
use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::random::Random;
use crate::measure::usage::{self, Faults};
use crate::memory::{FileMap, Use, folios, predict};

/// Bytes of one `read`.
const BLOCK: usize = 8 << 20;
/// Of all pages, one in this many is touched at random.
const ONE_IN: usize = 8;
/// Threads of the direct reads at most.
const MOST_THREADS: usize = 4;

/// A way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// `read` into fresh memory.
    Read,
    /// A map, touched in order.
    Mmap,
    /// A map, touched at random pages, readahead off.
    MmapRandom,
    /// Direct reads of large blocks by several threads into buffers that are used again.
    Direct,
    /// A map, read by the safetensors library; each tensor copied into fresh memory of its own.
    Safetensors,
}

impl Engine {
    pub(super) const ALL: [Self; 5] =
        [Self::Read, Self::Mmap, Self::MmapRandom, Self::Direct, Self::Safetensors];

    /// Word in keys.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Mmap => "mmap",
            Self::MmapRandom => "mmap_random",
            Self::Direct => "direct",
            Self::Safetensors => "safetensors",
        }
    }
}

/// One load.
#[derive(Clone, Debug, Default)]
pub(super) struct Loaded {
    pub(super) ns: u64,
    /// Bytes brought in; those touched, for the random way.
    pub(super) bytes: u64,
    pub(super) faults: Faults,
    /// Faults that are predicted where large folios play no part.
    pub(super) expected_faults: Option<u64>,
    /// Faults predicted from the folios that the cache holds, where the kernel shows them.
    pub(super) faults_by_folios: Option<u64>,
    /// System calls of the loading code.
    pub(super) syscalls: u64,
    pub(super) processor_ns: u64,
    /// Bytes that came from the drive, where the kernel tells.
    pub(super) device_bytes: Option<u64>,
    pub(super) threads: u64,
    pub(super) right: bool,
}

/// Loads the file once. `None` when the user ended the run.
///
/// # Errors
/// What the system said.
pub(super) fn load(
    engine: Engine,
    checkpoint: &Checkpoint,
    most_ns: u64,
    stopped: &(dyn Fn() -> bool + Sync),
) -> io::Result<Option<Loaded>> {
    let drive = usage::device_bytes_read();
    let processor = usage::processor_ns();
    let one = Once { checkpoint, most_ns, stopped };
    let result = match engine {
        Engine::Read => one.read(),
        Engine::Mmap => one.mmap(),
        Engine::MmapRandom => one.mmap_random(),
        Engine::Direct => one.direct(),
        Engine::Safetensors => one.safetensors(),
    };
    let processor_ns = usage::processor_ns() - processor;
    let device_bytes = usage::device_bytes_read().zip(drive).map(|(after, before)| after - before);
    Ok(result?.map(|loaded| Loaded { processor_ns, device_bytes, ..loaded }))
}

struct Once<'a> {
    checkpoint: &'a Checkpoint,
    most_ns: u64,
    stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Once<'_> {
    fn bytes(&self) -> u64 {
        self.checkpoint.scratch.bytes
    }

    fn read(&self) -> io::Result<Option<Loaded>> {
        let len = self.bytes() as usize;
        let mut file = self.checkpoint.scratch.reopen()?;
        let mut syscalls = 1;
        let start = now_ns();
        let (faults, buffer) = usage::counted(|| {
            let mut buffer = Mapping::new(len, Pages::Base)?;
            let mut at = 0;
            while at < len && !(self.stopped)() {
                let end = (at + BLOCK).min(len);
                at += file.read(&mut buffer[at..end])?;
                syscalls += 1;
            }
            io::Result::Ok((at == len).then_some(buffer))
        });
        let ns = now_ns() - start;
        Ok(buffer?.map(|buffer| Loaded {
            expected_faults: Some((len / page_bytes()) as u64),
            right: Checkpoint::is_right(&buffer[DATA_AT as usize..], 0),
            ..self.loaded(ns, faults, syscalls)
        }))
    }

    fn mmap(&self) -> io::Result<Option<Loaded>> {
        let file = self.checkpoint.scratch.reopen()?;
        let start = now_ns();
        let (faults, map) = usage::counted(|| {
            let map = FileMap::new(&file, self.bytes() as usize, Use::Read)?;
            io::Result::Ok(self.touch(&map).then_some(map))
        });
        let ns = now_ns() - start;
        Ok(map?.map(|map| Loaded {
            expected_faults: Some(predict::windows_of(&map)),
            faults_by_folios: folios::faults_of(&map),
            right: Checkpoint::is_right(&map[DATA_AT as usize..], 0),
            ..self.loaded(ns, faults, 1)
        }))
    }

    fn mmap_random(&self) -> io::Result<Option<Loaded>> {
        let file = self.checkpoint.scratch.reopen()?;
        let pages = (self.bytes() / page_bytes() as u64) as usize;
        let order = Random::default().distinct(pages / ONE_IN, pages);
        let start = now_ns();
        let mut touched = 0u64;
        let (faults, map) = usage::counted(|| {
            let map = FileMap::new(&file, self.bytes() as usize, Use::Read)?;
            map.without_readahead()?;
            for page in order {
                std::hint::black_box(map.read_page(page as usize));
                touched += 1;
                if touched.is_multiple_of(64) && ((self.stopped)() || now_ns() - start > self.most_ns) {
                    break;
                }
            }
            io::Result::Ok(map)
        });
        let ns = now_ns() - start;
        let map = map?;
        Ok((!(self.stopped)()).then(|| Loaded {
            bytes: touched * page_bytes() as u64,
            right: Checkpoint::is_right(&map[DATA_AT as usize..DATA_AT as usize + BLOCK / 2], 0),
            ..self.loaded(ns, faults, 2)
        }))
    }

    fn safetensors(&self) -> io::Result<Option<Loaded>> {
        let file = self.checkpoint.scratch.reopen()?;
        let format = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{error}"));
        // Once before, so that the library's own memory is there: its faults are none of the load.
        let map = FileMap::new(&file, self.bytes() as usize, Use::Read)?;
        let mut copies = Vec::with_capacity(SafeTensors::deserialize(&map).map_err(format)?.len());
        drop(map);
        let mut fresh_pages = 0;
        let start = now_ns();
        let (faults, loaded) = usage::counted(|| {
            let map = FileMap::new(&file, self.bytes() as usize, Use::Read)?;
            let tensors = SafeTensors::deserialize(&map).map_err(format)?;
            for (_, tensor) in tensors.iter() {
                if (self.stopped)() {
                    return Ok(None);
                }
                let mut copy = Mapping::new(tensor.data().len(), Pages::Base)?;
                copy.copy_from_slice(tensor.data());
                fresh_pages += copy.len() / page_bytes();
                copies.push((tensor.data().as_ptr() as usize - map.as_ptr() as usize, copy));
            }
            drop(tensors);
            io::Result::Ok(Some((map, copies)))
        });
        let ns = now_ns() - start;
        Ok(loaded?.map(|(map, copies)| {
            let fresh = fresh_pages as u64;
            let right = |(at, copy): &(usize, Mapping)| Checkpoint::is_right(copy, *at as u64 - DATA_AT);
            Loaded {
                expected_faults: Some(predict::windows_of(&map) + fresh),
                faults_by_folios: folios::faults_of(&map).map(|faults| faults + fresh),
                right: copies.iter().all(right),
                ..self.loaded(ns, faults, 1 + copies.len() as u64)
            }
        }))
    }

    fn direct(&self) -> io::Result<Option<Loaded>> {
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
        let start = now_ns();
        std::thread::scope(|scope| {
            buffers.iter_mut().for_each(|buffer| drop(scope.spawn(|| shared.work(buffer, blocks))));
        });
        let ns = now_ns() - start;
        let (right, failed) = (shared.right.into_inner(), shared.failed.into_inner());
        if let Ok(Some(error)) = failed {
            return Err(error);
        }
        let loaded =
            || Loaded { right, threads: threads as u64, ..self.loaded(ns, Faults::default(), blocks) };
        Ok((!(self.stopped)()).then(loaded))
    }

    /// False when the user ended the run.
    fn touch(&self, map: &FileMap) -> bool {
        let mut sum = 0u8;
        for page in 0..map.pages() {
            if page.is_multiple_of(BLOCK / page_bytes()) && (self.stopped)() {
                return false;
            }
            sum = sum.wrapping_add(map.read_page(page));
        }
        std::hint::black_box(sum);
        true
    }

    fn loaded(&self, ns: u64, faults: Faults, syscalls: u64) -> Loaded {
        Loaded { ns, bytes: self.bytes(), faults, syscalls, threads: 1, ..Loaded::default() }
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
