//! Where places and wires are drawn.

use super::plan::Spot;
use crate::kit::Layout;
use crate::kit::scene::{Rect, middle};

/// Box of a place.
pub fn rect(layout: Layout, spot: Spot) -> Rect {
    match layout {
        Layout::Wide => wide(spot),
        Layout::Narrow => narrow(spot),
    }
}

fn wide(spot: Spot) -> Rect {
    match spot {
        Spot::Drive => Rect::new(4.0, 64.0, 92.0, 48.0),
        Spot::PageCache => Rect::new(152.0, 64.0, 100.0, 48.0),
        Spot::UserBuffer => Rect::new(300.0, 64.0, 100.0, 48.0),
        Spot::Staging => Rect::new(448.0, 64.0, 100.0, 48.0),
        Spot::Gpu => Rect::new(624.0, 64.0, 92.0, 48.0),
        Spot::Bounce => Rect::new(448.0, 164.0, 100.0, 48.0),
        Spot::Nic => Rect::new(624.0, 164.0, 92.0, 48.0),
    }
}

fn narrow(spot: Spot) -> Rect {
    match spot {
        Spot::Drive => Rect::new(4.0, 16.0, 100.0, 44.0),
        Spot::PageCache => Rect::new(12.0, 124.0, 88.0, 48.0),
        Spot::UserBuffer => Rect::new(116.0, 124.0, 88.0, 48.0),
        Spot::Staging => Rect::new(220.0, 124.0, 88.0, 48.0),
        Spot::Gpu => Rect::new(232.0, 16.0, 104.0, 44.0),
        Spot::Bounce => Rect::new(220.0, 216.0, 88.0, 48.0),
        Spot::Nic => Rect::new(232.0, 312.0, 104.0, 44.0),
    }
}

/// The box around everything that lies in host DRAM.
pub fn dram(layout: Layout) -> Rect {
    layout.pick(Rect::new(132.0, 32.0, 440.0, 196.0), Rect::new(4.0, 92.0, 312.0, 188.0))
}

/// Where "host DRAM" is written.
pub fn dram_label(layout: Layout) -> (f64, f64) {
    layout.pick((144.0, 216.0), (16.0, 268.0))
}

/// Corners of the wire from one place to another. Shortcuts go around the places that they leave out.
pub fn wire(layout: Layout, from: Spot, to: Spot) -> Vec<(f64, f64)> {
    match layout {
        Layout::Wide => wide_wire(from, to),
        Layout::Narrow => narrow_wire(from, to),
    }
}

fn wide_wire(from: Spot, to: Spot) -> Vec<(f64, f64)> {
    use Spot::*;
    match (from, to) {
        (Drive, UserBuffer) => vec![(52.0, 112.0), (52.0, 144.0), (336.0, 144.0), (336.0, 112.0)],
        (Drive, Gpu) => vec![(52.0, 64.0), (52.0, 16.0), (668.0, 16.0), (668.0, 64.0)],
        (PageCache, Staging) => vec![(200.0, 112.0), (200.0, 144.0), (496.0, 144.0), (496.0, 112.0)],
        (UserBuffer, Gpu) => {
            vec![(368.0, 112.0), (368.0, 128.0), (596.0, 128.0), (596.0, 100.0), (624.0, 100.0)]
        }
        (Gpu, Bounce) => vec![(648.0, 112.0), (648.0, 144.0), (524.0, 144.0), (524.0, 164.0)],
        (Gpu, Nic) => vec![(684.0, 112.0), (684.0, 164.0)],
        (Bounce, Nic) => vec![(548.0, 188.0), (624.0, 188.0)],
        _ => {
            let (a, b) = (wide(from), wide(to));
            vec![(a.x + a.width, 88.0), (b.x, 88.0)]
        }
    }
}

fn narrow_wire(from: Spot, to: Spot) -> Vec<(f64, f64)> {
    use Spot::*;
    match (from, to) {
        (Drive, PageCache) => vec![(40.0, 60.0), (40.0, 124.0)],
        (Drive, UserBuffer) => vec![(84.0, 60.0), (84.0, 100.0), (140.0, 100.0), (140.0, 124.0)],
        (Drive, Gpu) => vec![(104.0, 36.0), (232.0, 36.0)],
        (PageCache, Staging) => vec![(56.0, 172.0), (56.0, 196.0), (256.0, 196.0), (256.0, 172.0)],
        (UserBuffer, Gpu) => vec![(180.0, 124.0), (180.0, 80.0), (252.0, 80.0), (252.0, 60.0)],
        (Staging, Gpu) => vec![(272.0, 124.0), (272.0, 60.0)],
        (Gpu, Bounce) => vec![(328.0, 60.0), (328.0, 240.0), (308.0, 240.0)],
        (Gpu, Nic) => vec![(328.0, 60.0), (328.0, 312.0)],
        (Bounce, Nic) => vec![(264.0, 264.0), (264.0, 312.0)],
        _ => {
            let (a, b) = (narrow(from), narrow(to));
            vec![(a.x + a.width, 148.0), (b.x, 148.0)]
        }
    }
}

/// Length of a wire whose parts are level or upright.
pub fn length(line: &[(f64, f64)]) -> f64 {
    line.windows(2).map(|w| (w[1].0 - w[0].0).abs() + (w[1].1 - w[0].1).abs()).sum()
}

/// Where the rate of a wire is written: above its level part or left of its upright part.
pub fn label(layout: Layout, from: Spot, to: Spot) -> (f64, f64) {
    match (layout, from, to) {
        (Layout::Wide, Spot::Gpu, Spot::Bounce) => (586.0, 158.0),
        (Layout::Wide, Spot::UserBuffer, Spot::Gpu) => (572.0, 114.0),
        (Layout::Narrow, Spot::Gpu, _) => (306.0, 196.0),
        (Layout::Narrow, Spot::UserBuffer, Spot::Gpu) => (208.0, 68.0),
        _ => {
            let line = wire(layout, from, to);
            let (x, y) = middle(&line);
            let level = line.windows(2).any(|w| w[0].1 == w[1].1 && w[0].1 == y);
            if level { (x, y - 13.0) } else { (x - 20.0, y) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::data_path::plan::{Plan, Shortcuts};

    fn touches(rect: Rect, (x, y): (f64, f64)) -> bool {
        let inside = |v: f64, from: f64, length: f64| v >= from && v <= from + length;
        inside(x, rect.x, rect.width) && inside(y, rect.y, rect.height)
    }

    #[test]
    fn every_wire_of_every_plan_ends_at_its_places() {
        for flags in 0..64u8 {
            let bit = |n: u8| flags >> n & 1 == 1;
            let (warm, mmap, direct) = (bit(0), bit(1), bit(2));
            let want = Shortcuts { warm, mmap, direct, pinned: bit(3), gds: bit(4), rdma: bit(5) };
            for step in Plan::new(want).steps {
                for layout in [Layout::Wide, Layout::Narrow] {
                    let line = wire(layout, step.from, step.to);
                    assert!(touches(rect(layout, step.from), line[0]), "{layout:?} {step:?}");
                    assert!(touches(rect(layout, step.to), line[line.len() - 1]), "{layout:?} {step:?}");
                    for pair in line.windows(2) {
                        assert!(pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1, "{layout:?} {step:?}");
                    }
                }
            }
        }
    }
}
