use super::*;

fn setup(placement: Placement, padded: bool) -> Setup {
    Setup { placement, padded, one_counter: false, transfer_ns: placement.transfer_ns() }
}

#[test]
fn turns_are_fair_and_complete() {
    for burst in [1, 3, 64, 1_000, 5_000] {
        let ops: Vec<Op> = turns(Workload::OwnCounters, burst, 1_000).collect();
        assert_eq!(ops.len(), 2_000, "burst {burst}");
        assert_eq!(ops.iter().filter(|op| op.thread == 0).count(), 1_000, "burst {burst}");
    }
}

#[test]
fn without_padding_two_threads_lose_to_one() {
    for placement in Placement::ALL {
        let shared = run_two_threads(setup(placement, false), Workload::OwnCounters, 1).elapsed_ns;
        let alone = run_one_thread(setup(placement, false), Workload::OwnCounters).elapsed_ns;
        assert!(shared > alone, "{placement:?}: {shared} against {alone}");
    }
}

#[test]
fn with_padding_the_second_thread_costs_nothing() {
    for placement in Placement::ALL {
        let padded = run_two_threads(setup(placement, true), Workload::OwnCounters, 1).elapsed_ns;
        let alone = run_one_thread(setup(placement, true), Workload::OwnCounters).elapsed_ns;
        // Half of the work each; the fetch from memory is paid once either way.
        assert!(padded < alone * 0.52, "{placement:?}: {padded} against {alone}");
        let run = run_two_threads(setup(placement, true), Workload::OwnCounters, 1);
        assert_eq!((run.invalidations, run.bounces, run.memory_reads), (0, 0, 2));
    }
}

#[test]
fn each_change_of_writer_is_a_bounce_and_costs_a_transfer() {
    let run = run_two_threads(setup(Placement::Sockets, false), Workload::OwnCounters, 1);
    assert_eq!((run.bounces, run.invalidations, run.memory_reads), (1_999, 1_999, 1));
    let expected = MEMORY_NS + 1_999.0 * 134.0;
    assert!((run.elapsed_ns - expected).abs() < 1e-6, "{}", run.elapsed_ns);
}

#[test]
fn an_order_of_writes_exists_that_costs_almost_nothing() {
    let run = run_two_threads(setup(Placement::Sockets, false), Workload::OwnCounters, 1_000);
    let alone = run_one_thread(setup(Placement::Sockets, false), Workload::OwnCounters);
    assert_eq!(run.bounces, 1);
    assert!(run.elapsed_ns < alone.elapsed_ns * 1.02, "{}", run.elapsed_ns);
}

#[test]
fn longer_turns_are_never_slower() {
    let elapsed = |exponent: u32| {
        run_two_threads(setup(Placement::Clusters, false), Workload::OwnCounters, 1 << exponent).elapsed_ns
    };
    let all: Vec<f64> = (0..=10).map(elapsed).collect();
    assert!(all.windows(2).all(|w| w[1] <= w[0]), "{all:?}");
}

#[test]
fn readers_share_in_peace() {
    let run = run_two_threads(setup(Placement::Sockets, false), Workload::ReadOnly, 1);
    assert_eq!((run.invalidations, run.bounces, run.memory_reads), (0, 1, 1));
    let padded = run_two_threads(setup(Placement::Sockets, true), Workload::ReadOnly, 1);
    assert!((run.elapsed_ns - padded.elapsed_ns).abs() < 2.0 * MEMORY_NS);
}

#[test]
fn padding_does_not_cure_true_sharing() {
    let one = |padded| {
        let setup = Setup { one_counter: true, ..setup(Placement::Cluster, padded) };
        run_two_threads(setup, Workload::OneCounter, 1).elapsed_ns
    };
    assert_eq!(one(true), one(false));
}

#[test]
fn siblings_share_a_cache_so_nothing_is_invalidated() {
    let run = run_two_threads(setup(Placement::Siblings, false), Workload::OwnCounters, 1);
    assert_eq!((run.invalidations, run.bounces, run.memory_reads), (0, 0, 1));
}

#[test]
fn no_increment_is_lost() {
    for padded in [false, true] {
        let mut system = System::new(setup(Placement::Cluster, padded));
        let last: Vec<u32> =
            turns(Workload::OwnCounters, 7, 100).map(|op| system.perform(op).value).collect();
        assert_eq!(last.iter().filter(|&&v| v == 100).count(), 2, "both counters reach 100");
    }
}

#[test]
fn handovers_agree_with_published_medians() {
    // README of core-to-core-latency: ranges over the machines it lists (single socket, dual socket,
    // hyper-threads).
    let ranges = [(4.0, 10.0), (16.0, 51.0), (84.0, 154.0), (108.0, 197.0)];
    for (placement, (low, high)) in Placement::ALL.into_iter().zip(ranges) {
        assert!((low..=high).contains(&placement.transfer_ns()), "{placement:?}");
    }
}
