use super::*;
use crate::rack::placement::nodes::{Distances, NODES};

const GRACE: u32 = 480_000 - 543;
const HBM: u32 = 186_000 - 194;

fn tray(mode: Mode) -> Tray {
    Tray { mode, ..Tray::default() }
}

fn run(tray: &mut Tray, codes: &str) -> Outcome {
    let mut last = Outcome::default();
    for (number, code) in codes.split(',').enumerate() {
        let step = Step::parse(code).expect("the test names steps");
        last = apply(tray, &step, number);
        sound(tray);
    }
    last
}

/// What no step may break: no node over its capacity, swap within its size, nothing in a driver's node
/// but the driver's.
fn sound(tray: &Tray) {
    for (node, known) in NODES.iter().enumerate() {
        assert!(tray.used(node) <= known.mb, "{tray:?}");
        let kernels = tray.held(node, What::Malloc) + tray.held(node, What::File);
        assert!(tray.is_kernels(node) || kernels == 0, "{tray:?}");
    }
    assert!(tray.swapped() <= tray.swap_mb);
}

#[test]
fn first_touch_by_a_cpu_takes_its_own_lpddr() {
    for mode in [Mode::Numa, Mode::Cdmm] {
        assert_eq!(run(&mut tray(mode), "m1:100").at, [0, 100_000, 0, 0, 0, 0]);
    }
}

#[test]
fn first_touch_by_a_gpu_takes_hbm_in_numa_mode_and_lpddr_in_cdmm() {
    assert_eq!(run(&mut tray(Mode::Numa), "m5:100").at, [0, 0, 0, 0, 0, 100_000]);
    assert_eq!(run(&mut tray(Mode::Cdmm), "m5:100").at, [0, 100_000, 0, 0, 0, 0]);
}

#[test]
fn a_job_of_1100_gb_spills_at_least_140_gb_into_hbm() {
    let mut tray = tray(Mode::Numa);
    let outcome = run(&mut tray, "m0:1100");
    assert_eq!(outcome.fate, Fate::Done);
    assert_eq!(outcome.at, [GRACE, GRACE, 1_100_000 - 2 * GRACE, 0, 0, 0]);
    assert!((140_000..142_000).contains(&outcome.at[2]));
}

#[test]
fn then_cuda_malloc_fails_although_nobody_opened_the_gpu() {
    let mut tray = tray(Mode::Numa);
    let outcome = run(&mut tray, "m0:1100,c2:120");
    assert_eq!(outcome.fate, Fate::OutOfMemory);
    assert_eq!(tray.held(2, What::Cuda), 0);
    // The other GPUs are untouched, and the other order of the two steps works.
    assert_eq!(run(&mut tray, "c3:180").fate, Fate::Done);
    let mut other = Tray { mode: Mode::Numa, ..Tray::default() };
    assert_eq!(run(&mut other, "c2:120,m0:1100").fate, Fate::Done);
}

#[test]
fn without_distances_hbm_fills_before_the_other_grace() {
    let mut tray = Tray { distances: Distances::AllEqual, ..tray(Mode::Numa) };
    assert_eq!(run(&mut tray, "m0:700").at, [GRACE, 0, HBM, 700_000 - GRACE - HBM, 0, 0]);
}

#[test]
fn free_hbm_comes_before_reclaim() {
    let mut tray = tray(Mode::Numa);
    let outcome = run(&mut tray, "f0:900,m0:200");
    assert_eq!(outcome.evicted_mb, [0, 0]);
    assert_eq!(outcome.at[2], 200_000 - (2 * GRACE - 900_000));
}

#[test]
fn page_cache_gives_way_to_cuda_malloc() {
    let mut tray = tray(Mode::Numa);
    let outcome = run(&mut tray, "f0:1200,c2:150");
    assert_eq!(outcome.fate, Fate::Done);
    assert_eq!(outcome.evicted_mb, [150_000, 0]);
    assert_eq!(tray.held(2, What::File), HBM - 150_000);
}

#[test]
fn cdmm_keeps_the_page_cache_in_lpddr() {
    let mut tray = tray(Mode::Cdmm);
    let outcome = run(&mut tray, "f0:1200");
    assert_eq!((outcome.fate, outcome.at), (Fate::PartlyKept, [GRACE, GRACE, 0, 0, 0, 0]));
    assert_eq!(run(&mut tray, "c2:186").fate, Fate::Done);
}

#[test]
fn in_cdmm_the_same_job_runs_out_inside_lpddr() {
    let mut tray = tray(Mode::Cdmm);
    assert_eq!(run(&mut tray, "m0:1100").fate, Fate::Killed);
    assert!(tray.buffers.is_empty());
    assert_eq!(run(&mut tray, "c2:150").fate, Fate::Done);
}

#[test]
fn a_binding_to_the_graces_does_the_same_in_numa_mode() {
    let mut tray = tray(Mode::Numa);
    assert_eq!(run(&mut tray, "m0l:1100").fate, Fate::Killed);
    assert_eq!(run(&mut tray, "c2:150").fate, Fate::Done);
}

