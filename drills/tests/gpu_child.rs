//! The program beside drivers that misbehave: it always ends, in time, with typed reasons.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use drills_results::{Measurement, Report, Status};

/// Folders with the fake libraries, compiled once: a whole one and a truncated one.
struct Fakes {
    _dir: tempfile::TempDir,
    whole: PathBuf,
    truncated: PathBuf,
}

fn fakes() -> &'static Fakes {
    static FAKES: OnceLock<Fakes> = OnceLock::new();
    FAKES.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let (whole, truncated) = (dir.path().join("whole"), dir.path().join("truncated"));
        for folder in [&whole, &truncated] {
            std::fs::create_dir(folder).expect("a folder");
        }
        compile("libcuda.c", &whole.join("libcuda.so.1"), &[]);
        compile("libcuda.c", &truncated.join("libcuda.so.1"), &["-DTRUNCATED"]);
        compile("libnvidia_ml.c", &whole.join("libnvidia-ml.so.1"), &[]);
        Fakes { _dir: dir, whole, truncated }
    })
}

fn compile(source: &str, library: &Path, flags: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_driver").join(source);
    // Rust links with cc, so it is there.
    let done = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(library)
        .args(flags)
        .arg(source)
        .status()
        .expect("cc runs");
    assert!(done.success(), "the fake driver compiles");
}

/// `drills machine bw --quick`, small, beside a driver that behaves as `mode` says.
fn bw(folder: &Path, mode: &str, deadline_s: u64) -> (Report, i32, Duration) {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_drills"))
        .args(["machine", "bw", "--quick", "--quiet", "--json", "-"])
        .env("LD_LIBRARY_PATH", folder)
        .env("FAKE_CUDA", mode)
        .env("DRILLS_GPU_DEADLINE_S", deadline_s.to_string())
        .env("DRILLS_MEMORY_MIB", "192")
        .output()
        .expect("drills runs");
    let report = report_of(&output);
    (report, output.status.code().expect("drills is not killed"), start.elapsed())
}

fn report_of(output: &Output) -> Report {
    let text = std::str::from_utf8(&output.stdout).expect("JSON is UTF-8");
    drills_results::parse(text).unwrap_or_else(|error| panic!("not a results file: {error}\n{text}"))
}

fn gpu_measurements(report: &Report) -> Vec<&Measurement> {
    let of_gpu = |m: &&Measurement| ["copy.", "pin."].iter().any(|prefix| m.key.starts_with(prefix));
    report.measurements.iter().filter(of_gpu).collect()
}

fn code<'a>(report: &'a Report, key: &str) -> Option<&'a str> {
    report.find(key)?.reason.as_ref().map(|reason| reason.code.as_str())
}

/// Every GPU key has this status and reason, host memory was measured all the same.
fn all_are(report: &Report, status: Status, reason: &str) {
    let measurements = gpu_measurements(report);
    assert_eq!(measurements.len(), 28, "every key is in the file");
    for m in measurements {
        let found = m.reason.as_ref().map(|reason| reason.code.as_str());
        assert_eq!((m.status, found), (status, Some(reason)), "{}: {:?}", m.key, m.reason);
    }
    assert!(report.value("memcpy.one_thread").is_some_and(|rate| rate > 1e6));
}

#[test]
fn drivers_that_cannot_serve_are_skipped_with_their_reason() {
    for (mode, reason) in [("no-device", "no-device"), ("stub", "stub-library"), ("chatter", "no-device")] {
        let (report, exit, _) = bw(&fakes().whole, mode, 20);
        all_are(&report, Status::Skipped, reason);
        assert_eq!(exit, 0, "{mode}: memcpy was measured");
    }
}

#[test]
fn no_driver_at_all_is_skipped() {
    let empty = tempfile::tempdir().expect("a folder");
    let (report, exit, _) = bw(empty.path(), "", 20);
    // A machine with a real driver measures; everything else says that there is none.
    if code(&report, "copy.h2d.pinned") == Some("no-driver") {
        all_are(&report, Status::Skipped, "no-driver");
        assert_eq!(exit, 0);
    }
}

#[test]
fn codes_nobody_knows_and_contexts_that_fail_are_failures() {
    let (report, exit, _) = bw(&fakes().whole, "unknown-code", 20);
    all_are(&report, Status::Failed, "driver-error");
    let reason = report.find("copy.d2d").and_then(|m| m.reason.as_ref()).expect("a reason");
    assert!(reason.text.contains("cuInit returned 9001"), "{}", reason.text);
    assert_eq!(exit, 3);
    let (report, _, _) = bw(&fakes().whole, "context-fails", 20);
    let reason = report.find("copy.d2d").and_then(|m| m.reason.as_ref()).expect("a reason");
    assert!(reason.text.contains("46 (device unavailable)"), "{}", reason.text);
}

