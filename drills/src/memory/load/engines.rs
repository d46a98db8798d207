//! Ways to bring a file into host memory.

use std::io::{self, Read};

use safetensors::SafeTensors;

use super::checkpoint::{Checkpoint, DATA_AT};
use crate::measure::clock::now_ns;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::random::Random;
use crate::measure::usage::{self, Faults};
use crate::memory::{FileMap, Use, folios, predict};

/// Bytes of one `read`.
const BLOCK: usize = 8 << 20;
/// Of all pages, one in this many is touched at random.
const ONE_IN: usize = 8;

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
    let one = Once { checkpoint, most_ns, stopped };
    match engine {
        Engine::Read => one.read(),
        Engine::Mmap => one.mmap(),
        Engine::MmapRandom => one.mmap_random(),
        Engine::Direct => one.direct(),
        Engine::Safetensors => one.safetensors(),
    }
}

/// Clocks and counters at the start of a load. What is done to check it afterwards is in none of them.
pub(super) struct Start {
    ns: u64,
    processor_ns: u64,
    device_bytes: Option<u64>,
}

impl Start {
    pub(super) fn now() -> Self {
        let device_bytes = usage::device_bytes_read();
        Self { device_bytes, processor_ns: usage::processor_ns(), ns: now_ns() }
    }

    /// What was spent since.
    pub(super) fn spent(&self) -> Loaded {
        let (ns, processor_ns) = (now_ns() - self.ns, usage::processor_ns() - self.processor_ns);
        let read = usage::device_bytes_read().zip(self.device_bytes);
        let device_bytes = read.map(|(after, before)| after.saturating_sub(before));
        Loaded { ns, processor_ns, device_bytes, ..Loaded::default() }
    }
}

/// One load that is to be done.
pub(super) struct Once<'a> {
    pub(super) checkpoint: &'a Checkpoint,
    most_ns: u64,
    pub(super) stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Once<'_> {
    pub(super) fn bytes(&self) -> u64 {
        self.checkpoint.scratch.bytes
    }

    fn read(&self) -> io::Result<Option<Loaded>> {
        let len = self.bytes() as usize;
        let mut file = self.checkpoint.scratch.reopen()?;
        let mut syscalls = 1;
        let start = Start::now();
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
        let spent = start.spent();
        Ok(buffer?.map(|buffer| Loaded {
            expected_faults: Some((len / page_bytes()) as u64),
            right: Checkpoint::is_right(&buffer[DATA_AT as usize..], 0),
            ..self.loaded(spent, faults, syscalls)
        }))
    }

    fn mmap(&self) -> io::Result<Option<Loaded>> {
        let file = self.checkpoint.scratch.reopen()?;
        let start = Start::now();
        let (faults, map) = usage::counted(|| {
            let map = FileMap::new(&file, self.bytes() as usize, Use::Read)?;
            io::Result::Ok(self.touch(&map).then_some(map))
        });
        let spent = start.spent();
        Ok(map?.map(|map| Loaded {
            expected_faults: Some(predict::windows_of(&map)),
            faults_by_folios: folios::faults_of(&map),
            right: Checkpoint::is_right(&map[DATA_AT as usize..], 0),
            ..self.loaded(spent, faults, 1)
        }))
    }

    fn mmap_random(&self) -> io::Result<Option<Loaded>> {
        let file = self.checkpoint.scratch.reopen()?;
        let pages = (self.bytes() / page_bytes() as u64) as usize;
        let order = Random::default().distinct(pages / ONE_IN, pages);
        let start = Start::now();
        let mut touched = 0u64;
        let (faults, map) = usage::counted(|| {
            let map = FileMap::new(&file, self.bytes() as usize, Use::Read)?;
            map.without_readahead()?;
            for page in order {
                std::hint::black_box(map.read_page(page as usize));
                touched += 1;
                if touched.is_multiple_of(64) && ((self.stopped)() || now_ns() - start.ns > self.most_ns) {
                    break;
                }
            }
            io::Result::Ok(map)
        });
        let spent = start.spent();
        let map = map?;
        Ok((!(self.stopped)()).then(|| Loaded {
            bytes: touched * page_bytes() as u64,
            right: Checkpoint::is_right(&map[DATA_AT as usize..DATA_AT as usize + BLOCK / 2], 0),
            ..self.loaded(spent, faults, 2)
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
        let start = Start::now();
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
        let spent = start.spent();
        Ok(loaded?.map(|(map, copies)| {
            let fresh = fresh_pages as u64;
            let right = |(at, copy): &(usize, Mapping)| Checkpoint::is_right(copy, *at as u64 - DATA_AT);
            Loaded {
                expected_faults: Some(predict::windows_of(&map) + fresh),
                faults_by_folios: folios::faults_of(&map).map(|faults| faults + fresh),
                right: copies.iter().all(right),
                ..self.loaded(spent, faults, 1 + copies.len() as u64)
            }
        }))
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

    pub(super) fn loaded(&self, spent: Loaded, faults: Faults, syscalls: u64) -> Loaded {
        Loaded { bytes: self.bytes(), faults, syscalls, threads: 1, ..spent }
    }
}
