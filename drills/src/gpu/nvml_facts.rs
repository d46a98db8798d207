//! Questions to NVML that need its plain C interface: links by number, structures by version. Runs in the
//! child only.

use std::ffi::{c_int, c_longlong, c_uint, c_void};

use nvml_wrapper::Device;

use crate::gpu::facts::{Answer, C2c, Fabric, GpuFacts, NO_FUNCTION};
use crate::gpu::nvml;
use crate::gpu::trouble::Trouble;

/// NVML_FI_DEV_C2C_LINK_COUNT.
const C2C_COUNT: c_uint = 170;
/// NVML_FI_DEV_C2C_LINK_GET_STATUS; the link's number is the scope.
const C2C_STATUS: c_uint = 171;
/// NVML_FI_DEV_C2C_LINK_GET_MAX_BW, in MB/s; the link's number is the scope.
const C2C_MB_PER_S: c_uint = 172;
/// More than any GPU has; a larger count is taken for garbage.
const MOST_C2C_LINKS: u32 = 64;

/// All GPUs. One that fails to answer keeps its place with what it did answer.
pub(super) fn all() -> Result<Vec<GpuFacts>, Trouble> {
    let nvml = nvml::open()?;
    let raw = Raw::open()?;
    let gpus: Vec<GpuFacts> = nvml::inventory()?
        .into_iter()
        .filter_map(|gpu| {
            let device = nvml.device_by_index(gpu.index).ok()?;
            Some(raw.facts(gpu.index, gpu.address, &device))
        })
        .collect();
    if gpus.is_empty() { Err(Trouble::NoDevice) } else { Ok(gpus) }
}

/// nvmlFieldValue_t. The value is a union of 8 bytes, of which unsigned ones are read here.
#[repr(C)]
#[derive(Clone, Copy)]
struct FieldValue {
    field: c_uint,
    scope: c_uint,
    timestamp: c_longlong,
    latency_us: c_longlong,
    kind: c_uint,
    code: c_int,
    value: [c_uint; 2],
}

/// nvmlGpuFabricInfo_v3_t. Version 2 is the same without the last member.
#[repr(C)]
struct FabricInfo {
    version: c_uint,
    cluster: [u8; 16],
    status: c_int,
    clique: c_uint,
    state: u8,
    health_mask: c_uint,
    health: u8,
}
/// Bytes of nvmlGpuFabricInfo_v2_t.
const FABRIC_V2_BYTES: usize = std::mem::offset_of!(FabricInfo, health);

/// The library, opened once more for its symbols.
struct Raw(libloading::Library);

impl Raw {
    /// [`nvml::open`] has loaded it: the loader finds it by its name, wherever it came from.
    fn open() -> Result<Self, Trouble> {
        // SAFETY: the library is in the process already, so that no initialiser runs.
        let library = unsafe { libloading::Library::new(nvml::LIBRARY) };
        library.map(Self).map_err(|_| Trouble::NoDriver { library: nvml::LIBRARY.into() })
    }

    fn facts(&self, index: u32, address: String, device: &Device<'_>) -> GpuFacts {
        // SAFETY: the handle is used as long as NVML is open, and only read from.
        let handle = unsafe { device.handle() }.cast::<c_void>();
        GpuFacts {
            index,
            address,
            uuid: device.uuid().ok(),
            mig: self.mig(handle),
            virtualisation: self.number("nvmlDeviceGetVirtualizationMode", handle),
            persistent: self.number("nvmlDeviceGetPersistenceMode", handle).map(|mode| mode != 0),
            c2c: self.c2c(handle),
            fabric: self.fabric(handle),
        }
    }

    /// A function of NVML.
    ///
    /// # Safety
    /// `T` must be the type of that function.
    unsafe fn function<T: Copy>(&self, name: &str) -> Answer<T> {
        // SAFETY: the caller vouches for the type.
        let found = unsafe { self.0.get::<T>(name.as_bytes()) };
        found.map(|symbol| *symbol).map_err(|_| NO_FUNCTION)
    }

