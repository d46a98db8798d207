use std::collections::BTreeSet;

use drills_results::{Measurement, Report, Unit, keys};

use super::*;

#[test]
fn the_axis_reaches_from_a_register_to_another_rack_in_three_groups() {
    assert!(rows().len() >= 28, "{} rows", rows().len());
    for (group, word) in GROUPS {
        assert!(rows().iter().filter(|r| r.group == group).count() >= 8, "{word}");
    }
    for id in ["register", "l1", "l2", "l3", "dram", "dram-remote", "tlb-walk", "launch", "nvme", "rdma-far"]
    {
        assert!(rows().iter().any(|r| r.id == id), "{id}");
    }
    let ids: BTreeSet<_> = rows().iter().map(|r| r.id).collect();
    assert_eq!(ids.len(), rows().len(), "an id is there twice");
}

#[test]
fn rows_are_sorted_and_whole() {
    let mut before = 0.0;
    for row in rows() {
        assert!(row.place_ns() >= before, "{}", row.id);
        before = row.place_ns();
        assert!(row.name.chars().count() <= 27, "{}", row.name);
        assert!(!row.note.is_empty() && !row.source.is_empty(), "{}", row.id);
        for span in [row.latency_ns, row.bytes_per_s].into_iter().flatten() {
            assert!(span.low > 0.0 && span.low <= span.high, "{}", row.id);
        }
    }
}

#[test]
fn measured_values_lie_within_a_factor_of_four_of_their_ballpark() {
    for row in rows() {
        if let (Some((low, high)), Some(span)) = (row.h200_ns, row.latency_ns) {
            assert!(low <= high && high >= span.low / 4.0 && low <= span.high * 4.0, "{}", row.id);
        }
    }
}

#[test]
fn an_idle_gpu_counts_operations() {
    let state = Latency { row: "dram", gpu: Gpu::H200, ..Latency::default() };
    let row = state.chosen();
    // 98.7 ns, the middle of 75 to 130, times 989 TFLOP/s.
    let expected = (75.0f64 * 130.0).sqrt() * 1e-9 * 989e12;
    assert!((state.operations(row).unwrap_or(0.0) - expected).abs() < 1.0);
    assert!(state.sentence().contains("97.7\u{a0}million"), "{}", state.sentence());
}

#[test]
fn an_l1_hit_of_a_nanosecond_becomes_a_second() {
    let state = Latency { scale: Scale::Human, ..Latency::default() };
    assert_eq!(state.tell(1.0), "1\u{a0}s");
    assert_eq!(state.tell(90.0), "1.5\u{a0}min");
    assert_eq!(state.tell(5e6), "57.9\u{a0}days");
}

#[test]
fn every_key_is_one_that_the_drills_know() {
    for key in Latency::keys() {
        assert!(keys::find(key).is_some(), "{key}");
    }
}

#[test]
fn the_h200_marks_are_those_of_its_sample() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../content/samples/h200.json");
    let text = std::fs::read_to_string(path).expect("the H200 sample");
    let sample = drills_results::parse(&text).expect("a valid sample");
    let taken = Taken::from_report(&sample, Latency::keys());
    let mut compared = 0;
    for row in rows() {
        if let Some(reading) = row.yours.read(&taken) {
            let (low, high) = row.h200_ns.unwrap_or_else(|| panic!("{} has no mark", row.id));
            let (low, high) = (low * 0.99, high * 1.01);
            assert!(low <= reading.value && reading.value <= high, "{}: {}", row.id, reading.value);
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} rows compared");
}

fn report() -> Report {
    let text = r#"{"schema":{"name":"host-drills-results","version":1},"tool":{"name":"drills","version":"0"},
        "taken_at":"2026-11-29T12:00:00Z","label":"my box","machine":{},"measurements":[]}"#;
    let mut report: Report = serde_json::from_str(text).expect("a small report");
    let ns = |key: &str, value: f64| Measurement::ok(key, Unit::Ns, value, "test");
    report.measurements = vec![
        ns("latency.chase.dram", 200.0),
        ns("latency.chase.dram_page_per_line", 260.0),
        ns("latency.chase.dram_huge", 180.0),
    ];
    report
}

#[test]
fn the_readers_values_come_with_their_ratio_and_differences_are_taken() {
    let yours = Taken::from_report(&report(), Latency::keys());
    let state = Latency { yours, ..Latency::default() };
    let ratio = state.ratio(state.chosen()).unwrap_or(0.0);
    assert!((ratio - 200.0 / (75.0f64 * 130.0).sqrt()).abs() < 1e-9);
    assert!(state.sentence().contains("On my box: 200\u{a0}ns"), "{}", state.sentence());
    let walk = rows().iter().find(|r| r.id == "tlb-walk").and_then(|r| state.yours(r));
    assert_eq!(walk.map(|r| r.value), Some(80.0));
    let kept = Latency::default().carry_over(&state);
    assert!(kept.yours(kept.chosen()).is_some(), "a preset forgot the readings");
}

#[test]
fn a_state_survives_its_link_and_nonsense_falls_back() {
    let state = Latency {
        quantity: Quantity::Bandwidth,
        scale: Scale::Human,
        gpu: Gpu::B200,
        row: "nvme",
        ..Latency::default()
    }
    .filtered(Some(Group::Devices));
    assert_eq!(Latency::from_query(&state.to_query()), state);
    let hash = Query::from_hash("latency", "#fig-latency?row=nowhere&gpu=9&group=x").unwrap_or_default();
    assert_eq!(Latency::from_query(&hash), Latency::default());
}

#[test]
fn a_filter_never_leaves_a_row_chosen_that_it_hides() {
    let state = Latency::default().filtered(Some(Group::Software));
    assert_eq!(state.chosen().group, Group::Software);
}

#[test]
fn the_widest_pipe_is_on_top_of_the_bandwidth_view() {
    let state = Latency { quantity: Quantity::Bandwidth, ..Latency::default() };
    let order = state.order();
    assert_eq!(order[0].id, "gpu-memory");
    let without = order.iter().position(|r| r.bytes_per_s.is_none()).unwrap_or(order.len());
    assert!(order[without..].iter().all(|r| r.bytes_per_s.is_none()));
    assert_eq!(order.len(), rows().len());
}

#[test]
fn ranges_name_a_shared_unit_once() {
    assert_eq!(range("75\u{a0}ns", "130\u{a0}ns"), "75 to 130\u{a0}ns");
    assert_eq!(range("800\u{a0}ns", "3\u{a0}µs"), "800\u{a0}ns to 3\u{a0}µs");
    assert_eq!(range("5\u{a0}ms", "5\u{a0}ms"), "5\u{a0}ms");
}
