//! The folder that the site is written to, and what is in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384};

use super::WriteError;

/// Files that this program names by their content; old ones are removed.
const HASHED: [&str; 5] = ["style-", "theme-", "boot-", "samples-", "search-"];

/// The folder, with the files written in this run.
pub(crate) struct Output {
    folder: PathBuf,
    /// Path relative to the folder, with its bytes.
    files: BTreeMap<String, Vec<u8>>,
}

impl Output {
    pub(crate) fn open(folder: &Path) -> Result<Self, WriteError> {
        fs::create_dir_all(folder).map_err(|e| WriteError::file(folder, e))?;
        let output = Self { folder: folder.to_owned(), files: BTreeMap::new() };
        for name in output.names()? {
            if HASHED.iter().any(|prefix| name.starts_with(prefix)) {
                output.remove(&name)?;
            }
        }
        Ok(output)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names of the files directly in the folder.
    pub(crate) fn names(&self) -> Result<Vec<String>, WriteError> {
        let entries = fs::read_dir(&self.folder).map_err(|e| WriteError::file(&self.folder, e))?;
        Ok(entries.filter_map(Result::ok).filter_map(|e| e.file_name().into_string().ok()).collect())
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, WriteError> {
        let path = self.folder.join(name);
        fs::read(&path).map_err(|e| WriteError::file(path, e))
    }

    pub(crate) fn remove(&self, name: &str) -> Result<(), WriteError> {
        let path = self.folder.join(name);
        fs::remove_file(&path).map_err(|e| WriteError::file(path, e))
    }

    pub(crate) fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let target = self.folder.join(path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|e| WriteError::file(parent, e))?;
        }
        fs::write(&target, bytes).map_err(|e| WriteError::file(target, e))?;
        self.files.insert(path.to_owned(), bytes.to_vec());
        Ok(())
    }

    /// Writes `stem-HASH.extension` and tells its name.
    pub(crate) fn write_hashed(
        &mut self,
        stem: &str,
        extension: &str,
        bytes: &[u8],
    ) -> Result<String, WriteError> {
        let name = format!("{stem}-{}.{extension}", short_hash(bytes));
        self.write(&name, bytes)?;
        Ok(name)
    }

    /// Files written in this run.
    pub(crate) fn files(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.files
    }
}

/// Twelve hex digits of the content's SHA-256.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Value of an `integrity` attribute.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}
