//! The importer reads by hand what the types also derive: both must read the same.

use drills_results::{Report, parse};
use serde_json::{Value, json};

#[track_caller]
fn agree(text: &str) {
    let derived: Report = serde_json::from_str(text).expect("the derived reader takes it");
    assert_eq!(parse(text), Ok(derived));
}

#[test]
fn samples_are_read_alike() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../content/samples");
    let mut read = 0;
    for entry in std::fs::read_dir(samples).expect("samples") {
        agree(&std::fs::read_to_string(entry.expect("an entry").path()).expect("a text"));
        read += 1;
    }
    assert!(read > 0, "there are samples");
}

/// A file with every kind of part, most fields absent.
fn sparse() -> Value {
    json!({
        "schema": { "name": "host-drills-results", "version": 1 },
        "tool": { "name": "drills", "version": "0.1.0" },
        "taken_at": "2026-01-02T03:04:05Z",
        "label": "box",
        "provenance": "measured",
        "machine": { "topology": {
            "nodes": [{ "id": 0, "class": "empty", "cpus": "", "memory_bytes": 0 }],
            "devices": [{ "address": "0000:01:00.0", "class": "gpu", "name": "GPU", "id": "10de:2335" }],
            "distances": [{ "from": "0000:01:00.0", "to": "0000:02:00.0", "code": "PIX" }]
        } },
        "measurements": [{
            "key": "a.b", "unit": "count", "status": "ok", "method": "m", "value": 3,
            "params": { "flag": true, "whole": 4, "below": -4, "part": 0.5, "name": "x" },
            "reason": { "code": "c", "text": "t" },
            "series": { "x": "size", "x_unit": "bytes", "points": [{ "x": -1, "y": 2.5, "range": [1, 3] }] }
        }]
    })
}

#[test]
fn absent_fields_and_unknown_ones_are_read_alike() {
    agree(&sparse().to_string());
    let mut file = sparse();
    file["colour"] = json!({ "of": ["the", -1, 1.5, null, true, "case"], "big": u64::MAX });
    file["machine"]["topology"]["devices"][0]["firmware"] = json!("1.2");
    file["measurements"][0]["reason"]["since"] = json!(1);
    agree(&file.to_string());
    let nulls = json!({ "source": null, "machine": { "host": null, "topology": null } });
    let mut file = sparse();
    for (name, value) in nulls.as_object().expect("an object") {
        file[name] = value.clone();
    }
    agree(&file.to_string());
}

/// The words of the schema are those of the types.
#[test]
fn every_word_is_read_alike() {
    let schema: Value = serde_json::from_str(drills_results::JSON_SCHEMA).expect("JSON");
    for (kind, pointer) in [
        ("Provenance", "/provenance"),
        ("Unit", "/measurements/0/unit"),
        ("Status", "/measurements/0/status"),
        ("NodeClass", "/machine/topology/nodes/0/class"),
        ("DeviceClass", "/machine/topology/devices/0/class"),
        ("PathCode", "/machine/topology/distances/0/code"),
    ] {
        let words = schema["$defs"][kind]["oneOf"].as_array().expect("a list of words");
        assert!(words.len() > 2, "{kind}");
        for word in words {
            let mut file = sparse();
            *file.pointer_mut(pointer).expect("the field is there") = word["const"].clone();
            agree(&file.to_string());
        }
    }
}

/// Where one of them refuses, so does the other.
#[test]
fn what_is_missing_or_wrong_is_refused_alike() {
    let mut places = Vec::new();
    walk(&sparse(), String::new(), &mut places);
    assert!(places.len() > 50, "{}", places.len());
    for place in places {
        for wrong in [None, Some(json!(null)), Some(json!("x")), Some(json!(-1)), Some(json!([{}]))] {
            let mut file = sparse();
            let (parent, name) = place.rsplit_once('/').expect("a pointer");
            match (file.pointer_mut(parent).expect("a parent"), &wrong) {
                (Value::Object(fields), None) => _ = fields.remove(name),
                (Value::Array(_), None) => continue,
                (parent, Some(wrong)) => {
                    *parent.pointer_mut(&format!("/{name}")).expect("it") = wrong.clone()
                }
                _ => unreachable!("only objects and lists have children"),
            }
            let text = file.to_string();
            match (parse(&text), serde_json::from_str::<Report>(&text)) {
                (Ok(ours), Ok(derived)) => assert_eq!(ours, derived, "{place} {wrong:?}"),
                (Ok(_), Err(error)) => panic!("taken with {wrong:?} at {place}: {error}"),
                // The importer has rules beyond the types.
                (Err(error), Ok(_)) => {
                    let error = error.to_string();
                    assert!(!error.contains("invalid type") && !error.contains("missing field"), "{error}");
                }
                (Err(_), Err(_)) => {}
            }
        }
    }
}

fn walk(value: &Value, path: String, places: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, child)| (name.clone(), child)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(i, child)| (i.to_string(), child)).collect(),
        _ => return,
    };
    for (name, child) in children {
        let path = format!("{path}/{name}");
        places.push(path.clone());
        walk(child, path, places);
    }
}
