//! A forked child that runs one piece of work, for drills about memory that processes share.
//!
//! After a fork only the calling thread exists in the child, and locks of the others stay as they were.
//! So the work may read and write memory, make system calls and nothing else: no allocation, no lock, no
//! output. What it found goes into a [`Shared`] value.

use std::io;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// How often the parent looks at what a child has done.
const TICK: Duration = Duration::from_micros(500);
/// A child that takes longer is given up.
const DEADLINE: Duration = Duration::from_secs(60);

/// A running child. Killed and reaped on drop.
#[derive(Debug)]
pub struct Child {
    pid: libc::pid_t,
}

impl Child {
    /// Forks and runs `work` in the child, which ends with it.
    ///
    /// # Safety
    /// `work` must not allocate, lock, or touch what another thread may hold.
    ///
    /// # Errors
    /// What the kernel said.
    pub unsafe fn start(work: impl FnOnce()) -> io::Result<Self> {
        // SAFETY: the child does only what the caller vouches for, and ends by `_exit`.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // Work that panics must not unwind into what is the parent's business.
                let ends = Ends;
                prepare();
                work();
                drop(ends);
                unreachable!("the process has ended")
            }
            pid => Ok(Self { pid }),
        }
    }

    /// Process id, for `/proc`.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Waits until the child has ended.
    pub fn wait(self) {
        reap(self.pid, 0);
        std::mem::forget(self);
    }

    /// Waits until `reached` says so. False when the child ended first, took too long, or `stopped`.
    pub fn wait_until(&self, reached: impl Fn() -> bool, stopped: impl Fn() -> bool) -> bool {
        let since = Instant::now();
        while !reached() {
            if stopped() || since.elapsed() > DEADLINE || self.has_ended() {
                // It may have got there just before it ended.
                return reached();
            }
            std::thread::sleep(TICK);
        }
        true
    }

    /// Leaves the child to be reaped by `wait` or drop.
    fn has_ended(&self) -> bool {
        // SAFETY: an all-zero siginfo is a valid value of that plain struct.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the kernel fills the struct it is given.
        let result = unsafe { libc::waitid(libc::P_PID, self.pid as libc::id_t, &mut info, flags) };
        // SAFETY: waitid filled the field, or it is 0.
        result != 0 || unsafe { info.si_pid() } != 0
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: the process is our child and not reaped yet, so the id is still its own.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
        reap(self.pid, 0);
    }
}

/// Ends this process at once when dropped; no destructor or handler of the parent's runs.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        // SAFETY: takes nothing and does not return.
        unsafe { libc::_exit(0) }
    }
}

fn reap(pid: libc::pid_t, flags: libc::c_int) {
    // SAFETY: no status is asked for.
    while unsafe { libc::waitpid(pid, std::ptr::null_mut(), flags) } == -1
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
}

/// A child whose parent is gone ends, and the terminal's Ctrl-C is the parent's alone: its handler would
/// run in the child as well and write into the parent's pipe.
fn prepare() {
    // SAFETY: plain system calls with constants.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::signal(libc::SIGINT, libc::SIG_IGN);
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
    }
}

/// A value that parent and children see alike, in memory that a fork does not copy.
#[derive(Debug)]
pub struct Shared<T: Sync> {
    value: *mut T,
}

impl<T: Sync> Shared<T> {
    /// `value` in shared memory.
    ///
    /// # Errors
    /// What the kernel said.
    pub fn new(value: T) -> io::Result<Self> {
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
        // SAFETY: a new mapping at an address of the kernel's choice aliases nothing.
        let at = unsafe { mmap_anonymous(std::ptr::null_mut(), size_of::<T>().max(1), protection, flags)? };
        let at = at.cast::<T>();
        // SAFETY: fresh memory of that size; mappings are aligned to a page, which no T exceeds.
        unsafe { at.write(value) };
        Ok(Self { value: at })
    }
}

impl<T: Sync> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: written by `new`, mapped until drop; T is Sync, and other processes share the page as
        // other threads would.
        unsafe { &*self.value }
    }
}

impl<T: Sync> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: no reference outlives self; T is dropped once, by the parent.
        unsafe {
            std::ptr::drop_in_place(self.value);
            let _ = munmap(self.value.cast(), size_of::<T>().max(1));
        }
    }
}

/// Steps that a child takes one by one, each after the parent has let it.
#[derive(Debug, Default)]
pub struct Stages {
    allowed: AtomicU32,
    done: AtomicU32,
}

impl Stages {
    /// In the child: `stage` is done; sleeps until the parent allows the next one.
    pub fn finish(&self, stage: u32) {
        self.done.store(stage, Ordering::SeqCst);
        let nap = libc::timespec { tv_sec: 0, tv_nsec: 500_000 };
        while self.allowed.load(Ordering::SeqCst) <= stage {
            // SAFETY: the pointer is to a live value, and no remainder is asked for.
            unsafe { libc::nanosleep(&nap, std::ptr::null_mut()) };
        }
    }

    /// In the parent: lets the child go on to `stage`.
    pub fn allow(&self, stage: u32) {
        self.allowed.store(stage, Ordering::SeqCst);
    }

    /// Last stage that the child has done.
    pub fn done(&self) -> u32 {
        self.done.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn a_child_takes_its_stages_and_its_result_comes_back() {
        let shared = Shared::new((Stages::default(), AtomicU64::new(0))).expect("memory");
        let (stages, sum) = &*shared;
        let work = || {
            sum.store(7, Ordering::SeqCst);
            stages.finish(1);
            sum.fetch_add(1, Ordering::SeqCst);
            stages.finish(2);
        };
        // SAFETY: the work stores into shared memory and sleeps.
        let child = unsafe { Child::start(work) }.expect("a process");
        assert!(child.wait_until(|| stages.done() == 1, || false));
        assert_eq!(sum.load(Ordering::SeqCst), 7, "it waits for the parent");
        assert!(child.pid() > 1);
        stages.allow(2);
        assert!(child.wait_until(|| stages.done() == 2, || false));
        stages.allow(3);
        child.wait();
        assert_eq!(sum.load(Ordering::SeqCst), 8);
    }

    #[test]
    fn a_child_that_sleeps_for_ever_ends_with_its_handle_and_one_that_ended_is_noticed() {
        let shared = Shared::new(Stages::default()).expect("memory");
        // SAFETY: the work only sleeps.
        let child = unsafe { Child::start(|| shared.finish(1)) }.expect("a process");
        assert!(!child.wait_until(|| false, || shared.done() == 1), "the user ended it");
        let pid = child.pid();
        drop(child);
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
        // SAFETY: the work does nothing.
        let child = unsafe { Child::start(|| ()) }.expect("a process");
        assert!(!child.wait_until(|| false, || false), "it ended without getting there");
    }
}
