//! Everything that can be wrong with a GPU and its driver, as one typed reason.

use cudarc::driver::result::DriverError;
use drills_results::{Reason, Status};
use serde::{Deserialize, Serialize};

use crate::gpu::codes::name_of;

/// Why GPU work did not give a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Trouble {
    /// No libcuda or no libnvidia-ml.
    #[error("The library {library} could not be loaded.")]
    NoDriver {
        /// The library's file name.
        library: String,
    },
    /// The toolkit's link-time stand-in was found instead of the driver.
    #[error("The libcuda found first is the toolkit's stub, which has no GPU behind it.")]
    StubLibrary,
    /// The driver works and shows no GPU.
    #[error("The NVIDIA driver shows no GPU.")]
    NoDevice,
    /// None of the GPUs is the one that was asked for.
    #[error("No GPU is called \"{asked}\".")]
    NotFound {
        /// What the user wrote.
        asked: String,
    },
    /// The user said not to touch the GPU.
    #[error("The GPU was left alone, as asked.")]
    NotWanted,
    /// The driver lacks a function.
    #[error("The driver has no function {name}.")]
    MissingSymbol {
        /// Symbol name.
        name: String,
    },
    /// A driver call failed.
    #[error("{call} returned {code} ({}).", name_of(*.code))]
    Call {
        /// What was called, with its size where that matters.
        call: String,
        /// CUresult or nvmlReturn_t as the driver gave it.
        code: i32,
    },
    /// A system call failed.
    #[error("{call}: {message}.")]
    System {
        /// What was called.
        call: String,
        /// What the system said.
        message: String,
    },
    /// NVML failed in a way that has no number.
    #[error("NVML: {0}.")]
    Nvml(String),
    /// Kernels cannot be compiled on this machine.
    #[error("The driver could not compile the kernels: {0}")]
    NoKernels(String),
    /// Not enough free memory for the smallest useful buffer.
    #[error("Too little free memory: {bytes} bytes would be used at most.")]
    NoRoom {
        /// 10 % of what is free.
        bytes: u64,
    },
    /// A property of the machine makes the number meaningless.
    #[error("{0}")]
    Meaningless(String),
    /// No answer in time.
    #[error("No answer within {seconds} s during {during}; the process was given up.")]
    Hung {
        /// Step that hung.
        during: String,
        /// Deadline.
        seconds: u64,
    },
    /// Killed by a signal.
    #[error("The GPU process died of signal {signal} during {during}.")]
    Crashed {
        /// Step that crashed.
        during: String,
        /// Signal number.
        signal: i32,
    },
    /// Ended without saying why.
    #[error("The GPU process ended with code {code} during {during}.")]
    Ended {
        /// Step that ended.
        during: String,
        /// Exit code.
        code: i32,
    },
    /// Rust code in the GPU process panicked.
    #[error("The GPU process gave up during {during}: {message}")]
    Panicked {
        /// Step that panicked.
        during: String,
        /// What it said.
        message: String,
    },
    /// The child process could not be started or talked to.
    #[error("The GPU process could not be started: {0}.")]
    NoProcess(String),
    /// No libnccl.
    #[error("NCCL could not be loaded: {why}.")]
    NoNccl {
        /// What the loader said.
        why: String,
    },
    /// A libnccl that is too old.
    #[error("This NCCL is {found}; 2.10 or later is wanted.")]
    OldNccl {
        /// Its version.
        found: String,
    },
    /// An NCCL call failed.
    #[error("{call} returned {code}: {message}.")]
    Nccl {
        /// What was called.
        call: String,
        /// ncclResult_t as the library gave it.
        code: i32,
        /// What the library says about it.
        message: String,
    },
    /// Nothing to reduce between.
    #[error("An all-reduce needs two GPUs, and there is one.")]
    OneGpu,
    /// A rank without a GPU of its own.
    #[error("Rank {local} of this host finds {gpus} GPUs and none that is its own.")]
    NoGpuForRank {
        /// Rank on the host.
        local: u32,
        /// GPUs that it sees.
        gpus: u32,
    },
    /// This process cannot be a rank.
    #[error("This process cannot take part: {0}.")]
    NoSeat(String),
    /// The ranks did not come together, or one has left.
    #[error("The ranks do not work together: {0}.")]
    NoTeam(String),
    /// The user ended the run.
    #[error("The run was ended first.")]
    Interrupted,
}

