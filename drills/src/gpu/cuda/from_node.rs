//! Copies and SM reads of one buffer that lies on one NUMA node.

use drills_results::Unit;

use super::buffers::Kind;
use super::copies::{self, HEADLINE, Route, Way};
use super::{Bench, Outcome, pattern, sm};
use crate::gpu::child;
use crate::gpu::parent::full_key;
use crate::gpu::protocol::{Place, Step};
use crate::gpu::trouble::Trouble;
use crate::measure::noise::Watch;
use crate::measure::numa::Placement;
use crate::measure::{methods, result};

/// Least share of pages on the node for a number to be called the node's.
const ON_NODE: f64 = 0.99;

/// Host to device, device to host, and a read by SMs.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let Some(place) = bench.place.as_ref() else {
        return Err(Trouble::Meaningless("No node was named.".into()));
    };
    let size = bench.size(HEADLINE)?;
    // Registered after the touch: the memory lies where it was bound to, pinned or not.
    let route = Route::new(bench, Kind::Registered, Way::ToDevice, size)?;
    let share = share_on_node(&route, place)?;
    let placement = route.host.placement.map_or("first-touch", Placement::name);
    let report = |key: &str, method: &str, watch: &Watch, rates: &[f64], verified: bool| {
        let key = full_key(Step::FromNode, key, Some(&place.name));
        let Some(mut m) = result::of_samples(key, Unit::BytesPerS, method, rates) else { return };
        m.verified = Some(verified);
        if let Some(share) = share {
            m = m.param("share_on_node", share);
        }
        let m = m.param("placement", placement).param("size_bytes", size as u64);
        child::measured(watch.judge(bench.label(m)));
    };
    let mut route = copy(bench, route, "node.h2d", size, &report)?.turned(Way::ToHost);
    route = copy(bench, route, "node.d2h", size, &report)?;
    read(bench, &mut route, size, &report)
}

type Report<'a> = &'a dyn Fn(&str, &str, &Watch, &[f64], bool);

fn copy(bench: &Bench, mut route: Route, key: &str, size: usize, report: Report<'_>) -> Outcome<Route> {
    child::still(Step::FromNode, key);
    let watch = Watch::start();
    let rates = copies::headline(bench, &route, size)?;
    let verified = route.verify(bench, size)?;
    report(key, methods::NODE_COPY, &watch, &rates, verified);
    Ok(route)
}

fn read(bench: &Bench, route: &mut Route, size: usize, report: Report<'_>) -> Outcome<()> {
    const SEED: u64 = 0x20DE;
    let kernels = bench.kernels.as_ref().map_err(Clone::clone)?;
    child::still(Step::FromNode, "node.sm_read");
    let address = route.host.device_address()?;
    pattern::fill(&mut route.host.bytes()[..size], SEED);
    let watch = Watch::start();
    let plan = sm::plan(bench.quick);
    let rates = sm::rates(bench, size, plan, &mut |stream, size| kernels.read(stream, address, size))?;
    let found = kernels.xor_of(&bench.stream, address, size)?;
    let verified = found == pattern::xor_of(&route.host.bytes()[..size]);
    report("node.sm_read", methods::NODE_SM_READ, &watch, &rates, verified);
    Ok(())
}

/// Share of the buffer on its node, where the kernel tells. A buffer that lies elsewhere is no answer:
/// binding can be refused, and pinning moves pages out of memory that has to stay movable.
fn share_on_node(route: &Route, place: &Place) -> Outcome<Option<f64>> {
    let Some(node) = place.node else { return Ok(None) };
    match route.host.share_on(node) {
        Some(share) if share < ON_NODE => Err(Trouble::Meaningless(format!(
            "Only {:.0} % of the buffer stayed on node {node} when it was pinned.",
            share * 100.0
        ))),
        None if place.cpus.is_empty() && route.host.placement == Some(Placement::FirstTouch) => {
            let text = format!("Binding to node {node} is refused here, and it has no CPUs to touch from.");
            Err(Trouble::Meaningless(text))
        }
        share => Ok(share),
    }
}
