//! What can be broken, at which step it shows, and what is returned there.

use super::places::Place;
use super::steps::Path;

/// How well an error is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Returned by the driver of the H200 host, 580.159.04.
    Measured,
    /// Stated by NVIDIA's reference of the call.
    Documented,
    /// Reported in public by users.
    Reported,
}

/// A piece that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Word in links.
    pub id: &'static str,
    /// Name on the control.
    pub name: &'static str,
    /// What is wrong.
    pub what: &'static str,
    /// Step at which it shows, counted from zero, on each path; `None` where it does not apply.
    pub at: [Option<usize>; 3],
    /// What the call returns there. Empty: nothing fails.
    pub error: &'static str,
    /// How well that is known.
    pub evidence: Evidence,
    /// How to see the cause.
    pub look: &'static str,
    /// Where the error is from.
    pub source: &'static str,
}

/// All of them. No two share path, call and error but `daemon` and `clique`: those no code tells apart.
pub const BREAKS: [Break; 10] = [
    Break {
        id: "size",
        name: "Buffer of 1 MiB",
        what: "The size is not a multiple of the granularity.",
        at: [Some(0), Some(0), Some(0)],
        error: "CUDA_ERROR_INVALID_VALUE (1)",
        evidence: Evidence::Measured,
        look: "Round up to what cuMemGetAllocationGranularity says.",
        source: "H200 host, driver 580.159.04",
    },
    Break {
        id: "type",
        name: "No handle type",
        what: "The memory was made without a shareable type.",
        at: [None, Some(1), Some(1)],
        error: "CUDA_ERROR_INVALID_VALUE (1)",
        evidence: Evidence::Measured,
        look: "requestedHandleTypes is fixed at creation: make the memory anew.",
        source: "H200 host, driver 580.159.04",
    },
    Break {
        id: "fd",
        name: "Descriptor refused",
        what: "B fetches the descriptor with pidfd_getfd, and its container forbids that.",
        at: [None, Some(2), None],
        error: "EPERM, operation not permitted",
        evidence: Evidence::Reported,
        look: "seccomp profile, ptrace_scope; or send it with SCM_RIGHTS.",
        source: "pytorch/pytorch, issue 165685",
    },
    Break {
        id: "hidden",
        name: "GPU 0 hidden from B",
        what: "B's container sees its own GPU only.",
        at: [None, Some(3), None],
        error: "CUDA_ERROR_INVALID_DEVICE (101)",
        evidence: Evidence::Reported,
        look: "nvidia-smi -L inside B's container must list GPU 0. Reported for a fabric handle on one host.",
        source: "NVIDIA/nccl, issue 1647",
    },
    Break {
        id: "channel",
        name: "No channel",
        what: "/dev/nvidia-caps-imex-channels has no node that A can open.",
        at: [None, None, Some(0)],
        error: "CUDA_ERROR_NOT_PERMITTED (800)",
        evidence: Evidence::Measured,
        look: "ls -l /dev/nvidia-caps-imex-channels inside A's container.",
        source: "H200 host without a channel, driver 580.159.04",
    },
    Break {
        id: "other",
        name: "Another channel",
        what: "A has channel 0 and B has channel 1.",
        at: [None, None, Some(3)],
        error: "CUDA_ERROR_NOT_PERMITTED (800)",
        evidence: Evidence::Documented,
        look: "ls -l /dev/nvidia-caps-imex-channels on both sides: one number in common. The call tells it from a missing channel, the code does not.",
        source: "CUDA Driver API, cuMemImportFromShareableHandle",
    },
    Break {
        id: "daemon",
        name: "IMEX daemon down",
        what: "The daemon of tray A does not answer.",
        at: [None, None, Some(3)],
        error: "CUDA_ERROR_INVALID_HANDLE (400)",
        evidence: Evidence::Reported,
        look: "nvidia-imex-ctl -N -H: every node READY, every pair C.",
        source: "kubernetes-sigs/dra-driver-nvidia-gpu, issue 1417",
    },
    Break {
        id: "clique",
        name: "Another clique",
        what: "The two GPUs belong to different NVLink domains.",
        at: [None, None, Some(3)],
        error: "CUDA_ERROR_INVALID_HANDLE (400)",
        evidence: Evidence::Reported,
        look: "nvidia-smi -q on both trays: cluster UUID and clique. NCCL compares them first and takes the network.",
        source: "pytorch/pytorch, pull request 178989; meta-pytorch/torchcomms, pull request 3612",
    },
    Break {
        id: "domains",
        name: "Two IMEX domains",
        what: "Two jobs run an IMEX domain each within one clique.",
        at: [None, None, Some(5)],
        error: "CUDA_ERROR_NOT_SUPPORTED (801)",
        evidence: Evidence::Reported,
        look: "Now and then only. One domain per clique, or one job.",
        source: "kubernetes-sigs/dra-driver-nvidia-gpu, issue 892",
    },
    Break {
        id: "access",
        name: "No access for GPU 1",
        what: "cuMemSetAccess did not name GPU 1.",
        at: [Some(3), Some(6), Some(6)],
        error: "CUDA_ERROR_ILLEGAL_ADDRESS (700)",
        evidence: Evidence::Documented,
        look: "Returned by the next synchronise, and the context is lost. No call before it complained.",
        source: "CUDA Driver API, error 700",
    },
];

