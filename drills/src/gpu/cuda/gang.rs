//! The GPUs of this process that take part in an all-reduce, and what each needs.

use std::ffi::c_int;
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaStream};

use super::buffers::DeviceBuffer;
use super::nccl::{Comm, Nccl, UniqueId};
use super::sums::Sums;
use super::{Outcome, library};
use crate::gpu::protocol::Gang;
use crate::gpu::trouble::{Trouble, during};

/// Both buffers together take at most this share of what is free.
const SHARE_OF_FREE: u64 = 4;

/// A GPU made ready, without buffers yet.
pub(super) struct Player {
    pub(super) ordinal: c_int,
    pub(super) name: String,
    ctx: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    sums: Sums,
}

/// Buffers of one rank.
struct Pair {
    from: DeviceBuffer,
    to: DeviceBuffer,
}

/// Everything that this process brings along. Players outlive it: giving contexts and communicators back can
/// hang, and the kernel does it when the process ends.
pub(super) struct Band {
    nccl: Nccl,
    players: &'static [Player],
    comms: Vec<Comm>,
    pairs: Vec<Pair>,
    /// Rank of the first player; the others follow.
    first: u32,
    ranks: u32,
}

/// Ordinals of the GPUs to use: all of the user's, or with a seat the one that belongs to it.
pub(super) fn ordinals(gang: &Gang) -> Outcome<Vec<c_int>> {
    let all = library::open_all(&gang.gpus)?;
    let Some(seat) = &gang.seat else {
        return if all.len() > 1 { Ok(all) } else { Err(Trouble::OneGpu) };
    };
    // A launcher that binds GPUs shows each process its own; one that does not shows all of them to each.
    // Without a word about ranks of the host, they are taken to lie side by side.
    let local = seat.local.unwrap_or(seat.rank % all.len() as u32) as usize;
    let found = all.get(local).or(if all.len() == 1 { all.first() } else { None });
    let missing = || Trouble::NoGpuForRank { local: local as u32, gpus: all.len() as u32 };
    found.map(|ordinal| vec![*ordinal]).ok_or_else(missing)
}

impl Player {
    pub(super) fn ready(ordinal: c_int) -> Outcome<Self> {
        library::retain(ordinal)?;
        let ctx = CudaContext::new(ordinal as usize).map_err(during("cuDevicePrimaryCtxRetain"))?;
        // SAFETY: this program orders its streams itself; tracking would add events to what is timed.
        unsafe { ctx.disable_event_tracking() };
        let stream = ctx.new_stream().map_err(during("cuStreamCreate"))?;
        let name = ctx.name().unwrap_or_else(|_| "NVIDIA GPU".into());
        Ok(Self { ordinal, name, sums: Sums::load(&ctx)?, stream, ctx })
    }

    /// Bytes that each of the two buffers may take.
    pub(super) fn room(&self) -> Outcome<u64> {
        self.current()?;
        let (free, _) = self.ctx.mem_get_info().map_err(during("cuMemGetInfo"))?;
        Ok(free as u64 / SHARE_OF_FREE / 2)
    }

    /// Whether GPU and CPU share one memory, where NCCL has nothing to do.
    pub(super) fn is_integrated(&self) -> bool {
        self.ctx.attribute(Attribute::CU_DEVICE_ATTRIBUTE_INTEGRATED).is_ok_and(|value| value != 0)
    }

    fn current(&self) -> Outcome<()> {
        self.ctx.bind_to_thread().map_err(during("cuCtxSetCurrent"))
    }
}

impl Band {
    /// All GPUs of this process, alone.
    pub(super) fn alone(nccl: Nccl, players: &'static [Player]) -> Outcome<Self> {
        let ordinals: Vec<c_int> = players.iter().map(|player| player.ordinal).collect();
        let comms = nccl.join_all(&ordinals)?;
        let ranks = players.len() as u32;
        Ok(Self { nccl, players, comms, pairs: Vec::new(), first: 0, ranks })
    }

    /// One GPU as one rank of several processes.
    pub(super) fn joined(
        nccl: Nccl,
        players: &'static [Player],
        id: UniqueId,
        rank: u32,
        ranks: u32,
    ) -> Outcome<Self> {
        // NCCL takes the device of the context that is current.
        players.iter().try_for_each(Player::current)?;
        let comm = nccl.join(id, rank, ranks)?;
        Ok(Self { nccl, players, comms: vec![comm], pairs: Vec::new(), first: rank, ranks })
    }

    /// Makes the buffers and writes what each rank adds.
    pub(super) fn fill(&mut self, bytes: u64) -> Outcome<()> {
        for (rank, player) in (self.first..).zip(self.players) {
            player.current()?;
            let pair =
                Pair { from: DeviceBuffer::new(bytes as usize)?, to: DeviceBuffer::new(bytes as usize)? };
            player.sums.fill_terms(&player.stream, pair.from.address(), bytes / 4, rank)?;
            self.pairs.push(pair);
        }
        self.idle()
    }

    /// Queues `calls` sums of the first `bytes` of each rank.
    pub(super) fn queue(&self, bytes: u64, calls: u32) -> Outcome<()> {
        let one = || {
            self.players.iter().zip(&self.comms).zip(&self.pairs).try_for_each(|((player, comm), pair)| {
                let (from, to) = (pair.from.address(), pair.to.address());
                // SAFETY: both buffers are at least as large as the largest size, are of this player's device
                // as its stream is, and live as long as the band.
                unsafe { self.nccl.all_reduce(*comm, from, to, bytes / 4, player.stream.cu_stream()) }
            })
        };
        (0..calls).try_for_each(|_| if self.players.len() > 1 { self.nccl.together(one) } else { one() })
    }

    /// Waits until all GPUs of this process are idle.
    pub(super) fn idle(&self) -> Outcome<()> {
        for player in self.players {
            player.current()?;
            player.stream.synchronize().map_err(during("cuStreamSynchronize"))?;
        }
        Ok(())
    }

    /// One sum over poison, and how many of its floats are wrong on the GPUs of this process.
    pub(super) fn wrong(&self, bytes: u64) -> Outcome<u64> {
        for (player, pair) in self.players.iter().zip(&self.pairs) {
            player.current()?;
            // What a rank that is not there would add: hardly any float of it is a right sum.
            player.sums.fill_terms(&player.stream, pair.to.address(), bytes / 4, self.ranks)?;
        }
        self.idle()?;
        self.queue(bytes, 1)?;
        self.idle()?;
        let mut wrong = 0;
        for (player, pair) in self.players.iter().zip(&self.pairs) {
            player.current()?;
            wrong += player.sums.wrong_sums(&player.stream, pair.to.address(), bytes / 4, self.ranks)?;
        }
        Ok(wrong)
    }

    /// Version of NCCL.
    pub(super) fn version(&self) -> &str {
        &self.nccl.version
    }

    /// Name of the first GPU.
    pub(super) fn gpu(&self) -> &str {
        self.players.first().map_or("NVIDIA GPU", |player| &player.name)
    }

    /// Ranks in all.
    pub(super) fn ranks(&self) -> u32 {
        self.ranks
    }
}
