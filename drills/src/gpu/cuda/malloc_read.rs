//! One page of ordinary host memory, read by a kernel.

use drills_results::{Measurement, Unit};

use super::{Bench, Outcome, attributes, library, pattern};
use crate::gpu::child;
use crate::gpu::trouble::Trouble;
use crate::measure::mapping::{Mapping, Pages, page_bytes};
use crate::measure::methods;

const SEED: u64 = 0xA75;

/// Reads one page and no more: drivers have hung a machine over more than they could handle. Only where
/// the attribute says that it is legal; elsewhere the kernel would end with error 700, for certain.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    if library::attribute(bench.ctx.cu_device(), attributes::PAGEABLE_MEMORY_ACCESS)? == 0 {
        let text = "PAGEABLE_MEMORY_ACCESS is 0: a kernel that read malloc memory would end with error 700.";
        return Err(Trouble::Meaningless(text.into()));
    }
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    let mut page = Mapping::new(page_bytes(), Pages::Base).map_err(|error| Trouble::Call {
        call: "mmap of a page".into(),
        code: error.raw_os_error().unwrap_or(0),
    })?;
    pattern::fill(&mut page, SEED);
    let read = kernels.xor_of(&bench.stream, page.as_ptr() as u64, page.len());
    let (value, state, verified) = match read {
        Ok(found) => (1.0, "read".to_owned(), Some(found == pattern::xor_of(&page))),
        Err(trouble) => (0.0, trouble.to_string(), None),
    };
    let m = Measurement::ok("gpu.malloc_read", Unit::Count, value, methods::ATTRIBUTE_TESTED);
    let m = bench.label(m).param("size_bytes", page.len() as u64).param("state", state);
    child::measured(Measurement { verified, ..m });
    // The memory outlives a kernel that may still hang on it.
    std::mem::forget(page);
    Ok(())
}
