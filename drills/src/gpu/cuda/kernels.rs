//! The kernels, compiled by the driver at start.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig, PushKernelArg, sys};
use cudarc::nvrtc::Ptx;

use super::Outcome;
use super::buffers::DeviceBuffer;
use crate::gpu::trouble::{Trouble, during};

const SOURCE: &str = include_str!("kernels.ptx");
const THREADS: u32 = 512;
/// Threads per block of the copy, whose threads move one vector each.
const COPY_THREADS: u32 = 256;
/// Enough blocks to fill each SM's thread slots; more would only queue.
const BLOCKS_PER_SM: u32 = 4;

/// All kernels, loaded.
pub(super) struct Kernels {
    nothing: CudaFunction,
    wait_for_flag: CudaFunction,
    read_all: CudaFunction,
    fill: CudaFunction,
    compare: CudaFunction,
    copy_all: CudaFunction,
    blocks: u32,
    /// One word on the device that kernels add their result to.
    answer: DeviceBuffer,
}

impl Kernels {
    /// Compiles and loads all kernels, so that none is loaded lazily behind a waiting one.
    pub(super) fn load(ctx: &Arc<CudaContext>) -> Outcome<Self> {
        let failed = |error: cudarc::driver::DriverError| {
            let trouble = during("cuModuleLoadData")(error);
            Trouble::NoKernels(trouble.to_string())
        };
        let module = ctx.load_module(Ptx::from_src(SOURCE)).map_err(failed)?;
        let get = |name: &str| {
            let function = module.load_function(name).map_err(failed)?;
            function.num_regs().map_err(failed)?;
            Ok(function)
        };
        let sms = ctx
            .attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
            .map_err(during("cuDeviceGetAttribute"))?;
        Ok(Self {
            nothing: get("nothing")?,
            wait_for_flag: get("wait_for_flag")?,
            read_all: get("read_all")?,
            fill: get("fill")?,
            compare: get("compare")?,
            copy_all: get("copy_all")?,
            blocks: sms.max(1) as u32 * BLOCKS_PER_SM,
            answer: DeviceBuffer::new(64)?,
        })
    }

    /// The empty kernel.
    pub(super) fn nothing(&self) -> &CudaFunction {
        &self.nothing
    }

    /// Queues the kernel that waits for a flag in host memory; addresses are those of the device.
    pub(super) fn wait(&self, stream: &CudaStream, flag: u64, timed_out: u64, cycles: u64) -> Outcome<()> {
        let one = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
        let mut launch = stream.launch_builder(&self.wait_for_flag);
        launch.arg(&flag).arg(&timed_out).arg(&cycles);
        // SAFETY: the arguments are those that the kernel declares; both addresses are mapped.
        unsafe { launch.launch(one) }.map_err(during("cuLaunchKernel"))?;
        Ok(())
    }

    /// Queues a read of all of `bytes` at `address` (device or mapped host memory).
    pub(super) fn read(&self, stream: &CudaStream, address: u64, bytes: usize) -> Outcome<()> {
        let (vectors, out) = (bytes as u64 / 16, self.answer.address());
        let mut launch = stream.launch_builder(&self.read_all);
        launch.arg(&address).arg(&vectors).arg(&out);
        // SAFETY: as above; the caller's range is mapped.
        unsafe { launch.launch(self.everywhere()) }.map_err(during("cuLaunchKernel"))?;
        Ok(())
    }

    /// Queues a write of the pattern of `seed` over all of `bytes` at `address`.
    pub(super) fn fill(&self, stream: &CudaStream, address: u64, bytes: usize, seed: u64) -> Outcome<()> {
        let vectors = bytes as u64 / 16;
        let mut launch = stream.launch_builder(&self.fill);
        launch.arg(&address).arg(&vectors).arg(&seed);
        // SAFETY: as above; the caller's range is mapped and nothing else uses it.
        unsafe { launch.launch(self.everywhere()) }.map_err(during("cuLaunchKernel"))?;
        Ok(())
    }

    /// Counts the words at `address` that are not the pattern's.
    pub(super) fn wrong_words(
        &self,
        stream: &CudaStream,
        address: u64,
        bytes: usize,
        seed: u64,
    ) -> Outcome<u64> {
        self.answer.clear()?;
        let (vectors, out) = (bytes as u64 / 16, self.answer.address());
        let mut launch = stream.launch_builder(&self.compare);
        launch.arg(&address).arg(&vectors).arg(&seed).arg(&out);
        // SAFETY: as above.
        unsafe { launch.launch(self.everywhere()) }.map_err(during("cuLaunchKernel"))?;
        stream.synchronize().map_err(during("cuStreamSynchronize"))?;
        self.answer.first_word()
    }

    /// Queues a copy of `bytes` of device memory by SMs.
    pub(super) fn copy(&self, stream: &CudaStream, to: u64, from: u64, bytes: usize) -> Outcome<()> {
        let vectors = bytes as u64 / 16;
        let mut launch = stream.launch_builder(&self.copy_all);
        launch.arg(&to).arg(&from).arg(&vectors);
        let blocks = u32::try_from(vectors.div_ceil(u64::from(COPY_THREADS))).unwrap_or(u32::MAX);
        let threads = (COPY_THREADS, 1, 1);
        let each = LaunchConfig { grid_dim: (blocks.max(1), 1, 1), block_dim: threads, shared_mem_bytes: 0 };
        // SAFETY: as above; the caller's ranges are mapped and apart, and threads past the end do nothing.
        unsafe { launch.launch(each) }.map_err(during("cuLaunchKernel"))?;
        Ok(())
    }

    /// XOR of all words at `address`, as [`Kernels::read`] computes it.
    pub(super) fn xor_of(&self, stream: &CudaStream, address: u64, bytes: usize) -> Outcome<u32> {
        self.answer.clear()?;
        self.read(stream, address, bytes)?;
        stream.synchronize().map_err(during("cuStreamSynchronize"))?;
        Ok(self.answer.first_word()? as u32)
    }

    fn everywhere(&self) -> LaunchConfig {
        LaunchConfig { grid_dim: (self.blocks, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 }
    }
}
