use super::super::Resource;
use super::*;

const GIB: f64 = 1_073_741_824.0;

/// CPU copies, DRAM writes, DRAM reads, DMA transfers of a whole plan.
fn counts(want: Shortcuts) -> [u32; 4] {
    let plan = Plan::new(want);
    [Step::cpu_copies, Step::dram_writes, Step::dram_reads, Step::dma_transfers]
        .map(|count: fn(Step) -> u32| plan.total(plan.steps.len(), count))
}

fn with(change: impl FnOnce(&mut Shortcuts)) -> Shortcuts {
    let mut want = Shortcuts::default();
    change(&mut want);
    want
}

/// The plain route: the drive writes the page cache (w), a core copies to the user buffer (r, w), the
/// driver stages (r, w), the engine reads (r); out, the GPU writes a bounce buffer (w), the NIC reads it (r).
#[test]
fn a_pickled_load_writes_and_reads_dram_four_times_and_copies_twice() {
    assert_eq!(counts(Shortcuts::default()), [2, 4, 4, 4]);
}

/// The mapping is the page cache, so `copy_to_user` and the user buffer are gone; staging stays.
#[test]
fn a_mapping_saves_one_copy_and_one_pass_each_way() {
    assert_eq!(counts(with(|w| w.mmap = true)), [1, 3, 3, 4]);
}

/// The drive writes the pinned buffer (w), the engine reads it (r); out as before (w, r).
#[test]
fn direct_reads_into_pinned_memory_need_no_core() {
    assert_eq!(counts(with(|w| (w.direct, w.pinned) = (true, true))), [0, 2, 2, 4]);
}

/// Without pinning the driver still has to stage what `O_DIRECT` brought.
#[test]
fn direct_reads_into_pageable_memory_are_staged() {
    assert_eq!(counts(with(|w| w.direct = true)), [1, 3, 3, 4]);
    assert_eq!(counts(with(|w| w.pinned = true)), [1, 3, 3, 4]);
}

#[test]
fn gpudirect_takes_host_memory_out_on_either_side() {
    assert_eq!(counts(with(|w| w.gds = true)), [0, 1, 1, 3]);
    assert_eq!(counts(with(|w| (w.gds, w.rdma) = (true, true))), [0, 0, 0, 2]);
}

/// The caption's question: one shortcut alone leaves the number of CPU copies as it was.
#[test]
fn gpudirect_rdma_is_the_only_shortcut_that_saves_no_cpu_copy() {
    let copies = |change: fn(&mut Shortcuts)| counts(with(change))[0];
    let shortcuts: [fn(&mut Shortcuts); 5] =
        [|w| w.mmap = true, |w| w.direct = true, |w| w.pinned = true, |w| w.gds = true, |w| w.rdma = true];
    assert_eq!(shortcuts.map(copies), [1, 1, 1, 0, 2]);
    assert_eq!(counts(with(|w| w.rdma = true)), [2, 3, 3, 3]);
}

/// Published vectors for one GiB in blocks of 1 MiB: 1,024 calls; 262,144 faults on a fresh buffer,
/// 16,384 on a warm mapping; written to DRAM up to the GPU 3 GiB for read and staging, 0 for GPUDirect.
#[test]
fn calls_and_faults_match_the_published_vectors() {
    let sum = |want: Shortcuts, count: &dyn Fn(&Step) -> f64| -> f64 {
        Plan::new(want).steps.iter().map(count).sum()
    };
    let syscalls = |want| sum(want, &|s| s.syscalls.count(GIB));
    let faults = |want| sum(want, &|s| s.faults.count(GIB));
    assert_eq!(syscalls(Shortcuts::default()), 1_024.0);
    assert_eq!(faults(Shortcuts::default()), 262_144.0);
    let warm = with(|w| (w.mmap, w.warm) = (true, true));
    assert_eq!((syscalls(warm), faults(warm)), (1.0, 16_384.0));
    assert_eq!(faults(with(|w| (w.direct, w.pinned) = (true, true))), 0.0);
    let written = |want| {
        let plan = Plan::new(want);
        let to_gpu = plan.steps.iter().position(|s| s.to == Spot::Gpu).map_or(0, |i| i + 1);
        plan.total(to_gpu, Step::dram_writes)
    };
    assert_eq!(written(Shortcuts::default()), 3);
    assert_eq!(written(with(|w| w.gds = true)), 0);
}

