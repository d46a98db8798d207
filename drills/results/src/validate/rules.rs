//! What a text, a number and a list may be.

use crate::MAX_SAFE_INTEGER;
use crate::import::ImportError;

/// Result of a check.
pub(super) type Checked = Result<(), ImportError>;

const MAX_TEXT_BYTES: usize = 4_096;
/// Highest CPU or node id taken for real; Linux knows at most 8192 CPUs.
const MAX_ID: u32 = 65_535;

/// Bounded, and without control characters: texts end up in terminals too, where an escape sequence
/// could rewrite what stands above.
pub(super) fn text(path: &str, text: &str) -> Checked {
    at_most(path, text.len(), MAX_TEXT_BYTES)?;
    let control = text.char_indices().find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\t'));
    match control {
        Some((at, c)) => {
            Err(ImportError::field(path, format!("control character U+{:04X} at byte {at}", u32::from(c))))
        }
        None => Ok(()),
    }
}

/// Bytes of a text.
pub(super) fn at_most(path: &str, bytes: usize, most: usize) -> Checked {
    if bytes > most {
        return Err(ImportError::field(path, format!("{bytes} bytes of text; at most {most}")));
    }
    Ok(())
}

/// Entries of a list.
pub(super) fn counted(path: &str, entries: usize, most: usize) -> Checked {
    if entries > most {
        return Err(ImportError::field(path, format!("{entries} entries; at most {most} are read")));
    }
    Ok(())
}

/// Exact in JavaScript.
pub(super) fn integer(path: &str, value: u64) -> Checked {
    if value > MAX_SAFE_INTEGER {
        return Err(ImportError::field(path, "above 2^53 - 1"));
    }
    Ok(())
}

/// Neither infinite nor NaN.
pub(super) fn finite(path: &str, value: f64) -> Checked {
    if !value.is_finite() {
        return Err(ImportError::field(path, "not a finite number"));
    }
    Ok(())
}

/// `0-3,8`: bounded, so that nobody who expands it runs out of memory.
pub(super) fn list(path: &str, list: &str) -> Checked {
    text(path, list)?;
    let id = |text: &str| text.parse::<u32>().ok().filter(|&id| id <= MAX_ID);
    let part = |part: &str| match part.split_once('-') {
        Some((first, last)) => matches!((id(first), id(last)), (Some(a), Some(b)) if a <= b),
        None => id(part).is_some(),
    };
    if list.is_empty() || list.split(',').all(part) {
        Ok(())
    } else {
        Err(ImportError::field(path, format!("not a list of ids up to {MAX_ID}, such as \"0-3,8\"")))
    }
}
