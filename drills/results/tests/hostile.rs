//! Files that nobody's `drills` wrote.

use drills_results::{ImportError, MAX_DEPTH, MAX_FILE_BYTES, Report, Status, parse};
use serde_json::{Value, json};

fn good() -> Value {
    json!({
        "schema": { "name": "host-drills-results", "version": 1 },
        "tool": { "name": "drills", "version": "0.1.0" },
        "taken_at": "2026-01-02T03:04:05Z",
        "label": "box",
        "machine": {
            "class": "1 socket",
            "topology": {
                "cpus": 2,
                "caches": [{ "level": 1, "kind": "data", "bytes": 49152, "shared_by": ["0", "1"] }],
                "nodes": [{ "id": 0, "class": "cpu_and_memory", "cpus": "0-1", "memory_bytes": 1024 }],
                "devices": [{ "address": "0000:01:00.0", "class": "gpu", "name": "GPU", "id": "10de:2335" }]
            }
        },
        "environment": { "allowed_cpus": "0-1" },
        "measurements": (0..5).map(|i| json!({
            "key": format!("copy.test{i}"), "unit": "bytes_per_s", "status": "ok", "value": 1e9, "method": "m",
            "stats": { "n": 3, "min": 1.0, "p50": 2.0, "p90": 3.0, "p99": 3.0, "max": 3.0, "mad": 0.5 },
            "params": { "bytes": 4096 }
        })).collect::<Vec<_>>()
    })
}

/// The good file with one field replaced.
fn with(pointer: &str, value: Value) -> String {
    let mut file = good();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match file.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Object(map) => {
            map.insert(name.into(), value);
        }
        Value::Array(list) => list[name.parse::<usize>().expect("an index")] = value,
        other => panic!("{parent} is {other}"),
    }
    file.to_string()
}

fn refused(text: &str) -> String {
    match parse(text) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("taken: {}", &text[..text.len().min(300)]),
    }
}

#[track_caller]
fn starts(text: &str, expected: &str) {
    let message = refused(text);
    assert!(message.starts_with(expected), "expected {expected:?}, got {message:?}");
    assert!(message.chars().count() < 700, "too long to show: {} characters", message.chars().count());
}

#[test]
fn the_good_file_is_taken() {
    let report = parse(&good().to_string()).expect("good");
    assert_eq!(report.measurements.len(), 5);
}

#[test]
fn wrong_types_are_told_with_their_path() {
    starts(
        &with("/measurements/3/value", json!("fast")),
        "measurements[3].value: invalid type: string \"fast\"",
    );
    starts(
        &with("/measurements/0/status", json!("great")),
        "measurements[0].status: unknown variant `great`",
    );
    starts(&with("/measurements/1/unit", json!(7)), "measurements[1].unit: ");
    starts(&with("/measurements/2", json!([])), "measurements[2]: ");
    starts(&with("/measurements", json!("none")), "measurements: invalid type");
    starts(&with("/label", json!(null)), "label: invalid type: null");
    starts(
        &with("/machine/topology/devices/0/class", json!("toaster")),
        "machine.topology.devices[0].class: ",
    );
    starts(
        &with("/machine/topology/nodes/0/memory_bytes", json!(-1)),
        "machine.topology.nodes[0].memory_bytes: ",
    );
    starts(&with("/environment/allowed_cpus", json!(3)), "environment.allowed_cpus: ");
    starts("[]", "the file: ");
    starts("3", "the file: ");
    starts("null", "the file: ");
}

#[test]
fn broken_rules_are_told_with_their_path() {
    starts(&with("/measurements/3/value", json!(null)), "measurements[3].value: missing");
    starts(&with("/measurements/3/key", json!("M1.copy")), "measurements[3].key: ");
    starts(&with("/measurements/3/key", json!("")), "measurements[3].key: ");
    starts(&with("/measurements/3/status", json!("skipped")), "measurements[3].reason: missing");
    starts(&with("/measurements/3/stats/p90", json!(1.5)), "measurements[3].stats: ");
    starts(
        &with(
            "/measurements/3/series",
            json!({ "x": "size", "x_unit": "bytes", "points": [{ "x": 2, "y": 1 }, { "x": 1, "y": 1 }] }),
        ),
        "measurements[3].series: points must be in ascending x",
    );
    starts(
        &with(
            "/measurements/3/histogram",
            json!({ "bins": [{ "upto": 2.0, "count": 1 }, { "upto": 2.0, "count": 1 }] }),
        ),
        "measurements[3].histogram: ",
    );
    starts(&with("/environment/allowed_cpus", json!("0-4294967295")), "environment.allowed_cpus: not a list");
    starts(
        &with("/machine/topology/caches/0/shared_by/1", json!("all of them")),
        "machine.topology.caches[0].shared_by[1]: ",
    );
}

