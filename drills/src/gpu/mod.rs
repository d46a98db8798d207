//! The only place that touches the NVIDIA driver.
//!
//! A driver can be missing, old, a stub, hung in the kernel, or crash its caller. So all of CUDA and
//! NVML runs in a child process: this program started once more with [`CHILD_COMMAND`]. The parent
//! ([`parent`]) hands it a job and reads JSON lines, each step with a deadline; it kills a child that is
//! late and does not wait for one that the kernel will not let die. Whatever happens becomes one
//! [`Trouble`].
//!
//! The environment variable `DRILLS_GPU_DEADLINE_S` shortens every deadline to that many seconds.

mod child;
mod codes;
mod cuda;
pub mod facts;
pub mod job;
mod nvml;
mod nvml_facts;
pub mod parent;
pub mod protocol;
mod step;
pub mod trouble;

pub use child::{CHILD_COMMAND, main as child_main};
pub use protocol::{GpuInfo, NvLinkPeer};
pub use trouble::Trouble;

use drills_results::Reason;

/// All NVIDIA GPUs that NVML shows, from a child process.
///
/// # Errors
/// Why there is no list; no driver is the usual one.
pub fn inventory() -> Result<Vec<GpuInfo>, Reason> {
    parent::inventory().map_err(|trouble| Reason::from(&trouble))
}
