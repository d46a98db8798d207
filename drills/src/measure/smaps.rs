//! The kernel's account of a range of a process's memory: `/proc/PID/smaps`.

use std::io;
use std::ops::Range;

/// Resident memory of a range, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resident {
    /// All resident pages, shared ones in full.
    pub rss: u64,
    /// Each page divided by the processes that map it.
    pub pss: u64,
    /// Pages that no other process maps (USS).
    pub uss: u64,
    /// Anonymous memory in transparent huge pages.
    pub anon_huge: u64,
}

/// Reads the account of `range` in process `pid`; areas that lie partly inside count whole.
///
/// # Errors
/// What the system said: the process may be gone or another user's.
pub fn of_process(pid: i32, range: Range<u64>) -> io::Result<Resident> {
    Ok(within(&std::fs::read_to_string(format!("/proc/{pid}/smaps"))?, &range))
}

/// Reads the account of `range` in this process.
///
/// # Errors
/// What the system said.
pub fn of_self(range: Range<u64>) -> io::Result<Resident> {
    Ok(within(&std::fs::read_to_string("/proc/self/smaps")?, &range))
}

fn within(smaps: &str, range: &Range<u64>) -> Resident {
    let (mut inside, mut sum) = (false, Resident::default());
    for line in smaps.lines() {
        if let Some(area) = area(line) {
            inside = area.start < range.end && area.end > range.start;
            continue;
        }
        let Some((name, bytes)) = field(line).filter(|_| inside) else { continue };
        match name {
            "Rss" => sum.rss += bytes,
            "Pss" => sum.pss += bytes,
            "Private_Clean" | "Private_Dirty" => sum.uss += bytes,
            "AnonHugePages" => sum.anon_huge += bytes,
            _ => {}
        }
    }
    sum
}

/// Start and end of an area, if the line opens one ("7f00-7f10 rw-p ...").
fn area(line: &str) -> Option<Range<u64>> {
    let (start, end) = line.split(' ').next()?.split_once('-')?;
    Some(u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?)
}

/// "Rss:      128 kB" as its name and bytes.
fn field(line: &str) -> Option<(&str, u64)> {
    let (name, rest) = line.split_once(':')?;
    Some((name, rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "1000-3000 rw-p 00000000 00:00 0 \nSize:      8 kB\nRss:    8 kB\nPss:   4 kB\n\
        Private_Clean:  1 kB\nPrivate_Dirty:  2 kB\nAnonHugePages:      2048 kB\nVmFlags: rd wr\n\
        7f00-9f00 rw-p 00000000 00:00 0 [heap]\nRss:   16 kB\nAnonHugePages:  4096 kB\nVmFlags: rd wr\n";

    #[test]
    fn only_areas_in_the_range_count() {
        let first = within(SMAPS, &(0x2000..0x3000));
        assert_eq!(first, Resident { rss: 8 << 10, pss: 4 << 10, uss: 3 << 10, anon_huge: 2 << 20 });
        assert_eq!(within(SMAPS, &(0x8000..0x8001)).anon_huge, 4 << 20);
        assert_eq!(within(SMAPS, &(0x3000..0x7f00)), Resident::default());
        assert_eq!(within(SMAPS, &(0..u64::MAX)).rss, 24 << 10);
    }

    #[test]
    fn the_live_file_tells_about_this_process() {
        let found = of_self(0..u64::MAX).expect("smaps of oneself");
        assert!(found.rss > 0 && found.rss >= found.uss && found.rss >= found.pss, "{found:?}");
    }
}
