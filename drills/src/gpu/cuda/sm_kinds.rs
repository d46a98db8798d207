//! Kernels that read, write and copy memory of each kind where it lies.

use drills_results::{Measurement, Unit};

use super::buffers::DeviceBuffer;
use super::copies::HEADLINE;
use super::kernels::Kernels;
use super::managed::{self, Managed};
use super::{Bench, Outcome, attributes, library, pattern};
use crate::gpu::child;
use crate::gpu::trouble::Trouble;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::noise::Watch;
use crate::measure::sample::{Plan, try_sample};
use crate::measure::{methods, result, smaps};

const SEED: u64 = 0x51;
/// Device memory: far larger than any L2.
const DEVICE: usize = 1 << 30;
/// Passes over device memory in a sample, so that starting the first weighs nothing.
const PASSES: usize = 8;
/// Ordinary memory where the driver keeps a copy of the page tables (HMM): little, since whole machines have
/// hung when it was much.
const MIRRORED: usize = 64 << 20;
/// Share of the pages that must still be the process's own after a kernel has read them.
const STILL_HERE: f64 = 0.9;

/// Device memory: read, write, copy.
pub(super) fn device(bench: &Bench) -> Outcome<()> {
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    let size = bench.size(DEVICE)?;
    let (from, to) = (DeviceBuffer::new(size)?, DeviceBuffer::new(size)?);
    bench.fill_device(&from, size, SEED)?;

    let measure = Measure { bench, size, passes: PASSES };
    let read = |stream: &_| kernels.read(stream, from.address(), size);
    let sum = |found| Ok(found == pattern::xor_of_pattern(size as u64 / 8, SEED));
    let read = measure.take("sm.read.device", methods::SM_READ, &mut { read }, || {
        sum(kernels.xor_of(&bench.stream, from.address(), size)?)
    })?;
    let copy = |stream: &_| kernels.copy(stream, to.address(), from.address(), size);
    let copied = measure.take("sm.copy.device", methods::SM_COPY, &mut { copy }, || {
        bench.fill_device(&to, size, pattern::POISON)?;
        copy(&bench.stream)?;
        bench.idle()?;
        bench.device_holds(&to, size, SEED)
    })?;
    let write = |stream: &_| kernels.fill(stream, to.address(), size, SEED + 1);
    let write = measure.take("sm.write.device", methods::SM_WRITE, &mut { write }, || {
        bench.fill_device(&to, size, pattern::POISON)?;
        write(&bench.stream)?;
        bench.idle()?;
        bench.device_holds(&to, size, SEED + 1)
    })?;
    for m in [read, write].into_iter().flatten() {
        child::measured(m);
    }
    if let Some(m) = copied {
        child::measured(counted_twice(m));
    }
    Ok(())
}

/// Managed memory that is advised to stay on the host.
pub(super) fn managed(bench: &Bench) -> Outcome<()> {
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    let device = bench.ctx.cu_device();
    if library::attribute(device, attributes::CONCURRENT_MANAGED_ACCESS)? == 0 {
        let text = "CONCURRENT_MANAGED_ACCESS is 0: managed memory moves to the GPU before a kernel starts.";
        return Err(Trouble::Meaningless(text.into()));
    }
    let mut memory = Managed::on_host(bench.size(HEADLINE)?, device)?;
    let address = memory.address();
    host_memory(bench, kernels, "managed", address, memory.bytes(), &|| Ok(()))
}

/// Ordinary memory, where kernels may use it. Alone in its process and last: where it fails, nothing else can
/// be done with that context.
pub(super) fn malloc(bench: &Bench) -> Outcome<()> {
    let device = bench.ctx.cu_device();
    if library::attribute(device, attributes::PAGEABLE_MEMORY_ACCESS)? == 0 {
        let text = "PAGEABLE_MEMORY_ACCESS is 0: a kernel that used malloc memory would end with error 700.";
        return Err(Trouble::Meaningless(text.into()));
    }
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    try_one_page(bench, kernels)?;
    let hardware = library::attribute(device, attributes::USES_HOST_PAGE_TABLES)? != 0;
    let mut memory = map(bench.size(if hardware { HEADLINE } else { MIRRORED })?)?;
    let (address, len) = (memory.as_ptr() as u64, memory.len());
    if !hardware {
        // Drivers that cannot follow this advice move the pages, which is found out below.
        let _ = managed::stay_on_host(address, len, device);
    }
    let stayed = || {
        let resident = smaps::of_self(address..address + len as u64).map_or(len as u64, |own| own.rss);
        if resident as f64 >= STILL_HERE * len as f64 {
            return Ok(());
        }
        let text =
            "The pages moved to the GPU when a kernel touched them, so reads measure the GPU's memory.";
        Err(Trouble::Meaningless(text.into()))
    };
    let done = host_memory(bench, kernels, "malloc", address, &mut memory, &stayed);
    // The memory outlives a kernel that may still hang on it.
    std::mem::forget(memory);
    done
}

