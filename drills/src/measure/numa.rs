//! Putting memory on a NUMA node, and asking where it is.

use std::collections::BTreeMap;
use std::io;

use crate::measure::mapping::{Mapping, page_bytes};

const MPOL_BIND: libc::c_long = 2;
/// Pages asked about when placement is checked.
const PAGES_CHECKED: usize = 256;

/// How memory came to its node. The name goes into `params.placement`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// `mbind(MPOL_BIND)` was allowed.
    Bound,
    /// `mbind` was refused (container seccomp profiles do); the first thread to write decides.
    FirstTouch,
}

impl Placement {
    /// Name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bound => "mbind",
            Self::FirstTouch => "first-touch",
        }
    }
}

/// Binds an untouched mapping to a node, or leaves it to the first touch where that is not allowed.
pub fn place(mapping: &Mapping, node: u32) -> Placement {
    match bind(mapping, node) {
        Ok(()) => Placement::Bound,
        Err(_) => Placement::FirstTouch,
    }
}

fn bind(mapping: &Mapping, node: u32) -> io::Result<()> {
    const BITS: u32 = libc::c_ulong::BITS;
    let mut mask = vec![0 as libc::c_ulong; (node / BITS) as usize + 1];
    mask[(node / BITS) as usize] |= 1 << (node % BITS);
    // The kernel reads one bit less than it is told.
    let bits = mask.len() * BITS as usize + 1;
    // SAFETY: the range is a live mapping and the mask has the bits it is said to have.
    let result = unsafe {
        libc::syscall(libc::SYS_mbind, mapping.as_ptr(), mapping.len(), MPOL_BIND, mask.as_ptr(), bits, 0)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Share of a touched mapping's pages that lie on `node`, from evenly spaced pages. `None` where the
/// kernel does not tell.
pub fn share_on(mapping: &Mapping, node: u32) -> Option<f64> {
    let nodes = nodes_of(mapping).ok()?;
    let known: usize = nodes.iter().filter(|(id, _)| **id >= 0).map(|(_, pages)| pages).sum();
    let here = nodes.get(&i32::try_from(node).ok()?).copied().unwrap_or(0);
    (known > 0).then(|| here as f64 / known as f64)
}

/// Node (or negative error number) of evenly spaced pages, by `move_pages` without a target.
fn nodes_of(mapping: &Mapping) -> io::Result<BTreeMap<i32, usize>> {
    let pages = mapping.len() / page_bytes();
    let step = (pages / PAGES_CHECKED).max(1);
    let addresses: Vec<*mut u8> =
        (0..pages).step_by(step).map(|page| mapping.as_ptr().wrapping_add(page * page_bytes())).collect();
    let mut status = vec![0i32; addresses.len()];
    let no_target = std::ptr::null::<i32>();
    // SAFETY: both arrays have the length passed; with no target nothing is moved.
    let result = unsafe {
        libc::syscall(
            libc::SYS_move_pages,
            0,
            addresses.len(),
            addresses.as_ptr(),
            no_target,
            status.as_mut_ptr(),
            0,
        )
    };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    let mut nodes = BTreeMap::new();
    for node in status {
        *nodes.entry(node).or_default() += 1;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::mapping::Pages;

    #[test]
    fn touched_memory_is_found_on_the_node_it_was_put_on() {
        let mut map = Mapping::new(1 << 20, Pages::Base).expect("memory");
        let placement = place(&map, 0);
        map.touch();
        // Kernels without NUMA support and strict sandboxes do not tell.
        if let Some(share) = share_on(&map, 0) {
            assert!(placement == Placement::FirstTouch || share == 1.0, "{placement:?} {share}");
        }
    }

    #[test]
    fn a_node_that_does_not_exist_is_left_to_the_first_touch() {
        let map = Mapping::new(1 << 20, Pages::Base).expect("memory");
        assert_eq!(place(&map, 1000), Placement::FirstTouch);
    }
}
