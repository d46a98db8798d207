//! The terms of a sum, and whether it is right, by kernels of one GPU.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;

use super::Outcome;
use super::buffers::DeviceBuffer;
use crate::gpu::trouble::{Trouble, during};

const SOURCE: &str = include_str!("sums.ptx");
const THREADS: u32 = 512;
/// Enough for any GPU; each thread goes on with the next float.
const BLOCKS: u32 = 1024;

/// Both kernels, loaded.
pub(super) struct Sums {
    fill_terms: CudaFunction,
    wrong_sums: CudaFunction,
    /// One word on the device that the second adds its result to.
    answer: DeviceBuffer,
}

impl Sums {
    /// Compiles and loads the kernels.
    pub(super) fn load(ctx: &Arc<CudaContext>) -> Outcome<Self> {
        let failed = |error: cudarc::driver::DriverError| {
            let trouble = during("cuModuleLoadData")(error);
            Trouble::NoKernels(trouble.to_string())
        };
        let module = ctx.load_module(Ptx::from_src(SOURCE)).map_err(failed)?;
        let get = |name: &str| module.load_function(name).map_err(failed);
        Ok(Self {
            fill_terms: get("fill_terms")?,
            wrong_sums: get("wrong_sums")?,
            answer: DeviceBuffer::new(64)?,
        })
    }

    /// Queues the writing of what `rank` adds to a sum, over `floats` floats at `address`.
    pub(super) fn fill_terms(
        &self,
        stream: &CudaStream,
        address: u64,
        floats: u64,
        rank: u32,
    ) -> Outcome<()> {
        let mut launch = stream.launch_builder(&self.fill_terms);
        launch.arg(&address).arg(&floats).arg(&rank);
        // SAFETY: the arguments are those that the kernel declares; the caller's range is mapped and nothing else
        // uses it.
        unsafe { launch.launch(EVERYWHERE) }.map_err(during("cuLaunchKernel"))?;
        Ok(())
    }

    /// Counts the floats at `address` that are not the sum of what the ranks added.
    pub(super) fn wrong_sums(
        &self,
        stream: &CudaStream,
        address: u64,
        floats: u64,
        ranks: u32,
    ) -> Outcome<u64> {
        self.answer.clear()?;
        // 0 + 1 + ... + (ranks - 1); below 2^23 for the most ranks that are taken.
        let base = ranks * ranks.saturating_sub(1) / 2;
        let out = self.answer.address();
        let mut launch = stream.launch_builder(&self.wrong_sums);
        launch.arg(&address).arg(&floats).arg(&ranks).arg(&base).arg(&out);
        // SAFETY: as above.
        unsafe { launch.launch(EVERYWHERE) }.map_err(during("cuLaunchKernel"))?;
        stream.synchronize().map_err(during("cuStreamSynchronize"))?;
        self.answer.first_word()
    }
}

const EVERYWHERE: LaunchConfig =
    LaunchConfig { grid_dim: (BLOCKS, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
