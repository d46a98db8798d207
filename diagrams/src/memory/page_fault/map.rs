//! Where things are on the map, and the ways between them.

use super::steps::Station;
use crate::kit::Layout;
use crate::kit::scene::Rect;

/// All places, in the order in which they are drawn.
pub const NODES: [Station; 20] = [
    Station::Access,
    Station::Walk,
    Station::Trap,
    Station::Area,
    Station::Allowed,
    Station::Descend,
    Station::Huge,
    Station::Fresh,
    Station::File,
    Station::Protected,
    Station::ClearHuge,
    Station::Clear,
    Station::Cache,
    Station::Copy,
    Station::Zeros,
    Station::Drive,
    Station::Keep,
    Station::Entry,
    Station::Return,
    Station::Signal,
];

/// All ways from one place to another. The way back from the drive to the area is the retry.
pub const WAYS: [(Station, Station); 27] = [
    (Station::Access, Station::Walk),
    (Station::Walk, Station::Trap),
    (Station::Trap, Station::Area),
    (Station::Area, Station::Allowed),
    (Station::Allowed, Station::Descend),
    (Station::Area, Station::Signal),
    (Station::Allowed, Station::Signal),
    (Station::Descend, Station::Huge),
    (Station::Descend, Station::Fresh),
    (Station::Descend, Station::File),
    (Station::Descend, Station::Protected),
    (Station::Huge, Station::ClearHuge),
    (Station::Fresh, Station::Clear),
    (Station::Fresh, Station::Zeros),
    (Station::File, Station::Cache),
    (Station::File, Station::Drive),
    (Station::File, Station::Signal),
    (Station::Protected, Station::Copy),
    (Station::Protected, Station::Keep),
    (Station::ClearHuge, Station::Entry),
    (Station::Clear, Station::Entry),
    (Station::Zeros, Station::Entry),
    (Station::Cache, Station::Entry),
    (Station::Drive, Station::Entry),
    (Station::Copy, Station::Entry),
    (Station::Keep, Station::Entry),
    (Station::Entry, Station::Return),
];

/// Measures of one drawing.
struct Grid {
    left: f64,
    pitch: f64,
    width: f64,
    branch_y: f64,
    first_y: f64,
    second_y: f64,
    entry_y: f64,
    inset: f64,
}

fn grid(layout: Layout) -> Grid {
    let wide = Grid {
        left: 20.0,
        pitch: 140.0,
        width: 128.0,
        branch_y: 128.0,
        first_y: 184.0,
        second_y: 228.0,
        entry_y: 284.0,
        inset: 12.0,
    };
    let narrow = Grid {
        left: 12.0,
        pitch: 82.0,
        width: 76.0,
        branch_y: 156.0,
        first_y: 208.0,
        second_y: 248.0,
        entry_y: 300.0,
        inset: 10.0,
    };
    layout.pick(wide, narrow)
}

/// Column of a branch and of what hangs below it.
fn column(node: Station) -> usize {
    match node {
        Station::Huge | Station::ClearHuge => 0,
        Station::Fresh | Station::Clear | Station::Zeros => 1,
        Station::File | Station::Cache | Station::Drive => 2,
        _ => 3,
    }
}

/// The box of a place.
pub fn rect(node: Station, layout: Layout) -> Rect {
    let g = grid(layout);
    let col = |i: usize| g.left + g.pitch * i as f64;
    let top = |i: usize| Rect::new(col(i), 8.0, g.width, 40.0);
    let below = |y: f64| Rect::new(col(column(node)) + g.inset, y, g.width - 2.0 * g.inset, 30.0);
    match (node, layout) {
        (Station::Access, Layout::Wide) => top(0),
        (Station::Walk, Layout::Wide) => top(1),
        (Station::Trap, Layout::Wide) => top(2),
        (Station::Area, Layout::Wide) => top(3),
        (Station::Allowed, Layout::Wide) => top(4),
        (Station::Access, Layout::Narrow) => Rect::new(12.0, 8.0, 92.0, 40.0),
        (Station::Walk, Layout::Narrow) => Rect::new(116.0, 8.0, 100.0, 40.0),
        (Station::Trap, Layout::Narrow) => Rect::new(228.0, 8.0, 104.0, 40.0),
        (Station::Area, Layout::Narrow) => Rect::new(12.0, 60.0, 152.0, 36.0),
        (Station::Allowed, Layout::Narrow) => Rect::new(180.0, 60.0, 152.0, 36.0),
        (Station::Descend, _) => Rect::new(g.left, layout.pick(72.0, 108.0), g.pitch * 3.0 + g.width, 32.0),
        (Station::Huge | Station::Fresh | Station::File | Station::Protected, _) => {
            Rect::new(col(column(node)), g.branch_y, g.width, 32.0)
        }
        (Station::ClearHuge | Station::Clear | Station::Cache | Station::Copy, _) => below(g.first_y),
        (Station::Zeros | Station::Drive | Station::Keep, _) => below(g.second_y),
        (Station::Return, _) => Rect::new(g.left, g.entry_y, g.width, 32.0),
        (Station::Entry, Layout::Wide) => Rect::new(col(1), g.entry_y, g.pitch * 2.0 + g.width, 32.0),
        (Station::Entry, Layout::Narrow) => Rect::new(col(1), g.entry_y, g.pitch + g.width, 32.0),
        (Station::Signal, Layout::Wide) => Rect::new(col(4), g.branch_y, g.width, 32.0),
        (Station::Signal, Layout::Narrow) => Rect::new(col(3), g.entry_y, g.width, 32.0),
    }
}

