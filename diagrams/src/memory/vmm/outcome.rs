//! What a call returns, why, and how we know.

/// Result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `CUDA_SUCCESS`.
    Success,
    /// `CUDA_ERROR_INVALID_VALUE`.
    InvalidValue,
    /// `CUDA_ERROR_OUT_OF_MEMORY`.
    OutOfMemory,
    /// `CUDA_ERROR_NOT_SUPPORTED`.
    NotSupported,
    /// The call does not return yet.
    Waits,
}

impl Status {
    /// Name with its number, as `cuda.h` has them.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "CUDA_SUCCESS",
            Self::InvalidValue => "CUDA_ERROR_INVALID_VALUE (1)",
            Self::OutOfMemory => "CUDA_ERROR_OUT_OF_MEMORY (2)",
            Self::NotSupported => "CUDA_ERROR_NOT_SUPPORTED (801)",
            Self::Waits => "blocks",
        }
    }
}

/// How it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Tried on the H200 host, driver 580.159.04.
    Seen,
    /// CUDA driver API reference manual; not tried.
    Manual,
}

/// Result, reason, source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the call returns.
    pub status: Status,
    /// Why, as a sentence.
    pub why: &'static str,
    /// How it is known.
    pub evidence: Evidence,
}

impl Outcome {
    /// Success that was seen.
    pub(super) const fn done(why: &'static str) -> Self {
        Self { status: Status::Success, why, evidence: Evidence::Seen }
    }

    /// Success as the manual has it.
    pub(super) const fn told(why: &'static str) -> Self {
        Self { status: Status::Success, why, evidence: Evidence::Manual }
    }

    /// An invalid value that was seen.
    pub(super) const fn refused(why: &'static str) -> Self {
        Self { status: Status::InvalidValue, why, evidence: Evidence::Seen }
    }

    /// Another error, or one that nobody tried.
    pub(super) const fn other(status: Status, why: &'static str) -> Self {
        Self { status, why, evidence: Evidence::Manual }
    }

    /// Whether the call succeeded.
    pub fn is_success(&self) -> bool {
        self.status == Status::Success
    }
}