#[test]
fn integers_that_javascript_cannot_hold_are_refused() {
    let too_large = json!((1u64 << 53) + 1);
    for (pointer, path) in [
        ("/machine/memory_bytes", "machine.memory_bytes: above 2^53"),
        ("/machine/topology/cpus", "machine.topology.cpus: above 2^53"),
        ("/machine/topology/caches/0/bytes", "machine.topology.caches[0].bytes: above 2^53"),
        ("/machine/topology/nodes/0/memory_bytes", "machine.topology.nodes[0].memory_bytes: above 2^53"),
        ("/environment/memory_limit_bytes", "environment.memory_limit_bytes: above 2^53"),
        ("/measurements/4/stats/n", "measurements[4].stats.n: above 2^53"),
    ] {
        starts(&with(pointer, too_large.clone()), path);
    }
    parse(&with("/machine/memory_bytes", json!((1u64 << 53) - 1))).expect("2^53 - 1 is fine");
}

#[test]
fn numbers_that_are_none_are_refused() {
    for (token, expected) in [
        ("NaN", "not JSON (line 1, column "),
        ("Infinity", "not JSON"),
        ("-Infinity", "not JSON"),
        ("0x10", "not JSON"),
        ("1.", "not JSON"),
        ("+1", "not JSON"),
        ("01", "not JSON"),
        ("1e400", "measurements[0].value: number out of range"),
        ("-1e400", "measurements[0].value: number out of range"),
    ] {
        let text = good().to_string().replacen("1000000000.0", token, 1);
        assert!(text.contains(&format!(":{token}")), "the token is in the file");
        starts(&text, expected);
    }
}

#[test]
fn texts_are_bounded_everywhere() {
    let long = json!("x".repeat(5_000));
    for (pointer, path) in [
        ("/label", "label"),
        ("/taken_at", "taken_at"),
        ("/source", "source"),
        ("/tool/version", "tool.version"),
        ("/machine/kernel", "machine.kernel"),
        ("/machine/host", "machine.host"),
        ("/machine/topology/devices/0/name", "machine.topology.devices[0].name"),
        ("/machine/topology/devices/0/address", "machine.topology.devices[0].address"),
        ("/machine/topology/nodes/0/gpu", "machine.topology.nodes[0].gpu"),
        ("/machine/topology/caches/0/kind", "machine.topology.caches[0].kind"),
        ("/environment/container", "environment.container"),
        ("/measurements/2/method", "measurements[2].method"),
        ("/measurements/2/params/where", "measurements[2].params.where"),
    ] {
        starts(&with(pointer, long.clone()), &format!("{path}: 5000 bytes of text"));
    }
    let many: Vec<Value> = (0..201).map(|_| json!("w")).collect();
    starts(&with("/environment/warnings", json!(many)), "environment.warnings: 201 entries");
}

#[test]
fn script_stays_text_and_escape_sequences_do_not_reach_a_terminal() {
    let script = "<script>alert(1)</script><img src=x onerror=alert(1)>\" '&amp; {{x}}";
    let report = parse(&with("/label", json!(script))).expect("it is only text");
    assert_eq!(report.label, script);
    starts(&with("/label", json!("\u{1b}[2Jcleared")), "label: control character U+001B at byte 0");
    let message = refused(&with("/schema/name", json!("\u{1b}]0;title\u{7}")));
    assert!(!message.chars().any(char::is_control), "{message:?}");
    let message = refused(&with("/measurements/0/unit", json!("\u{1b}[31m")));
    assert!(!message.chars().any(char::is_control), "{message:?}");
}

