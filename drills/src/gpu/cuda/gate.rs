//! A kernel that holds a stream back until everything that is timed has been queued.
//!
//! Without it, the time between two events contains the host's time to queue, and small copies are
//! timed wrong. The kernel gives up after a second: where queues are short or kernels are watched (a
//! display, WSL), that must not hang, and the timing then goes on without it.

use cudarc::driver::CudaStream;

use super::Outcome;
use super::buffers::{HostBuffer, Kind};
use super::kernels::Kernels;

/// Flag and answer lie on lines of their own.
const ANSWER_AT: usize = 128;

/// The flag in pinned memory that the kernel looks at.
pub(super) struct Gate {
    page: HostBuffer,
    flag: u64,
    cycles: u64,
}

impl Gate {
    /// A gate whose kernel gives up after `cycles`.
    pub(super) fn new(cycles: u64) -> Outcome<Self> {
        let page = HostBuffer::new(Kind::Pinned, 4096, None)?;
        let flag = page.device_address()?;
        Ok(Self { page, flag, cycles })
    }

    /// Holds the stream back from here on.
    pub(super) fn close(&self, kernels: &Kernels, stream: &CudaStream) -> Outcome<()> {
        self.write(0, 0);
        self.write(ANSWER_AT, 0);
        kernels.wait(stream, self.flag, self.flag + ANSWER_AT as u64, self.cycles)
    }

    /// Lets the stream go.
    pub(super) fn open(&self) {
        self.write(0, 1);
    }

    /// Whether the kernel gave up. Meaningful once the stream is idle.
    pub(super) fn timed_out(&self) -> bool {
        // SAFETY: inside the page, aligned; the GPU writes whole words.
        unsafe { std::ptr::read_volatile(self.page.as_ptr().byte_add(ANSWER_AT).cast::<u32>()) != 0 }
    }

    fn write(&self, at: usize, value: u32) {
        // SAFETY: inside the page, aligned; the GPU only reads whole words of it.
        unsafe { std::ptr::write_volatile(self.page.as_ptr().byte_add(at).cast::<u32>(), value) };
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    }
}
