//! Where things lie: one row for each tray, hardware at the left, kernels at the right.

use super::model::Pick;
use super::plant::{SWITCHES, TRAY_GPUS};
use super::words::rows;
use crate::kit::Layout;
use crate::kit::scene::Rect;

/// Measures of one drawing.
pub struct Grid {
    /// Wide or narrow.
    pub layout: Layout,
    /// Trays from top to bottom.
    pub rows: Vec<(Pick, u8)>,
    /// Upper edge of the first row.
    pub top: f64,
    /// Height of a row.
    pub pitch: f64,
    /// Left and right edge of the trays.
    pub tray: (f64, f64),
    /// First GPU, and from one to the next.
    pub gpu: (f64, f64),
    /// First line of the spine, and from one to the next.
    pub spine: (f64, f64),
    /// Left edge and width of the kernels.
    pub kernel: (f64, f64),
    /// Left edge and width of the daemons.
    pub daemon: (f64, f64),
}

impl Grid {
    /// The measures of a layout.
    pub fn of(layout: Layout) -> Self {
        Self {
            layout,
            rows: rows(),
            top: layout.pick(60.0, 80.0),
            pitch: layout.pick(24.0, 28.0),
            tray: layout.pick((4.0, 300.0), (4.0, 180.0)),
            gpu: layout.pick((132.0, 42.0), (64.0, 29.0)),
            spine: layout.pick((316.0, 8.0), (190.0, 4.0)),
            kernel: layout.pick((404.0, 152.0), (232.0, 52.0)),
            daemon: layout.pick((568.0, 136.0), (286.0, 46.0)),
        }
    }

    /// Lower edge of the last row.
    pub fn bottom(&self) -> f64 {
        self.top + self.pitch * self.rows.len() as f64
    }

    /// Height of the picture.
    pub fn height(&self) -> f64 {
        self.bottom() + self.layout.pick(36.0, 60.0)
    }

    /// Row of a tray.
    pub fn row(&self, kind: Pick, index: u8) -> usize {
        self.rows.iter().position(|row| *row == (kind, index)).unwrap_or(0)
    }

    /// Middle of a row.
    pub fn middle(&self, row: usize) -> f64 {
        self.top + self.pitch * (row as f64 + 0.5)
    }

    /// A box in a row.
    pub fn cell(&self, row: usize, (x, width): (f64, f64)) -> Rect {
        Rect::new(x, self.top + self.pitch * row as f64 + 2.0, width, self.pitch - 4.0)
    }

    /// The box of a tray.
    pub fn tray_box(&self, row: usize) -> Rect {
        self.cell(row, (self.tray.0, self.tray.1 - self.tray.0))
    }

    /// The box of a GPU within its tray.
    pub fn gpu_box(&self, row: usize, gpu: u8) -> Rect {
        let gap = self.layout.pick(4.0, 3.0);
        let x = self.gpu.0 + self.gpu.1 * f64::from(gpu % TRAY_GPUS);
        let Rect { y, height, .. } = self.cell(row, (0.0, 0.0));
        Rect::new(x, y + 2.0, self.gpu.1 - gap, height - 4.0)
    }

    /// The line of a switch tray in the spine.
    pub fn line(&self, switch: u8) -> f64 {
        self.spine.0 + self.spine.1 * f64::from(switch)
    }

    /// Right end of the spine.
    pub fn spine_end(&self) -> f64 {
        self.line(SWITCHES - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_follow_each_other_and_gpus_stay_in_their_tray() {
        for layout in [Layout::Wide, Layout::Narrow] {
            let grid = Grid::of(layout);
            let last = grid.gpu_box(0, 3);
            assert!(last.x + last.width <= grid.tray.1);
            assert!(grid.tray.1 < grid.spine.0 && grid.spine_end() < grid.kernel.0);
            assert!(grid.kernel.0 + grid.kernel.1 <= grid.daemon.0);
            assert!(grid.daemon.0 + grid.daemon.1 <= layout.width());
            assert_eq!(grid.row(Pick::Switch, 8), 10);
        }
    }
}
