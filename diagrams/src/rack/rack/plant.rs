//! What a GB200 NVL72 consists of (NVIDIA's product page; links per switch tray computed from it).

/// Compute trays, each a host with a kernel of its own.
pub const TRAYS: u8 = 18;
/// GPUs of a tray.
pub const TRAY_GPUS: u8 = 4;
/// GPUs of the rack.
pub const GPUS: u8 = TRAYS * TRAY_GPUS;
/// Switch trays, each with two switch chips.
pub const SWITCHES: u8 = 9;
/// NVLinks of a GPU: one to each switch chip.
pub const LINKS: u8 = 18;
/// NVLinks between a GPU and one switch tray.
pub const SWITCH_LINKS: u8 = 2;
/// One NVLink of generation 5, one direction.
pub const LINK_GB_PER_S: f64 = 50.0;
/// Trays of the job that leaves spares: 64 ranks.
pub const JOB_TRAYS: u8 = 16;
/// Compute trays above the switch trays; the other eight are below (recalled).
pub const ABOVE: u8 = 10;

/// Tray of a GPU.
pub fn tray_of(gpu: u8) -> u8 {
    gpu / TRAY_GPUS
}
