//! What machines can do, as measured.

/// What a machine can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// One thread's memcpy between a buffer and staging memory.
    pub memcpy_bytes_per_s: f64,
    /// Copy engine over the link, one direction.
    pub link_bytes_per_s: f64,
    /// Time the call takes to submit a copy.
    pub submit_ns: f64,
    /// Registering touched memory.
    pub register_ns_per_gib: f64,
    /// Releasing it.
    pub unregister_ns_per_gib: f64,
}

impl Machine {
    /// NVIDIA H200 on PCIe 5.0 x16 in a virtual machine: nvbandwidth 54.74 GB/s pinned; PyTorch 6.5 GB/s
    /// pageable at 256 MiB; pinned calls returned after 3.5 to 4.7 µs; cudaHostRegister of a touched GiB
    /// 71 ms, unregister 21 ms.
    pub const H200: Self = Self {
        memcpy_bytes_per_s: 6.5e9,
        link_bytes_per_s: 54.7e9,
        submit_ns: 4_000.0,
        register_ns_per_gib: 71e6,
        unregister_ns_per_gib: 21e6,
    };

    /// RTX 4090 on PCIe 4.0 x16 beside an i9-13900K (published notes): 20.2 GB/s pinned, 16.0 pageable from
    /// a performance core, pinned call back after about 3 µs. Registering was not measured there.
    pub const RTX4090: Self =
        Self { memcpy_bytes_per_s: 16.2e9, link_bytes_per_s: 20.2e9, submit_ns: 3_000.0, ..Self::H200 };
}
