//! The lower part of the picture: how long a thousand accesses by each thread take.

use super::model::RUN_LENGTH;
use super::state::FalseSharing;
use crate::kit::scene::Rect;
use crate::kit::units::duration_ns;
use crate::kit::{Layout, Node, svg};

/// Ends of the axis in nanoseconds: 1 µs to 1 ms.
const AXIS_NS: (f64, f64) = (1e3, 1e6);

struct Plan {
    top: f64,
    axis_x: (f64, f64),
    pitch: f64,
    label_dy: f64,
    bar_dy: f64,
}

fn plan(layout: Layout) -> Plan {
    let wide = Plan { top: 520.0, axis_x: (196.0, 592.0), pitch: 32.0, label_dy: 16.0, bar_dy: 2.0 };
    let narrow = Plan { top: 540.0, axis_x: (8.0, 248.0), pitch: 44.0, label_dy: 12.0, bar_dy: 18.0 };
    layout.pick(wide, narrow)
}

/// Height of a bar.
const BAR: f64 = 20.0;

/// Height of the whole picture.
pub fn height(layout: Layout) -> f64 {
    let plan = plan(layout);
    plan.top + plan.pitch * 3.0 + 28.0
}

/// Draws one thread for both jobs against two threads in one line and in two.
pub fn race(model: &FalseSharing, layout: Layout) -> Node {
    let plan = plan(layout);
    let padded_is_moot = model.setup().one_counter;
    let [one, shared, padded] = model.race();
    let rows = [
        ("one thread does both", one.elapsed_ns, None, false),
        ("two threads, one line", shared.elapsed_ns, model.yours.shared_ns, !model.padded),
        ("two threads, padded", padded.elapsed_ns, model.yours.padded_ns, model.padded),
    ];
    let bars = rows.into_iter().enumerate().map(|(i, (name, elapsed_ns, each_ns, now))| {
        // The drill measures two counters, so its disc belongs to no other workload.
        let applies =
            !padded_is_moot && model.workload == super::Workload::OwnCounters && model.turn_exponent == 0;
        let measured_ns = each_ns.filter(|_| applies).map(|ns| ns * RUN_LENGTH as f64);
        bar(&plan, plan.top + i as f64 * plan.pitch, Bar { name, elapsed_ns, measured_ns, now })
    });
    let bottom = plan.top + plan.pitch * 3.0;
    let mut grid = String::new();
    let ticks: Vec<_> = [1e3, 1e4, 1e5, 1e6]
        .into_iter()
        .map(|ns| {
            let x = place(&plan, ns);
            grid.push_str(&format!("M{x} {}V{bottom}", plan.top - 4.0));
            svg::text("small muted middle", (x.max(20.0), bottom + 16.0), duration_ns(ns))
        })
        .collect();
    let head = format!("1,000 {} by each thread, log scale", model.deed());
    Node::from([
        svg::text("muted small", (4.0, plan.top - 14.0), head),
        svg::path("grid", grid),
        bars.collect::<Node>(),
        ticks.into(),
    ])
}

struct Bar {
    name: &'static str,
    elapsed_ns: f64,
    measured_ns: Option<f64>,
    now: bool,
}

fn place(plan: &Plan, ns: f64) -> f64 {
    let (low, high) = plan.axis_x;
    let share = (ns / AXIS_NS.0).log10() / (AXIS_NS.1 / AXIS_NS.0).log10();
    low + (high - low) * share.clamp(0.0, 1.0)
}

fn bar(plan: &Plan, y: f64, bar: Bar) -> Node {
    let (x, end, top) = (plan.axis_x.0, place(plan, bar.elapsed_ns), y + plan.bar_dy);
    let disc_x = bar.measured_ns.map(|ns| place(plan, ns));
    let text_x = disc_x.map_or(end, |disc| end.max(disc + 6.0)) + 8.0;
    let yours = bar.measured_ns.map(|ns| format!(", yours {}", duration_ns(ns))).unwrap_or_default();
    svg::g(if bar.now { "place cpu lit" } else { "place cpu" })
        .with(svg::text(if bar.now { "strong" } else { "" }, (4.0, y + plan.label_dy), bar.name))
        .with(svg::rect("place-fill", Rect::new(x, top, end - x, BAR)))
        .with(svg::rect("place-edge", Rect::new(x, top, end - x, BAR)))
        .with(svg::circle(
            if disc_x.is_some() { "fs-disc" } else { "fs-absent" },
            (disc_x.unwrap_or(x), top + BAR / 2.0),
            5.0,
        ))
        .with(svg::text("halo", (text_x, top + 15.0), duration_ns(bar.elapsed_ns)).with(yours))
}
