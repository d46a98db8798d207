//! What kind of file system a folder is on.

use std::path::Path;

/// Name of the file system that holds `path` ("ext4"), by the longest mount point above it.
pub fn of(path: &Path) -> Option<String> {
    let real = std::fs::canonicalize(path).ok()?;
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    above(&mounts, &real).map(str::to_owned)
}

/// Why numbers from this file system are not those of a drive of this machine, if so.
pub fn caveat(name: &str) -> Option<&'static str> {
    match name {
        "tmpfs" | "ramfs" | "hugetlbfs" => Some("its files are memory and have no drive behind them"),
        "overlay" => Some("it is a container's layer over another file system, whose drive is measured"),
        "nfs" | "nfs4" | "cifs" | "smb3" | "ceph" | "lustre" | "gpfs" | "beegfs" | "9p" | "virtiofs" => {
            Some("its files come over a network or from a host, which may hold them in memory")
        }
        "zfs" => Some("it has a cache of its own, which eviction does not reach"),
        name if name.starts_with("fuse") => Some("a program of its own serves its files"),
        _ => None,
    }
}

/// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`: field 5 is where, the first after
/// the dash is what. A later mount hides an earlier one at the same place.
fn above<'m>(mounts: &'m str, path: &Path) -> Option<&'m str> {
    let one = |line: &'m str| {
        let (left, right) = line.split_once(" - ")?;
        let at = unescaped(left.split(' ').nth(4)?);
        let at = Path::new(&at);
        path.starts_with(at).then(|| (at.components().count(), right.split(' ').next().unwrap_or_default()))
    };
    mounts.lines().filter_map(one).max_by_key(|(depth, _)| *depth).map(|(_, name)| name)
}

/// Blanks and a few others are written as `\040`.
fn unescaped(field: &str) -> String {
    let mut text = String::new();
    let mut rest = field;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let code = after.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(code) => {
                text.push(char::from(code));
                rest = &after[3..];
            }
            None => {
                text.push('\\');
                rest = after;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
        22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n\
        30 22 0:25 / /dev/shm rw - tmpfs tmpfs rw\n\
        31 22 0:40 / /mnt/my\\040data rw - xfs /dev/nvme0n1 rw\n\
        32 22 0:41 / /mnt/my\\040data rw - nfs4 server:/data rw\n";

    #[test]
    fn the_nearest_mount_counts_and_the_last_one_there() {
        let name = |path: &str| above(MOUNTS, Path::new(path));
        assert_eq!(name("/home/me"), Some("ext4"));
        assert_eq!(name("/dev/shm/x"), Some("tmpfs"));
        assert_eq!(name("/dev/shmx"), Some("ext4"));
        assert_eq!(name("/mnt/my data/ckpt"), Some("nfs4"));
        assert_eq!(above("", Path::new("/")), None);
    }

    #[test]
    fn memory_networks_and_layers_are_named() {
        assert!(caveat("tmpfs").is_some_and(|text| text.contains("memory")));
        assert!(caveat("fuse.sshfs").is_some() && caveat("overlay").is_some());
        assert_eq!(caveat("ext4"), None);
    }

    #[test]
    fn this_machine_has_a_root() {
        assert!(of(Path::new("/")).is_some_and(|name| !name.is_empty()));
        assert_eq!(of(Path::new("/no/such/place")), None);
    }
}
