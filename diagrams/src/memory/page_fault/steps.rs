//! The way of a fault: which steps, through which functions, under which lock, in which time.
//!
//! Function names are those of Linux 6.18. Names inside a branch move between releases; the
//! entries, `handle_mm_fault` and the `do_…` functions have been stable.

mod branches;

use super::case::{Case, World};
use super::machine::{Machine, SHARES, Source};

/// A place on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Station {
    /// The instruction.
    Access,
    /// TLB and page walk.
    Walk,
    /// The exception.
    Trap,
    /// Which area?
    Area,
    /// Is it allowed?
    Allowed,
    /// Down the tables.
    Descend,
    /// Branch: a huge page fits.
    Huge,
    /// Branch: anonymous memory.
    Fresh,
    /// Branch: a file.
    File,
    /// Branch: present, and not writable.
    Protected,
    /// Clearing a huge page.
    ClearHuge,
    /// Clearing a page.
    Clear,
    /// The page of zeros.
    Zeros,
    /// The page cache.
    Cache,
    /// The drive.
    Drive,
    /// Copying a page.
    Copy,
    /// Keeping the page.
    Keep,
    /// Writing the entry.
    Entry,
    /// Back to the program.
    Return,
    /// A signal.
    Signal,
}

/// What the thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Nothing.
    None,
    /// The lock of this one area, for reading.
    Area,
    /// The lock of the whole address space, for reading.
    Space,
}

impl Lock {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Area => "this VMA, for reading",
            Self::Space => "mmap_lock, for reading",
        }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Where on the map.
    pub node: Station,
    /// What happens, as a sentence.
    pub tells: String,
    /// Kernel functions, or the instruction.
    pub functions: &'static str,
    /// How long it takes.
    pub ns: f64,
    /// Where that comes from.
    pub source: Source,
    /// What the thread holds.
    pub lock: Lock,
    /// The page-table entry after the step.
    pub entry: &'static str,
}

impl Step {
    /// Whether the thread sleeps meanwhile.
    pub fn waits(&self) -> bool {
        self.node == Station::Drive
    }

    /// Whether hardware does it.
    pub fn in_hardware(&self) -> bool {
        matches!(self.node, Station::Access | Station::Walk)
    }
}

/// Delivering a signal: filling in `siginfo`, building the frame on the user's stack. Our estimate.
const SIGNAL_NS: f64 = 1_000.0;
/// Looking up one page in the page cache and taking a reference. Our estimate.
const LOOK_UP_NS: f64 = 100.0;

/// Builds the way step by step.
struct Way<'m> {
    case: Case,
    world: World,
    machine: &'m Machine,
    lock: Lock,
    entry: &'static str,
    steps: Vec<Step>,
}

/// All steps of a case.
pub fn steps(case: Case, world: World, machine: &Machine) -> Vec<Step> {
    let entry = match case {
        Case::Cow | Case::LastSharer => "present, read-only",
        Case::NoPermission => "present, read-only",
        _ => "not present",
    };
    let mut way = Way { case, world, machine, lock: Lock::None, entry, steps: Vec::new() };
    way.begin();
    match case {
        Case::NoArea => way.no_area(),
        Case::NoPermission => way.no_permission(),
        _ => {
            way.find_area();
            way.check();
            way.descend();
            way.branch();
        }
    }
    way.steps
}

