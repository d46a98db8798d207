//! What happens below `handle_mm_fault`, one function per branch.

use super::super::case::World;
use super::super::machine::{SHARES, Source};
use super::{LOOK_UP_NS, Lock, SIGNAL_NS, Station, Way};

impl Way<'_> {
    pub(super) fn first_touch(&mut self) {
        let world = self.world;
        self.push(
            Station::Fresh,
            "do_anonymous_page → alloc_anon_folio → folio_prealloc",
            self.part(SHARES.branch),
            "Anonymous memory, and a write: the handler takes a free frame, mostly from the core's own list.",
        );
        let share = if world == World::Arm64k {
            "Sixteen times the bytes of a 4 KiB page"
        } else {
            "Nearly two thirds of the whole fault"
        };
        self.push(
            Station::Clear,
            "vma_alloc_zeroed_movable_folio → clear_page",
            self.machine.clear(world.page_bytes(), world),
            format!("It clears the frame, or the program could read what another one left there. {share}."),
        );
        self.finish("set_ptes", "present, writable");
    }

    pub(super) fn zeros(&mut self) {
        self.push(
            Station::Fresh,
            "do_anonymous_page",
            self.part(SHARES.branch / 6.0),
            "Anonymous memory, and only a read: no frame is needed yet.",
        );
        self.push(
            Station::Zeros,
            "my_zero_pfn, pte_mkspecial",
            self.part(0.0),
            "There is one page of zeros in the machine, and everybody who reads untouched memory gets it. RSS stays, and the first write will fault again.",
        );
        self.finish("set_pte_at", "present, read-only, page of zeros");
    }

    pub(super) fn cached(&mut self) {
        let world = self.world;
        let others = 1.0 - SHARES.branch + SHARES.branch / 2.0;
        if world.around_pages() > 1 {
            self.push(
                Station::File,
                "do_fault → do_read_fault → do_fault_around",
                self.part(SHARES.branch / 2.0),
                "The area belongs to a file. Before asking for one page, the handler tries the window of 64 KiB around it.",
            );
            let time = match self.machine.mapped_ns {
                Some(ns) => ((ns - others * self.machine.handling_ns).max(0.0), Source::Measured),
                None => (LOOK_UP_NS * f64::from(world.around_pages()), Source::Expected),
            };
            self.push(
                Station::Cache,
                "filemap_map_pages → next_uptodate_folio, set_pte_range",
                time,
                "The page cache has the pages. All that are there are mapped at once, up to 16, so 15 faults will never happen. Nothing is copied.",
            );
        } else {
            self.push(
                Station::File,
                "do_fault → do_read_fault → __do_fault",
                self.part(SHARES.branch / 2.0),
                "The area belongs to a file. The window of fault-around is 64 KiB, one page here, so there are no neighbours to map.",
            );
            self.push(
                Station::Cache,
                "filemap_fault → filemap_get_folio",
                (LOOK_UP_NS, Source::Expected),
                "The page cache has the page. Its frame will be mapped, nothing is copied.",
            );
        }
        self.finish("set_pte_range", "present, read-only, frame of the page cache");
    }

    pub(super) fn read_drive(&mut self) {
        let world = self.world;
        let (whole, source) = self.machine.major(world);
        self.push(
            Station::File,
            "do_fault → do_read_fault → __do_fault → filemap_fault",
            self.part(SHARES.branch),
            "The area belongs to a file, and the page cache does not have the page. This fault is counted as major.",
        );
        let handled: f64 = self.steps.iter().map(|s| s.ns).sum::<f64>()
            + self.retry_ns()
            + self.part(SHARES.entry + SHARES.back).0;
        self.lock = Lock::None;
        self.push(
            Station::Drive,
            "do_sync_mmap_readahead → filemap_read_folio → submit_bio → io_schedule",
            ((whole - handled).max(0.0), source),
            "A frame is taken, a read is queued, and the thread lets go of its lock and sleeps until the drive has written the frame. Another thread may have the core.",
        );
        self.lock = Lock::Space;
        let retry = self.retry_ns();
        self.push(
            Station::Area,
            "VM_FAULT_RETRY → lock_mm_and_find_vma → handle_mm_fault",
            (retry, Source::Expected),
            "Awake again, it starts over, since the area may have changed: this time under the lock of the whole address space. Now the page cache has the page.",
        );
        self.finish("finish_fault → set_pte_range", "present, read-only, frame of the page cache");
    }

    fn retry_ns(&self) -> f64 {
        self.part(SHARES.area + SHARES.allowed + SHARES.descend).0 + LOOK_UP_NS
    }

    pub(super) fn copy(&mut self) {
        self.push(
            Station::Protected,
            "do_wp_page → wp_can_reuse_anon_folio",
            self.part(SHARES.branch),
            "A write to a page that may only be read, in an area that allows writing: somebody else has the page too. The handler takes a frame.",
        );
        let copy = self.machine.copy(self.world);
        self.push(
            Station::Copy,
            "wp_page_copy → __wp_page_copy_user",
            copy,
            "It copies the page. The writer gets the copy, the others keep the original.",
        );
        let functions = if self.world.is_arm() {
            "ptep_clear_flush (TLBI, broadcast) → set_pte_at"
        } else {
            "ptep_clear_flush (interrupts to other cores) → set_pte_at"
        };
        self.finish(functions, "present, writable, the copy");
    }

    pub(super) fn keep(&mut self) {
        self.push(
            Station::Protected,
            "do_wp_page → wp_can_reuse_anon_folio",
            self.part(SHARES.branch / 3.0),
            "A write to a page that may only be read. The handler asks who else maps it: nobody any more.",
        );
        self.push(
            Station::Keep,
            "wp_page_reuse",
            self.part(SHARES.branch / 3.0),
            "So the page is kept. Nothing is taken, nothing is copied.",
        );
        self.finish("ptep_set_access_flags", "present, writable");
    }

    pub(super) fn huge(&mut self) {
        let world = self.world;
        self.push(
            Station::Huge,
            "do_huge_pmd_anonymous_page → vma_alloc_anon_folio_pmd",
            self.part(SHARES.branch),
            "The handler asks for frames in a row. If there are none, and defrag allows it, this thread compacts memory first; else the fault falls back to one base page.",
        );
        let size = crate::kit::units::bytes(world.huge_bytes());
        self.push(
            Station::ClearHuge,
            "folio_zero_user → clear_user_highpage",
            self.machine.clear(world.huge_bytes(), world),
            format!("It clears {size} while the program waits. Per byte this is no faster than page by page; what is saved is everything else."),
        );
        self.finish("set_pmd_at, pgtable_trans_huge_deposit", "one leaf, a level up");
    }

    pub(super) fn truncated(&mut self) {
        self.push(
            Station::File,
            "do_fault → do_read_fault → filemap_fault: VM_FAULT_SIGBUS",
            self.part(SHARES.branch),
            "The area is there, the file is not: this page lies behind its end, so there is nothing to map.",
        );
        self.lock = Lock::None;
        let functions = if self.world.is_arm() {
            "arm64_force_sig_fault(SIGBUS, BUS_ADRERR)"
        } else {
            "do_sigbus → force_sig_fault(SIGBUS, BUS_ADRERR)"
        };
        self.push(
            Station::Signal,
            functions,
            (SIGNAL_NS, Source::Expected),
            "The thread gets SIGBUS. A full /dev/shm ends like this too.",
        );
    }
}
