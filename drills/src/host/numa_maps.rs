//! Which processes have pages on some NUMA nodes.

use std::collections::BTreeMap;

use super::root::{Root, one_line};

/// Bytes on `nodes` by name of the program, largest first, of the processes whose maps may be read. Stops
/// early when `enough` says so: the kernel walks page tables for each process.
pub fn on_nodes(root: &Root, nodes: &[u32], enough: impl Fn() -> bool) -> Vec<(String, u64)> {
    let own = std::process::id().to_string();
    let is_other = |name: &String| name.bytes().all(|b| b.is_ascii_digit()) && *name != own;
    let mut found = BTreeMap::<String, u64>::new();
    for pid in root.list("proc").into_iter().filter(is_other) {
        if enough() {
            break;
        }
        let bytes = bytes_on(&root.read(&format!("proc/{pid}/numa_maps")).unwrap_or_default(), nodes);
        if bytes > 0 {
            let name = root.read(&format!("proc/{pid}/comm")).map(|name| one_line(&name));
            *found.entry(name.unwrap_or_else(|| "unnamed".to_owned())).or_default() += bytes;
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    found
}

/// `7f12 default anon=3 N0=1 N2=2 kernelpagesize_kB=64`: pages by node, of a size that ends the line.
fn bytes_on(maps: &str, nodes: &[u32]) -> u64 {
    let of_line = |line: &str| -> Option<u64> {
        let kib: u64 =
            line.split_whitespace().find_map(|w| w.strip_prefix("kernelpagesize_kB="))?.parse().ok()?;
        let pages = line.split_whitespace().filter_map(|word| {
            let (node, pages) = word.strip_prefix('N')?.split_once('=')?;
            nodes.contains(&node.parse().ok()?).then_some(pages.parse::<u64>().ok()?)
        });
        pages.fold(0u64, u64::saturating_add).checked_mul(kib)?.checked_mul(1024)
    };
    maps.lines().filter_map(of_line).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_count_by_node_and_size() {
        let maps = "7f00 default anon=3 dirty=3 N0=1 N2=2 kernelpagesize_kB=64\n\
                    7f10 bind:2 huge anon=1 N2=1 kernelpagesize_kB=2048\n\
                    7f20 default file=/usr/lib/N2=9.so mapped=4 N0=4 kernelpagesize_kB=64\n\
                    7f30 default\n\
                    7f40 default N2=99999999999999999999 N2=1 kernelpagesize_kB=4";
        assert_eq!(bytes_on(maps, &[2]), (2 * 64 + 2048 + 4) * 1024);
        assert_eq!(bytes_on(maps, &[2, 10]), bytes_on(maps, &[2]));
        assert_eq!(bytes_on("", &[2]), 0);
    }
}
