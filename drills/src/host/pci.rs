//! PCI devices and the bridges above them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use drills_results::topology::{DeviceClass, Link, PciDevice};

use super::root::Root;
use super::{lists, names};

const DEVICES: &str = "sys/bus/pci/devices";

/// Address of a PCI function. Domains have up to 32 bits: NVML writes eight digits, sysfs at least
/// four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// Domain (segment).
    pub domain: u32,
    /// Bus.
    pub bus: u8,
    /// Device.
    pub device: u8,
    /// Function.
    pub function: u8,
}

impl Address {
    /// Reads `0000:17:00.0`, with any number of digits in the domain.
    pub fn parse(text: &str) -> Option<Self> {
        let (domain, rest) = text.trim().split_once(':')?;
        let (bus, rest) = rest.split_once(':')?;
        let (device, function) = rest.split_once('.')?;
        Some(Self {
            domain: u32::from_str_radix(domain, 16).ok()?,
            bus: u8::from_str_radix(bus, 16).ok()?,
            device: u8::from_str_radix(device, 16).ok()?,
            function: u8::from_str_radix(function, 16).ok()?,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { domain, bus, device, function } = self;
        write!(f, "{domain:04x}:{bus:02x}:{device:02x}.{function:x}")
    }
}

/// GPUs, NICs, storage, NVSwitches and the bridges above them, by address. Virtual functions are left
/// out where their physical function is visible.
pub fn read(root: &Root) -> Vec<PciDevice> {
    let mut found: BTreeMap<Address, PciDevice> = BTreeMap::new();
    let mut above: BTreeSet<Address> = BTreeSet::new();
    for entry in root.list(DEVICES) {
        let Some(address) = Address::parse(&entry) else { continue };
        let dir = format!("{DEVICES}/{entry}");
        if root.exists(&format!("{dir}/physfn")) {
            continue;
        }
        let Some(class) = class(root, &dir) else { continue };
        if class != DeviceClass::Bridge {
            let device = device(root, &dir, address, class);
            above.extend(device.parents.iter().filter_map(|parent| Address::parse(parent)));
            found.insert(address, device);
        }
    }
    for address in above {
        let dir = format!("{DEVICES}/{address}");
        found.entry(address).or_insert_with(|| device(root, &dir, address, DeviceClass::Bridge));
    }
    found.into_values().collect()
}

/// Bytes per second that a link carries in one direction after its line code, before packet headers.
pub fn link_bytes_per_s(gt_per_s: f64, width: u32) -> f64 {
    // 8b/10b up to 5 GT/s, 128b/130b up to 32, 242/256 flits from 64 on.
    let efficiency = match gt_per_s {
        speed if speed <= 5.0 => 0.8,
        speed if speed <= 32.0 => 128.0 / 130.0,
        _ => 242.0 / 256.0,
    };
    gt_per_s * 1e9 * f64::from(width) * efficiency / 8.0
}

fn device(root: &Root, dir: &str, address: Address, class: DeviceClass) -> PciDevice {
    let id = id(root, dir);
    let coherent = class == DeviceClass::Gpu && names::coherent(root, &address.to_string(), &id);
    let interfaces = names::interfaces(root, dir);
    PciDevice {
        address: address.to_string(),
        class,
        name: names::device(root, dir, &address.to_string(), class, &id),
        port_gbit_per_s: if class == DeviceClass::Nic { names::port_gbit_per_s(root, dir) } else { None },
        interfaces,
        id,
        parents: parents(root, dir, address),
        numa_node: root.number(&format!("{dir}/numa_node")),
        local_cpus: root
            .read(&format!("{dir}/local_cpulist"))
            .map_or_else(String::new, |list| lists::format(&lists::parse(&list))),
        link: if coherent { None } else { link(root, dir) },
        coherent,
        unknown: Default::default(),
    }
}

fn hex(root: &Root, path: &str) -> Option<u32> {
    u32::from_str_radix(root.read(path)?.trim_start_matches("0x"), 16).ok()
}

fn id(root: &Root, dir: &str) -> String {
    let part = |file: &str| hex(root, &format!("{dir}/{file}")).unwrap_or(0) & 0xffff;
    format!("{:04x}:{:04x}", part("vendor"), part("device"))
}

/// What the base class and the vendor say; absent for everything that the course does not talk about.
fn class(root: &Root, dir: &str) -> Option<DeviceClass> {
    const NVIDIA: u32 = 0x10de;
    const GPU_VENDORS: [u32; 3] = [NVIDIA, 0x1002, 0x8086];
    let code = hex(root, &format!("{dir}/class"))?;
    let vendor = hex(root, &format!("{dir}/vendor")).unwrap_or(0);
    match (code >> 16, code >> 8) {
        // A server's management controller has a display too: it is no GPU.
        (0x03, _) if GPU_VENDORS.contains(&vendor) => Some(DeviceClass::Gpu),
        // Processing accelerators.
        (0x12, _) => Some(DeviceClass::Gpu),
        (0x02, _) => Some(DeviceClass::Nic),
        (0x01, _) => Some(DeviceClass::Storage),
        (_, 0x0680) if vendor == NVIDIA => Some(DeviceClass::NvSwitch),
        (_, 0x0604) => Some(DeviceClass::Bridge),
        _ => None,
    }
}

/// Bridges above a device, nearest first. The device tree is the path that sysfs links resolve to:
/// `pci0000:15/0000:15:01.0/0000:16:00.0/…`. Below a second `pci…` (Intel VMD) a new tree begins.
fn parents(root: &Root, dir: &str, own: Address) -> Vec<String> {
    let Some(path) = root.real_path(dir) else { return Vec::new() };
    let mut chain: Vec<Address> = Vec::new();
    for name in path.iter().filter_map(|part| part.to_str()) {
        if name.starts_with("pci") {
            chain.clear();
        } else if let Some(address) = Address::parse(name) {
            chain.push(address);
        }
    }
    chain.iter().rev().filter(|&&address| address != own).map(Address::to_string).collect()
}

/// The link towards the parent. Absent unless all four values make sense: virtual devices say
/// "Unknown", and a width of 63 or 255 means that the register is not there.
fn link(root: &Root, dir: &str) -> Option<Link> {
    let speed = |file: &str| -> Option<f64> {
        let text = root.read(&format!("{dir}/{file}"))?;
        text.split_whitespace().next()?.parse().ok().filter(|&gt: &f64| gt > 0.0 && gt.is_finite())
    };
    let width = |file: &str| root.number(&format!("{dir}/{file}")).filter(|lanes| (1..=32).contains(lanes));
    Some(Link {
        gt_per_s: speed("current_link_speed")?,
        width: width("current_link_width")?,
        max_gt_per_s: speed("max_link_speed")?,
        max_width: width("max_link_width")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_domains_of_any_width() {
        let short = Address::parse("0000:17:00.0");
        assert_eq!(short, Address::parse("00000000:17:00.0"));
        assert_eq!(short.map(|a| a.to_string()).as_deref(), Some("0000:17:00.0"));
        assert_eq!(Address::parse("10000:E0:06.0").map(|a| a.to_string()).as_deref(), Some("10000:e0:06.0"));
        assert_eq!(Address::parse("pci0000:00"), None);
        assert_eq!(Address::parse("0000:17"), None);
    }

    #[test]
    fn links_carry_what_their_line_code_leaves() {
        assert_eq!((link_bytes_per_s(32.0, 16) / 1e9).round(), 63.0);
        assert_eq!((link_bytes_per_s(16.0, 16) / 1e8).round(), 315.0);
        assert_eq!((link_bytes_per_s(2.5, 1) / 1e7).round(), 25.0);
    }
}
