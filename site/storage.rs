//! The browser's storage behind one wrapper: probed before it is touched, never trusted, and never
//! needed for reading.
//!
//! Where storage is blocked, missing or full, values live in memory until the page is left, and the
//! caller is told so.

use std::cell::{OnceCell, RefCell};

use gloo_storage::{LocalStorage, Storage};

use crate::keys::PREFIX;

/// Whether a value outlives the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It does.
    Kept,
    /// It is gone when the page is left.
    InMemory,
}

/// What to tell a reader whose browser does not keep things.
pub const NOT_SAVED: &str =
    "Not saved: this browser keeps nothing for this site, so it lasts until you leave the page.";

thread_local! {
    static WORKS: OnceCell<bool> = const { OnceCell::new() };
    /// Keys and texts that the browser does not keep.
    static MEMORY: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// Whether the browser's storage can be used. gloo-storage panics where it is blocked, so nothing
/// calls it before this has said yes.
fn works() -> bool {
    WORKS.with(|works| {
        *works.get_or_init(|| {
            let Some(Ok(Some(storage))) = web_sys::window().map(|w| w.local_storage()) else { return false };
            let probe = format!("{PREFIX}probe");
            let written = storage.set_item(&probe, "1").is_ok();
            storage.remove_item(&probe).is_ok() && written
        })
    })
}

/// The text under a key.
pub fn read(key: &str) -> Option<String> {
    let in_memory = MEMORY
        .with_borrow(|memory| memory.iter().find(|(known, _)| known == key).map(|(_, text)| text.clone()));
    in_memory.or_else(|| if works() { LocalStorage::raw().get_item(key).ok().flatten() } else { None })
}

/// Keeps a text as it is.
pub fn write_text(key: &str, text: &str) -> Saved {
    forget_in_memory(key);
    if works() && LocalStorage::raw().set_item(key, text).is_ok() {
        return Saved::Kept;
    }
    MEMORY.with_borrow_mut(|memory| memory.push((key.to_owned(), text.to_owned())));
    Saved::InMemory
}

/// Keeps a list of words as JSON.
pub fn write_list(key: &str, list: &[String]) -> Saved {
    // Texts always serialise.
    write_text(key, &serde_json::to_string(list).unwrap_or_default())
}

/// Forgets a value.
pub fn remove(key: &str) {
    forget_in_memory(key);
    if works() {
        LocalStorage::delete(key);
    }
}

fn forget_in_memory(key: &str) {
    MEMORY.with_borrow_mut(|memory| memory.retain(|(known, _)| known != key));
}

/// Sets garbage aside, so that it neither breaks a page nor is lost to whoever wants to look at it.
pub fn set_aside(key: &str) {
    if let Some(text) = read(key) {
        remove(key);
        write_text(&format!("{key}:aside"), &text);
    }
}

/// A list of words under a key; garbage is set aside and counts as an empty list.
pub fn read_list(key: &str) -> Vec<String> {
    let Some(text) = read(key) else { return Vec::new() };
    serde_json::from_str(&text).unwrap_or_else(|_| {
        set_aside(key);
        Vec::new()
    })
}

/// Everything this site keeps, keys and texts, sorted by key.
pub fn everything() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (key, text) in MEMORY.with_borrow(Clone::clone) {
        put(&mut found, key, text);
    }
    if !works() {
        return found;
    }
    let raw = LocalStorage::raw();
    for index in 0..LocalStorage::length() {
        let Ok(Some(key)) = raw.key(index) else { continue };
        if key.starts_with(PREFIX)
            && let Ok(Some(text)) = raw.get_item(&key)
        {
            put(&mut found, key, text);
        }
    }
    found
}

/// Puts a text in its place; of two under one key the first stays.
fn put(sorted: &mut Vec<(String, String)>, key: String, text: String) {
    if let Err(at) = sorted.binary_search_by(|(known, _)| known.cmp(&key)) {
        sorted.insert(at, (key, text));
    }
}