#[test]
fn a_binding_to_a_gpu_node_needs_numa_mode() {
    assert_eq!(run(&mut tray(Mode::Numa), "m0g:60").at, [0, 0, 60_000, 0, 0, 0]);
    assert_eq!(run(&mut tray(Mode::Numa), "m1g:60").at, [0, 0, 0, 0, 60_000, 0]);
    assert_eq!(run(&mut tray(Mode::Cdmm), "m0g:60").fate, Fate::NoNode);
    // Bound means bound: more than the node has ends in the OOM killer, with LPDDR empty.
    assert_eq!(run(&mut tray(Mode::Numa), "m0g:200").fate, Fate::Killed);
}

#[test]
fn swap_comes_after_the_page_cache_and_before_the_killer() {
    let mut tray = Tray { swap_mb: 256_000, ..tray(Mode::Cdmm) };
    let outcome = run(&mut tray, "f0:100,m0:1100");
    assert_eq!(outcome.fate, Fate::Done);
    assert_eq!(outcome.evicted_mb, [100_000, 0]);
    assert_eq!(outcome.swap_mb, 1_100_000 - 2 * GRACE);
    assert_eq!(run(&mut tray, "m0:500").fate, Fate::KilledOther);
}

#[test]
fn only_swap_lets_spilled_pages_leave_for_cuda_malloc() {
    let mut tray = Tray { swap_mb: 256_000, ..tray(Mode::Numa) };
    let outcome = run(&mut tray, "m0:1100,c2:120");
    assert_eq!(outcome.fate, Fate::Done);
    assert_eq!(outcome.evicted_mb[1], 120_000 - (HBM - (1_100_000 - 2 * GRACE)));
}

#[test]
fn the_killer_takes_the_process_with_the_most_memory() {
    let mut tray = tray(Mode::Cdmm);
    let outcome = run(&mut tray, "m0:700,m1:400");
    assert_eq!((outcome.fate, outcome.other), (Fate::KilledOther, 0));
    assert_eq!(tray.buffers.len(), 1);
    assert_eq!(tray.held(1, What::Malloc), 400_000);
}

#[test]
fn pinned_pages_never_lie_in_a_movable_zone() {
    let mut tray = tray(Mode::Numa);
    assert_eq!(run(&mut tray, "h2:600").at, [GRACE, 600_000 - GRACE, 0, 0, 0, 0]);
    assert_eq!(run(&mut tray, "h2:600").fate, Fate::OutOfMemory);
}

#[test]
fn cuda_malloc_takes_one_gpu_and_no_other() {
    for mode in [Mode::Numa, Mode::Cdmm] {
        assert_eq!(run(&mut tray(mode), "c3:200").fate, Fate::OutOfMemory);
        assert_eq!(run(&mut tray(mode), "c3:180").at, [0, 0, 0, 180_000, 0, 0]);
    }
    // Only the kernel keeps a reserve in HBM.
    assert_eq!(run(&mut tray(Mode::Cdmm), "c3:186").fate, Fate::Done);
    assert_eq!(run(&mut tray(Mode::Numa), "c3:186").fate, Fate::OutOfMemory);
}

#[test]
fn managed_memory_follows_the_toucher_and_may_exceed_hbm() {
    for mode in [Mode::Numa, Mode::Cdmm] {
        assert_eq!(run(&mut tray(mode), "u0:100").at, [100_000, 0, 0, 0, 0, 0]);
        let at = run(&mut tray(mode), "u4:250").at;
        assert_eq!(at[1] + at[4], 250_000);
        assert!(at[4] > 185_000);
    }
}

#[test]
fn prefetch_moves_malloc_memory_in_numa_mode_only() {
    let mut numa = tray(Mode::Numa);
    assert_eq!(run(&mut numa, "m0:150,p2:1").at[2], 150_000);
    assert_eq!(numa.free(0), 480_000);
    let mut cdmm = tray(Mode::Cdmm);
    assert_eq!(run(&mut cdmm, "m0:150,p2:1").fate, Fate::Stays);
    assert_eq!(cdmm.held(0, What::Malloc), 150_000);
    // Managed memory moves in both.
    assert_eq!(run(&mut cdmm, "u0:150,p2:1").at[2], 150_000);
    assert_eq!(run(&mut tray(Mode::Numa), "f0:10,p2:1").fate, Fate::Nothing);
}

#[test]
fn dropped_caches_free_hbm_and_an_exit_does_not() {
    let mut tray = tray(Mode::Numa);
    assert_eq!(run(&mut tray, "f0:1000,x0:1").fate, Fate::Nothing);
    assert_eq!(tray.held(2, What::File), 1_000_000 - 2 * GRACE);
    run(&mut tray, "d0:1");
    assert!(tray.buffers.is_empty());
    let outcome = run(&mut tray, "m0:1100,f0:10,x0:1");
    assert_eq!(outcome.at[2], 1_100_000 - 2 * GRACE);
    assert_eq!(tray.buffers.len(), 1);
}
