//! What NVML tells about a GPU beyond its place in the machine.

use std::sync::OnceLock;

use drills_results::{Measurement, Reason, Unit};
use serde::{Deserialize, Serialize};

use crate::gpu::parent;
use crate::gpu::trouble::Trouble;
use crate::measure::methods;
use crate::run::{Context, GpuChoice, Sink};

/// NVML_ERROR_NOT_SUPPORTED.
const NOT_SUPPORTED: i32 = 3;
/// NVML_ERROR_FUNCTION_NOT_FOUND.
pub(super) const NO_FUNCTION: i32 = 13;

/// An answer of NVML, or its `nvmlReturn_t`.
pub type Answer<T> = Result<T, i32>;

/// One GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuFacts {
    /// NVML's index.
    pub index: u32,
    /// PCI address as sysfs writes it.
    pub address: String,
    /// UUID. Identifies the card: never written into results.
    pub uuid: Option<String>,
    /// Whether it is cut into MIG instances.
    pub mig: Answer<bool>,
    /// NVML's number: 0 none, 1 passed through, 2 vGPU, 3 and 4 host of vGPUs.
    pub virtualisation: Answer<u32>,
    /// Whether the driver keeps it ready without a client.
    pub persistent: Answer<bool>,
    /// Links to the CPU.
    pub c2c: Answer<C2c>,
    /// Its place in the NVLink fabric.
    pub fabric: Answer<Fabric>,
}

/// NVLink-C2C links of a GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct C2c {
    /// Links that the GPU has.
    pub present: u32,
    /// Links that are up.
    pub active: u32,
    /// Rate of the slowest active one, one direction, in bytes per second.
    pub bytes_per_s: Option<f64>,
}

/// Registration of a GPU with the NVLink fabric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fabric {
    /// 0 not supported, 1 not started, 2 in progress, 3 completed.
    pub state: u8,
    /// `nvmlReturn_t` of the registration; means something once it is completed.
    pub status: i32,
    /// Number of the clique.
    pub clique: u32,
    /// UUID of the cluster, all zero outside a multi-node fabric. Identifies the rack.
    pub cluster: [u8; 16],
    /// Two bits for each condition.
    pub health_mask: u32,
    /// 1 healthy, 2 unhealthy, 3 limited capacity; absent in older drivers.
    pub health: Option<u8>,
}

/// The GPUs that the user chose. NVML is asked once in a run.
///
/// # Errors
/// Why it cannot be asked.
pub fn chosen(ctx: &Context, sink: &Sink) -> Result<Vec<GpuFacts>, Trouble> {
    static ASKED: OnceLock<Result<Vec<GpuFacts>, Trouble>> = OnceLock::new();
    let names = match &ctx.gpu {
        GpuChoice::None => return Err(Trouble::NotWanted),
        GpuChoice::All => None,
        GpuChoice::Only(names) => Some(names),
    };
    let all = ASKED.get_or_init(|| parent::facts(&|| sink.stopped())).clone()?;
    let Some(names) = names else { return Ok(all) };
    let found: Vec<GpuFacts> =
        all.into_iter().filter(|gpu| names.iter().any(|name| gpu.answers_to(name))).collect();
    if found.is_empty() { Err(Trouble::NotFound { asked: names.join(",") }) } else { Ok(found) }
}

impl GpuFacts {
    fn answers_to(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        let uuid = self.uuid.as_deref().unwrap_or_default().trim_start_matches("GPU-").to_ascii_lowercase();
        let wanted = lower.trim_start_matches("gpu-");
        name == self.index.to_string()
            || lower == self.address
            || (wanted.len() >= 4 && uuid.starts_with(wanted))
    }
}

/// A measurement that NVML did not answer.
pub fn unanswered(key: &str, unit: Unit, code: i32) -> Measurement {
    let skipped =
        |code, text, fix| Measurement::skipped(key, unit, methods::NVML_READ, Reason::new(code, text, fix));
    match code {
        NOT_SUPPORTED => skipped("not-supported", "NVML says that this GPU does not have it.", ""),
        NO_FUNCTION => skipped("old-driver", "This driver's NVML does not know it.", "Update the driver."),
        code => Measurement::failed(key, unit, methods::NVML_READ, {
            let text = format!("NVML returned {code}.");
            Reason::new("driver-error", text, "Check `nvidia-smi` and the kernel log for Xid messages.")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::Status;

    #[test]
    fn gpus_are_chosen_by_index_address_or_uuid() {
        let gpu = GpuFacts {
            index: 2,
            address: "0008:01:00.0".into(),
            uuid: Some("GPU-ABCD1234-0000".into()),
            mig: Err(NOT_SUPPORTED),
            virtualisation: Ok(0),
            persistent: Ok(true),
            c2c: Err(NOT_SUPPORTED),
            fabric: Err(NO_FUNCTION),
        };
        for name in ["2", "0008:01:00.0", "GPU-abcd", "abcd1234"] {
            assert!(gpu.answers_to(name), "{name}");
        }
        for name in ["0", "0009:01:00.0", "GPU-", "abc"] {
            assert!(!gpu.answers_to(name), "{name}");
        }
    }

    #[test]
    fn what_a_gpu_does_not_have_is_no_failure() {
        let status = |code| unanswered("c2c.links", Unit::Count, code).status;
        assert_eq!(status(NOT_SUPPORTED), Status::Skipped);
        assert_eq!(status(NO_FUNCTION), Status::Skipped);
        assert_eq!(status(999), Status::Failed);
    }
}
