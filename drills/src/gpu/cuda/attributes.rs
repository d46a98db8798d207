//! What the driver says about sharing memory between CPU and GPU, and the class that follows from it.

use drills_results::{Measurement, Reason, Unit};

use super::{Bench, Outcome, library, vmm};
use crate::gpu::child;
use crate::gpu::trouble::Trouble;
use crate::measure::methods;

// Numbers of CUdevice_attribute in cuda.h. As numbers, so that a driver that knows fewer only refuses.
pub(super) const INTEGRATED: i32 = 18;
const HOST_NATIVE_ATOMIC_SUPPORTED: i32 = 86;
pub(super) const PAGEABLE_MEMORY_ACCESS: i32 = 88;
pub(super) const CONCURRENT_MANAGED_ACCESS: i32 = 89;
pub(super) const USES_HOST_PAGE_TABLES: i32 = 100;
const DIRECT_MANAGED_MEM_ACCESS_FROM_HOST: i32 = 101;
pub(super) const HANDLE_TYPE_FABRIC_SUPPORTED: i32 = 128;
const MULTICAST_SUPPORTED: i32 = 132;

const KEYS: [(&str, i32); 6] = [
    ("gpu.integrated", INTEGRATED),
    ("gpu.pageable_access", PAGEABLE_MEMORY_ACCESS),
    ("gpu.host_page_tables", USES_HOST_PAGE_TABLES),
    ("gpu.concurrent_managed", CONCURRENT_MANAGED_ACCESS),
    ("gpu.host_atomics", HOST_NATIVE_ATOMIC_SUPPORTED),
    ("gpu.vmm.multicast", MULTICAST_SUPPORTED),
];

/// How CPU and GPU may share an address: 0 to 3, as in `coherence.class`, which a kernel has tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Cuda,
    Managed,
    Hmm,
    Ats,
}

impl Class {
    /// From the attributes; absent ones count as 0.
    fn of(concurrent: i32, pageable: i32, host_tables: i32) -> Self {
        match (concurrent != 0, pageable != 0, host_tables != 0) {
            (_, true, true) => Self::Ats,
            (_, true, false) => Self::Hmm,
            (true, false, _) => Self::Managed,
            // Managed memory without faults moves as a whole at each launch: nothing moves on demand.
            (false, false, _) => Self::Cuda,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Cuda => "a kernel reaches CUDA's memory only",
            Self::Managed => "managed memory moves on demand",
            Self::Hmm => "HMM: the host's page tables mirrored in software",
            Self::Ats => "ATS: the host's page tables in hardware",
        }
    }
}

/// Every attribute on its own: one that this driver does not know costs no other.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let device = bench.ctx.cu_device();
    for (key, attribute) in KEYS {
        push(bench, key, Unit::Count, library::attribute(device, attribute).map(|v| v as f64), None);
    }
    let of = |attribute| library::attribute(device, attribute).unwrap_or(0);
    let class =
        Class::of(of(CONCURRENT_MANAGED_ACCESS), of(PAGEABLE_MEMORY_ACCESS), of(USES_HOST_PAGE_TABLES));
    push(bench, "gpu.coherence", Unit::Count, Ok(f64::from(class as u8)), Some(class.text()));
    let granularity = vmm::granularity(device, vmm::NO_HANDLE).map(|bytes| bytes as f64);
    push(bench, "gpu.vmm.granularity", Unit::Bytes, granularity, None);
    Ok(())
}

/// Whether the CPU reads managed memory in place while it lies on the GPU.
pub(super) fn direct_managed(bench: &Bench) -> Outcome<()> {
    let value = library::attribute(bench.ctx.cu_device(), DIRECT_MANAGED_MEM_ACCESS_FROM_HOST);
    push(bench, "gpu.direct_managed", Unit::Count, value.map(f64::from), None);
    Ok(())
}

/// One attribute as a measurement; unknown ones are skipped.
pub(super) fn push(bench: &Bench, key: &str, unit: Unit, value: Outcome<f64>, state: Option<&str>) {
    let method = methods::ATTRIBUTE_READ;
    child::measured(match value {
        Ok(value) => {
            let m = bench.label(Measurement::ok(key, unit, value, method));
            state.into_iter().fold(m, |m, state| m.param("state", state))
        }
        // 1 is "invalid value": an attribute from after this driver.
        Err(Trouble::Call { code: 1, .. }) => {
            let reason = Reason::new("old-driver", "This driver does not know it.", "Update the driver.");
            Measurement::skipped(key, unit, method, reason)
        }
        Err(trouble) => Measurement::failed(key, unit, method, Reason::from(&trouble)),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_imply_a_class() {
        assert_eq!(Class::of(1, 1, 1), Class::Ats);
        assert_eq!(Class::of(1, 1, 0), Class::Hmm);
        assert_eq!(Class::of(1, 0, 0), Class::Managed, "the H200 of the course");
        assert_eq!(Class::of(0, 0, 0), Class::Cuda);
        assert_eq!([Class::Cuda as u8, Class::Managed as u8, Class::Ats as u8], [0, 1, 3]);
    }
}
