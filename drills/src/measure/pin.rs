//! Keeping a thread on chosen CPUs, and letting it go again.
//!
//! Masks grow until the kernel takes them: `cpu_set_t` of libc ends at 1,024 CPUs, kernels do not.

use std::io;

/// A thread that is kept on some CPUs until this is dropped, on the thread that created it.
#[derive(Debug)]
pub struct Pinned {
    before: Vec<u32>,
}

impl Pinned {
    /// Keeps the calling thread on `cpus` and checks that the kernel did so.
    ///
    /// # Errors
    /// What the kernel said, or `NotFound` when it kept the thread on other CPUs than asked.
    pub fn to(cpus: &[u32]) -> io::Result<Self> {
        let before = allowed()?;
        set(cpus)?;
        let now = allowed()?;
        let wanted: std::collections::BTreeSet<_> = cpus.iter().copied().collect();
        if now.iter().copied().collect::<std::collections::BTreeSet<_>>() != wanted {
            let found = format!("asked for CPUs {cpus:?}, the kernel allows only {now:?}");
            // Whatever happens, the thread is not left on a mask nobody asked for.
            set(&before)?;
            return Err(io::Error::new(io::ErrorKind::NotFound, found));
        }
        Ok(Self { before })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // Fails only if the CPUs went away meanwhile; then the kernel has chosen others already.
        let _ = set(&self.before);
    }
}

/// CPUs that the calling thread may run on, ascending.
///
/// # Errors
/// What the kernel said.
pub fn allowed() -> io::Result<Vec<u32>> {
    let mut words = 16;
    loop {
        let mut mask = vec![0 as libc::c_ulong; words];
        // SAFETY: the kernel writes at most the given number of bytes, which is the mask's length.
        let written = unsafe {
            libc::syscall(libc::SYS_sched_getaffinity, 0, size_of_val(&mask[..]), mask.as_mut_ptr())
        };
        if written >= 0 {
            return Ok(bits(&mask));
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() != Some(libc::EINVAL) || words > 1 << 16 {
            return Err(error);
        }
        words *= 2;
    }
}

fn set(cpus: &[u32]) -> io::Result<()> {
    const BITS: usize = libc::c_ulong::BITS as usize;
    let highest = cpus.iter().copied().max().unwrap_or(0) as usize;
    let mut mask = vec![0 as libc::c_ulong; highest / BITS + 1];
    for cpu in cpus.iter().map(|cpu| *cpu as usize) {
        mask[cpu / BITS] |= 1 << (cpu % BITS);
    }
    // SAFETY: the kernel reads the given number of bytes, which is the mask's length.
    let result =
        unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, size_of_val(&mask[..]), mask.as_ptr()) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn bits(mask: &[libc::c_ulong]) -> Vec<u32> {
    const BITS: usize = libc::c_ulong::BITS as usize;
    (0..mask.len() * BITS).filter(|i| mask[i / BITS] >> (i % BITS) & 1 == 1).map(|i| i as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_across_words() {
        assert_eq!(bits(&[0b101, 0, 1]), [0, 2, 128]);
    }

    #[test]
    fn a_pinned_thread_is_let_go_again() {
        let before = allowed().expect("affinity can be read");
        let one = *before.last().expect("some CPU");
        let pinned = Pinned::to(&[one]).expect("an allowed CPU can be had");
        assert_eq!(allowed().expect("affinity"), [one]);
        drop(pinned);
        assert_eq!(allowed().expect("affinity"), before);
    }

    #[test]
    fn a_cpu_that_is_not_there_is_an_error_and_changes_nothing() {
        let before = allowed().expect("affinity");
        assert!(Pinned::to(&[5000]).is_err(), "CPU 5000 does not exist here");
        let partly = [before[0], 5000];
        assert!(Pinned::to(&partly).is_err(), "one of two CPUs is not what was asked for");
        assert_eq!(allowed().expect("affinity"), before);
    }
}
