//! NVML: the list of GPUs and their links. Runs in the child only.

use std::collections::BTreeMap;

use drills_results::topology::Link;
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::struct_wrappers::device::PciInfo;
use nvml_wrapper::{Device, Nvml};

use crate::gpu::protocol::{GpuInfo, NvLinkPeer};
use crate::gpu::trouble::Trouble;

/// Where containers and distributions put the driver's libraries when the loader does not find them.
pub(super) const OTHER_FOLDERS: [&str; 4] = [
    "/usr/local/nvidia/lib64",
    "/usr/lib/wsl/lib",
    "/usr/lib/aarch64-linux-gnu/nvidia",
    "/run/opengl-driver/lib",
];
pub(super) const LIBRARY: &str = "libnvidia-ml.so.1";
/// NVLink ports that any GPU has so far; asking for a higher one is an error, which ends the list.
const MOST_NVLINKS: u32 = 36;

/// Opens NVML.
pub(super) fn open() -> Result<Nvml, Trouble> {
    let mut result = Nvml::init();
    for folder in OTHER_FOLDERS {
        if !matches!(result, Err(NvmlError::LibloadingError(_))) {
            break;
        }
        let path = format!("{folder}/{LIBRARY}");
        result = Nvml::builder().lib_path(path.as_ref()).init();
    }
    result.map_err(|error| match error {
        NvmlError::LibloadingError(_) => Trouble::NoDriver { library: LIBRARY.into() },
        NvmlError::DriverNotLoaded => Trouble::NoDriver { library: "the kernel module nvidia".into() },
        NvmlError::LibRmVersionMismatch => Trouble::Call { call: "nvmlInit".into(), code: 18 },
        NvmlError::FailedToLoadSymbol(name) => Trouble::MissingSymbol { name },
        NvmlError::UnexpectedVariant(code) => Trouble::Call { call: "nvmlInit".into(), code: code as i32 },
        other => Trouble::Nvml(other.to_string()),
    })
}

/// All GPUs. One that fails to answer keeps its place with what it did answer.
pub(super) fn inventory() -> Result<Vec<GpuInfo>, Trouble> {
    let nvml = open()?;
    let count = nvml.device_count().map_err(|error| Trouble::Nvml(error.to_string()))?;
    let driver = nvml.sys_driver_version().ok();
    let mut gpus: Vec<_> = (0..count)
        .filter_map(|index| Some((index, nvml.device_by_index(index).ok()?)))
        .filter_map(|(index, device)| info(index, &device, driver.clone()))
        .collect();
    mark_switches(&mut gpus);
    if gpus.is_empty() { Err(Trouble::NoDevice) } else { Ok(gpus) }
}

/// What an NVLink leads to is a switch unless it is one of the GPUs. (The driver's own answer cannot be
/// had: nvml-wrapper 0.13 hands a temporary to it and returns "unknown" always.)
fn mark_switches(gpus: &mut [GpuInfo]) {
    let addresses: Vec<_> = gpus.iter().map(|gpu| gpu.address.clone()).collect();
    for peer in gpus.iter_mut().flat_map(|gpu| &mut gpu.nvlinks) {
        peer.is_switch = !peer.address.as_ref().is_some_and(|address| addresses.contains(address));
    }
}

fn info(index: u32, device: &Device<'_>, driver_version: Option<String>) -> Option<GpuInfo> {
    Some(GpuInfo {
        index,
        name: device.name().unwrap_or_else(|_| "NVIDIA GPU".into()),
        address: address_of(&device.pci_info().ok()?),
        uuid: device.uuid().ok(),
        driver_version,
        link: link(device),
        memory_bytes: device.memory_info().ok().map(|memory| memory.total),
        nvlinks: nvlinks(device),
        mig: device.mig_mode().ok().map(|mode| mode.current != 0),
    })
}

fn link(device: &Device<'_>) -> Option<Link> {
    let (gt_per_s, width) = link_now(device)?;
    Some(Link {
        gt_per_s,
        width,
        max_gt_per_s: device.max_pcie_link_gen().ok().and_then(gt_per_s_of)?,
        max_width: device.max_pcie_link_width().ok()?,
    })
}

/// Speed in GT/s and width now.
pub(super) fn link_now(device: &Device<'_>) -> Option<(f64, u32)> {
    Some((device.current_pcie_link_gen().ok().and_then(gt_per_s_of)?, device.current_pcie_link_width().ok()?))
}

/// Transfers per second and lane of a PCIe generation.
fn gt_per_s_of(generation: u32) -> Option<f64> {
    [2.5, 5.0, 8.0, 16.0, 32.0, 64.0, 128.0].get(generation.checked_sub(1)? as usize).copied()
}

fn nvlinks(device: &Device<'_>) -> Vec<NvLinkPeer> {
    let mut peers = BTreeMap::<Option<String>, u32>::new();
    for port in 0..MOST_NVLINKS {
        let link = device.link_wrapper_for(port);
        match link.is_active() {
            Ok(true) => {
                let address = link.remote_pci_info().ok().map(|pci| address_of(&pci));
                *peers.entry(address).or_default() += 1;
            }
            Ok(false) => {}
            Err(_) => break,
        }
    }
    // Which peers are switches shows once all GPUs are known.
    peers.into_iter().map(|(address, links)| NvLinkPeer { address, is_switch: false, links }).collect()
}

/// The address as sysfs writes it, whatever NVML pads it to.
fn address_of(pci: &PciInfo) -> String {
    let function = pci.bus_id.rsplit('.').next().and_then(|text| text.trim().parse().ok()).unwrap_or(0u8);
    format!("{:04x}:{:02x}:{:02x}.{function:x}", pci.domain, pci.bus, pci.device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_have_their_speed() {
        assert_eq!(gt_per_s_of(1), Some(2.5));
        assert_eq!(gt_per_s_of(5), Some(32.0));
        assert_eq!(gt_per_s_of(0), None);
        assert_eq!(gt_per_s_of(99), None);
    }

    #[test]
    fn addresses_are_those_of_sysfs() {
        let pci = |domain, bus_id: &str| PciInfo {
            bus: 0x17,
            bus_id: bus_id.into(),
            device: 0,
            domain,
            pci_device_id: 0,
            pci_sub_system_id: None,
        };
        assert_eq!(address_of(&pci(0, "00000000:17:00.0")), "0000:17:00.0");
        assert_eq!(address_of(&pci(0xf, "0000000F:17:00.0")), "000f:17:00.0");
        assert_eq!(address_of(&pci(0x10000, "00010000:17:00.0")), "10000:17:00.0");
    }
}
