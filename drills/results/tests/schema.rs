//! The committed JSON Schema is the one that the types give, and reports follow it.

use drills_results::topology::{
    Cache, CoreKind, DeviceClass, Distance, Link, NodeClass, NumaNode, PathCode, PciDevice, Topology,
};
use drills_results::{
    Bin, Environment, Histogram, Machine, Measurement, Point, Provenance, Reason, Report, Schema, Series,
    Stats, Tool, Unit,
};

/// `UPDATE_SCHEMA=1 cargo test -p drills-results` writes it anew.
#[test]
fn the_committed_schema_is_the_generated_one() {
    let generated = format!("{:#}\n", drills_results::generate_schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema.json");
        std::fs::write(path, &generated).expect("schema.json can be written");
        return;
    }
    assert_eq!(
        drills_results::JSON_SCHEMA,
        generated,
        "schema.json is out of date; run UPDATE_SCHEMA=1 cargo test -p drills-results"
    );
}

/// A report that uses every field.
fn full() -> Report {
    let stats = Stats { n: 9, min: 1.0, p50: 2.0, p90: 3.0, p99: 3.5, max: 4.0, mad: 0.2 };
    let mut measured = Measurement::ok("copy.h2d.pinned", Unit::BytesPerS, 54.7e9, "copy.events")
        .param("bytes", 268_435_456u64)
        .param("huge", true)
        .param("node", "node0");
    measured.stats = Some(stats);
    measured.series = Some(Series {
        x: "size".into(),
        x_unit: Unit::Bytes,
        points: vec![
            Point { x: 4096.0, y: 1e9, range: Some((0.9e9, 1.1e9)) },
            Point { x: 8192.0, y: 2e9, range: None },
        ],
    });
    measured.histogram = Some(Histogram { bins: vec![Bin { upto: 10.0, count: 3 }] });
    measured.verified = Some(true);
    let skipped = Measurement::skipped(
        "copy.d2d",
        Unit::BytesPerS,
        "copy.events",
        Reason::new("no-gpu", "none", "add one"),
    );
    Report {
        schema: Schema::default(),
        tool: Tool { name: "drills".into(), version: "0.1.0".into() },
        taken_at: "2026-01-02T03:04:05Z".into(),
        label: "H200".into(),
        provenance: Provenance::Reported,
        source: Some("a page".into()),
        machine: Machine {
            class: "2 sockets".into(),
            host: Some("shown".into()),
            nvidia_driver: Some("570.1".into()),
            topology: Some(topology()),
            ..Machine::default()
        },
        environment: Environment {
            virtualisation: Some("KVM".into()),
            cpu_quota_cpus: Some(2.5),
            memory_limit_bytes: Some(1 << 30),
            warnings: vec!["Busy.".into()],
            ..Environment::default()
        },
        measurements: vec![measured, skipped],
        unknown: Default::default(),
    }
}

fn topology() -> Topology {
    Topology {
        cpus: 2,
        cores: Some(1),
        packages: Some(1),
        core_kinds: vec![CoreKind { name: "core".into(), cpus: "0-1".into(), evidence: "single".into() }],
        caches: vec![Cache {
            level: 1,
            kind: "data".into(),
            bytes: 49152,
            line_bytes: Some(64),
            shared_by: vec!["0-1".into()],
        }],
        nodes: vec![NumaNode {
            id: 0,
            class: NodeClass::CpuAndMemory,
            cpus: "0-1".into(),
            memory_bytes: 1 << 34,
            distances: vec![10],
            gpu: None,
        }],
        devices: vec![PciDevice {
            address: "0000:17:00.0".into(),
            class: DeviceClass::Gpu,
            name: "NVIDIA H200".into(),
            id: "10de:2335".into(),
            parents: vec!["0000:16:00.0".into()],
            numa_node: Some(0),
            local_cpus: "0-1".into(),
            link: Some(Link { gt_per_s: 32.0, width: 16, max_gt_per_s: 32.0, max_width: 16 }),
            coherent: false,
            interfaces: vec!["mlx5_0".into()],
            port_gbit_per_s: Some(400.0),
            unknown: Default::default(),
        }],
        distances: vec![Distance {
            from: "0000:17:00.0".into(),
            to: "0000:19:00.0".into(),
            code: PathCode::Pix,
            nvlinks: None,
        }],
        unknown: Default::default(),
    }
}

#[test]
fn a_report_with_every_field_follows_the_schema_and_survives_a_round_trip() {
    let report = full();
    let text = serde_json::to_string(&report).expect("a report is JSON");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let schema = serde_json::from_str(drills_results::JSON_SCHEMA).expect("schema.json is JSON");
    let validator = jsonschema::validator_for(&schema).expect("schema.json is a schema");
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(drills_results::parse(&text), Ok(report));
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = serde_json::from_str(drills_results::JSON_SCHEMA).expect("schema.json is JSON");
    let validator = jsonschema::validator_for(&schema).expect("schema.json is a schema");
    let good = serde_json::to_value(full()).expect("JSON");
    for (pointer, wrong) in [
        ("/measurements/0/value", serde_json::json!("fast")),
        ("/measurements/0/unit", serde_json::json!("furlongs")),
        ("/measurements/1/status", serde_json::json!("fine")),
        ("/machine/topology/devices/0/class", serde_json::json!("toaster")),
        ("/schema/version", serde_json::json!(-1)),
        ("/measurements", serde_json::json!({})),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).expect("the field is there") = wrong;
        assert!(!validator.is_valid(&value), "the schema takes a wrong {pointer}");
        assert!(drills_results::parse(&value.to_string()).is_err(), "the reader takes a wrong {pointer}");
    }
}
