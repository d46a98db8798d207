//! Virtual memory management, by the driver's plain functions: their codes are what is asked for.

use std::ffi::{c_int, c_void};

use super::Outcome;
use super::library::{check, symbol};

/// CU_MEM_HANDLE_TYPE_NONE.
pub(super) const NO_HANDLE: c_int = 0;
/// CU_MEM_HANDLE_TYPE_FABRIC.
pub(super) const FABRIC: c_int = 8;
/// Bytes of CUmemFabricHandle.
const FABRIC_BYTES: usize = 64;

/// CUmemAllocationProp as cuda.h has it.
#[repr(C)]
struct Properties {
    kind: c_int,
    handles: c_int,
    location: c_int,
    location_id: c_int,
    win32: *mut c_void,
    flags: [u8; 8],
}

impl Properties {
    /// Pinned memory of a device, exportable as `handles`.
    fn new(device: c_int, handles: c_int) -> Self {
        const PINNED: c_int = 1;
        const ON_DEVICE: c_int = 1;
        Self {
            kind: PINNED,
            handles,
            location: ON_DEVICE,
            location_id: device,
            win32: std::ptr::null_mut(),
            flags: [0; 8],
        }
    }
}

/// Smallest unit of virtual memory management on a device, in bytes.
pub(super) fn granularity(device: c_int, handles: c_int) -> Outcome<usize> {
    const MINIMUM: c_int = 0;
    type Get = unsafe extern "C" fn(*mut usize, *const Properties, c_int) -> c_int;
    let properties = Properties::new(device, handles);
    let mut bytes = 0;
    // SAFETY: the types are the documented ones, and both pointers are valid for one value.
    unsafe {
        let get = symbol::<Get>("cuMemGetAllocationGranularity")?;
        check("cuMemGetAllocationGranularity", get(&mut bytes, &properties, MINIMUM))?;
    }
    Ok(bytes)
}

/// Memory that is not mapped anywhere. Released on drop.
pub(super) struct Memory(u64);

/// What a fabric handle is sent as: plain bytes.
pub(super) struct Exported([u8; FABRIC_BYTES]);

impl Memory {
    /// `bytes` of device memory that may be exported as a fabric handle.
    pub(super) fn for_fabric(device: c_int, bytes: usize) -> Outcome<Self> {
        type Create = unsafe extern "C" fn(*mut u64, usize, *const Properties, u64) -> c_int;
        let properties = Properties::new(device, FABRIC);
        let mut handle = 0;
        // SAFETY: the types are the documented ones, and both pointers are valid for one value.
        unsafe {
            check("cuMemCreate", symbol::<Create>("cuMemCreate")?(&mut handle, bytes, &properties, 0))?;
        }
        Ok(Self(handle))
    }

    /// The handle to send.
    pub(super) fn export(&self) -> Outcome<Exported> {
        type Export = unsafe extern "C" fn(*mut c_void, u64, c_int, u64) -> c_int;
        let mut bytes = [0; FABRIC_BYTES];
        // SAFETY: the type is the documented one; a fabric handle is written, which has these bytes.
        unsafe {
            let export = symbol::<Export>("cuMemExportToShareableHandle")?;
            let code = export(bytes.as_mut_ptr().cast(), self.0, FABRIC, 0);
            check("cuMemExportToShareableHandle", code)?;
        }
        Ok(Exported(bytes))
    }

    /// Memory that somebody exported.
    pub(super) fn import(exported: &Exported) -> Outcome<Self> {
        type Import = unsafe extern "C" fn(*mut u64, *const c_void, c_int) -> c_int;
        let mut handle = 0;
        // SAFETY: the type is the documented one; the bytes are read as a fabric handle, which they are.
        unsafe {
            let import = symbol::<Import>("cuMemImportFromShareableHandle")?;
            let code = import(&mut handle, exported.0.as_ptr().cast(), FABRIC);
            check("cuMemImportFromShareableHandle", code)?;
        }
        Ok(Self(handle))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        type Release = unsafe extern "C" fn(u64) -> c_int;
        // SAFETY: the type is the documented one; the handle is this value's and released once.
        if let Ok(release) = unsafe { symbol::<Release>("cuMemRelease") } {
            // SAFETY: as above.
            let _ = unsafe { release(self.0) };
        }
    }
}
