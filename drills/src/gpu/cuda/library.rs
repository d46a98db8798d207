//! Getting at the driver without a panic: is it there, is it real, does it show the GPU asked for.
//!
//! Status codes are taken as plain numbers here. cudarc reads them into a Rust enum, which a code from a
//! newer driver does not fit.

use std::ffi::c_int;

use cudarc::driver::sys;

use super::Outcome;
use crate::gpu::nvml::OTHER_FOLDERS;
use crate::gpu::trouble::Trouble;

const LIBRARY: &str = "libcuda.so.1";
const STUB_LIBRARY: i32 = 34;
const NO_DEVICE: i32 = 100;

/// Loads the driver, initialises it and returns the ordinal of the GPU asked for (the first by default).
pub(super) fn open(asked: Option<&str>) -> Outcome<c_int> {
    load()?;
    type Init = unsafe extern "C" fn(u32) -> c_int;
    // SAFETY: the type is the one that the driver documents for cuInit.
    let init = unsafe { symbol::<Init>("cuInit")? };
    // SAFETY: 0 is the only value that the driver documents.
    check("cuInit", unsafe { init(0) })?;
    let count = device_count()?;
    let found = match asked {
        None => (count > 0).then_some(0),
        Some(asked) => (0..count).find(|ordinal| answers_to(*ordinal, asked)),
    };
    match (found, asked) {
        (Some(ordinal), _) => Ok(ordinal),
        (None, Some(asked)) if count > 0 => Err(Trouble::NotFound { asked: asked.into() }),
        (None, _) => Err(Trouble::NoDevice),
    }
}

/// Loads the driver, initialises it and returns the ordinals of all GPUs asked for, in the driver's order; all
/// it shows when none is named.
pub(super) fn open_all(asked: &[String]) -> Outcome<Vec<c_int>> {
    open(None)?;
    let count = device_count()?;
    if let Some(unknown) = asked.iter().find(|name| !(0..count).any(|ordinal| answers_to(ordinal, name))) {
        return Err(Trouble::NotFound { asked: unknown.clone() });
    }
    let wanted = |ordinal: &c_int| asked.is_empty() || asked.iter().any(|name| answers_to(*ordinal, name));
    Ok((0..count).filter(wanted).collect())
}

/// Makes sure that libcuda is in the process. A copy loaded by its full path satisfies later look-ups of
/// its bare name, because the loader compares sonames.
fn load() -> Outcome<()> {
    // SAFETY: this only tries to load the driver's library.
    let present = || unsafe { sys::is_culib_present() };
    if present() {
        return Ok(());
    }
    for folder in OTHER_FOLDERS {
        // SAFETY: loading the driver runs its initialisers, which is what it is for.
        if let Ok(library) = unsafe { libloading::Library::new(format!("{folder}/{LIBRARY}")) } {
            std::mem::forget(library);
            if present() {
                return Ok(());
            }
        }
    }
    Err(Trouble::NoDriver { library: LIBRARY.into() })
}

fn device_count() -> Outcome<c_int> {
    type Count = unsafe extern "C" fn(*mut c_int) -> c_int;
    // SAFETY: the type is the one that the driver documents for cuDeviceGetCount.
    let get_count = unsafe { symbol::<Count>("cuDeviceGetCount")? };
    let mut count = 0;
    // SAFETY: the pointer is valid for one c_int.
    check("cuDeviceGetCount", unsafe { get_count(&mut count) })?;
    Ok(count)
}

/// Makes the context, whose failures are the interesting ones. cudarc retains it once more.
pub(super) fn retain(ordinal: c_int) -> Outcome<()> {
    type Get = unsafe extern "C" fn(*mut c_int, c_int) -> c_int;
    type Retain = unsafe extern "C" fn(*mut *mut std::ffi::c_void, c_int) -> c_int;
    let (mut device, mut context) = (0, std::ptr::null_mut());
    // SAFETY: the types are those that the driver documents, the pointers are valid for one value each.
    unsafe {
        check("cuDeviceGet", symbol::<Get>("cuDeviceGet")?(&mut device, ordinal))?;
        let retain = symbol::<Retain>("cuDevicePrimaryCtxRetain")?;
        check("cuDevicePrimaryCtxRetain", retain(&mut context, device))
    }
}

/// Whether the GPU is called so: by index, PCI address or beginning of its UUID.
fn answers_to(ordinal: c_int, asked: &str) -> bool {
    asked == ordinal.to_string()
        || address_of(ordinal).is_ok_and(|address| address == asked.to_ascii_lowercase())
        || uuid_of(ordinal).is_ok_and(|uuid| {
            let asked = asked.trim_start_matches("GPU-").to_ascii_lowercase();
            asked.len() >= 4 && uuid.starts_with(&asked)
        })
}

/// PCI address as sysfs writes it.
pub(super) fn address_of(ordinal: c_int) -> Outcome<String> {
    type BusId = unsafe extern "C" fn(*mut u8, c_int, c_int) -> c_int;
    let mut text = [0u8; 32];
    // SAFETY: the type is the documented one and the buffer has the length that is passed.
    unsafe {
        let bus_id = symbol::<BusId>("cuDeviceGetPCIBusId")?;
        check("cuDeviceGetPCIBusId", bus_id(text.as_mut_ptr(), text.len() as c_int, ordinal))?;
    }
    let text: String = text.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
    Ok(text.to_ascii_lowercase())
}

/// An attribute of a device, by its number in cuda.h.
pub(super) fn attribute(device: c_int, number: c_int) -> Outcome<c_int> {
    type Get = unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int;
    let mut value = 0;
    // SAFETY: the type is the documented one and the pointer is valid for one c_int.
    unsafe {
        let get = symbol::<Get>("cuDeviceGetAttribute")?;
        check("cuDeviceGetAttribute", get(&mut value, number, device))?;
    }
    Ok(value)
}

fn uuid_of(ordinal: c_int) -> Outcome<String> {
    type Uuid = unsafe extern "C" fn(*mut u8, c_int) -> c_int;
    let mut bytes = [0u8; 16];
    // SAFETY: the type is the documented one and the driver writes 16 bytes.
    unsafe { check("cuDeviceGetUuid", symbol::<Uuid>("cuDeviceGetUuid")?(bytes.as_mut_ptr(), ordinal))? };
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    Ok(parts.join("-"))
}

/// Turns a status code into the typed reason.
pub(super) fn check(call: &str, code: c_int) -> Outcome<()> {
    match code {
        0 => Ok(()),
        STUB_LIBRARY => Err(Trouble::StubLibrary),
        NO_DEVICE => Err(Trouble::NoDevice),
        code => Err(Trouble::Call { call: call.into(), code }),
    }
}

/// A function of the driver, or the typed reason that it lacks it.
///
/// # Safety
/// `T` must be the type of that function. [`load`] must have succeeded.
pub(super) unsafe fn symbol<T: Copy>(name: &str) -> Outcome<T> {
    // SAFETY: the library was loaded; the caller vouches for the type.
    let found = unsafe { sys::culib().get::<T>(name.as_bytes()) };
    found.map(|symbol| *symbol).map_err(|_| Trouble::MissingSymbol { name: name.into() })
}
