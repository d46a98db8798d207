//! What lies where, and the kernel's ways to make room.

use super::nodes::{COUNT, Distances, Mode, NODES, PerNode, is_grace};
use super::step::What;

/// Memory of one process, or one file in the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// How it was obtained.
    pub what: What,
    /// Number of the step that made it.
    pub step: usize,
    /// Megabytes on each node.
    pub at: PerNode,
    /// Megabytes in swap.
    pub swap_mb: u32,
    /// The GPUs that its process has opened, one bit for each node.
    pub opened: u8,
}

impl Buffer {
    /// All of it, swapped pages included.
    pub fn total_mb(&self) -> u32 {
        self.at.iter().sum::<u32>() + self.swap_mb
    }
}

/// A tray: its setting and all buffers, oldest first. What the system itself uses is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tray {
    /// Who manages HBM.
    pub mode: Mode,
    /// What the firmware says.
    pub distances: Distances,
    /// Size of the swap device in megabytes.
    pub swap_mb: u32,
    /// What is alive.
    pub buffers: Vec<Buffer>,
}

impl Tray {
    /// Megabytes of one kind on a node.
    pub fn held(&self, node: usize, what: What) -> u32 {
        self.buffers.iter().filter(|b| b.what == what).map(|b| b.at[node]).sum()
    }

    /// Megabytes in use on a node.
    pub fn used(&self, node: usize) -> u32 {
        self.buffers.iter().map(|b| b.at[node]).sum()
    }

    /// Free megabytes of a node.
    pub fn free(&self, node: usize) -> u32 {
        NODES[node].mb - self.used(node)
    }

    /// Whether the kernel manages this node.
    pub fn is_kernels(&self, node: usize) -> bool {
        self.mode == Mode::Numa || is_grace(node)
    }

    /// What an allocation may take without more ado: free memory above the low watermark. The driver keeps
    /// no watermark in its own memory.
    pub fn room(&self, node: usize) -> u32 {
        let low_mb = if self.is_kernels(node) { NODES[node].low_mb } else { 0 };
        self.free(node).saturating_sub(low_mb)
    }

    /// Swap in use.
    pub fn swapped(&self) -> u32 {
        self.buffers.iter().map(|b| b.swap_mb).sum()
    }

    /// Takes pages off a node, from the oldest buffer of this kind first. Anonymous pages go to swap as far
    /// as it has room, clean file pages just go. Returns what was won.
    pub fn evict(&mut self, node: usize, what: What, wanted_mb: u32) -> u32 {
        let to_swap = what == What::Malloc;
        let limit = if to_swap { self.swap_mb - self.swapped() } else { u32::MAX };
        let mut left = wanted_mb.min(limit);
        let asked = left;
        for buffer in self.buffers.iter_mut().filter(|b| b.what == what) {
            let gone = buffer.at[node].min(left);
            buffer.at[node] -= gone;
            buffer.swap_mb += if to_swap { gone } else { 0 };
            left -= gone;
        }
        self.forget_empty();
        asked - left
    }

    /// Allocates along a list of nodes, as the kernel does: all free memory first, node by node; then clean
    /// file pages give way; then, if asked for, anonymous pages go to swap.
    pub fn take(&mut self, nodes: &[usize], wanted_mb: u32, how: Effort) -> Taken {
        let mut taken = Taken { left_mb: wanted_mb, ..Taken::default() };
        for &node in nodes {
            taken.add(node, self.room(node));
        }
        // Room is counted from buffers, and these pages are in none yet: only what is evicted from here on
        // is added.
        for (what, least) in [(What::File, Effort::DropCache), (What::Malloc, Effort::Swap)] {
            for &node in nodes {
                if how >= least {
                    let won = self.evict(node, what, taken.left_mb);
                    taken.add(node, won);
                    taken.evicted_mb[usize::from(what == What::Malloc)] += won;
                }
            }
        }
        taken
    }

    /// Drops buffers that hold nothing any more.
    pub fn forget_empty(&mut self) {
        self.buffers.retain(|b| b.total_mb() > 0);
    }
}

/// How far the kernel goes to make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Free memory only.
    Free,
    /// Clean file pages are dropped.
    DropCache,
    /// Anonymous pages are swapped out, too.
    Swap,
}

/// What an allocation got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Megabytes on each node.
    pub at: PerNode,
    /// What could not be had.
    pub left_mb: u32,
    /// File pages dropped and anonymous pages swapped out for it.
    pub evicted_mb: [u32; 2],
}

impl Taken {
    fn add(&mut self, node: usize, available_mb: u32) {
        let part = available_mb.min(self.left_mb);
        self.at[node] += part;
        self.left_mb -= part;
    }
}

/// Nodes of a list that have CPUs: where pages that must not move may lie.
pub fn graces_of(list: &[usize; COUNT]) -> [usize; 2] {
    if list.iter().position(|&n| n == 0) < list.iter().position(|&n| n == 1) { [0, 1] } else { [1, 0] }
}
