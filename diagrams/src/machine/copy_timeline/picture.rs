//! The picture: three groups of lanes over one time axis.

use super::model::{Direction, Job, Memory, Trace};
use super::state::CopyTimeline;
use crate::kit::scene::Rect;
use crate::kit::scene::Role;
use crate::kit::timeline::{Bars, Lane, Look, Timeline};
use crate::kit::units::{duration_ns, rate};
use crate::kit::{Layout, Node, svg};

/// Measures of one drawing.
struct Plan {
    timeline: Timeline,
    legend_y: f64,
    top: f64,
    head: f64,
    pitch: f64,
    gap: f64,
    ticks: usize,
}

fn plan(layout: Layout, end_ns: f64) -> Plan {
    let wide =
        Timeline { id: "copy-wait-wide", name_x: 0.0, axis_x: (108.0, 712.0), end_ns, lane_height: 24.0 };
    let narrow =
        Timeline { id: "copy-wait-narrow", name_x: 4.0, axis_x: (92.0, 332.0), end_ns, lane_height: 24.0 };
    layout.pick(
        Plan { timeline: wide, legend_y: 12.0, top: 36.0, head: 24.0, pitch: 28.0, gap: 16.0, ticks: 6 },
        Plan { timeline: narrow, legend_y: 12.0, top: 56.0, head: 44.0, pitch: 28.0, gap: 16.0, ticks: 3 },
    )
}

const LANES: [usize; 3] = [4, 3, 3];

impl Plan {
    /// Upper edges of the three groups, and the lower edge of the last.
    fn groups(&self) -> ([f64; 3], f64) {
        let mut y = self.top;
        let tops = LANES.map(|lanes| {
            let top = y;
            y += self.head + lanes as f64 * self.pitch + self.gap;
            top
        });
        (tops, y - self.gap)
    }
}

/// Draws the state.
pub fn picture(model: &CopyTimeline, layout: Layout) -> Node {
    let (job, traces) = (model.job(), model.traces());
    let end_ns = traces.iter().map(Trace::end_ns).fold(1.0, f64::max) * 1.02;
    let plan = plan(layout, end_ns);
    let (tops, bottom) = plan.groups();
    let groups: Vec<_> = Memory::ALL
        .into_iter()
        .zip(traces.iter())
        .zip(tops)
        .map(|((memory, trace), top)| group(&plan, &job, memory, trace, top, layout))
        .collect();
    svg::picture((layout.width(), bottom + 24.0), "Timelines of three copies", false)
        .with(plan.timeline.hatching())
        .with(legend(&plan, layout))
        .with(plan.timeline.axis(plan.top + plan.head, bottom, plan.ticks))
        .with(groups)
}

fn group(plan: &Plan, job: &Job, memory: Memory, trace: &Trace, top: f64, layout: Layout) -> Node {
    let lanes: Vec<_> = lanes(job, memory, trace)
        .iter()
        .enumerate()
        .map(|(i, lane)| plan.timeline.lane(top + plan.head + i as f64 * plan.pitch, lane))
        .collect();
    let held = format!("holds the thread {}", duration_ns(trace.held_ns));
    let done = format!("all there after {}, {}", duration_ns(trace.arrived_ns), rate(job.rate(trace)));
    let (x, y) = layout.pick((108.0, top + 14.0), (4.0, top + 34.0));
    let first = layout.pick((108.0, top + 14.0), (92.0, top + 14.0));
    let text = layout.pick([format!("{held}, {done}"), String::new()], [held, done]);
    let [line0, line1] = text;
    Node::from([
        svg::text("strong halo", (plan.timeline.name_x, top + 14.0), memory.name()),
        svg::text("halo", (first.0, first.1), line0),
        svg::text("muted halo", (x, y), line1),
        lanes.into(),
    ])
}

/// The actors of one variant. What is always there and what is drawn over what is fixed, so that nodes
/// stay while values change.
fn lanes(job: &Job, memory: Memory, trace: &Trace) -> Vec<Lane> {
    let thread = Lane {
        name: "thread",
        rows: 1,
        bars: vec![
            Bars::new(Role::Plain, Look::Wait, trace.waiting.clone()).labelled("waits"),
            Bars::new(Role::Kernel, Look::Work, trace.registering.clone()).labelled("register"),
            Bars::new(Role::Cpu, Look::Work, trace.staging.clone()).labelled("memcpy"),
            Bars::new(Role::Cpu, Look::Work, trace.submitting.clone()),
        ],
        moments_ns: trace.returned_ns.clone(),
    };
    let staging = || Lane {
        name: "staging",
        rows: trace.buffers.len(),
        bars: (trace.buffers.iter().enumerate())
            .map(|(row, held)| Bars { row, ..Bars::new(Role::Cpu, Look::Held, held.clone()) })
            .collect(),
        moments_ns: Vec::new(),
    };
    let engine = Lane {
        name: "copy engine",
        rows: 1,
        bars: vec![
            Bars::new(Role::Plain, Look::Wait, trace.engine_waits()),
            Bars::new(Role::Wire, Look::Work, trace.engine.clone()).labelled(arrow(job.direction)),
        ],
        moments_ns: Vec::new(),
    };
    let sms = Lane {
        name: "SMs",
        rows: 1,
        bars: vec![Bars::new(Role::Gpu, Look::Work, trace.kernels.clone()).labelled("kernel")],
        moments_ns: Vec::new(),
    };
    match memory {
        Memory::Pageable => vec![thread, staging(), engine, sms],
        Memory::Pinned | Memory::Registered => vec![thread, engine, sms],
    }
}

fn arrow(direction: Direction) -> &'static str {
    match direction {
        Direction::ToDevice => "to device",
        Direction::ToHost => "to host",
    }
}

/// Says what the marks mean, in the picture itself.
fn legend(plan: &Plan, layout: Layout) -> Node {
    let y = plan.legend_y;
    let fill = format!("url(#{})", plan.timeline.id);
    // Left edges: work, waiting, return.
    let [x0, x1, x2] = layout.pick([108.0, 192.0, 292.0], [4.0, 84.0, 176.0]);
    Node::from([
        svg::rect("cpu lane-bar", Rect::new(x0, y - 6.0, 20.0, 12.0)),
        svg::text("small muted", (x0 + 28.0, y + 4.0), "works"),
        svg::rect("lane-wait", Rect::new(x1, y - 6.0, 20.0, 12.0)).set("fill", fill),
        svg::text("small muted", (x1 + 28.0, y + 4.0), "waits"),
        svg::path("moment", format!("M{} {}l6 6l-6 6l-6-6z", x2 + 10.0, y - 6.0)),
        svg::text("small muted", (x2 + 24.0, y + 4.0), "copy call returns"),
    ])
}
