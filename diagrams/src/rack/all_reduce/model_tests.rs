use drills_results::{Measurement, Report, Series, Unit as ResultUnit};

use super::super::own::{RANKS, RATE};
use super::super::presets::{H100, presets};
use super::super::published::RUNS;
use super::*;

fn index(id: &str) -> usize {
    MACHINES.iter().position(|m| m.id == id).unwrap_or_else(|| panic!("{id} is no machine"))
}

fn state(id: &str, gpus: u16, domains: u16, exponent: u32) -> AllReduce {
    AllReduce::on(index(id), gpus, domains, exponent)
}

/// Every machine and number of GPUs of which a run was published.
fn published() -> Vec<AllReduce> {
    let mut all: Vec<AllReduce> = Vec::new();
    for run in RUNS.iter().filter(|r| r.algorithm.is_none()) {
        let one = state(run.machine, run.size.0, run.size.1, 30);
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

#[test]
fn median_misses_are_within_a_tenth_where_the_model_claims_to_fit() {
    let mut claimed = 0;
    for state in published() {
        let claims = matches!(state.standing(), Standing::Fitted | Standing::Checked);
        if claims {
            let miss = state.median_miss().expect("points from 1 MiB up");
            assert!(miss <= 0.10, "{}: {miss}", super::super::words::who(&state));
            claimed += 1;
        }
    }
    assert!(claimed >= 14, "{claimed} curves");
}

#[test]
fn fits_stay_within_the_worst_misses_they_were_published_with() {
    // Machine, GPUs, worst miss over all sizes, worst from 256 MiB up, rounding of published values allowed for.
    let bounds = [
        ("h100", 8, 0.27, 0.05),
        ("h200", 8, 0.20, 0.05),
        ("a100", 8, 0.25, 0.04),
        ("gb200", 4, 0.21, 0.015),
        ("gb200", 8, 0.19, 0.045),
        ("gb200", 72, 0.035, 0.035),
    ];
    for (id, gpus, worst, worst_large) in bounds {
        for miss in state(id, gpus, 1, 30).misses() {
            let Some(off) = miss.off().map(f64::abs) else { continue };
            let bound = if miss.exponent >= 28 { worst_large } else { worst + 0.01 };
            assert!(off <= bound, "{gpus} {id} at 2^{}: {off}", miss.exponent);
        }
    }
}

#[test]
fn no_curve_of_a_rack_below_512_mib() {
    let rack = state("gb200", 72, 1, 20);
    assert_eq!(rack.chosen_us(), None);
    assert!(
        rack.sentence().contains("no public number") && rack.sentence().contains("512\u{a0}MiB"),
        "{}",
        rack.sentence()
    );
    assert!(state("gb200", 72, 1, 29).chosen_us().is_some());
    assert_eq!(state("gb200", 24, 1, 20).chosen_us(), None);
    assert!(state("gb200", 8, 1, 10).chosen_us().is_some());
}

#[test]
fn twenty_racks_do_not_fit_and_say_so() {
    let racks = state("gb200", 72, 20, 33);
    assert_eq!(racks.standing(), Standing::Misfit);
    assert!(racks.median_miss().is_some_and(|miss| miss > 0.49));
    let said = racks.sentence();
    assert!(said.contains("does not fit") && said.contains("2 times as long"), "{said}");
    assert!(racks.note().is_some_and(|n| n.contains("Grey")));
}

#[test]
fn a_rack_looks_like_eight_gpus_in_bus_bandwidth_only() {
    let (rack, eight) = (state("gb200", 72, 1, 33), state("gb200", 8, 1, 33));
    let at = |s: &AllReduce, view| {
        let s = AllReduce { view, ..s.clone() };
        s.on_axis(s.bytes(), s.chosen_us().unwrap_or(f64::NAN))
    };
    let bus = at(&rack, View::Bus) / at(&eight, View::Bus);
    let array = at(&rack, View::Array) / at(&eight, View::Array);
    assert!((bus - 1.0).abs() < 0.05 && array < 0.93, "bus {bus}, array {array}");
}

#[test]
fn nccl_expects_what_its_tables_say() {
    // Latencies in microseconds from NCCL 2.30.7: one domain of 8 and of 72.
    let floor = |id, gpus, algorithm| state(id, gpus, 1, 10).time_us(algorithm, 1.0).unwrap_or(f64::NAN);
    for (gpus, ring, tree) in [(8, 15.0, 15.2), (72, 91.8, 92.0)] {
        assert!((floor("gb200", gpus, Algorithm::Ring) - ring).abs() < 0.01);
        assert!((floor("gb200", gpus, Algorithm::Tree) - tree).abs() < 0.01);
        assert!((floor("gb200", gpus, Algorithm::Nvls) - 25.0).abs() < 0.01);
    }
    assert_eq!(state("a100", 8, 1, 30).time_us(Algorithm::Nvls, 1e9), None);
    assert_eq!(state("spark", 1, 2, 30).time_us(Algorithm::Nvls, 1e9), None);
    // What NCCL calls achievable with NVLS on Hopper: 360 GB/s of array.
    let hopper =
        4e9 / (state("h100", 8, 1, 32).time_us(Algorithm::Nvls, 4e9).unwrap_or(f64::NAN) - 25.0) / 1e3;
    assert!((hopper - 360.2).abs() < 0.5, "{hopper}");
}

#[test]
fn a_ring_on_eight_h100_reads_what_was_published() {
    let ring = AllReduce { algorithm: Algorithm::Ring, view: View::Bus, ..state("h100", 8, 1, 32) };
    let bus = ring.on_axis(ring.bytes(), ring.chosen_us().unwrap_or(f64::NAN));
    assert!((365.0..372.0).contains(&bus), "{bus}");
    assert!(ring.median_miss().is_some_and(|miss| miss < 0.02));
    // Rings over three partitions joined by the network: 196.7 and 393.7 GB/s on 200 and 400.
    for (gpus, published) in [(4, 196.7), (8, 393.7)] {
        let ring = AllReduce {
            gpus,
            domains: 3,
            ..AllReduce { machine: index("gb200"), size_exponent: 34, ..ring.clone() }
        };
        let bus = ring.on_axis(ring.bytes(), ring.chosen_us().unwrap_or(f64::NAN));
        assert!((bus / published - 1.0).abs() < 0.03, "{bus} against {published}");
    }
}

#[test]
fn the_first_preset_is_the_default_and_all_survive_their_links() {
    let all = presets();
    assert_eq!(all[0].state, AllReduce::default());
    assert!(AllReduce::default().to_query().is_empty());
    for preset in all {
        assert_eq!(AllReduce::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
        assert!(preset.state.sentence().len() > 40 && !preset.state.table().rows.is_empty());
    }
}

#[test]
fn nonsense_in_an_address_gives_a_state_that_exists() {
    let hash = "#fig-x?machine=z80&gpus=0&domains=33&size=400&view=&by=magic&sum=perhaps";
    let query = Query::from_hash("x", hash).expect("is ours");
    let state = AllReduce::from_query(&query);
    assert_eq!((state.machine, state.gpus, state.domains, state.size_exponent), (H100, 2, 32, 30));
    let odd = Query::from_hash("x", "#fig-x?machine=gb200&gpus=71&domains=5").expect("is ours");
    let state = AllReduce::from_query(&odd);
    assert_eq!((state.gpus, state.domains), (64, 4));
}

#[test]
fn another_machine_keeps_what_it_can() {
    let racks = state("gb200", 72, 20, 33);
    let nodes = racks.clone().with_machine(H100);
    assert_eq!((nodes.gpus, nodes.domains), (8, 20));
    assert_eq!((nodes.clone().with_machine(index("gb300")).gpus, racks.kernels()), (72, 360));
    let pair = nodes.with_machine(index("spark"));
    assert_eq!((pair.gpus, pair.domains, pair.ranks()), (1, 2, 2.0));
    let back = pair.with_machine(H100);
    assert_eq!((back.gpus, back.domains), (8, 1));
    let some = state("gb200", 48, 1, 33).with_machine(H100);
    assert_eq!(some.gpus, 8);
}

#[test]
fn every_kind_of_state_has_a_curve_or_says_why_not() {
    for (machine, kind) in MACHINES.iter().enumerate() {
        for &gpus in kind.gpu_stops() {
            for &domains in kind.domain_stops() {
                let one = AllReduce::on(machine, gpus, domains, 35);
                assert!(one.chosen_us().is_some_and(f64::is_finite), "{} {gpus} {domains}", kind.id);
                let more = [30, 31, 32, 33].map(|e| one.time_us(Algorithm::Fit, bytes_of(e)));
                assert!(more.is_sorted(), "{} {gpus} {domains}: {more:?}", kind.id);
            }
        }
    }
}

fn report(status_ok: bool) -> Report {
    let text = r#"{"schema":{"name":"host-drills-results","version":1},"tool":{"name":"drills","version":"0"},
        "taken_at":"2026-11-29T12:00:00Z","label":"my box","machine":{},"measurements":[]}"#;
    let mut report: Report = serde_json::from_str(text).expect("a small report");
    let mut rate = Measurement::ok(RATE, ResultUnit::BytesPerS, 300e9, "test");
    if !status_ok {
        rate.status = drills_results::Status::Failed;
    }
    let point = |x, y| drills_results::Point { x, y, range: None };
    let points = vec![point(1024.0, 40e6), point(1e9, 250e9), point(2e9, 0.0)];
    rate.series = Some(Series { x: "size".into(), x_unit: ResultUnit::Bytes, points });
    report.measurements = vec![rate, Measurement::ok(RANKS, ResultUnit::Count, 8.0, "test")];
    report
}

#[test]
fn the_readers_run_is_read_and_kept() {
    let own = OwnRuns::of(&report(true));
    assert_eq!((own.label.as_str(), own.ranks, own.points.len()), ("my box", 8.0, 2));
    assert!((own.points[1].1 - 4_000.0).abs() < 1e-6);
    let with = AllReduce { yours: own, ..AllReduce::default() };
    assert!(with.sentence().contains("my box, 8 GPUs: 4\u{a0}ms"), "{}", with.sentence());
    let next = state("gb200", 72, 1, 33).carry_over(&with);
    assert_eq!(next.yours, with.yours);
    assert_eq!(next.yours.near(next.bytes()), None);
    assert_eq!(OwnRuns::of(&report(false)), OwnRuns::default());
}
