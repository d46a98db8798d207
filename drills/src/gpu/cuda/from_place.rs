//! The headline copies once more, from one place of the host.

use drills_results::Unit;

use super::buffers::Kind;
use super::copies::{self, HEADLINE, Route, Way};
use super::{Bench, Outcome};
use crate::gpu::child;
use crate::gpu::parent::full_key;
use crate::gpu::protocol::Step;
use crate::measure::noise::Watch;
use crate::measure::{methods, result};

/// Host to device, pinned and pageable.
pub(super) fn take(bench: &Bench) -> Outcome<()> {
    let size = bench.size(HEADLINE)?;
    let place = bench.place.as_ref();
    for (kind, key) in [(Kind::Pinned, "place.h2d.pinned"), (Kind::Pageable, "place.h2d.pageable")] {
        let mut route = Route::new(bench, kind, Way::ToDevice, size)?;
        child::still(Step::FromPlace, kind.name());
        let watch = Watch::start();
        let rates = copies::headline(bench, &route, size)?;
        let verified = route.verify(bench, size)?;
        let method = if kind == Kind::Pageable { methods::COPY_HOST_CLOCK } else { bench.events_method() };
        let key = full_key(Step::FromPlace, key, place.map(|place| place.name.as_str()));
        let Some(mut m) = result::of_samples(key, Unit::BytesPerS, method, &rates) else { continue };
        m.verified = Some(verified);
        if let Some(placement) = route.host.placement {
            m = m.param("placement", placement.name());
        } else if kind == Kind::Pinned {
            // The driver allocates near the thread that asks, which is kept on the place's CPUs.
            m = m.param("placement", "first-touch");
        }
        if let Some(share) = place.and_then(|p| p.node).and_then(|node| route.host.share_on(node)) {
            m = m.param("share_on_node", share);
        }
        child::measured(watch.judge(bench.label(m.param("size_bytes", size as u64))));
    }
    Ok(())
}
