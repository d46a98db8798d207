use drills_results::{Measurement, Report, Unit as ResultUnit, keys};

use super::super::own::KEYS;
use super::*;

fn gb(id: &str) -> (f64, f64) {
    let link =
        Links { row: LINKS.iter().find(|l| l.id == id).map_or(OWN, |l| l.id), ..Links::default() }.chosen();
    let link = link.unwrap_or_else(|| panic!("{id} is no link"));
    (link.marketed / 1e9, link.direction / 1e9)
}

fn near(value: f64, published: f64) -> bool {
    (value - published).abs() <= published * 0.002
}

#[test]
fn headlines_and_directions_are_the_published_ones() {
    // GB/s, as marketed and per direction: PCI-SIG, NVIDIA product pages, C2C link listings.
    let published = [
        ("pcie3", 32.0, 15.75),
        ("pcie4", 64.0, 31.5),
        ("pcie5", 128.0, 63.0),
        ("pcie6", 256.0, 121.0),
        ("nvlink1", 160.0, 80.0),
        ("nvlink2", 300.0, 150.0),
        ("nvlink3", 600.0, 300.0),
        ("nvlink4", 900.0, 450.0),
        ("nvlink5", 1_800.0, 900.0),
        ("nvlink6", 3_600.0, 1_800.0),
        ("c2c-gh200", 900.0, 447.1),
        ("c2c-gb200", 900.0, 223.6),
        ("c2c-rubin", 1_800.0, 451.0),
        ("nic400", 50.0, 50.0),
        ("nic1600", 200.0, 200.0),
    ];
    for (id, marketed, direction) in published {
        let (m, d) = gb(id);
        assert!(near(m, marketed) && near(d, direction), "{id}: {m} and {d}");
    }
}

#[test]
fn nothing_was_seen_faster_than_its_wire() {
    for link in LINKS {
        assert!(link.direction <= link.marketed, "{}", link.id);
        for seen in link.seen {
            assert!(seen.bytes_per_s <= link.direction, "{}: {}", link.id, seen.what);
        }
    }
}

#[test]
fn the_constants_of_nccl_are_links_times_rate() {
    // Links per GPU and usable GB/s per link in NCCL 2.30.7, NVLink 6 in 2.32.3.
    let constants = [
        ("nvlink1", 4.0, 18.0),
        ("nvlink2", 6.0, 20.0),
        ("nvlink3", 12.0, 20.0),
        ("nvlink4", 18.0, 20.6),
        ("nvlink5", 18.0, 40.1),
        ("nvlink6", 36.0, 31.2),
    ];
    for (id, links, each) in constants {
        let assumed =
            LINKS.iter().filter(|l| l.id == id).flat_map(|l| l.seen).find(|s| s.kind == Kind::Assumed);
        assert!(assumed.is_some_and(|s| near(s.bytes_per_s / 1e9, links * each)), "{id}");
    }
}

#[test]
fn the_headline_that_loses_most_is_c2c_of_one_gb200_gpu() {
    let state = Links { order: Order::Loss, ..Links::default() };
    assert_eq!(state.entries()[1].id(), "c2c-gb200");
    let link = Links { row: "c2c-gb200", ..state }.chosen();
    assert!(link.is_some_and(|l| (l.shrinks() - 900.0 / 201.0).abs() < 1e-9));
}

#[test]
fn what_was_seen_on_sixteen_lanes_says_nothing_about_four() {
    let state =
        Links { lanes: Lanes::new(4).unwrap_or(Lanes::FULL), number: Number::Measured, ..Links::default() };
    let link = state.chosen();
    assert_eq!(link.and_then(|l| state.value(&l)), None);
    assert!(state.sentence().contains("PCIe 5.0 x4") && state.sentence().contains("no public number"));
}

#[test]
fn a_checkpoint_takes_as_long_as_division_says() {
    let state = Links { unit: Unit::Checkpoint, ..Links::default() };
    // 140 GB at 54.7 GB/s.
    assert!((state.on_axis(54.7e9) / 1e9 - 2.559).abs() < 0.001);
    assert_eq!(state.tell(20.2e9), "6.93\u{a0}s");
}

#[test]
fn sorting_by_width_puts_unknown_links_last() {
    let state = Links { order: Order::Width, number: Number::Measured, ..Links::default() };
    let values: Vec<Option<f64>> = state
        .entries()
        .iter()
        .filter_map(|e| if let Entry::Known(link) = e { Some(state.value(link)) } else { None })
        .collect();
    let known: Vec<f64> = values.iter().copied().map_while(|v| v).collect();
    assert!(known.is_sorted_by(|a, b| a >= b));
    assert!(values[known.len()..].iter().all(Option::is_none));
}

fn with_link(h2d: f64, speed: f64, width: f64) -> Links {
    let text = r#"{"schema":{"name":"host-drills-results","version":1},"tool":{"name":"drills","version":"0"},
        "taken_at":"2026-11-29T12:00:00Z","label":"my box","machine":{},"measurements":[]}"#;
    let mut report: Report = serde_json::from_str(text).expect("a small report");
    report.measurements = vec![
        Measurement::ok(KEYS[0], ResultUnit::BytesPerS, h2d, "test"),
        Measurement::ok(KEYS[2], ResultUnit::GtPerS, speed, "test"),
        Measurement::ok(KEYS[3], ResultUnit::Count, width, "test"),
    ];
    Links { row: OWN, yours: Taken::from_report(&report, KEYS), ..Links::default() }
}

#[test]
fn the_readers_copy_is_held_against_the_readers_link() {
    let state = with_link(24e9, 16.0, 16.0);
    assert!(state.own().direction.is_some_and(|d| near(d / 1e9, 31.5)));
    assert!(state.sentence().contains("76.2 %"), "{}", state.sentence());
}

#[test]
fn a_link_that_is_slower_than_its_copy_is_not_believed() {
    // A DGX Spark shows a Gen1 x1 link that means nothing.
    assert_eq!(with_link(100e9, 2.5, 1.0).own().direction, None);
    assert!(Links { row: OWN, ..Links::default() }.sentence().contains("choose a results file"));
}

#[test]
fn keys_are_known_and_states_survive_their_links() {
    assert!(KEYS.into_iter().all(|key| keys::find(key).is_some()));
    let state = Links {
        number: Number::Measured,
        unit: Unit::Checkpoint,
        order: Order::Loss,
        lanes: Lanes::new(8).unwrap_or(Lanes::FULL),
        row: "c2c-gb200",
        yours: Taken::default(),
    };
    assert_eq!(Links::from_query(&state.to_query()), state);
    let hash = Query::from_hash("links", "#fig-links?lanes=3&row=x&axis=&number=9").unwrap_or_default();
    assert_eq!(Links::from_query(&hash), Links::default());
}
