//! Who decides where pages go, kind by kind and mode by mode. The rules are those of the table in the
//! course text.

use super::nodes::{Mode, PerNode, fallback, is_grace};
use super::step::{Bind, Step, What};
use super::tray::{Buffer, Effort, Taken, Tray, graces_of};

/// How a step ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// All of it lies somewhere.
    #[default]
    Done,
    /// The file was read, and memory keeps a part of it.
    PartlyKept,
    /// `cudaErrorMemoryAllocation` (2).
    OutOfMemory,
    /// `numactl`: no such memory node.
    NoNode,
    /// The OOM killer ended the process that asked.
    Killed,
    /// The OOM killer ended another process, and the one that asked got its memory.
    KilledOther,
    /// The pages stay where they are: CDMM does not migrate system memory.
    Stays,
    /// There is nothing to act on.
    Nothing,
}

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub fate: Fate,
    /// Where its pages went, or, for a prefetch or exit, how many came or went.
    pub at: PerNode,
    /// How much of it went to swap at once.
    pub swap_mb: u32,
    /// File pages dropped and anonymous pages of others swapped out for it.
    pub evicted_mb: [u32; 2],
    /// Step that made the buffer concerned: moved, ended or killed.
    pub other: usize,
}

/// Does a step. `number` is its place in the list.
pub fn apply(tray: &mut Tray, step: &Step, number: usize) -> Outcome {
    match step.what {
        What::Malloc => malloc(tray, step, number),
        What::File => read(tray, step, number),
        What::Pinned | What::Cuda | What::Managed => cuda(tray, step, number),
        What::Prefetch => prefetch(tray, step),
        What::Drop => drop_caches(tray),
        What::Exit => exit(tray),
    }
}

/// Nodes that the kernel may use for pages of a process, in order. Empty: the binding names a node that
/// has no memory for the kernel.
fn allowed(tray: &Tray, step: &Step) -> Vec<usize> {
    // First touch by a GPU puts the page on the GPU's node in NUMA mode; in CDMM on the nearest Grace.
    let from = if tray.is_kernels(step.who) { step.who } else { step.grace() };
    let list = fallback(from, tray.distances);
    let may = |n: &usize| match step.bind {
        Bind::Anywhere => tray.is_kernels(*n),
        Bind::Graces => is_grace(*n),
        Bind::Gpu => *n == step.gpu() && tray.is_kernels(*n),
    };
    list.into_iter().filter(may).collect()
}

/// Nodes that a step looks at for memory, in order.
pub fn candidates(tray: &Tray, step: &Step) -> Vec<usize> {
    let mut graces = graces_of(&fallback(step.grace(), tray.distances)).to_vec();
    match step.what {
        What::Malloc | What::File => allowed(tray, step),
        What::Cuda => vec![step.gpu()],
        What::Managed if !is_grace(step.who) => {
            graces.insert(0, step.who);
            graces
        }
        What::Pinned | What::Managed => graces,
        What::Prefetch => vec![step.who],
        What::Drop | What::Exit => Vec::new(),
    }
}

fn keep(tray: &mut Tray, step: &Step, number: usize, taken: Taken, swap_mb: u32) -> Outcome {
    let opened = step.opens().map_or(0, |node| 1 << node);
    let buffer = Buffer { what: step.what, step: number, at: taken.at, swap_mb, opened };
    tray.buffers.push(buffer);
    tray.forget_empty();
    Outcome { at: taken.at, swap_mb, evicted_mb: taken.evicted_mb, ..Outcome::default() }
}

fn refused(fate: Fate, taken: Taken) -> Outcome {
    Outcome { fate, evicted_mb: taken.evicted_mb, ..Outcome::default() }
}

/// Anonymous memory: free memory of every allowed node, then page cache, then swap, then the OOM killer,
/// which ends the process with the most memory.
fn malloc(tray: &mut Tray, step: &Step, number: usize) -> Outcome {
    let nodes = allowed(tray, step);
    if nodes.is_empty() {
        return refused(Fate::NoNode, Taken::default());
    }
    let mut killed = None;
    let mut evicted_mb = [0; 2];
    loop {
        let mut taken = tray.take(&nodes, step.gb * 1_000, Effort::Swap);
        let swap_mb = (tray.swap_mb - tray.swapped()).min(taken.left_mb);
        taken.left_mb -= swap_mb;
        evicted_mb = [evicted_mb[0] + taken.evicted_mb[0], evicted_mb[1] + taken.evicted_mb[1]];
        taken.evicted_mb = evicted_mb;
        if taken.left_mb == 0 {
            let done = keep(tray, step, number, taken, swap_mb);
            return match killed {
                Some(other) => Outcome { fate: Fate::KilledOther, other, ..done },
                None => done,
            };
        }
        let own_mb = step.gb * 1_000 - taken.left_mb;
        let Some(victim) = largest(tray, &nodes).filter(|&v| tray.buffers[v].total_mb() > own_mb) else {
            return Outcome { other: number, ..refused(Fate::Killed, taken) };
        };
        killed = Some(tray.buffers.remove(victim).step);
    }
}

