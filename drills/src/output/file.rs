//! Results files: whole or not at all.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A file that appears under its name only once it is complete. Dropped without [`OutputFile::finish`],
/// it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl OutputFile {
    /// Opens a temporary file beside `path`, which shows that the folder can be written.
    ///
    /// # Errors
    /// What the system said.
    pub fn create(path: &Path) -> std::io::Result<Self> {
        if path.is_dir() {
            return Err(std::io::ErrorKind::IsADirectory.into());
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = Builder::new()
            .prefix(".drills-")
            .suffix(".tmp")
            // Others may read results as they may read any new file: the user's umask decides.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open file, for content that is written in pieces.
    pub fn file(&mut self) -> &mut std::fs::File {
        self.file.as_file_mut()
    }

    /// Writes `content` behind what was written already and gives the file its name.
    ///
    /// # Errors
    /// What the system said; the old file, if any, is untouched then.
    pub fn finish(mut self, content: &[u8]) -> std::io::Result<()> {
        self.file.write_all(content)?;
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        Ok(())
    }
}

/// `%h` becomes the host's name, `%%` a percent sign. Characters that would change the folder do not
/// get through.
pub fn expand_host(pattern: &str, host: &str) -> String {
    let host: String =
        host.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        rest = match after.chars().next() {
            Some('h') => {
                text.push_str(&host);
                &after[1..]
            }
            Some('%') => {
                text.push('%');
                &after[1..]
            }
            _ => {
                text.push('%');
                after
            }
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_absent() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("results.json");
        std::fs::write(&path, "old")?;
        drop(OutputFile::create(&path)?);
        assert_eq!(std::fs::read_to_string(&path)?, "old");

        OutputFile::create(&path)?.finish(b"new")?;
        assert_eq!(std::fs::read_to_string(&path)?, "new");
        assert_eq!(std::fs::read_dir(dir.path())?.count(), 1, "no temporary file stays behind");

        assert!(OutputFile::create(&dir.path().join("no/such/folder.json")).is_err());
        assert!(OutputFile::create(dir.path()).is_err());
        Ok(())
    }

    #[test]
    fn the_host_is_put_where_it_is_asked_for() {
        assert_eq!(expand_host("r-%h.json", "node7"), "r-node7.json");
        assert_eq!(expand_host("100%%-%x-%", "node7"), "100%-%x-%");
        assert_eq!(expand_host("%h", "../../etc/x"), ".._.._etc_x");
    }
}
