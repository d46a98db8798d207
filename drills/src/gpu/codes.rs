//! Words for the driver's status codes.

/// Names of CUresult values that users meet; everything else is "unknown to this program".
pub(super) fn name_of(code: i32) -> &'static str {
    match code {
        1 => "invalid value",
        2 => "out of memory",
        3 => "not initialised",
        46 => "device unavailable",
        101 => "invalid device",
        201 => "invalid context",
        209 => "no binary for this GPU",
        214 => "ECC error",
        218 => "invalid PTX",
        221 => "JIT compiler not found",
        222 => "PTX newer than the driver",
        223 => "JIT compilation disabled",
        304 => "operating system error",
        700 => "illegal address",
        702 => "launch timed out",
        712 => "host memory already registered",
        719 => "launch failed",
        800 => "not permitted",
        801 => "not supported",
        802 => "system not ready",
        803 => "driver and library do not match",
        999 => "unknown error",
        _ => "a code unknown to this program",
    }
}
