//! One GPU made ready for measuring.

use std::cell::Cell;
use std::sync::Arc;

use cudarc::driver::sys::{CUdevice_attribute as Attribute, CUevent_flags};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream};
use drills_results::Measurement;

use super::buffers::{self, DeviceBuffer, HostBuffer, Kind};
use super::gate::Gate;
use super::kernels::Kernels;
use super::{Outcome, library, pattern};
use crate::gpu::protocol::{Place, SourceFile, Work};
use crate::gpu::trouble::{Trouble, during};
use crate::host::lists;
use crate::measure::methods;
use crate::measure::pin::{self, Pinned};

/// Buffers take at most this share of what is free.
const SHARE_OF_FREE: usize = 10;
/// Buffers are multiples of this, so that kernels see whole vectors.
const GRAIN: usize = 4096;

/// A GPU with its context, streams, kernels and limits.
pub(crate) struct Bench {
    pub(super) ctx: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    pub(super) side: Arc<CudaStream>,
    pub(super) kernels: Outcome<Kernels>,
    pub(super) quick: bool,
    pub(super) place: Option<Place>,
    pub(super) file: Option<SourceFile>,
    pub(super) address: String,
    name: String,
    /// CPUs that the copying thread is kept on, if it is.
    cpus: Option<String>,
    gate: Option<Gate>,
    /// The gate timed out once: the rest goes without it.
    gate_failed: Cell<bool>,
    /// Most bytes of one buffer.
    most: usize,
    start: CudaEvent,
    end: CudaEvent,
    _pinned: Option<Pinned>,
}

impl Bench {
    /// Loads the driver and makes the GPU ready.
    pub(crate) fn open(work: &Work) -> Outcome<Self> {
        let ordinal = library::open(work.gpu.as_deref())?;
        let address = library::address_of(ordinal)?;
        // Before the context is made: the driver places its own memory near the thread that asks.
        let of_place = work.place.as_ref().map(|place| place.cpus.clone()).filter(|cpus| !cpus.is_empty());
        let cpus = of_place.unwrap_or_else(|| local_cpus(&address));
        let pinned = if cpus.is_empty() { None } else { Pinned::to(&cpus).ok() };
        library::retain(ordinal)?;
        let ctx = CudaContext::new(ordinal as usize).map_err(during("cuDevicePrimaryCtxRetain"))?;
        // SAFETY: this program orders its streams itself; tracking would add events to what is timed.
        unsafe { ctx.disable_event_tracking() };
        let event = || ctx.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(during("cuEventCreate"));
        let stream = || ctx.new_stream().map_err(during("cuStreamCreate"));
        let kernels = Kernels::load(&ctx);
        let gate = kernels.as_ref().ok().map(|_| Gate::new(cycles_per_s(&ctx))).transpose()?;
        let (free, _) = ctx.mem_get_info().map_err(during("cuMemGetInfo"))?;
        let most = (free / SHARE_OF_FREE).min(work.host_bytes as usize / SHARE_OF_FREE) / GRAIN * GRAIN;
        Ok(Self {
            stream: stream()?,
            side: stream()?,
            start: event()?,
            end: event()?,
            name: ctx.name().unwrap_or_else(|_| "NVIDIA GPU".into()),
            cpus: pinned.as_ref().map(|_| lists::format(&cpus)),
            address,
            quick: work.quick,
            place: work.place.clone(),
            file: work.file.clone(),
            gate_failed: Cell::new(false),
            _pinned: pinned,
            kernels,
            gate,
            most,
            ctx,
        })
    }

    /// `wanted` bytes, or the largest power of four below what may be used.
    pub(super) fn size(&self, wanted: usize) -> Outcome<usize> {
        let mut size = wanted;
        while size > self.most {
            size /= 4;
        }
        if size < GRAIN { Err(Trouble::NoRoom { bytes: self.most as u64 }) } else { Ok(size) }
    }

    /// Time in nanoseconds that the GPU spends on what `queue` puts into the stream.
    pub(super) fn device_ns(&self, queue: &mut dyn FnMut(&CudaStream) -> Outcome<()>) -> Outcome<f64> {
        if let (Some(gate), Ok(kernels), false) = (&self.gate, &self.kernels, self.gate_failed.get()) {
            gate.close(kernels, &self.stream)?;
            let queued = self.between_events(queue);
            gate.open();
            queued?;
            let ns = self.elapsed_ns()?;
            if !gate.timed_out() {
                return Ok(ns);
            }
            self.gate_failed.set(true);
        }
        self.between_events(queue)?;
        self.elapsed_ns()
    }

    fn between_events(&self, queue: &mut dyn FnMut(&CudaStream) -> Outcome<()>) -> Outcome<()> {
        self.start.record(&self.stream).map_err(during("cuEventRecord"))?;
        queue(&self.stream)?;
        self.end.record(&self.stream).map_err(during("cuEventRecord"))
    }

