//! A safetensors file with content that cannot be compressed and can be checked.
//!
//! The format: eight bytes with the length of a JSON header, the header, the data. The header may end in
//! blanks, so the data begins at a multiple of the largest base page, where direct reads and mappings of
//! every machine can begin.

use std::fs::File;
use std::io;
use std::path::Path;

use serde_json::{Map, json};

use crate::measure::pattern;
use crate::memory::scratch::{self, Scratch, Trouble};

/// What the data's words are mixed from.
pub(crate) const SEED: u64 = 0x5AFE;
/// Data begins here.
pub(crate) const DATA_AT: u64 = 64 << 10;
/// Bytes of a tensor; the last one takes what is left.
const TENSOR: u64 = 32 << 20;
/// Tensors at most, so that their names fit into the header. Larger files have larger tensors.
const MOST_TENSORS: u64 = 512;
/// Values in a row of a tensor.
const COLUMNS: u64 = 1024;
/// Bytes of a bfloat16.
const VALUE: u64 = 2;
/// Smallest file that shows anything.
pub(crate) const SMALLEST: u64 = 8 << 20;

/// A checkpoint without a name.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    pub(crate) scratch: Scratch,
    /// Bytes of all tensors.
    pub(crate) data_bytes: u64,
}

impl Checkpoint {
    /// A file of about `wanted` bytes in `folder`, less where the folder's drive is nearly full.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn create(folder: &Path, wanted: u64, stopped: &dyn Fn() -> bool) -> Result<Self, Trouble> {
        let allowed = scratch::allowed_bytes(folder, SMALLEST)?;
        let data_bytes = data_bytes(wanted.min(allowed));
        let header = header(data_bytes);
        let mut fill = |block: &mut [u8], at: u64| fill(block, at, &header);
        let scratch = Scratch::create(folder, DATA_AT + data_bytes, &mut fill, stopped)?;
        Ok(Self { scratch, data_bytes })
    }

    /// Whether words at both ends and in the middle of `data` are right, which begins `offset` bytes into
    /// the data.
    pub(crate) fn is_right(data: &[u8], offset: u64) -> bool {
        const PIECE: usize = 1 << 20;
        let len = data.len() / 8 * 8;
        let starts = [0, len / 2 / 8 * 8, len.saturating_sub(PIECE)];
        starts.iter().all(|start| {
            let piece = &data[*start..(start + PIECE).min(len)];
            pattern::wrong_words_from(piece, (offset + *start as u64) / 8, SEED) == 0
        })
    }
}

/// Writes a checkpoint of `wanted` bytes into an open file. `None` when stopped.
///
/// # Errors
/// What the system said.
pub(crate) fn write(file: &mut File, wanted: u64, stopped: &dyn Fn() -> bool) -> io::Result<Option<u64>> {
    let data_bytes = data_bytes(wanted);
    let header = header(data_bytes);
    let mut fill = |block: &mut [u8], at: u64| fill(block, at, &header);
    let bytes = DATA_AT + data_bytes;
    Ok(scratch::write_all(file, bytes, &mut fill, stopped)?.map(|()| bytes))
}

/// Data of a file of `wanted` bytes: whole rows and whole pages of every machine.
fn data_bytes(wanted: u64) -> u64 {
    scratch::whole_pages(wanted.saturating_sub(DATA_AT)).max(DATA_AT)
}

/// The file's first [`DATA_AT`] bytes.
fn header(data_bytes: u64) -> Vec<u8> {
    let size = TENSOR.max(data_bytes.div_ceil(MOST_TENSORS).next_multiple_of(TENSOR));
    let tensor = |index: u64| {
        let (start, end) = (index * size, ((index + 1) * size).min(data_bytes));
        let shape = [(end - start) / (COLUMNS * VALUE), COLUMNS];
        let info = json!({ "dtype": "BF16", "shape": shape, "data_offsets": [start, end] });
        (format!("layers.{index}.weight"), info)
    };
    let tensors: Map<_, _> = (0..data_bytes.div_ceil(size)).map(tensor).collect();
    let mut text = serde_json::Value::from(tensors).to_string().into_bytes();
    let room = DATA_AT as usize - 8;
    assert!(text.len() <= room, "about 100 bytes for each of at most 512 tensors");
    text.resize(room, b' ');
    [&(room as u64).to_le_bytes()[..], &text].concat()
}

fn fill(block: &mut [u8], at: u64, header: &[u8]) {
    let head = DATA_AT.saturating_sub(at).min(block.len() as u64) as usize;
    if head > 0 {
        block[..head].copy_from_slice(&header[at as usize..at as usize + head]);
    }
    pattern::fill_from(&mut block[head..], (at + head as u64 - DATA_AT) / 8, SEED);
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::SafeTensors;

    #[test]
    fn the_library_reads_what_is_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("x.safetensors");
        let mut file = File::create(&path).expect("a file");
        let bytes = write(&mut file, 70 << 20, &|| false).expect("written").expect("nobody stopped it");
        let content = std::fs::read(&path).expect("a file");
        assert_eq!(content.len() as u64, bytes);
        assert!((69 << 20..=70 << 20).contains(&bytes), "{bytes}");
        let tensors = SafeTensors::deserialize(&content).expect("the format");
        assert_eq!(tensors.len(), 3);
        let mut offset = 0;
        for index in 0..3 {
            let tensor = tensors.tensor(&format!("layers.{index}.weight")).expect("a tensor");
            assert_eq!(tensor.shape()[1], 1024);
            assert_eq!(pattern::wrong_words_from(tensor.data(), offset / 8, SEED), 0, "tensor {index}");
            assert!(Checkpoint::is_right(tensor.data(), offset));
            offset += tensor.data().len() as u64;
        }
        assert_eq!(DATA_AT + offset, bytes);
        let mut wrong = tensors.tensor("layers.0.weight").expect("a tensor").data().to_vec();
        wrong[100] ^= 1;
        assert!(!Checkpoint::is_right(&wrong, 0));
    }

    #[test]
    fn small_files_have_a_row_and_a_page() {
        assert_eq!(data_bytes(0), DATA_AT);
        assert_eq!(data_bytes(1 << 30) % (64 << 10), 0);
        for bytes in [DATA_AT, 1 << 30, 1 << 34, 1 << 44] {
            assert_eq!(header(bytes).len() as u64, DATA_AT);
        }
    }
}