/// Path data of a way.
pub fn way(from: Station, to: Station, layout: Layout) -> String {
    let g = grid(layout);
    let (a, b) = (rect(from, layout), rect(to, layout));
    let ((ax, ay), (bx, by)) = (a.center(), b.center());
    let (a_right, a_bottom, b_right, b_bottom) =
        (a.x + a.width, a.y + a.height, b.x + b.width, b.y + b.height);
    match (from, to) {
        (Station::Trap, Station::Area) if layout == Layout::Narrow => {
            format!("M{ax} {a_bottom}V54H{bx}V{}", b.y)
        }
        (Station::Allowed, Station::Descend) if layout == Layout::Wide => {
            format!("M600 {a_bottom}V{by}H{b_right}")
        }
        (Station::Allowed, Station::Descend) => format!("M{ax} {a_bottom}V{}", b.y),
        (Station::Area, Station::Signal) if layout == Layout::Wide => {
            format!("M{ax} {}V3H714V{by}H{b_right}", a.y)
        }
        (Station::Allowed, Station::Signal) if layout == Layout::Wide => format!("M{bx} {a_bottom}V{}", b.y),
        (Station::Area, Station::Signal) => format!("M{} {}V54H337V{by}H{b_right}", ax + 64.0, a.y),
        (Station::Allowed, Station::Signal) => format!("M{a_right} {ay}H337V{by}H{b_right}"),
        (Station::File, Station::Signal) if layout == Layout::Wide => {
            format!("M{} {a_bottom}V172H{bx}V{b_bottom}", ax + 40.0)
        }
        (Station::File, Station::Signal) => format!("M{} {a_bottom}V198H337V{by}H{b_right}", ax + 24.0),
        (Station::Descend, _) => format!("M{bx} {a_bottom}V{}", b.y),
        (_, Station::Entry) => {
            let rail = a_right + g.inset / 2.0;
            let down = if rail < b.x {
                format!("V{}H{}V{}", b.y - 10.0, b.x + 12.0, b.y)
            } else {
                format!("V{}", b.y)
            };
            format!("M{a_right} {ay}H{rail}{down}")
        }
        (Station::Entry, Station::Return) => format!("M{} {ay}H{b_right}", a.x),
        (Station::Huge | Station::Fresh | Station::File | Station::Protected, _) => {
            format!("M{} {a_bottom}V{by}H{}", b.x - g.inset / 2.0, b.x)
        }
        _ => format!("M{a_right} {ay}H{}", b.x),
    }
}

/// From the return back to the instruction.
pub fn again(layout: Layout) -> String {
    let (a, b) = (rect(Station::Return, layout), rect(Station::Access, layout));
    let x = layout.pick(8.0, 4.0);
    format!("M{} {}H{x}V{}H{}", a.x, a.center().1, b.center().1, b.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_overlap_and_lie_in_the_picture() {
        for layout in [Layout::Wide, Layout::Narrow] {
            for (i, &a) in NODES.iter().enumerate() {
                let r = rect(a, layout);
                assert!(r.x >= 0.0 && r.x + r.width <= layout.width(), "{a:?}");
                for &b in &NODES[i + 1..] {
                    let s = rect(b, layout);
                    let apart = r.x + r.width <= s.x
                        || s.x + s.width <= r.x
                        || r.y + r.height <= s.y
                        || s.y + s.height <= r.y;
                    assert!(apart, "{layout:?}: {a:?} and {b:?}");
                }
            }
        }
    }

    #[test]
    fn every_step_follows_a_way() {
        use super::super::{
            case::{Case, World},
            machine::Machine,
            steps::steps,
        };
        for case in Case::ALL {
            for world in World::ALL {
                let steps = steps(case, world, &Machine::rtx4090());
                for pair in steps.windows(2) {
                    let step = (pair[0].node, pair[1].node);
                    // The retry after the drive, and the entry after it, go back over the map.
                    let retry =
                        matches!(step, (Station::Drive, Station::Area) | (Station::Area, Station::Entry));
                    assert!(retry || WAYS.contains(&step), "{case:?} {step:?}");
                }
            }
        }
    }
}