    fn number(&self, name: &str, device: *mut c_void) -> Answer<u32> {
        type Get = unsafe extern "C" fn(*mut c_void, *mut c_uint) -> c_int;
        let mut value = 0;
        // SAFETY: the functions asked for have this type, and the pointer is valid for one value.
        let code = unsafe { self.function::<Get>(name)?(device, &mut value) };
        if code == 0 { Ok(value) } else { Err(code) }
    }

    fn mig(&self, device: *mut c_void) -> Answer<bool> {
        type Get = unsafe extern "C" fn(*mut c_void, *mut c_uint, *mut c_uint) -> c_int;
        let (mut now, mut pending) = (0, 0);
        // SAFETY: the type is the documented one, and both pointers are valid for one value.
        let code = unsafe { self.function::<Get>("nvmlDeviceGetMigMode")?(device, &mut now, &mut pending) };
        if code == 0 { Ok(now != 0) } else { Err(code) }
    }

    fn c2c(&self, device: *mut c_void) -> Answer<C2c> {
        let present = self.field(device, C2C_COUNT, 0)?.min(MOST_C2C_LINKS);
        let up = |link: &u32| self.field(device, C2C_STATUS, *link) == Ok(1);
        let active: Vec<u32> = (0..present).filter(up).collect();
        let rates = active.iter().filter_map(|link| self.field(device, C2C_MB_PER_S, *link).ok());
        let slowest = rates.min().map(|mb_per_s| f64::from(mb_per_s) * 1e6);
        Ok(C2c { present, active: active.len() as u32, bytes_per_s: slowest })
    }

    fn field(&self, device: *mut c_void, field: c_uint, scope: c_uint) -> Answer<u32> {
        type Get = unsafe extern "C" fn(*mut c_void, c_int, *mut FieldValue) -> c_int;
        let mut asked =
            FieldValue { field, scope, timestamp: 0, latency_us: 0, kind: 0, code: 0, value: [0; 2] };
        // SAFETY: the type is the documented one, and one field is passed and said to be.
        let code = unsafe { self.function::<Get>("nvmlDeviceGetFieldValues")?(device, 1, &mut asked) };
        match (code, asked.code) {
            (0, 0) => Ok(asked.value[0]),
            (0, code) | (code, _) => Err(code),
        }
    }

    /// Newest version of the structure that the driver takes; for the oldest there is another function,
    /// of drivers that no machine with a multi-node fabric runs.
    fn fabric(&self, device: *mut c_void) -> Answer<Fabric> {
        type Get = unsafe extern "C" fn(*mut c_void, *mut FabricInfo) -> c_int;
        // SAFETY: the type is the documented one.
        let get = unsafe { self.function::<Get>("nvmlDeviceGetGpuFabricInfoV")? };
        let mut last = NO_FUNCTION;
        for (version, bytes) in [(3, size_of::<FabricInfo>()), (2, FABRIC_V2_BYTES)] {
            let mut info = FabricInfo {
                version: bytes as c_uint | version << 24,
                cluster: [0; 16],
                status: 0,
                clique: 0,
                state: 0,
                health_mask: 0,
                health: 0,
            };
            // SAFETY: the structure is at least as large as its version says.
            last = unsafe { get(device, &mut info) };
            if last == 0 {
                return Ok(Fabric {
                    state: info.state,
                    status: info.status,
                    clique: info.clique,
                    cluster: info.cluster,
                    health_mask: info.health_mask,
                    health: (version == 3).then_some(info.health),
                });
            }
        }
        Err(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_of_nvml() {
        assert_eq!(size_of::<FieldValue>(), 40);
        assert_eq!((FABRIC_V2_BYTES, size_of::<FabricInfo>()), (36, 40));
    }
}
