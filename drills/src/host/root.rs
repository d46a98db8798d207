//! Files of the machine under a root directory: `/`, or a recorded machine.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// No file of `/sys` or `/proc` that is read here comes near this.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// The kernel's own limit for a chain of links.
const MAX_LINKS: usize = 40;

/// A root directory. Every path given to it is relative to it, and no symbolic link leads out of it.
#[derive(Clone, Debug)]
pub struct Root {
    dir: PathBuf,
}

impl Root {
    /// A root at `dir`.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Whether this is the machine itself.
    pub fn is_live(&self) -> bool {
        self.dir == Path::new("/")
    }

    /// The file's text without surrounding white space; absent when it cannot be read.
    pub fn read(&self, path: &str) -> Option<String> {
        self.try_read(path).ok()
    }

    /// The same, with the cause of a failure.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn try_read(&self, path: &str) -> std::io::Result<String> {
        let bytes = self.try_bytes(path)?;
        let text = String::from_utf8_lossy(&bytes);
        // Firmware strings have been seen with anything in them; a terminal must not obey it.
        let plain = |c: char| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c };
        Ok(text.trim_matches('\0').trim().chars().map(plain).collect())
    }

    /// The file as it is.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.try_bytes(path).ok()
    }

    fn try_bytes(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let real = self.dir.join(self.real_path(path).ok_or(std::io::ErrorKind::NotFound)?);
        let mut bytes = Vec::new();
        File::open(real)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The first line of a file, cut to the length of a name.
    pub fn line(&self, path: &str) -> Option<String> {
        self.read(path).map(|text| one_line(&text))
    }

    /// The file's text as a number.
    pub fn number<T: std::str::FromStr>(&self, path: &str) -> Option<T> {
        self.read(path)?.parse().ok()
    }

    /// Names in a directory, sorted; none when there is no such directory.
    pub fn list(&self, path: &str) -> Vec<String> {
        let Some(real) = self.real_path(path) else { return Vec::new() };
        let Ok(entries) = std::fs::read_dir(self.dir.join(real)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// Whether something is there.
    pub fn exists(&self, path: &str) -> bool {
        self.real_path(path).is_some()
    }

    /// Last name of what a link leads to, such as a driver's name.
    pub fn link_name(&self, path: &str) -> Option<String> {
        self.real_path(path)?.file_name()?.to_str().map(str::to_owned)
    }

    /// Where `path` really is, relative to the root, with every link followed inside the root.
    pub fn real_path(&self, path: &str) -> Option<PathBuf> {
        let mut todo: VecDeque<OsString> = names(Path::new(path));
        let mut done = PathBuf::new();
        let mut links = 0;
        while let Some(name) = todo.pop_front() {
            if name == OsStr::new("..") {
                done.pop();
                continue;
            }
            let here = done.join(&name);
            let kind = std::fs::symlink_metadata(self.dir.join(&here)).ok()?.file_type();
            if !kind.is_symlink() {
                done = here;
                continue;
            }
            links += 1;
            if links > MAX_LINKS {
                return None;
            }
            let target = std::fs::read_link(self.dir.join(&here)).ok()?;
            if target.is_absolute() {
                done = PathBuf::new();
            }
            let mut rest = names(&target);
            rest.append(&mut todo);
            todo = rest;
        }
        Some(done)
    }
}

/// The first line of a text, cut to the length of a name.
pub fn one_line(text: &str) -> String {
    const LONGEST: usize = 200;
    text.lines().next().unwrap_or_default().trim().chars().take(LONGEST).collect()
}

fn names(path: &Path) -> VecDeque<OsString> {
    path.components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some(OsString::from("..")),
            _ => None,
        })
        .collect()
}

/// A machine made of these files, for tests of readers. It is gone with the folder.
#[cfg(test)]
pub(super) fn made_of(files: &[(&str, &str)]) -> (tempfile::TempDir, Root) {
    let dir = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, format!("{text}\n")).expect("a file");
    }
    let root = Root::new(dir.path());
    (dir, root)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_and_never_leave_the_root() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let outside = tempfile::tempdir()?;
        std::fs::write(outside.path().join("secret"), "outside")?;
        std::fs::create_dir_all(dir.path().join("a/b"))?;
        std::fs::write(dir.path().join("a/value"), " 7\n")?;
        symlink("../value", dir.path().join("a/b/relative"))?;
        symlink("/a/value", dir.path().join("a/b/absolute"))?;
        symlink("../../../../../../a/value", dir.path().join("a/b/high"))?;
        symlink(outside.path().join("secret"), dir.path().join("leak"))?;
        symlink("loop", dir.path().join("loop"))?;

        let root = Root::new(dir.path());
        assert_eq!(root.read("a/b/relative").as_deref(), Some("7"));
        assert_eq!(root.read("/a/b/absolute").as_deref(), Some("7"));
        assert_eq!(root.read("a/b/high").as_deref(), Some("7"));
        assert_eq!(root.read("leak"), None);
        assert_eq!(root.read("loop"), None);
        assert_eq!(root.number::<u32>("a/value"), Some(7));
        assert_eq!(root.list("a"), ["b", "value"]);
        assert_eq!(root.link_name("a/b/absolute").as_deref(), Some("value"));
        Ok(())
    }
}
