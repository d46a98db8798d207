//! Arm cores by implementer and part number of MIDR_EL1.

use super::cpus::cpuinfo_values;
use super::root::Root;

/// Implementer and part of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Bits 31:24 of MIDR_EL1.
    pub implementer: u8,
    /// Bits 15:4 of MIDR_EL1.
    pub part: u16,
}

/// Names of the cores that machines for AI are built of, after Arm's and the vendors' reference
/// manuals and the tables of `lscpu`.
const NAMES: &[(u8, u16, &str)] = &[
    (0x41, 0xd03, "Cortex-A53"),
    (0x41, 0xd05, "Cortex-A55"),
    (0x41, 0xd08, "Cortex-A72"),
    (0x41, 0xd0b, "Cortex-A76"),
    (0x41, 0xd0c, "Neoverse-N1"),
    (0x41, 0xd40, "Neoverse-V1"),
    (0x41, 0xd41, "Cortex-A78"),
    (0x41, 0xd42, "Cortex-A78AE"),
    (0x41, 0xd44, "Cortex-X1"),
    (0x41, 0xd46, "Cortex-A510"),
    (0x41, 0xd47, "Cortex-A710"),
    (0x41, 0xd48, "Cortex-X2"),
    (0x41, 0xd49, "Neoverse-N2"),
    (0x41, 0xd4d, "Cortex-A715"),
    (0x41, 0xd4e, "Cortex-X3"),
    (0x41, 0xd4f, "Neoverse-V2"),
    (0x41, 0xd80, "Cortex-A520"),
    (0x41, 0xd81, "Cortex-A720"),
    (0x41, 0xd82, "Cortex-X4"),
    (0x41, 0xd84, "Neoverse-V3"),
    (0x41, 0xd85, "Cortex-X925"),
    (0x41, 0xd87, "Cortex-A725"),
    (0x41, 0xd8e, "Neoverse-N3"),
    (0x4e, 0x004, "NVIDIA Carmel"),
    (0xc0, 0xac3, "Ampere-1"),
    (0xc0, 0xac4, "Ampere-1a"),
];

impl Part {
    /// The core's name, or its numbers when unknown.
    pub fn name(self) -> String {
        NAMES
            .iter()
            .find(|(implementer, part, _)| (*implementer, *part) == (self.implementer, self.part))
            .map_or_else(
                || format!("core 0x{:02x}/0x{:03x}", self.implementer, self.part),
                |n| n.2.to_owned(),
            )
    }

    fn from_midr(midr: u64) -> Self {
        Self { implementer: (midr >> 24 & 0xff) as u8, part: (midr >> 4 & 0xfff) as u16 }
    }
}

/// The part of each CPU in `online`, in that order. Absent when any of them is unknown.
pub fn parts(root: &Root, online: &[u32]) -> Option<Vec<Part>> {
    let midr = |cpu: &u32| {
        let text = root.read(&format!("sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1"))?;
        hex(&text).map(Part::from_midr)
    };
    online.iter().map(midr).collect::<Option<Vec<_>>>().or_else(|| from_cpuinfo(root, online))
}

/// `/proc/cpuinfo` lists online CPUs in order, each with its implementer and part.
fn from_cpuinfo(root: &Root, online: &[u32]) -> Option<Vec<Part>> {
    let implementers = cpuinfo_values(root, "CPU implementer");
    let parts = cpuinfo_values(root, "CPU part");
    if parts.len() != online.len() || implementers.len() != parts.len() {
        return None;
    }
    implementers
        .iter()
        .zip(&parts)
        .map(|(i, p)| Some(Part { implementer: hex(i)? as u8, part: hex(p)? as u16 }))
        .collect()
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
