//! Tells whether files changed, by their contents: a fresh checkout has fresh times.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Every file under these paths, sorted. Paths that do not exist count as empty.
pub(crate) fn files(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut todo = paths.to_vec();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                todo.push(entry?.path());
            }
        } else if path.is_file() && !is_scratch(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Editors leave such files beside the ones they edit.
fn is_scratch(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(".#") || name.ends_with('~') || name.ends_with(".swp")
}

/// A number that changes when the name or a byte of one of these files does.
pub(crate) fn of_contents(files: &[PathBuf]) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(file)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Like [`of_contents`] but quick enough to ask several times a second: looks at times and sizes.
pub(crate) fn of_times(paths: &[PathBuf]) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    for file in files(paths)? {
        // A file may vanish between listing and looking: editors write beside and rename.
        let Ok(data) = fs::metadata(&file) else { continue };
        file.hash(&mut hasher);
        (data.len(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH)).hash(&mut hasher);
    }
    Ok(hasher.finish())
}