    fn elapsed_ns(&self) -> Outcome<f64> {
        self.end.synchronize().map_err(during("cuEventSynchronize"))?;
        let ms = self.start.elapsed_ms(&self.end).map_err(during("cuEventElapsedTime"))?;
        Ok((f64::from(ms) * 1e6).max(1.0))
    }

    /// Holds back both streams, queues `first` on the side stream and `then` on the main one, lets both
    /// go at once and returns the time in nanoseconds of the main one's part.
    pub(super) fn device_ns_beside(
        &self,
        first: &mut dyn FnMut(&CudaStream) -> Outcome<()>,
        then: &mut dyn FnMut(&CudaStream) -> Outcome<()>,
    ) -> Outcome<f64> {
        let gate = self.gate.as_ref().filter(|_| !self.gate_failed.get());
        if let (Some(gate), Ok(kernels)) = (gate, &self.kernels) {
            gate.close(kernels, &self.stream)?;
            let opened = self.stream.record_event(None).map_err(during("cuEventRecord"))?;
            self.side.wait(&opened).map_err(during("cuStreamWaitEvent"))?;
        }
        let queued = first(&self.side).and_then(|()| self.between_events(then));
        if let Some(gate) = gate {
            gate.open();
        }
        queued?;
        let ns = self.elapsed_ns();
        self.side.synchronize().map_err(during("cuStreamSynchronize"))?;
        ns
    }

    /// How [`Bench::device_ns`] took its times.
    pub(super) fn events_method(&self) -> &'static str {
        if self.gate.is_some() && !self.gate_failed.get() {
            methods::COPY_EVENTS
        } else {
            methods::COPY_EVENTS_ONLY
        }
    }

    /// Puts the pattern into device memory, with a kernel or, without kernels, from the host.
    pub(super) fn fill_device(&self, device: &DeviceBuffer, len: usize, seed: u64) -> Outcome<()> {
        match &self.kernels {
            Ok(kernels) => kernels.fill(&self.stream, device.address(), len, seed)?,
            Err(_) => {
                let mut host = HostBuffer::new(Kind::Pageable, len, None)?;
                pattern::fill(&mut host.bytes()[..len], seed);
                buffers::to_device(&self.stream, &host, device, len)?;
                self.idle()?;
            }
        }
        self.idle()
    }

    /// Whether device memory holds the pattern, counted by a kernel or, without kernels, on the host.
    pub(super) fn device_holds(&self, device: &DeviceBuffer, len: usize, seed: u64) -> Outcome<bool> {
        let wrong = match &self.kernels {
            Ok(kernels) => kernels.wrong_words(&self.stream, device.address(), len, seed)?,
            Err(_) => {
                let mut host = HostBuffer::new(Kind::Pageable, len, None)?;
                buffers::to_host(&self.stream, &host, device, len)?;
                self.idle()?;
                pattern::wrong_words(&host.bytes()[..len], seed)
            }
        };
        Ok(wrong == 0)
    }

    /// Waits until the main stream is idle.
    pub(super) fn idle(&self) -> Outcome<()> {
        self.stream.synchronize().map_err(during("cuStreamSynchronize"))
    }

    /// Whether an attribute of the device is not zero. False where the driver does not know it.
    pub(super) fn is(&self, attribute: Attribute) -> bool {
        self.ctx.attribute(attribute).is_ok_and(|value| value != 0)
    }

    /// The measurement with what every one taken here says.
    pub(super) fn label(&self, measurement: Measurement) -> Measurement {
        let mut measurement =
            measurement.param("gpu", self.name.as_str()).param("gpu_address", self.address.as_str());
        if let Some(cpus) = &self.cpus {
            measurement = measurement.param("cpus", cpus.as_str());
        }
        match &self.place {
            Some(place) => measurement.param("from", place.name.as_str()),
            None => measurement,
        }
    }
}

/// CPUs that the kernel calls local to the device and that this process may use. Empty when that is no
/// restriction, or when the kernel does not tell.
fn local_cpus(address: &str) -> Vec<u32> {
    let path = format!("/sys/bus/pci/devices/{address}/local_cpulist");
    let local = lists::parse(&std::fs::read_to_string(path).unwrap_or_default());
    let allowed = pin::allowed().unwrap_or_default();
    let both: Vec<u32> = allowed.iter().copied().filter(|cpu| local.contains(cpu)).collect();
    if both == allowed { Vec::new() } else { both }
}

/// Clock cycles of an SM in a second at its highest rate; a guess on the low side where it is not told.
fn cycles_per_s(ctx: &Arc<CudaContext>) -> u64 {
    let khz = ctx.attribute(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE).unwrap_or(0);
    if khz > 0 { khz as u64 * 1000 } else { 1_500_000_000 }
}