#[test]
fn other_programs_and_newer_versions_are_told_as_such() {
    starts(&with("/schema/name", json!("fio")), "schema.name is \"fio\"");
    starts(&with("/schema/version", json!(2)), "schema.version is 2");
    starts(&with("/schema/version", json!(0)), "schema.version: 0");
    starts("{\"name\":\"left-pad\",\"version\":\"1.0.0\"}", "schema: missing");
    let newer =
        json!({ "schema": { "name": "host-drills-results", "version": 9 }, "measurements": { "by": "key" } });
    starts(&newer.to_string(), "schema.version is 9");
}

#[test]
fn huge_and_deep_files_are_refused_without_reading_them_whole() {
    let huge = " ".repeat(MAX_FILE_BYTES + 1);
    assert_eq!(parse(&huge), Err(ImportError::TooLarge { found: MAX_FILE_BYTES + 1 }));
    let deep = "[".repeat(MAX_FILE_BYTES);
    assert_eq!(parse(&deep), Err(ImportError::TooDeep { at: MAX_DEPTH }));
    let mut value = json!(1);
    for _ in 0..MAX_DEPTH {
        value = json!({ "a": value });
    }
    assert!(matches!(parse(&with("/extra", value)), Err(ImportError::TooDeep { .. })));
    parse(&with("/label", json!("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{{{{{{\\\"")))
        .expect("brackets in a text do not nest");
    let many: Vec<Value> = (0..5_001).map(|_| good()["measurements"][0].clone()).collect();
    starts(&with("/measurements", json!(many)), "measurements: 5001 entries");
}

#[test]
fn broken_text_is_not_json() {
    let text = good().to_string();
    for cut in [1, 10, text.len() / 2, text.len() - 1] {
        starts(&text[..cut], "not JSON (line 1, column ");
    }
    starts("", "not JSON");
    starts(&format!("{text}{text}"), "not JSON");
    starts(&text.replacen("\"box\"", "\"\\ud800\"", 1), "label: ");
    starts(&text.replacen("\"box\"", "\"a\nb\"", 1), "not JSON");
    starts(&text.replacen("\"box\"", "'box'", 1), "not JSON");
    starts("<!DOCTYPE html><html></html>", "not JSON (line 1, column 1)");
}

#[test]
fn a_byte_order_mark_is_no_harm() {
    parse(&format!("\u{feff}{}", good())).expect("a BOM is left out");
}

#[test]
fn a_field_that_comes_twice_is_refused() {
    let text = good().to_string().replacen("\"label\":\"box\"", "\"label\":\"box\",\"label\":\"other\"", 1);
    starts(&text, "label: duplicate field `label`");
}

#[test]
fn fields_of_later_versions_survive_a_round_trip() {
    let mut file = good();
    file["colour"] = json!({ "of": ["the", "case"] });
    file["machine"]["altitude_m"] = json!(12.5);
    file["machine"]["topology"]["fans"] = json!(4);
    file["machine"]["topology"]["devices"][0]["firmware"] = json!("1.2");
    file["environment"]["noise_db"] = json!(40);
    file["measurements"][1]["confidence"] = json!([0.9, 1.1]);
    let report = parse(&file.to_string()).expect("unknown fields are fine");
    let again = serde_json::to_value(&report).expect("JSON");
    for pointer in [
        "/colour/of/1",
        "/machine/altitude_m",
        "/machine/topology/fans",
        "/machine/topology/devices/0/firmware",
        "/environment/noise_db",
        "/measurements/1/confidence/0",
    ] {
        assert_eq!(again.pointer(pointer), file.pointer(pointer), "{pointer}");
    }
}

#[test]
fn a_writer_cannot_write_what_is_not_finite() {
    let mut report: Report = parse(&good().to_string()).expect("good");
    report.measurements[0].value = Some(f64::NAN);
    assert_eq!(
        drills_results::validate(&report).map_err(|e| e.to_string()),
        Err("measurements[0].value: not a finite number".into())
    );
    report.measurements[0].value = None;
    report.measurements[0].status = Status::Interrupted;
    assert!(drills_results::validate(&report).is_err(), "a reason is owed");
    report.measurements[0].reason = Some(drills_results::Reason::new("x", "y", ""));
    drills_results::validate(&report).expect("now it is whole");
    report.measurements[1].params.insert("rate".into(), f64::INFINITY.into());
    assert!(drills_results::validate_measurement(&report.measurements[1]).is_err());
}