fn bound(state: DataPath) -> (Resource, f64) {
    state.rates().bound(&state.plan(), state.bytes())
}

/// 140 GB as in the course text: 20 s from one Gen4 drive, 14 s for one core at 10 GB/s from a warm
/// cache into a pinned buffer.
#[test]
fn a_70b_checkpoint_is_bound_as_the_text_says() {
    let close = |got: (Resource, f64), want: (Resource, f64)| {
        assert_eq!(got.0, want.0);
        assert!((got.1 / want.1 - 1.0).abs() < 0.001, "{got:?}");
    };
    let cold = DataPath { want: with(|w| w.mmap = true), ..DataPath::default() };
    close(bound(cold), (Resource::Drive, 20.0));
    let warm = DataPath { want: with(|w| (w.warm, w.pinned) = (true, true)), ..cold };
    close(bound(warm), (Resource::Core, 14.0));
    // The pickled load copies twice with the same core: the core needs longer than the drive.
    close(bound(DataPath::default()), (Resource::Core, 28.0));
    let direct = DataPath { want: with(|w| w.gds = true), drive: Drive::EightGen4, ..cold };
    close(bound(direct), (Resource::Nic, 140.0 / 50.0));
}

#[test]
fn one_by_one_is_never_faster_than_overlapped() {
    for flags in 0..64u8 {
        let bit = |n: u8| flags >> n & 1 == 1;
        let want = Shortcuts {
            warm: bit(0),
            mmap: bit(1),
            direct: bit(2),
            pinned: bit(3),
            gds: bit(4),
            rdma: bit(5),
        };
        let state = DataPath { want, ..DataPath::default() };
        let plan = state.plan();
        assert!(state.rates().serial_s(&plan, 1e9) >= bound(state).1 * 1e9 / state.bytes() * 0.999);
        // Every step starts where the one before ended, and the last one ends at the NIC.
        assert!(plan.steps.windows(2).all(|p| p[0].to == p[1].from), "{want:?}");
        assert_eq!(plan.steps.last().map(|s| s.to), Some(Spot::Nic));
    }
}

#[test]
fn switches_without_effect_are_explained() {
    let plain = |want| counts(want);
    let mapped = with(|w| w.mmap = true);
    let both = Shortcuts { direct: true, ..mapped };
    assert_eq!(plain(both), plain(mapped));
    assert!(Plan::new(both).notes.iter().any(|n| n.contains("O_DIRECT")));
    let gds = with(|w| w.gds = true);
    let all = Shortcuts { warm: true, mmap: true, direct: true, pinned: true, ..gds };
    assert_eq!(Plan::new(all).steps, Plan::new(gds).steps);
    assert_eq!(Plan::new(all).notes.len(), 4);
    assert!(Plan::new(Shortcuts::default()).notes.is_empty());
}

#[test]
fn a_link_restores_the_state_and_nonsense_is_ignored() {
    for preset in DataPath::presets() {
        let state = DataPath { step: 2, drive: Drive::Gen5, memcpy_gb_per_s: 17.0, ..preset.state };
        assert_eq!(DataPath::from_query(&state.to_query()), state, "{}", preset.name);
    }
    let hash = "#fig-data-path?with=magic&step=99&size=-1&drive=tape&memcpy=NaN";
    let state = Query::from_hash("data-path", hash).map(|q| DataPath::from_query(&q));
    assert_eq!(state, Some(DataPath::default()));
}
