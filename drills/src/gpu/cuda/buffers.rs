//! Memory on both sides, freed on drop. A context must be current on the thread.

use std::ffi::c_void;

use cudarc::driver::{CudaStream, result, sys};

use super::Outcome;
use crate::gpu::protocol::Place;
use crate::gpu::trouble::{Trouble, during};
use crate::measure::mapping::{Mapping, Pages};
use crate::measure::numa::{self, Placement};

/// How host memory is known to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `cuMemHostAlloc`, never write-combined: the CPU could hardly read that.
    Pinned,
    /// An ordinary touched mapping.
    Pageable,
    /// An ordinary touched mapping, then `cuMemHostRegister`.
    Registered,
}

impl Kind {
    /// Word in keys.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Pageable => "pageable",
            Self::Registered => "registered",
        }
    }
}

/// Device memory.
pub(super) struct DeviceBuffer {
    address: sys::CUdeviceptr,
    len: usize,
}

impl DeviceBuffer {
    pub(super) fn new(len: usize) -> Outcome<Self> {
        // SAFETY: a context is current.
        let address =
            unsafe { result::malloc_sync(len) }.map_err(during(format!("cuMemAlloc of {len} bytes")))?;
        Ok(Self { address, len })
    }

    pub(super) fn address(&self) -> sys::CUdeviceptr {
        self.address
    }

    pub(super) fn clear(&self) -> Outcome<()> {
        // SAFETY: the range is this buffer.
        unsafe { result::memset_d8_sync(self.address, 0, self.len) }.map_err(during("cuMemsetD8"))?;
        // Despite its name it may return before the memory is set, and the streams here do not wait for the
        // default one, in which it runs.
        // SAFETY: null is the default stream.
        unsafe { result::stream::synchronize(std::ptr::null_mut()) }.map_err(during("cuStreamSynchronize"))
    }

