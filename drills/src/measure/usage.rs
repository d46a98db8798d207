//! What the kernel has counted for a thread or for this process.

/// Page faults so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Answered from memory.
    pub minor: u64,
    /// Waited for a device.
    pub major: u64,
}

impl Faults {
    /// Those of the calling thread.
    pub fn of_thread() -> Self {
        of(libc::RUSAGE_THREAD).map_or_else(Self::default, |usage| Self::of_usage(&usage))
    }

    /// Those of the whole process.
    pub fn of_process() -> Self {
        of(libc::RUSAGE_SELF).map_or_else(Self::default, |usage| Self::of_usage(&usage))
    }

    /// Those since an earlier reading.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            minor: self.minor.saturating_sub(earlier.minor),
            major: self.major.saturating_sub(earlier.major),
        }
    }

    /// Both kinds.
    pub fn all(self) -> u64 {
        self.minor + self.major
    }

    fn of_usage(usage: &libc::rusage) -> Self {
        Self { minor: usage.ru_minflt.max(0) as u64, major: usage.ru_majflt.max(0) as u64 }
    }
}

/// Faults of the calling thread during `work`, less those of the counting itself.
pub fn counted<T>(work: impl FnOnce() -> T) -> (Faults, T) {
    // The first reading may fault in code of the C library.
    Faults::of_thread();
    let first = Faults::of_thread();
    let before = Faults::of_thread();
    let result = work();
    let after = Faults::of_thread();
    (after.since(before).since(before.since(first)), result)
}

/// Processor time of the whole process so far, in nanoseconds, in user and kernel mode.
pub fn processor_ns() -> u64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    (t.tv_sec.max(0) as u64).saturating_mul(1_000_000_000).saturating_add(t.tv_nsec.max(0) as u64)
}

/// Bytes that this process has caused to be read from a device so far. Absent where the kernel does not
/// account for it.
pub fn device_bytes_read() -> Option<u64> {
    read_bytes(&std::fs::read_to_string("/proc/self/io").ok()?)
}

/// `read_bytes: 4096`
fn read_bytes(io: &str) -> Option<u64> {
    io.lines().find_map(|line| line.strip_prefix("read_bytes:"))?.trim().parse().ok()
}

/// Makes no allocation and takes no lock: a forked child may call it.
fn of(whom: libc::c_int) -> Option<libc::rusage> {
    // SAFETY: an all-zero rusage is a valid value of that plain struct.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel fills the struct it is given.
    (unsafe { libc::getrusage(whom, &mut usage) } == 0).then_some(usage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::mapping::{Mapping, Pages, page_bytes};

    #[test]
    fn each_page_of_fresh_memory_is_one_fault_of_this_thread() {
        let mut map = Mapping::new(64 * page_bytes(), Pages::Base).expect("memory");
        let (faults, ()) = counted(|| map.touch());
        assert_eq!(faults, Faults { minor: 64, major: 0 });
        assert!(Faults::of_process().minor >= Faults::of_thread().minor);
    }

    #[test]
    fn work_takes_processor_time() {
        let before = processor_ns();
        let mut x = 1u64;
        while processor_ns() - before < 1_000_000 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
    }

    #[test]
    fn read_bytes_are_not_rchar() {
        let io = "rchar: 99\nwchar: 1\nsyscr: 2\nread_bytes: 4096\nwrite_bytes: 7\n";
        assert_eq!(read_bytes(io), Some(4096));
        assert_eq!(read_bytes(""), None);
    }
}
