//! Managed memory that stays on the host: the GPU maps its pages and moves none.

use cudarc::driver::{result, sys};

use super::Outcome;
use crate::gpu::trouble::during;

/// The host's number where the driver wants a device.
const HOST: sys::CUdevice = -1;

/// A managed allocation, freed on drop.
pub(super) struct Managed {
    address: sys::CUdeviceptr,
    len: usize,
}

impl Managed {
    /// Memory whose pages the CPU has touched, with the advice that they stay on the host and that the
    /// device may use them there.
    pub(super) fn on_host(len: usize, device: sys::CUdevice) -> Outcome<Self> {
        let flags = sys::CUmemAttach_flags_enum::CU_MEM_ATTACH_GLOBAL;
        // SAFETY: a context is current.
        let address = unsafe { result::malloc_managed(len, flags) }
            .map_err(during(format!("cuMemAllocManaged of {len} bytes")))?;
        let mut memory = Self { address, len };
        stay_on_host(address, len, device)?;
        // First touched by the CPU, so that the pages are made on the host.
        memory.bytes().fill(1);
        Ok(memory)
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// The bytes. No kernel may be using them.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes of this allocation, zeroed by the driver; managed memory has one address for
        // CPU and GPU, the exclusive borrow keeps other Rust code away, and callers have synchronised.
        unsafe { std::slice::from_raw_parts_mut(self.address as *mut u8, self.len) }
    }
}

impl Drop for Managed {
    fn drop(&mut self) {
        // SAFETY: allocated by `on_host`, freed once; the driver waits for work that uses it.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// Advises that a range prefers the host and that the device maps it there.
pub(super) fn stay_on_host(address: u64, len: usize, device: sys::CUdevice) -> Outcome<()> {
    use sys::CUmem_advise_enum::{CU_MEM_ADVISE_SET_ACCESSED_BY, CU_MEM_ADVISE_SET_PREFERRED_LOCATION};
    let advice = [(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, HOST), (CU_MEM_ADVISE_SET_ACCESSED_BY, device)];
    for (advice, whom) in advice {
        // SAFETY: advice changes no content; the range is the caller's.
        unsafe { sys::cuMemAdvise(address, len, advice, whom) }.result().map_err(during("cuMemAdvise"))?;
    }
    Ok(())
}