impl Way<'_> {
    fn push(
        &mut self,
        node: Station,
        functions: &'static str,
        time: (f64, Source),
        tells: impl Into<String>,
    ) {
        let (ns, source) = time;
        let (lock, entry) = (self.lock, self.entry);
        self.steps.push(Step { node, tells: tells.into(), functions, ns, source, lock, entry });
    }

    /// A share of the handling of a minor fault.
    fn part(&self, share: f64) -> (f64, Source) {
        (share * self.machine.handling_ns, Source::Expected)
    }

    fn begin(&mut self) {
        let (arm, world, case) = (self.world.is_arm(), self.world, self.case);
        let instruction = match (case.writes(), arm) {
            (true, false) => "mov %rax, (%rdi)",
            (true, true) => "str x0, [x1]",
            (false, false) => "mov (%rdi), %rax",
            (false, true) => "ldr x0, [x1]",
        };
        self.push(
            Station::Access,
            instruction,
            (0.0, Source::Expected),
            format!("{}. Follow it.", case.deed()),
        );
        let found = match self.entry {
            "not present" => "and finds an entry without its present bit",
            _ => "and finds an entry that forbids writing",
        };
        let found = if case == Case::NoArea { "and finds no table at all for this address" } else { found };
        let walk = format!(
            "The TLB has no entry that allows this. The walker reads up to {} entries {found}.",
            world.walk_reads()
        );
        self.push(Station::Walk, "hardware", self.part(SHARES.walk), walk);
        let functions = match (arm, self.entry) {
            (false, _) => "asm_exc_page_fault → exc_page_fault → do_user_addr_fault",
            (true, "not present") => {
                "el0t_64_sync → el0_da → do_mem_abort → do_translation_fault → do_page_fault"
            }
            (true, _) => "el0t_64_sync → el0_da → do_mem_abort → do_page_fault",
        };
        let saved = if arm {
            "saves the address in FAR_EL1 and the kind of access in ESR_EL1".to_owned()
        } else {
            format!("saves the address in CR2, pushes the error code {}", case.error_code())
        };
        let trap = format!("The core raises an exception: it {saved} and enters the kernel.");
        self.push(Station::Trap, functions, self.part(SHARES.trap), trap);
    }

    fn find_area(&mut self) {
        self.lock = Lock::Area;
        self.push(
            Station::Area,
            "lock_vma_under_rcu",
            self.part(SHARES.area),
            "The kernel looks the address up in the maple tree of areas and locks that one area for reading.",
        );
    }

    fn check(&mut self) {
        let functions = if self.world.is_arm() { "do_page_fault: vma->vm_flags" } else { "access_error" };
        let tells = if self.case.writes() {
            "The area allows writing, so this is no mistake of the program."
        } else {
            "The area allows reading, so this is no mistake of the program."
        };
        self.push(Station::Allowed, functions, self.part(SHARES.allowed), tells);
    }

    fn descend(&mut self) {
        let functions = match self.case {
            Case::Huge => "handle_mm_fault → __handle_mm_fault → create_huge_pmd",
            Case::Cow | Case::LastSharer => "handle_mm_fault → __handle_mm_fault → handle_pte_fault",
            _ => "handle_mm_fault → __handle_mm_fault → handle_pte_fault → do_pte_missing",
        };
        let tells = match self.case {
            Case::Huge => {
                "It goes down the tables, makes missing nodes, and stops one level early: the area allows huge pages and this range is aligned and empty."
            }
            Case::Cow | Case::LastSharer => {
                "It goes down the tables and finds the entry: present, but not writable."
            }
            _ => {
                "It goes down the tables, makes missing nodes, and finds an empty entry. Now it asks what is behind this area."
            }
        };
        self.push(Station::Descend, functions, self.part(SHARES.descend), tells);
    }

    fn branch(&mut self) {
        match self.case {
            Case::FirstTouch => self.first_touch(),
            Case::ReadUntouched => self.zeros(),
            Case::PageCache => self.cached(),
            Case::Drive => self.read_drive(),
            Case::Cow => self.copy(),
            Case::LastSharer => self.keep(),
            Case::Huge => self.huge(),
            Case::Truncated => self.truncated(),
            Case::NoArea | Case::NoPermission => {}
        }
    }

    fn no_area(&mut self) {
        self.lock = Lock::Space;
        self.push(
            Station::Area,
            "lock_vma_under_rcu → lock_mm_and_find_vma",
            self.part(SHARES.area * 2.0),
            "No area covers the address. To be sure, and to see whether a stack wants to grow, the kernel looks again under the lock of the address space.",
        );
        self.lock = Lock::None;
        let functions = if self.world.is_arm() {
            "do_bad_area → arm64_force_sig_fault(SIGSEGV, SEGV_MAPERR)"
        } else {
            "bad_area_nosemaphore → force_sig_fault(SIGSEGV, SEGV_MAPERR)"
        };
        let tells = "The thread gets SIGSEGV with code SEGV_MAPERR. Nothing was mapped, and without a handler the process ends here.";
        self.push(Station::Signal, functions, (SIGNAL_NS, Source::Expected), tells);
    }

    fn no_permission(&mut self) {
        self.find_area();
        let functions = if self.world.is_arm() {
            "do_page_fault: vma->vm_flags"
        } else {
            "access_error → bad_area_access_error"
        };
        self.push(
            Station::Allowed,
            functions,
            self.part(SHARES.allowed),
            "The area is there, and forbids writing. The page is not even looked at.",
        );
        self.lock = Lock::None;
        let functions = if self.world.is_arm() {
            "arm64_force_sig_fault(SIGSEGV, SEGV_ACCERR)"
        } else {
            "force_sig_fault(SIGSEGV, SEGV_ACCERR)"
        };
        let tells =
            "The thread gets SIGSEGV with code SEGV_ACCERR: the address was right, the access was not.";
        self.push(Station::Signal, functions, (SIGNAL_NS, Source::Expected), tells);
    }

    /// Entry and return.
    fn finish(&mut self, functions: &'static str, entry: &'static str) {
        self.entry = entry;
        let tells = match self.case {
            Case::Cow if self.world.is_arm() => {
                "The old entry is removed, its copies in all TLBs are dropped by one broadcast, and the new entry is written."
            }
            Case::Cow => {
                "The old entry is removed, cores that run threads of this process are interrupted to drop it, and the new entry is written."
            }
            Case::PageCache if self.world.around_pages() > 1 => {
                "The entries are written, 16 in a row, and the books are kept: RSS, the frames' map counts."
            }
            _ => {
                "The entry is written, and the books are kept: RSS, the frame's map count, the list for reclaim."
            }
        };
        self.push(Station::Entry, functions, self.part(SHARES.entry), tells);
        self.lock = Lock::None;
        let functions = if self.world.is_arm() {
            "vma_end_read → ret_to_user, eret"
        } else {
            "vma_end_read → irqentry_exit, iretq"
        };
        let functions = if self.case == Case::Drive {
            if self.world.is_arm() {
                "mmap_read_unlock → ret_to_user, eret"
            } else {
                "mmap_read_unlock → irqentry_exit, iretq"
            }
        } else {
            functions
        };
        self.push(
            Station::Return,
            functions,
            self.part(SHARES.back),
            "The lock is released and the exception returns to the same instruction. It runs again, walks again, and this time the TLB is filled. The program noticed nothing but the time.",
        );
    }
}
