//! Random histories: whatever the reader does, the books are right and no frame is lost.

use super::frames::{FRAMES, Kind};
use super::machine::{AREA_PAGES, Backing, Deed, Entry, Machine, Op, Outcome, PAGES};

/// A small generator of its own, so that a failing history can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides) as usize
    }

    fn op(&mut self) -> Op {
        let process = self.roll(2);
        let page = self.roll(PAGES as u64);
        let deed = match self.roll(20) {
            0 | 1 => Deed::Malloc,
            2 | 3 => Deed::MapFile,
            4 => Deed::MapShared,
            5..=8 => Deed::Read(page),
            9..=12 => Deed::Write(page),
            13..=16 => Deed::WriteAll(page),
            17 => Deed::Unmap(page),
            _ => Deed::Fork,
        };
        Op { process, deed }
    }
}

fn check(machine: &Machine, history: &[Op]) {
    let mut maps = [0u32; FRAMES];
    for p in 0..2 {
        for page in 0..PAGES {
            let area = machine.processes[p].areas[page / AREA_PAGES];
            let entry = machine.processes[p].table[page];
            assert!(area.is_some() || entry == Entry::None, "entry without an area: {history:?}");
            let Entry::Frame { frame, write } = entry else { continue };
            maps[frame] += 1;
            let kind = machine.frames.get(frame).kind;
            match kind {
                Kind::Free => panic!("a free frame is mapped: {history:?}"),
                Kind::Anonymous => assert!(!write || machine.frames.get(frame).maps == 1, "{history:?}"),
                Kind::File { page: of_file } => {
                    assert!(!write && of_file == page % AREA_PAGES, "{history:?}")
                }
                Kind::Shared { object, page: of_object } => {
                    assert!(write && of_object == page % AREA_PAGES, "{history:?}");
                    assert_eq!(area.map(|a| a.backing), Some(Backing::Shared(object)), "{history:?}");
                }
            }
        }
        let s = machine.sizes(p);
        assert!(s.uss <= s.pss + 1e-9 && s.pss <= s.rss + 1e-9 && s.rss <= s.virt, "{s:?} {history:?}");
    }
    for (number, frame) in machine.frames.iter() {
        assert_eq!(frame.maps, maps[number], "reference count of frame {number}: {history:?}");
        // No frame is lost: what nobody maps is free, or the page cache's, or of shared memory in use.
        let kept = frame.maps > 0 || !matches!(frame.kind, Kind::Anonymous);
        assert!(kept, "frame {number} leaked: {history:?}");
        if let Kind::Shared { object, .. } = frame.kind {
            let areas = machine.processes.iter().flat_map(|q| q.areas.iter().flatten());
            assert!(areas.into_iter().any(|a| a.backing == Backing::Shared(object)), "{history:?}");
        }
    }
    let pss = machine.sizes(0).pss + machine.sizes(1).pss;
    assert!((pss - machine.frames.mapped() as f64).abs() < 1e-9, "{pss}: {history:?}");
    assert!(machine.frames.used() <= FRAMES);
}

#[test]
fn the_books_are_right_after_any_history() {
    let mut seen_oom = 0;
    let mut seen_copy = 0;
    for seed in 1..=400u64 {
        let mut dice = Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let mut machine = Machine::default();
        let mut history = Vec::new();
        for _ in 0..80 {
            let op = dice.op();
            history.push(op);
            match machine.perform(op) {
                Outcome::OutOfMemory(_) => seen_oom += 1,
                Outcome::Copied(..) => seen_copy += 1,
                _ => {}
            }
            check(&machine, &history);
        }
    }
    assert!(seen_oom > 0 && seen_copy > 100, "the histories reach the corners: {seen_oom}, {seen_copy}");
}

#[test]
fn a_process_that_ends_leaves_nothing_but_the_page_cache() {
    let mut machine = Machine::default();
    for deed in [
        Deed::Malloc,
        Deed::MapFile,
        Deed::MapShared,
        Deed::Fork,
        Deed::WriteAll(0),
        Deed::WriteAll(4),
        Deed::WriteAll(8),
    ] {
        machine.perform(Op { process: 0, deed });
    }
    for process in 0..2 {
        for page in [0, 4, 8] {
            machine.perform(Op { process, deed: Deed::Unmap(page) });
        }
    }
    assert_eq!(machine.frames.mapped(), 0);
    assert!(machine.frames.iter().all(|(_, f)| matches!(f.kind, Kind::Free | Kind::File { .. })));
    assert_eq!(machine.frames.used(), AREA_PAGES);
}
