//! Caches and which CPUs share each of them.

use std::collections::{BTreeMap, BTreeSet};

use drills_results::topology::Cache;

use super::lists;
use super::root::Root;

/// Level, kind, size, line: what makes two caches equal.
type Shape = (u32, String, u64, Option<u64>);

/// Caches of the online CPUs, lowest level first, equal ones together.
pub fn read(root: &Root, online: &[u32]) -> Vec<Cache> {
    let mut instances: BTreeMap<Shape, BTreeSet<Vec<u32>>> = BTreeMap::new();
    for &cpu in online {
        let base = format!("sys/devices/system/cpu/cpu{cpu}/cache");
        for index in root.list(&base).iter().filter(|name| name.starts_with("index")) {
            if let Some((shape, shared)) = one(root, &format!("{base}/{index}"), cpu, online) {
                instances.entry(shape).or_default().insert(shared);
            }
        }
    }
    instances
        .into_iter()
        .map(|((level, kind, bytes, line_bytes), shared)| Cache {
            level,
            kind,
            bytes,
            line_bytes,
            shared_by: shared.iter().map(|cpus| lists::format(cpus)).collect(),
        })
        .collect()
}

fn one(root: &Root, dir: &str, cpu: u32, online: &[u32]) -> Option<(Shape, Vec<u32>)> {
    let level = root.number(&format!("{dir}/level"))?;
    let kind = root.read(&format!("{dir}/type")).map_or_else(|| "unified".into(), |t| t.to_lowercase());
    // Firmware of some Arm machines leaves the size out: the cache is there, its size unknown.
    let bytes = root.read(&format!("{dir}/size")).and_then(|text| size(&text)).unwrap_or(0);
    let line = root.number(&format!("{dir}/coherency_line_size")).filter(|&bytes: &u64| bytes > 0);
    let shared = root.read(&format!("{dir}/shared_cpu_list")).map(|list| lists::parse(&list));
    let shared = shared.map(|cpus| lists::within(&cpus, online)).filter(|cpus| !cpus.is_empty());
    Some(((level, kind, bytes, line), shared.unwrap_or_else(|| vec![cpu])))
}

/// `48K`, `1M`, `512`: sizes as the kernel writes them.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].chars().next() {
        None => 1,
        Some('K' | 'k') => 1 << 10,
        Some('M' | 'm') => 1 << 20,
        Some('G' | 'g') => 1 << 30,
        Some(_) => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_kernels_suffixes() {
        assert_eq!(size("48K"), Some(49_152));
        assert_eq!(size("1M"), Some(1 << 20));
        assert_eq!(size("512"), Some(512));
        assert_eq!(size("12Q"), None);
        assert_eq!(size(""), None);
        assert_eq!(size("99999999999999999999K"), None);
    }
}
