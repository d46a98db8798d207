//! Page sizes that the kernel offers, and its promises about memory.

use super::root::Root;

const THP: &str = "sys/kernel/mm/transparent_hugepage";
const POOLS: &str = "sys/kernel/mm/hugepages";

/// When a size of transparent huge page is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Not at all.
    Never,
    /// Where a program called `madvise(MADV_HUGEPAGE)`.
    Advised,
    /// Wherever it fits.
    Always,
}

impl When {
    /// The kernel's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Advised => "madvise",
            Self::Always => "always",
        }
    }
}

/// Transparent huge pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thp {
    /// The switch for all sizes that inherit.
    pub when: When,
    /// Size one level above the base page, in bytes.
    pub huge_bytes: u64,
    /// Sizes in between for anonymous memory that are switched on, ascending, in bytes.
    pub between: Vec<(u64, When)>,
    /// Whether pages of `huge_bytes` are switched on.
    pub huge: When,
    /// How hard a fault tries to find a contiguous frame.
    pub defrag: Option<String>,
}

/// Reads the state of transparent huge pages. Absent where the kernel has none.
pub fn thp(root: &Root) -> Option<Thp> {
    let when = when(&root.read(&format!("{THP}/enabled"))?, When::Never)?;
    let huge_bytes = root.number(&format!("{THP}/hpage_pmd_size"))?;
    // Kernels before 6.8 have one size and one switch.
    let mut sizes: Vec<(u64, When)> =
        root.list(THP).iter().filter_map(|name| size(root, name, when)).collect();
    sizes.sort_unstable();
    let huge = sizes.iter().find(|(bytes, _)| *bytes == huge_bytes).map_or(when, |(_, when)| *when);
    let between = sizes.into_iter().filter(|(bytes, when)| *bytes < huge_bytes && *when > When::Never);
    let defrag = root.read(&format!("{THP}/defrag")).and_then(|text| chosen(&text).map(str::to_owned));
    Some(Thp { when, huge_bytes, between: between.collect(), huge, defrag })
}

/// `hugepages-64kB/enabled`. Sizes that only shared memory has lack that file.
fn size(root: &Root, folder: &str, inherited: When) -> Option<(u64, When)> {
    let kib: u64 = folder.strip_prefix("hugepages-")?.strip_suffix("kB")?.parse().ok()?;
    let when = when(&root.read(&format!("{THP}/{folder}/enabled"))?, inherited)?;
    Some((kib.checked_mul(1024)?, when))
}

fn when(text: &str, inherited: When) -> Option<When> {
    match chosen(text)? {
        "never" => Some(When::Never),
        "madvise" => Some(When::Advised),
        "always" => Some(When::Always),
        "inherit" => Some(inherited),
        _ => None,
    }
}

/// The word in brackets of "always [madvise] never".
fn chosen(text: &str) -> Option<&str> {
    text.split_once('[')?.1.split_once(']').map(|(word, _)| word)
}

/// One hugetlb pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pool {
    /// Size of its pages in bytes.
    pub page_bytes: u64,
    /// Pages in the pool.
    pub pages: u64,
    /// Pages that nobody uses or has reserved.
    pub free: u64,
}

/// The hugetlb pools, smallest pages first, empty ones too.
pub fn pools(root: &Root) -> Vec<Pool> {
    let one = |folder: &String| {
        let kib: u64 = folder.strip_prefix("hugepages-")?.strip_suffix("kB")?.parse().ok()?;
        let number = |file: &str| root.number::<u64>(&format!("{POOLS}/{folder}/{file}"));
        let reserved = number("resv_hugepages").unwrap_or(0);
        let free = number("free_hugepages")?.saturating_sub(reserved);
        Some(Pool { page_bytes: kib.checked_mul(1024)?, pages: number("nr_hugepages")?, free })
    };
    let mut pools: Vec<Pool> = root.list(POOLS).iter().filter_map(one).collect();
    pools.sort_unstable();
    pools
}

/// `vm.overcommit_memory` and what its numbers are called.
pub fn overcommit(root: &Root) -> Option<(u64, &'static str)> {
    let mode = root.number("proc/sys/vm/overcommit_memory")?;
    let name = match mode {
        0 => "heuristic",
        1 => "always",
        2 => "never beyond the limit",
        _ => "unknown to this program",
    };
    Some((mode, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::root::made_of as root;

    #[test]
    fn sizes_inherit_or_have_a_switch_of_their_own() {
        let (_dir, root) = root(&[
            ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never"),
            ("sys/kernel/mm/transparent_hugepage/defrag", "always defer [madvise] never"),
            ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152"),
            ("sys/kernel/mm/transparent_hugepage/hugepages-16kB/enabled", "always inherit madvise [never]"),
            ("sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled", "[always] inherit madvise never"),
            ("sys/kernel/mm/transparent_hugepage/hugepages-512kB/enabled", "always [inherit] madvise never"),
            ("sys/kernel/mm/transparent_hugepage/hugepages-8kB/shmem_enabled", "[never]"),
            ("sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled", "always [inherit] madvise never"),
        ]);
        let thp = thp(&root).expect("this kernel has them");
        assert_eq!((thp.when, thp.huge, thp.huge_bytes), (When::Advised, When::Advised, 2 << 20));
        assert_eq!(thp.between, [(64 << 10, When::Always), (512 << 10, When::Advised)]);
        assert_eq!(thp.defrag.as_deref(), Some("madvise"));
    }

    #[test]
    fn an_older_kernel_has_one_switch_and_some_have_none() {
        let (_dir, old) = root(&[
            ("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never"),
            ("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "536870912"),
        ]);
        let found = thp(&old).expect("one size");
        assert_eq!((found.huge, found.huge_bytes, found.between.len()), (When::Always, 512 << 20, 0));
        let (_dir, none) = root(&[("proc/version", "gVisor")]);
        assert_eq!(thp(&none), None);
        assert_eq!((pools(&none), overcommit(&none)), (Vec::new(), None));
    }

    #[test]
    fn pools_leave_out_what_is_reserved() {
        let (_dir, root) = root(&[
            ("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0"),
            ("sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "0"),
            ("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "64"),
            ("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "40"),
            ("sys/kernel/mm/hugepages/hugepages-2048kB/resv_hugepages", "8"),
            ("proc/sys/vm/overcommit_memory", "2"),
        ]);
        let small = Pool { page_bytes: 2 << 20, pages: 64, free: 32 };
        assert_eq!(pools(&root), [small, Pool { page_bytes: 1 << 30, pages: 0, free: 0 }]);
        assert_eq!(overcommit(&root), Some((2, "never beyond the limit")));
    }
}
