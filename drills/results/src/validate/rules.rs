//! What a text, a number and a list may be. An empty field name stands for the place itself.

use crate::MAX_SAFE_INTEGER;
use crate::trail::Trail;

const MAX_TEXT_BYTES: usize = 4_096;
/// Highest CPU or node id taken for real; Linux knows at most 8192 CPUs.
const MAX_ID: u32 = 65_535;

impl Trail {
    /// Bounded, and without control characters: texts end up in terminals too, where an escape sequence
    /// could rewrite what stands above.
    pub(super) fn text(&mut self, field: &str, text: &str) {
        self.at_most(field, text.len(), MAX_TEXT_BYTES);
        let control = text.char_indices().find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\t'));
        if let Some((at, c)) = control {
            self.refuse_in(field, format_args!("control character U+{:04X} at byte {at}", u32::from(c)));
        }
    }

    /// The same for a text that may be absent.
    pub(super) fn optional_text(&mut self, field: &str, text: Option<&String>) {
        self.text(field, text.map_or("", String::as_str));
    }

    /// Bytes of a text.
    pub(super) fn at_most(&mut self, field: &str, bytes: usize, most: usize) {
        if bytes > most {
            self.refuse_in(field, format_args!("{bytes} bytes of text; at most {most}"));
        }
    }

    /// Entries of a list.
    pub(super) fn counted(&mut self, field: &str, entries: usize, most: usize) {
        if entries > most {
            self.refuse_in(field, format_args!("{entries} entries; at most {most} are read"));
        }
    }

    /// Exact in JavaScript.
    pub(super) fn integer(&mut self, field: &str, value: u64) {
        if value > MAX_SAFE_INTEGER {
            self.refuse_in(field, format_args!("above 2^53 - 1"));
        }
    }

    /// Neither infinite nor NaN.
    pub(super) fn finite(&mut self, field: &str, value: f64) {
        if !value.is_finite() {
            self.refuse_in(field, format_args!("not a finite number"));
        }
    }

    /// `0-3,8`: bounded, so that nobody who expands it runs out of memory.
    pub(super) fn ids(&mut self, field: &str, list: &str) {
        self.text(field, list);
        let id = |text: &str| text.parse::<u32>().ok().filter(|&id| id <= MAX_ID);
        let part = |part: &str| match part.split_once('-') {
            Some((first, last)) => matches!((id(first), id(last)), (Some(a), Some(b)) if a <= b),
            None => id(part).is_some(),
        };
        if !list.is_empty() && !list.split(',').all(part) {
            self.refuse_in(field, format_args!("not a list of ids up to {MAX_ID}, such as \"0-3,8\""));
        }
    }

    /// A bounded list, entry by entry, up to the first that is wrong.
    pub(super) fn each<T>(&mut self, field: &str, entries: &[T], most: usize, check: fn(&mut Self, &T)) {
        let outside = self.enter(field);
        self.counted("", entries.len(), most);
        for (i, entry) in entries.iter().enumerate() {
            if !self.is_sound() {
                break;
            }
            let before = self.enter_index(i);
            check(self, entry);
            self.leave(before);
        }
        self.leave(outside);
    }
}
