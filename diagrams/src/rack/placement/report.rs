//! What the tools on the tray say about a state.

use super::nodes::{COUNT, Mode, NODES, fallback, is_grace};
use super::step::What;
use super::tray::Tray;

/// The `Mem:` line of `free`, in megabytes, and what is swapped out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FreeLine {
    /// Memory that the kernel manages: with HBM in NUMA mode.
    pub total: u32,
    /// In use, page cache not counted.
    pub used: u32,
    /// Page cache.
    pub cache: u32,
    /// Neither.
    pub free: u32,
}

/// What `free` prints.
pub fn free_line(tray: &Tray) -> FreeLine {
    let mut line = FreeLine::default();
    for node in (0..COUNT).filter(|&n| tray.is_kernels(n)) {
        let cache = tray.held(node, What::File);
        line.total += NODES[node].mb;
        line.cache += cache;
        line.used += tray.used(node) - cache;
        line.free += tray.free(node);
    }
    line
}

/// What `nvidia-smi` prints for the GPU behind a node: memory in use, and how many processes it lists,
/// which are those that have opened the GPU. In NUMA mode the driver asks the kernel how much of the node is free
/// (`os_get_numa_node_memory_usage` in the open module), so pages of anybody count as used; that
/// `nvidia-smi` passes this number on was not seen on a tray.
pub fn smi(tray: &Tray, node: usize) -> (u32, usize) {
    let listed = tray.buffers.iter().filter(|b| b.opened >> node & 1 == 1).count();
    (tray.used(node), listed)
}

/// Largest `cudaMalloc` that would work on the GPU behind a node now.
pub fn largest_cuda(tray: &Tray, node: usize) -> u32 {
    let evictable = match tray.mode {
        Mode::Numa => {
            let swap = (tray.swap_mb - tray.swapped()).min(tray.held(node, What::Malloc));
            tray.held(node, What::File) + swap
        }
        Mode::Cdmm => 0,
    };
    tray.room(node) + evictable
}

/// Node of the next page that a CPU of Grace 0 or 1 touches, if one has free memory.
pub fn next_page(tray: &Tray, grace: usize) -> Option<usize> {
    let list = fallback(grace, tray.distances);
    list.into_iter().find(|&n| tray.is_kernels(n) && tray.room(n) > 0)
}

/// Pages in HBM that the kernel put there for processes and files.
pub fn spilled(tray: &Tray) -> u32 {
    let of = |node| tray.held(node, What::Malloc) + tray.held(node, What::File);
    (0..COUNT).filter(|&n| !is_grace(n)).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Fate, apply};
    use super::super::step::Step;
    use super::*;

    fn after(mode: Mode, swap_mb: u32, codes: &str) -> Tray {
        let mut tray = Tray { mode, swap_mb, ..Tray::default() };
        for (number, code) in codes.split(',').enumerate() {
            apply(&mut tray, &Step::parse(code).expect("the test names steps"), number);
        }
        tray
    }

    #[test]
    fn linux_counts_1704_gb_in_numa_mode_and_960_in_cdmm() {
        assert_eq!(free_line(&Tray::default()).total, 1_704_000);
        assert_eq!(free_line(&Tray { mode: Mode::Cdmm, ..Tray::default() }).total, 960_000);
        let line = free_line(&after(Mode::Numa, 0, "f0:300,m1:200,c2:100"));
        assert_eq!(line, FreeLine { total: 1_704_000, used: 300_000, cache: 300_000, free: 1_104_000 });
    }

    #[test]
    fn spilled_pages_are_used_memory_that_no_listed_process_holds() {
        let tray = after(Mode::Numa, 0, "m0:1100");
        let (used, listed) = smi(&tray, 2);
        assert!(used > 140_000);
        assert_eq!(listed, 0);
        assert_eq!(spilled(&tray), used);
        assert_eq!(smi(&after(Mode::Cdmm, 0, "m0:500,c2:90"), 2), (90_000, 1));
        // Who touches from the GPU, or prefetches to it, has opened it.
        assert_eq!(smi(&after(Mode::Numa, 0, "m2:100"), 2), (100_000, 1));
        assert_eq!(smi(&after(Mode::Numa, 0, "m0:100,p2:1"), 2), (100_000, 1));
    }

    #[test]
    fn the_largest_cuda_malloc_works_and_one_more_does_not() {
        for (mode, swap, codes) in [
            (Mode::Numa, 0, "m0:1100"),
            (Mode::Numa, 256_000, "m0:1100"),
            (Mode::Numa, 0, "f0:1200"),
            (Mode::Numa, 0, "f0:1650"),
            (Mode::Cdmm, 0, "c2:100"),
        ] {
            let tray = after(mode, swap, codes);
            let most_gb = largest_cuda(&tray, 2) / 1_000;
            let fate = |gb: u32| apply(&mut tray.clone(), &Step::new(What::Cuda, 2, gb), 9).fate;
            assert_eq!(fate(most_gb), Fate::Done, "{codes}: {most_gb}");
            assert_eq!(fate(most_gb + 1), Fate::OutOfMemory, "{codes}: {most_gb}");
        }
    }

    #[test]
    fn the_next_page_follows_the_fallback_list() {
        assert_eq!(next_page(&Tray::default(), 1), Some(1));
        assert_eq!(next_page(&after(Mode::Numa, 0, "m0:500"), 0), Some(1));
        assert_eq!(next_page(&after(Mode::Numa, 0, "m0:1000"), 0), Some(2));
        assert_eq!(next_page(&after(Mode::Cdmm, 0, "f0:1000"), 0), None);
    }
}