#[test]
fn a_driver_that_lacks_a_function_is_named_with_it() {
    let (report, exit, _) = bw(&fakes().truncated, "", 20);
    all_are(&report, Status::Failed, "missing-symbol");
    let reason = report.find("copy.d2d").and_then(|m| m.reason.as_ref()).expect("a reason");
    assert!(reason.text.contains("cuDeviceGetCount"), "{}", reason.text);
    assert_eq!(exit, 3);
}

#[test]
fn a_crash_and_a_hang_end_in_time() {
    let (report, exit, _) = bw(&fakes().whole, "crash", 20);
    all_are(&report, Status::Failed, "gpu-crashed");
    let reason = report.find("copy.d2d").and_then(|m| m.reason.as_ref()).expect("a reason");
    assert!(reason.text.contains("signal 11"), "{}", reason.text);
    assert_eq!(exit, 3);

    let (report, exit, took) = bw(&fakes().whole, "hang", 2);
    all_are(&report, Status::Failed, "gpu-hung");
    assert_eq!(exit, 3);
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn one_step_that_crashes_or_hangs_costs_that_step_only() {
    for (mode, reason, deadline_s) in [("crash-later", "gpu-crashed", 30), ("hang-later", "gpu-hung", 15)] {
        let (report, exit, _) = bw(&fakes().whole, mode, deadline_s);
        assert_eq!(code(&report, "copy.h2d.registered"), Some(reason), "{mode}");
        assert_eq!(code(&report, "pin.register"), Some(reason), "{mode}");
        for key in ["copy.h2d.pinned", "copy.d2h.pageable", "copy.d2d", "copy.bidirectional.h2d", "pin.alloc"]
        {
            assert!(report.value(key).is_some_and(|rate| rate > 0.0), "{mode}: {key}");
        }
        assert_eq!(exit, 3);
    }
}

#[test]
fn without_kernels_copies_are_timed_and_verified_all_the_same() {
    let (report, exit, _) = bw(&fakes().whole, "works", 30);
    for key in ["copy.h2d.pinned", "copy.d2h.pinned", "copy.h2d.registered", "copy.d2h.registered"] {
        let m = report.find(key).expect("measured");
        assert_eq!((m.method.as_str(), m.verified), ("copy.events_only", Some(true)), "{key}");
        let series = m.series.as_ref().expect("a sweep");
        assert_eq!(series.points.first().map(|point| point.x), Some(4096.0));
    }
    for key in ["copy.h2d.pageable", "copy.d2h.pageable", "copy.d2d", "copy.bidirectional.d2h"] {
        assert_eq!(report.find(key).and_then(|m| m.verified), Some(true), "{key}");
    }
    assert!(report.value("copy.h2d.pageable.blocked").is_some_and(|share| share > 0.5), "the fake blocks");
    assert_eq!(code(&report, "copy.h2d.sm"), Some("no-kernels"));
    assert_eq!(exit, 0, "skips are no failures");
}

#[test]
fn a_small_budget_of_pinned_memory_gives_small_copies() {
    let (report, _, _) = bw(&fakes().whole, "small-pins", 30);
    let pinned = report.find("copy.h2d.pinned").expect("in the file");
    assert_eq!(pinned.verified, Some(true), "{:?}", pinned.reason);
    assert_eq!(pinned.params.get("size_bytes"), Some(&drills_results::Param::Number(f64::from(1 << 20))));
    assert_eq!(code(&report, "pin.alloc"), Some("out-of-memory"));
}

#[test]
fn wrong_bytes_are_told_and_fail_the_run() {
    let (report, exit, _) = bw(&fakes().whole, "corrupt", 30);
    for key in ["copy.h2d.pinned", "copy.d2h.pageable", "copy.d2d"] {
        assert_eq!(report.find(key).and_then(|m| m.verified), Some(false), "{key}");
    }
    assert_eq!(exit, 3);
}

#[test]
fn a_gpu_that_is_lost_midway_says_so_for_each_key() {
    let (report, exit, _) = bw(&fakes().whole, "lost", 30);
    assert_eq!(code(&report, "copy.h2d.pinned"), Some("driver-error"));
    assert_eq!(gpu_measurements(&report).len(), 28);
    assert_eq!(exit, 3);
}

/// The child alone, asked for the list of GPUs.
fn inventory(mode: &str) -> String {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_drills"))
        .arg("gpu-child")
        .env("LD_LIBRARY_PATH", &fakes().whole)
        .env("FAKE_NVML", mode)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the child starts");
    child.stdin.take().expect("a pipe").write_all(b"\"Inventory\"").expect("the child reads");
    let output = child.wait_with_output().expect("the child ends");
    String::from_utf8(output.stdout).expect("JSON lines")
}

#[test]
fn nvml_may_be_lost_mismatched_empty_or_newer() {
    assert!(inventory("not-loaded").contains(r#"{"Refused":{"NoDriver""#));
    assert!(inventory("lost").contains("fell off the bus"));
    assert!(inventory("mismatch").contains(r#""code":18"#));
    assert!(inventory("unknown-code").contains(r#"{"Refused":"#));
    assert!(inventory("none").contains(r#"{"Refused":"NoDevice"}"#));
    assert!(!inventory("crash").contains("Done"));
}

#[test]
fn a_gpu_without_memory_or_link_keeps_its_place() {
    let lines = inventory("works");
    assert!(lines.contains(r#""address":"000f:01:00.0""#), "{lines}");
    assert!(lines.contains(r#""name":"NVIDIA GB10""#) && lines.contains(r#""memory_bytes":null"#), "{lines}");
    assert!(lines.contains(r#""link":null"#) && lines.contains(r#""driver_version":"1.2.3""#), "{lines}");
    assert!(lines.trim_end().ends_with("\"Done\""), "{lines}");
}

/// One drill of the rack beside a driver and an NVML that behave as their modes say.
fn rack(drill: &str, cuda: &str, nvml: &str) -> (Report, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_drills"))
        .args(["rack", drill, "--quick", "--quiet", "--json", "-"])
        .env("LD_LIBRARY_PATH", &fakes().whole)
        .env("FAKE_CUDA", cuda)
        .env("FAKE_NVML", nvml)
        .env("DRILLS_GPU_DEADLINE_S", "20")
        .env("DRILLS_MEMORY_MIB", "192")
        .output()
        .expect("drills runs");
    (report_of(&output), output.status.code().expect("drills is not killed"))
}

#[test]
fn a_fabric_handle_is_made_exported_and_imported() {
    let (report, exit) = rack("fabric", "fabric", "tray");
    for key in ["fabric.attribute", "fabric.create", "fabric.export", "fabric.import_own"] {
        assert_eq!(report.value(key), Some(1.0), "{key}: {:?}", report.find(key));
    }
    assert_eq!((report.value("fabric.state"), report.value("fabric.clique_gpus")), (Some(3.0), Some(1.0)));
    let text = serde_json::to_string(&report).expect("JSON");
    assert!(!text.contains("c1c1c1"), "the cluster's UUID names the rack");
    assert_eq!(exit, 0);
}

#[test]
fn without_a_channel_the_attribute_is_1_and_the_handle_is_not_made() {
    let (report, exit) = rack("fabric", "no-channel", "works");
    assert_eq!((report.value("fabric.attribute"), report.value("fabric.create")), (Some(1.0), Some(0.0)));
    let state = format!("{:?}", report.find("fabric.create").map(|m| &m.params["state"]));
    assert!(state.contains("800 (not permitted)") && state.contains("IMEX channel"), "{state}");
    assert_eq!(code(&report, "fabric.import_own"), Some("meaningless-here"));
    assert_eq!(code(&report, "fabric.state"), Some("not-supported"));
    assert_eq!(exit, 0, "a machine without a channel is no failure");

    let (report, _) = rack("fabric", "no-daemon", "works");
    assert_eq!((report.value("fabric.export"), report.value("fabric.import_own")), (Some(1.0), Some(0.0)));
}

#[test]
fn a_c2c_link_that_is_down_is_not_counted() {
    let (report, exit) = rack("platform", "works", "tray");
    assert_eq!((report.value("c2c.links"), report.value("c2c.link_rate")), (Some(4.0), Some(44.712e9)));
    assert_eq!((report.value("gpu.mig"), report.value("gpu.virtualisation")), (Some(0.0), Some(1.0)));
    assert_eq!(report.value("coherence.class"), Some(0.0), "the fake has no attribute set");
    assert_eq!(report.value("gpu.direct_managed"), Some(0.0));
    assert_eq!(exit, 0);
    let (report, _) = rack("platform", "hmm", "works");
    let class = report.find("coherence.class").expect("in the file");
    assert_eq!((class.value, class.status), (Some(2.0), Status::Unstable), "no kernel could try it");
    assert_eq!(code(&report, "c2c.links"), Some("not-supported"));
}

#[test]
fn memory_of_a_node_is_copied_without_kernels() {
    let (report, exit) = rack("place", "works", "works");
    let nodes: Vec<&Measurement> =
        report.measurements.iter().filter(|m| m.key.starts_with("node.h2d.")).collect();
    // A sandbox may show no nodes.
    for m in nodes.iter().filter(|m| m.value.is_some()) {
        assert_eq!((m.method.as_str(), m.verified), ("node.copy", Some(true)), "{}", m.key);
        let read = m.key.replace("h2d", "sm_read");
        assert_eq!(code(&report, &read), Some("no-kernels"));
    }
    assert!(exit == 0 || nodes.is_empty());
}