impl Break {
    /// Step at which it shows on this path.
    pub fn step(&self, path: Path) -> Option<usize> {
        self.at[path.index()]
    }

    /// Where the fault lies in the picture.
    pub fn place(&self, path: Path) -> Place {
        match (self.id, path) {
            ("channel", _) => Place::ChannelA,
            ("other", _) => Place::ChannelB,
            ("daemon", _) => Place::ImexA,
            ("domains", _) => Place::ImexB,
            ("clique" | "access", _) => Place::Gpu1,
            _ => Place::DriverA,
        }
    }

    /// Another break that shows at the same call with the same error.
    pub fn twin(&self, path: Path) -> Option<&'static Self> {
        let at = self.step(path)?;
        BREAKS.iter().find(|b| b.id != self.id && b.step(path) == Some(at) && b.error == self.error)
    }

    /// How well the error is known, in words.
    pub fn known(&self) -> &'static str {
        match self.evidence {
            Evidence::Measured => "measured",
            Evidence::Documented => "documented",
            Evidence::Reported => "reported",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::steps::PATHS;
    use super::*;

    fn find(id: &str) -> &'static Break {
        BREAKS.iter().find(|b| b.id == id).expect("known break")
    }

    #[test]
    fn two_breaks_and_only_two_share_call_and_error() {
        let mut twins = Vec::new();
        for (path, ..) in PATHS {
            twins.extend(BREAKS.iter().filter(|b| b.twin(path).is_some()).map(|b| (path, b.id)));
        }
        assert_eq!(twins, [(Path::Trays, "daemon"), (Path::Trays, "clique")]);
    }

    #[test]
    fn each_break_shows_at_a_step_that_exists() {
        for b in &BREAKS {
            let places = PATHS.iter().filter_map(|(path, ..)| Some((path.steps().len(), b.step(*path)?)));
            let places: Vec<_> = places.collect();
            assert!(!places.is_empty(), "{}", b.id);
            assert!(places.iter().all(|(steps, at)| at < steps), "{}", b.id);
        }
    }

    #[test]
    fn errors_show_where_the_course_says() {
        let call = |id: &str| {
            let b = find(id);
            (Path::Trays.steps()[b.step(Path::Trays).expect("applies")].call, b.error)
        };
        let import = "cuMemImportFromShareableHandle";
        assert_eq!(call("channel"), ("cuMemCreate, type fabric", "CUDA_ERROR_NOT_PERMITTED (800)"));
        assert_eq!(call("other"), (import, "CUDA_ERROR_NOT_PERMITTED (800)"));
        assert_eq!(call("daemon"), (import, "CUDA_ERROR_INVALID_HANDLE (400)"));
        assert_eq!(call("domains"), ("cuMemSetAccess", "CUDA_ERROR_NOT_SUPPORTED (801)"));
        assert_eq!(call("type"), ("cuMemExportToShareableHandle", "CUDA_ERROR_INVALID_VALUE (1)"));
        assert_eq!(call("access"), ("ld.global on GPU 1", "CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
    }
}
