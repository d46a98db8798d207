//! The PCIe link while it works. An idle link may be trained down, so an idle reading says nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use drills_results::Unit;

use super::buffers::Kind;
use super::copies::{HEADLINE, Route, Way};
use super::{Bench, Outcome};
use crate::gpu::trouble::Trouble;
use crate::gpu::{child, nvml};
use crate::measure::clock::now_ns;
use crate::measure::noise::Watch;
use crate::measure::{methods, result, stats};

/// Time that copies run, in nanoseconds.
const TIME_NS: u64 = 400_000_000;
const BETWEEN_READINGS: Duration = Duration::from_millis(10);

/// Speed in GT/s and lanes of each hop, reading by reading. The hop's name is a PCI address.
type Readings = BTreeMap<String, Vec<(f64, u32)>>;

/// Copies both ways while a second thread reads the state of each hop up to the root.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    if bench.is(Attribute::CU_DEVICE_ATTRIBUTE_INTEGRATED)
        || bench.is(Attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES)
    {
        let text = "The GPU is attached coherently (C2C or integrated); its PCIe link carries no copies.";
        return Err(Trouble::Meaningless(text.into()));
    }
    let size = bench.size(HEADLINE)?;
    let route = Route::new(bench, Kind::Pinned, Way::ToDevice, size)?;
    let watch = Watch::start();
    let readings = read_while(&bench.address, || {
        let start = now_ns();
        while now_ns() - start < TIME_NS {
            route.queue(&bench.stream, size)?;
            bench.idle()?;
        }
        Ok(())
    })?;
    let Some((hop, samples)) = narrowest(&readings) else {
        return Err(Trouble::Meaningless("Neither NVML nor sysfs tells the state of the link.".into()));
    };
    let (speeds, widths): (Vec<f64>, Vec<f64>) =
        samples.iter().map(|(speed, width)| (*speed, f64::from(*width))).unzip();
    let of =
        [("copy.link.speed_busy", Unit::GtPerS, &speeds), ("copy.link.width_busy", Unit::Count, &widths)];
    for (key, unit, samples) in of {
        if let Some(m) = result::of_samples(key, unit, methods::LINK_SAMPLED, samples) {
            let m = m.param("narrowest_hop", hop).param("hops_read", readings.len() as u64);
            child::measured(watch.judge(bench.label(m)));
        }
    }
    Ok(())
}

fn read_while(address: &str, work: impl FnOnce() -> Outcome<()>) -> Outcome<Readings> {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| read_until(address, &done));
        let result = work();
        done.store(true, Ordering::Relaxed);
        let readings = reader.join().unwrap_or_default();
        result.map(|()| readings)
    })
}

fn read_until(address: &str, done: &AtomicBool) -> Readings {
    let bridges = bridges_above(address);
    let nvml = nvml::open().ok();
    let device = nvml.as_ref().and_then(|nvml| nvml.device_by_pci_bus_id(address).ok());
    let own = Path::new("/sys/bus/pci/devices").join(address);
    let mut readings = Readings::new();
    while !done.load(Ordering::Relaxed) {
        let now = device.as_ref().and_then(nvml::link_now).or_else(|| sysfs_link(&own));
        if let Some(now) = now {
            readings.entry(address.to_owned()).or_default().push(now);
        }
        for (name, folder) in &bridges {
            if let Some(now) = sysfs_link(folder) {
                readings.entry(name.clone()).or_default().push(now);
            }
        }
        std::thread::sleep(BETWEEN_READINGS);
    }
    readings
}

/// The bridges between the device and the root, by the folders that enclose it.
fn bridges_above(address: &str) -> Vec<(String, PathBuf)> {
    let Ok(folder) = std::fs::canonicalize(Path::new("/sys/bus/pci/devices").join(address)) else {
        return Vec::new();
    };
    let above = folder.ancestors().skip(1).map_while(|folder| {
        let name = folder.file_name()?.to_str()?;
        // Addresses have two colons; the root complex above them is called "pci0000:00".
        (name.matches(':').count() == 2).then(|| (name.to_owned(), folder.to_owned()))
    });
    above.collect()
}

/// "32.0 GT/s PCIe" and "16".
fn sysfs_link(folder: &Path) -> Option<(f64, u32)> {
    let read = |name| std::fs::read_to_string(folder.join(name)).ok();
    let speed = read("current_link_speed")?.split_whitespace().next()?.parse().ok()?;
    let width = read("current_link_width")?.trim().parse().ok()?;
    // Virtual bridges say 0 lanes or "Unknown".
    (width > 0).then_some((speed, width))
}

/// The hop whose median bandwidth is least.
fn narrowest(readings: &Readings) -> Option<(&str, &[(f64, u32)])> {
    let bandwidth = |samples: &[(f64, u32)]| {
        stats::median(&samples.iter().map(|(speed, width)| speed * f64::from(*width)).collect::<Vec<_>>())
    };
    readings
        .iter()
        .filter_map(|(hop, samples)| Some((bandwidth(samples)?, hop, samples)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, hop, samples)| (hop.as_str(), samples.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_hop_counts_by_speed_times_width() {
        let readings = Readings::from([
            ("0000:01:00.0".to_owned(), vec![(32.0, 16), (32.0, 16)]),
            ("0000:00:01.0".to_owned(), vec![(16.0, 16)]),
            ("0000:00:02.0".to_owned(), vec![(32.0, 16)]),
        ]);
        assert_eq!(narrowest(&readings).map(|(hop, _)| hop), Some("0000:00:01.0"));
        assert_eq!(narrowest(&Readings::new()), None);
    }
}
