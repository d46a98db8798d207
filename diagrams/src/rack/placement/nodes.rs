//! The memory of one GB200 tray, node by node, and the order in which the kernel tries the nodes.

/// Memory nodes of a tray: two Graces, four GPUs.
pub const COUNT: usize = 6;

/// Megabytes per node. Everything here counts in decimal megabytes.
pub type PerNode = [u32; COUNT];

/// One NUMA node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name in the picture.
    pub name: &'static str,
    /// Number that Linux gives it. Those of the GPUs have been seen on GB200 trays in NUMA mode
    /// (vllm-project/vllm, pull request 39361); the ones between are kept for MIG instances.
    pub id: u32,
    /// Capacity: 480 GB of LPDDR5X for each Grace, 186 GB of HBM3e for each GPU (NVIDIA).
    pub mb: u32,
    /// Low watermark in NUMA mode: memory that an allocation leaves alone while any node of its list has
    /// more. By the kernel's formula (`__setup_per_zone_wmarks`, `watermark_scale_factor` 10, huge pages of
    /// 512 MiB off): min + 0.1 % of the node, with min = 63 MB on a Grace and 8 MB in a movable zone.
    pub low_mb: u32,
}

const fn node(name: &'static str, id: u32, mb: u32, low_mb: u32) -> Node {
    Node { name, id, mb, low_mb }
}

/// The nodes, Graces first.
pub const NODES: [Node; COUNT] = [
    node("Grace 0", 0, 480_000, 543),
    node("Grace 1", 1, 480_000, 543),
    node("GPU 0", 2, 186_000, 194),
    node("GPU 1", 10, 186_000, 194),
    node("GPU 2", 18, 186_000, 194),
    node("GPU 3", 26, 186_000, 194),
];

/// Whether a node has CPUs: the two Graces.
pub const fn is_grace(node: usize) -> bool {
    node < 2
}

/// The Grace on the same superchip.
pub const fn grace_of(node: usize) -> usize {
    if is_grace(node) { node } else { (node - 2) / 2 }
}

/// Who manages HBM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The kernel: each GPU is a node.
    #[default]
    Numa,
    /// The driver: the kernel sees LPDDR only.
    Cdmm,
}

/// What the firmware says about distances. Not found in public for a GB200 tray, hence a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distances {
    /// The other Grace is nearer than any GPU: 40 against 80 and 120 (assumed).
    #[default]
    GraceNearer,
    /// No table: the kernel takes 20 for all (`REMOTE_DISTANCE`).
    AllEqual,
}

fn distance(distances: Distances, from: usize, to: usize) -> u32 {
    if distances == Distances::AllEqual {
        return 20;
    }
    let far = if grace_of(from) == grace_of(to) { 0 } else { 40 };
    match (is_grace(from), is_grace(to)) {
        (true, true) => far,
        (false, false) => 160 + far,
        _ => 80 + far,
    }
}

/// The fallback list of a node: itself, then the others by distance, where a node with CPUs counts one
/// more, and so does a node of a lower number (`find_next_best_node` in `mm/page_alloc.c`). The kernel's
/// further rotation among equals is left out.
pub fn fallback(from: usize, distances: Distances) -> [usize; COUNT] {
    let mut list = [0, 1, 2, 3, 4, 5];
    let cost = |n: usize| match n == from {
        true => 0,
        false => distance(distances, from, n) + u32::from(n < from) + u32::from(is_grace(n)),
    };
    // Six nodes: not worth a sorting routine in the browser's download.
    for end in 1..COUNT {
        for i in (0..end).rev() {
            if cost(list[i + 1]) < cost(list[i]) {
                list.swap(i, i + 1);
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tray_adds_up() {
        let sum =
            |grace: bool| (0..COUNT).filter(|&n| is_grace(n) == grace).map(|n| NODES[n].mb).sum::<u32>();
        assert_eq!(sum(true), 960_000);
        assert_eq!(sum(false), 744_000);
    }

    #[test]
    fn watermarks_follow_the_kernels_formula() {
        // min_free_kbytes = 4 sqrt(lowmem_kbytes), shared by the nodes that are not movable.
        let lowmem_kb: f64 = 960e9 / 1024.0;
        let min_free_mb = 4.0 * lowmem_kb.sqrt() * 1024.0 / 1e6;
        let grace = min_free_mb / 2.0 + 0.001 * 480_000.0;
        assert!((grace - f64::from(NODES[0].low_mb)).abs() < 1.0, "{grace}");
        // A movable zone keeps at most 128 pages (64 KiB here) as its minimum.
        let movable = 128.0 * 65_536.0 / 1e6 + 0.001 * 186_000.0;
        assert!((movable - f64::from(NODES[2].low_mb)).abs() < 1.0, "{movable}");
    }

    #[test]
    fn nearer_nodes_come_first() {
        assert_eq!(fallback(0, Distances::GraceNearer), [0, 1, 2, 3, 4, 5]);
        assert_eq!(fallback(1, Distances::GraceNearer), [1, 0, 4, 5, 2, 3]);
        assert_eq!(fallback(4, Distances::GraceNearer), [4, 1, 0, 5, 2, 3]);
    }

    #[test]
    fn of_equal_distances_the_node_without_cpus_comes_first() {
        assert_eq!(fallback(0, Distances::AllEqual), [0, 2, 3, 4, 5, 1]);
        assert_eq!(fallback(1, Distances::AllEqual), [1, 2, 3, 4, 5, 0]);
    }
}