impl Trouble {
    /// Stable code, kebab case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoDriver { .. } => "no-driver",
            Self::StubLibrary => "stub-library",
            Self::NoDevice => "no-device",
            Self::NotFound { .. } => "gpu-not-found",
            Self::NotWanted => "gpu-not-wanted",
            Self::MissingSymbol { .. } => "missing-symbol",
            Self::Call { code: 2, .. } => "out-of-memory",
            Self::Call { code: 803 | 18, .. } => "driver-mismatch",
            Self::Call { .. } | Self::Nvml(_) => "driver-error",
            Self::System { .. } => "system-error",
            Self::NoKernels(_) => "no-kernels",
            Self::NoRoom { .. } => "no-room",
            Self::Meaningless(_) => "meaningless-here",
            Self::Hung { .. } => "gpu-hung",
            Self::Crashed { .. } | Self::Ended { .. } => "gpu-crashed",
            Self::Panicked { .. } => "gpu-panicked",
            Self::NoProcess(_) => "no-process",
            Self::NoNccl { .. } => "no-nccl",
            Self::OldNccl { .. } => "old-nccl",
            Self::Nccl { .. } => "nccl-error",
            Self::OneGpu => "one-gpu",
            Self::NoGpuForRank { .. } => "no-gpu-for-rank",
            Self::NoSeat(_) => "no-seat",
            Self::NoTeam(_) => "no-team",
            Self::Interrupted => "interrupted",
        }
    }

    fn fix(&self) -> &'static str {
        match self {
            Self::NoDriver { .. } => {
                "Install the NVIDIA driver, or start the container with the GPU (`--gpus all`)."
            }
            Self::StubLibrary => "Take the toolkit's `stubs` folder out of LD_LIBRARY_PATH.",
            Self::NoDevice => {
                "Check `nvidia-smi`, CUDA_VISIBLE_DEVICES and the /dev/nvidia* nodes of the container."
            }
            Self::NotFound { .. } => "See the names with `drills machine topo`.",
            Self::NotWanted => "Run without `--gpu none`.",
            Self::MissingSymbol { .. } => "Update the NVIDIA driver.",
            Self::Call { code: 2, .. } | Self::NoRoom { .. } => {
                "Free memory on the GPU and on the host, then run again."
            }
            Self::Call { code: 803 | 18, .. } => {
                "Reboot, or reload the kernel modules, so that driver and library match."
            }
            Self::Call { .. } | Self::Nvml(_) => "Check `nvidia-smi` and the kernel log for Xid messages.",
            Self::System { .. } => "Check that the folder's drive and the memory limit allow it.",
            Self::NoKernels(_) => {
                "Unset CUDA_DISABLE_PTX_JIT and install libnvidia-ptxjitcompiler, which comes with the driver."
            }
            Self::Hung { .. } | Self::Crashed { .. } | Self::Ended { .. } | Self::Panicked { .. } => {
                "Check the kernel log for Xid messages; the rest of this file is not affected."
            }
            Self::NoProcess(_) => "Check that this program may start processes.",
            Self::NoNccl { .. } => {
                "Install libnccl2, or the Python package nvidia-nccl-cu12, and give its libnccl.so.2 with --nccl."
            }
            Self::OldNccl { .. } => "Give a newer one with --nccl.",
            Self::Nccl { .. } => {
                "Run again with NCCL_DEBUG=INFO and NCCL_DEBUG_FILE=nccl.%h.%p, and read that file."
            }
            Self::OneGpu => {
                "Run it where there are several, or one process for each GPU with srun or torchrun."
            }
            Self::NoGpuForRank { .. } => "Start as many ranks on each host as it has GPUs.",
            Self::NoSeat(_) => {
                "Give --rendezvous: a file that all hosts see, or HOST:PORT of rank 0; one rank for each GPU."
            }
            Self::NoTeam(_) => "Start all ranks at once, and let them reach rank 0 over TCP.",
            Self::Interrupted => "Run again and let it finish.",
            Self::Meaningless(_) => "",
        }
    }

    /// Absence is a skip, everything else a failure.
    pub fn status(&self) -> Status {
        match self {
            Self::NoDriver { .. }
            | Self::StubLibrary
            | Self::NoDevice
            | Self::NotFound { .. }
            | Self::NotWanted
            | Self::NoKernels(_)
            | Self::NoRoom { .. }
            | Self::NoNccl { .. }
            | Self::OldNccl { .. }
            | Self::OneGpu
            | Self::Meaningless(_) => Status::Skipped,
            Self::Interrupted => Status::Interrupted,
            _ => Status::Failed,
        }
    }

    /// Whether another try in a fresh process can go differently for the remaining steps.
    pub fn is_of_one_step(&self) -> bool {
        matches!(self, Self::Hung { .. } | Self::Crashed { .. } | Self::Ended { .. } | Self::Panicked { .. })
    }
}

impl From<&Trouble> for Reason {
    fn from(trouble: &Trouble) -> Self {
        Reason::new(trouble.code(), trouble.to_string(), trouble.fix())
    }
}

/// Turns a driver error into [`Trouble`]. Formatting a `DriverError` would call the driver once more, so
/// only its number is used.
pub(crate) fn during(call: impl Into<String>) -> impl FnOnce(DriverError) -> Trouble {
    move |error| Trouble::Call { call: call.into(), code: error.0 as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absence_is_skipped_and_trouble_failed() {
        assert_eq!(Trouble::NoDevice.status(), Status::Skipped);
        assert_eq!(Trouble::Crashed { during: "x".into(), signal: 11 }.status(), Status::Failed);
        assert_eq!(Trouble::Interrupted.status(), Status::Interrupted);
    }

    #[test]
    fn an_unknown_code_is_printed_as_it_is() {
        let reason = Reason::from(&Trouble::Call { call: "cuInit".into(), code: 9001 });
        assert_eq!(reason.code, "driver-error");
        assert!(reason.text.contains("9001"), "{}", reason.text);
        assert!(!reason.fix.is_empty());
    }
}
