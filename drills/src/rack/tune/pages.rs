//! Page sizes.

use super::line::{Host, Line, Title};
use crate::host::pages::When;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const THP: &str = "/sys/kernel/mm/transparent_hugepage";

/// 64 KiB pages where the GPU translates through them.
pub(super) fn page_size(host: &Host<'_>) -> Line {
    let title = Title("page_size", "64 KiB on a coherent Arm machine");
    let found = format!("{} KiB", host.page_bytes / KIB);
    if host.page_bytes == 0 {
        return title.not_told("The recorded machine does not tell its page size.");
    }
    if !host.is_arm {
        return title.not_here(found, "This processor has one base page size.");
    }
    if !host.is_coherent() {
        return title.not_here(found, "No GPU here translates through the CPU's page tables.");
    }
    let fix = "Boot a kernel with 64 KiB pages, such as the flavour nvidia-64k: a GPU that misses its TLB \
               then finds 16 times as much behind one entry. Programs that assume 4 KiB break.";
    title.judged(host.page_bytes == 64 * KIB, found, fix)
}

/// Huge pages of half a gigabyte, which kernels with 64 KiB pages have.
pub(super) fn thp_512mib(host: &Host<'_>) -> Line {
    let title = Title("thp_512mib", "never");
    let Some(thp) = &host.thp else { return title.not_here("", NO_THP) };
    if thp.huge_bytes < 512 * MIB {
        let why = format!("A huge page of this kernel has {} MiB.", thp.huge_bytes / MIB);
        return title.not_here("", why);
    }
    let fix = format!(
        "echo never > {THP}/hugepages-{}kB/enabled: one touched byte takes, clears and places that much.",
        thp.huge_bytes / KIB
    );
    title.judged(thp.huge == When::Never, thp.huge.name(), &fix)
}

/// Huge pages of 2 MiB, of one kind or the other.
pub(super) fn thp_2mib(host: &Host<'_>) -> Line {
    let title = Title("thp_2mib", "madvise or always");
    let Some(thp) = &host.thp else { return title.not_here("", NO_THP) };
    let when = if thp.huge_bytes == 2 * MIB {
        thp.huge
    } else {
        // Sizes in between are listed only where they are switched on.
        thp.between.iter().find(|(bytes, _)| *bytes == 2 * MIB).map_or(When::Never, |(_, when)| *when)
    };
    let in_between = format!("{THP}/hugepages-2048kB/enabled");
    let is_there = thp.huge_bytes == 2 * MIB || host.root.exists(&in_between);
    let found = if is_there { when.name() } else { "this kernel has no such size" };
    let fix = match (thp.huge_bytes == 2 * MIB, is_there) {
        (true, _) => format!("echo madvise > {THP}/enabled: buffers that ask for huge pages then get them."),
        (false, true) => format!("echo madvise > {in_between}"),
        (false, false) => "Huge pages between the base page and 512 MiB need Linux 6.9.".to_owned(),
    };
    title.judged(when > When::Never, found, &fix)
}

/// How hard a fault looks for a contiguous frame.
pub(super) fn thp_defrag(host: &Host<'_>) -> Line {
    let title = Title("thp_defrag", "anything but always");
    let Some(thp) = &host.thp else { return title.not_here("", NO_THP) };
    let Some(defrag) = &thp.defrag else { return title.not_told("The kernel does not tell it.") };
    let fix = format!("echo madvise > {THP}/defrag: each fault may stop to compact memory now.");
    title.judged(defrag != "always", defrag.as_str(), &fix)
}

const NO_THP: &str = "This kernel has no transparent huge pages.";