    pub(super) fn first_word(&self) -> Outcome<u64> {
        let mut word = [0u64];
        // SAFETY: the buffer is larger than a word (it is 64 bytes or more wherever this is used).
        unsafe { result::memcpy_dtoh_sync(&mut word, self.address) }.map_err(during("cuMemcpyDtoH"))?;
        Ok(word[0])
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated by `new`, freed once; the driver waits for work that uses it.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// Host memory of one kind.
pub(super) struct HostBuffer {
    kind: Kind,
    start: *mut u8,
    len: usize,
    /// Absent for memory of the driver.
    mapping: Option<Mapping>,
    /// How the memory came to the node asked for, if one was.
    pub(super) placement: Option<Placement>,
}

// SAFETY: the buffer is memory that this value owns alone, whichever thread uses it.
unsafe impl Send for HostBuffer {}

impl HostBuffer {
    /// Memory of the kind, touched. Put on the place's node where that is possible.
    pub(super) fn new(kind: Kind, len: usize, place: Option<&Place>) -> Outcome<Self> {
        if kind == Kind::Pinned {
            return Self::pinned(len);
        }
        let mut mapping = Mapping::new(len, Pages::Default).map_err(|e| Trouble::Call {
            call: format!("mmap of {len} bytes"),
            code: e.raw_os_error().unwrap_or(0),
        })?;
        let placement = place.and_then(|place| place.node).map(|node| numa::place(&mapping, node));
        mapping.touch();
        let start = mapping.as_ptr();
        if kind == Kind::Registered {
            register(start, len)?;
        }
        Ok(Self { kind, start, len, mapping: Some(mapping), placement })
    }

    fn pinned(len: usize) -> Outcome<Self> {
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: a context is current; the memory is used through raw pointers and written before it is read.
        let start = unsafe { result::malloc_host(len, flags) }
            .map_err(during(format!("cuMemHostAlloc of {len} bytes")))?;
        Ok(Self { kind: Kind::Pinned, start: start.cast(), len, mapping: None, placement: None })
    }

    /// Address for the CPU.
    pub(super) fn as_ptr(&self) -> *mut c_void {
        self.start.cast()
    }

    /// Address for the GPU. Pageable memory has none.
    pub(super) fn device_address(&self) -> Outcome<u64> {
        let mut address = 0;
        // SAFETY: the pointer is to pinned or registered memory of this buffer.
        unsafe { sys::cuMemHostGetDevicePointer_v2(&mut address, self.as_ptr(), 0) }
            .result()
            .map_err(during("cuMemHostGetDevicePointer"))?;
        Ok(address)
    }

    /// The bytes. No copy into the buffer may be running.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes at `start` belong to this buffer, are initialised (fresh pages are zero) and
        // the exclusive borrow keeps other Rust code away; callers have synchronised with the GPU.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// Share of pages on `node`, where the kernel tells.
    pub(super) fn share_on(&self, node: u32) -> Option<f64> {
        numa::share_on(self.mapping.as_ref()?, node)
    }
}

impl Drop for HostBuffer {
    fn drop(&mut self) {
        match self.kind {
            // SAFETY: allocated by `pinned`, freed once.
            Kind::Pinned => drop(unsafe { result::free_host(self.as_ptr()) }),
            Kind::Registered => drop(unregister(self.start)),
            Kind::Pageable => {}
        }
    }
}

/// Pins touched memory.
pub(super) fn register(start: *mut u8, len: usize) -> Outcome<()> {
    let flags = sys::CU_MEMHOSTREGISTER_PORTABLE | sys::CU_MEMHOSTREGISTER_DEVICEMAP;
    // SAFETY: the caller's range is mapped and stays so until `unregister`.
    unsafe { sys::cuMemHostRegister_v2(start.cast(), len, flags) }
        .result()
        .map_err(during(format!("cuMemHostRegister of {len} bytes")))
}

/// Undoes [`register`].
pub(super) fn unregister(start: *mut u8) -> Outcome<()> {
    // SAFETY: the caller registered this address.
    unsafe { sys::cuMemHostUnregister(start.cast()) }.result().map_err(during("cuMemHostUnregister"))
}

/// Queues a copy of `len` bytes from host to device.
pub(super) fn to_device(
    stream: &CudaStream,
    host: &HostBuffer,
    device: &DeviceBuffer,
    len: usize,
) -> Outcome<()> {
    debug_assert!(len <= host.len && len <= device.len);
    // SAFETY: both ranges live at least as long as the stream is used; lengths were compared by callers'
    // construction (one maximum for both).
    unsafe { sys::cuMemcpyHtoDAsync_v2(device.address, host.as_ptr(), len, stream.cu_stream()) }
        .result()
        .map_err(during("cuMemcpyHtoDAsync"))
}

/// Queues a copy of `len` bytes at `from`, which the caller keeps alive until the stream is idle, to
/// `at` bytes into device memory.
pub(super) fn place(
    stream: &CudaStream,
    from: *const u8,
    device: &DeviceBuffer,
    at: usize,
    len: usize,
) -> Outcome<()> {
    assert!(at + len <= device.len, "inside the buffer");
    let to = device.address + at as u64;
    // SAFETY: the destination was checked, the source is the caller's.
    unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast(), len, stream.cu_stream()) }
        .result()
        .map_err(during("cuMemcpyHtoDAsync"))
}

/// Queues a copy of `len` bytes from device to host.
pub(super) fn to_host(
    stream: &CudaStream,
    host: &HostBuffer,
    device: &DeviceBuffer,
    len: usize,
) -> Outcome<()> {
    debug_assert!(len <= host.len && len <= device.len);
    // SAFETY: as in `to_device`.
    unsafe { sys::cuMemcpyDtoHAsync_v2(host.as_ptr(), device.address, len, stream.cu_stream()) }
        .result()
        .map_err(during("cuMemcpyDtoHAsync"))
}

/// Queues a copy of `len` bytes inside device memory.
pub(super) fn inside(stream: &CudaStream, from: &DeviceBuffer, to: &DeviceBuffer, len: usize) -> Outcome<()> {
    debug_assert!(len <= from.len && len <= to.len);
    // SAFETY: as in `to_device`.
    unsafe { result::memcpy_dtod_async(to.address, from.address, len, stream.cu_stream()) }
        .map_err(during("cuMemcpyDtoDAsync"))
}