/// One page first: what goes wrong goes wrong with that.
fn try_one_page(bench: &Bench, kernels: &Kernels) -> Outcome<()> {
    let mut page = map(page_bytes())?;
    pattern::fill(&mut page, SEED);
    let found = kernels.xor_of(&bench.stream, page.as_ptr() as u64, page.len());
    let right = pattern::xor_of(&page);
    std::mem::forget(page);
    if found? == right {
        return Ok(());
    }
    Err(Trouble::Meaningless("A kernel that read a page of malloc memory read something else.".into()))
}

fn map(len: usize) -> Outcome<Mapping> {
    let mut memory = Mapping::new(len, Pages::Default).map_err(|error| Trouble::Call {
        call: format!("mmap of {len} bytes"),
        code: error.raw_os_error().unwrap_or(0),
    })?;
    memory.touch();
    Ok(memory)
}

/// Reads and writes memory of the host that has the same address on both sides.
fn host_memory(
    bench: &Bench,
    kernels: &Kernels,
    kind: &str,
    address: u64,
    bytes: &mut [u8],
    stayed: &dyn Fn() -> Outcome<()>,
) -> Outcome<()> {
    let size = bytes.len();
    pattern::fill(bytes, SEED);
    let measure = Measure { bench, size, passes: 1 };
    let read = |stream: &_| kernels.read(stream, address, size);
    let right = pattern::xor_of(bytes);
    let read = measure.take(&format!("sm.read.{kind}"), methods::SM_READ, &mut { read }, || {
        Ok(kernels.xor_of(&bench.stream, address, size)? == right)
    })?;
    stayed()?;
    read.into_iter().for_each(child::measured);
    let write = |stream: &_| kernels.fill(stream, address, size, SEED + 1);
    let write = measure.take(&format!("sm.write.{kind}"), methods::SM_WRITE, &mut { write }, || {
        pattern::fill(bytes, pattern::POISON);
        write(&bench.stream)?;
        bench.idle()?;
        Ok(pattern::wrong_words(bytes, SEED + 1) == 0)
    })?;
    stayed()?;
    write.into_iter().for_each(child::measured);
    Ok(())
}

/// How a kernel is measured.
#[derive(Clone, Copy)]
struct Measure<'a> {
    bench: &'a Bench,
    size: usize,
    passes: usize,
}

type Queue<'a> = &'a mut dyn FnMut(&cudarc::driver::CudaStream) -> Outcome<()>;

impl Measure<'_> {
    /// Rates of what `queue` starts, then the comparison of `verify`.
    fn take(
        self,
        key: &str,
        method: &'static str,
        queue: Queue<'_>,
        verify: impl FnOnce() -> Outcome<bool>,
    ) -> Outcome<Option<Measurement>> {
        let watch = Watch::start();
        let time_ns = if self.bench.quick { 50_000_000 } else { 500_000_000 };
        let plan = Plan { warm_up: 2, time_ns, at_least: 9, at_most: 200 };
        let rates = try_sample(
            plan,
            || false,
            || {
                let ns =
                    self.bench.device_ns(&mut |stream| (0..self.passes).try_for_each(|_| queue(stream)))?;
                Ok((self.passes * self.size) as f64 * 1e9 / ns)
            },
        )?;
        let verified = Some(verify()?);
        let m = result::of_samples(key, Unit::BytesPerS, method, &rates);
        let size = self.size as u64;
        Ok(m.map(|m| Measurement { verified, ..m.param("size_bytes", size) })
            .map(|m| watch.judge(self.bench.label(m))))
    }
}

/// The rate with bytes read and bytes written, as memory does them both.
fn counted_twice(mut m: Measurement) -> Measurement {
    m.value = m.value.map(|value| 2.0 * value);
    if let Some(stats) = &mut m.stats {
        let all =
            [&mut stats.min, &mut stats.p50, &mut stats.p90, &mut stats.p99, &mut stats.max, &mut stats.mad];
        all.into_iter().for_each(|value| *value *= 2.0);
    }
    m.param("bytes_counted", "read plus written")
}
