//! Where things are in the upper part of the picture.

use crate::kit::Layout;
use crate::kit::scene::Rect;

/// Where things are in one drawing.
pub struct Plan {
    /// The two cores.
    pub panels: [Rect; 2],
    /// Places to act, relative to a panel.
    pub buttons: [Rect; 2],
    /// Baseline of a core's name, relative to its panel.
    pub title_y: f64,
    /// Lower edge of the line below it.
    pub deed_y: f64,
    /// Upper edges of the two lines in a cache.
    pub rows_y: [f64; 2],
    /// Width and height of a word.
    pub slot: (f64, f64),
    /// State of a line, relative to its panel.
    pub badge: Rect,
    /// First word of a line, relative to its panel.
    pub slots_x: f64,
    /// The bus.
    pub bus_y: f64,
    /// Lower edge of the boxes around cores.
    pub frame_bottom: f64,
    /// DRAM.
    pub memory: Rect,
    /// Lines in DRAM: left edge, upper edges, width of a word.
    pub memory_slots: (f64, [f64; 2], f64),
}

impl Plan {
    /// The drawing's places, in units of the viewBox.
    pub fn of(layout: Layout) -> Self {
        let wide = Self {
            panels: [Rect::new(12.0, 12.0, 312.0, 152.0), Rect::new(396.0, 12.0, 312.0, 152.0)],
            buttons: [Rect::new(172.0, 8.0, 60.0, 32.0), Rect::new(240.0, 8.0, 60.0, 32.0)],
            title_y: 24.0,
            deed_y: 42.0,
            rows_y: [76.0, 120.0],
            slot: (30.0, 28.0),
            badge: Rect::new(16.0, 0.0, 28.0, 28.0),
            slots_x: 56.0,
            bus_y: 220.0,
            frame_bottom: 192.0,
            memory: Rect::new(136.0, 252.0, 448.0, 92.0),
            memory_slots: (296.0, [260.0, 304.0], 30.0),
        };
        let narrow = Self {
            panels: [Rect::new(4.0, 8.0, 162.0, 184.0), Rect::new(174.0, 8.0, 162.0, 184.0)],
            buttons: [Rect::new(6.0, 44.0, 72.0, 44.0), Rect::new(84.0, 44.0, 72.0, 44.0)],
            title_y: 17.0,
            deed_y: 41.0,
            rows_y: [112.0, 152.0],
            slot: (16.0, 24.0),
            badge: Rect::new(4.0, 0.0, 24.0, 24.0),
            slots_x: 32.0,
            bus_y: 244.0,
            frame_bottom: 216.0,
            memory: Rect::new(44.0, 276.0, 252.0, 88.0),
            memory_slots: (156.0, [284.0, 324.0], 16.0),
        };
        layout.pick(wide, narrow)
    }

    /// Where a core meets the bus.
    pub fn port_x(&self, core: usize) -> f64 {
        self.panels[core].center().0
    }

    /// Where memory meets the bus.
    pub fn middle_x(&self) -> f64 {
        self.memory.center().0
    }
}