/// Largest process that holds anonymous pages on one of these nodes.
fn largest(tray: &Tray, nodes: &[usize]) -> Option<usize> {
    let counts = |b: &Buffer| b.what == What::Malloc && nodes.iter().any(|&n| b.at[n] > 0);
    let candidates = (0..tray.buffers.len()).filter(|&i| counts(&tray.buffers[i]));
    candidates.max_by_key(|&i| tray.buffers[i].total_mb())
}

/// Page cache: like anonymous memory, but it never swaps anybody out and never kills. What finds no room
/// replaces older file pages.
fn read(tray: &mut Tray, step: &Step, number: usize) -> Outcome {
    let nodes = allowed(tray, step);
    if nodes.is_empty() {
        return refused(Fate::NoNode, Taken::default());
    }
    let taken = tray.take(&nodes, step.gb * 1_000, Effort::DropCache);
    let fate = if taken.left_mb > 0 { Fate::PartlyKept } else { Fate::Done };
    Outcome { fate, ..keep(tray, step, number, taken, 0) }
}

/// Memory from CUDA. HBM comes from one GPU's node and from no other; in NUMA mode out of the kernel's
/// page allocator, which reclaims for it there and does not call the OOM killer (`os_alloc_pages_node` in
/// NVIDIA's open kernel module: `__GFP_THISNODE`, `__GFP_RETRY_MAYFAIL`). Pinned and host-side managed
/// pages may not lie in a movable zone, so only the Graces serve them.
fn cuda(tray: &mut Tray, step: &Step, number: usize) -> Outcome {
    let graces = graces_of(&fallback(step.grace(), tray.distances));
    let in_hbm = step.what == What::Cuda || (step.what == What::Managed && !is_grace(step.who));
    let mut taken = Taken { left_mb: step.gb * 1_000, ..Taken::default() };
    if in_hbm {
        taken = tray.take(&[step.gpu()], step.gb * 1_000, Effort::Swap);
    }
    if step.what != What::Cuda {
        // Managed memory may exceed HBM: the rest stays with the CPU.
        let rest = tray.take(&graces, taken.left_mb, Effort::Swap);
        taken.at[0] += rest.at[0];
        taken.at[1] += rest.at[1];
        taken.left_mb = rest.left_mb;
        taken.evicted_mb[0] += rest.evicted_mb[0];
        taken.evicted_mb[1] += rest.evicted_mb[1];
    }
    if taken.left_mb > 0 {
        return refused(Fate::OutOfMemory, taken);
    }
    keep(tray, step, number, taken, 0)
}

/// Moves the youngest `malloc` or managed buffer. Free memory of the target is used and nothing is
/// reclaimed for it (a simplification). CDMM moves managed memory only, and no system memory into HBM.
fn prefetch(tray: &mut Tray, step: &Step) -> Outcome {
    let movable = |b: &Buffer| matches!(b.what, What::Malloc | What::Managed);
    let Some(index) = tray.buffers.iter().rposition(movable) else {
        return refused(Fate::Nothing, Taken::default());
    };
    let target = step.who;
    let buffer = tray.buffers[index];
    let stays = tray.mode == Mode::Cdmm && buffer.what == What::Malloc && !is_grace(target);
    if stays {
        return Outcome { fate: Fate::Stays, at: buffer.at, other: buffer.step, ..Outcome::default() };
    }
    let mut room = tray.room(target);
    let mut moved = 0;
    for node in (0..buffer.at.len()).filter(|&n| n != target) {
        let part = buffer.at[node].min(room);
        tray.buffers[index].at[node] -= part;
        room -= part;
        moved += part;
    }
    tray.buffers[index].at[target] += moved;
    if !is_grace(target) {
        tray.buffers[index].opened |= 1 << target;
    }
    let mut at = PerNode::default();
    at[target] = moved;
    Outcome { at, other: buffer.step, ..Outcome::default() }
}

fn drop_caches(tray: &mut Tray) -> Outcome {
    let mut at = PerNode::default();
    for (node, dropped) in at.iter_mut().enumerate() {
        *dropped = tray.evict(node, What::File, u32::MAX);
    }
    Outcome { at, ..Outcome::default() }
}

/// The youngest process ends. Files that it read stay in the page cache.
fn exit(tray: &mut Tray) -> Outcome {
    let Some(index) = tray.buffers.iter().rposition(|b| b.what != What::File) else {
        return refused(Fate::Nothing, Taken::default());
    };
    let gone = tray.buffers.remove(index);
    Outcome { at: gone.at, swap_mb: gone.swap_mb, other: gone.step, ..Outcome::default() }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
