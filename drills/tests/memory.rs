//! `drills memory` as a user starts it: counts that were predicted, files that are gone, reasons.

#![allow(clippy::unwrap_used, reason = "tests may")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use drills_results::keys::KEYS;
use drills_results::{Measurement, Report, Status};
use rustix::process::Signal;

/// A folder on the drive that holds the build: /tmp may be memory.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn drills(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drills"));
    command.args(args).current_dir(folder).env("DRILLS_MEMORY_MIB", "1024");
    command
}

fn report(output: &Output) -> Report {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    drills_results::parse(text).unwrap_or_else(|error| panic!("not a results file: {error}\n{text}"))
}

fn find<'r>(report: &'r Report, key: &str) -> &'r Measurement {
    report.find(key).unwrap_or_else(|| panic!("{key} is missing"))
}

fn code(report: &Report, key: &str) -> String {
    find(report, key).reason.as_ref().map(|reason| reason.code.clone()).unwrap_or_default()
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn a_quick_run_has_every_key_and_counts_as_predicted_and_leaves_nothing() {
    let folder = folder();
    let args = ["m2", "--quick", "--gpu", "none", "--json", "-"];
    let output = drills(folder.path(), &args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(is_empty(folder.path()));
    let report = report(&output);
    let listed = KEYS.iter().filter(|key| key.command.starts_with("drills memory "));
    for key in listed.filter(|key| !key.key.ends_with('*')) {
        let m = find(&report, key.key);
        assert_eq!(m.unit, key.unit, "{}", key.key);
        assert_ne!(m.status, Status::Failed, "{}: {:?}", key.key, m.reason);
        assert_ne!(m.verified, Some(false), "{}", key.key);
    }
    for key in ["gpu.pageable_access", "gpu.malloc_read", "to_gpu.read_pinned.cold"] {
        assert_eq!(code(&report, key), "gpu-not-wanted");
    }
    let pages_per_gib = (1u64 << 30) as f64 / report.value("topo.page").unwrap();
    for key in ["fault.anon_base.count", "fault.file_write.count", "load.read.faults"] {
        let m = find(&report, key);
        assert_eq!((m.value, m.status), (Some(pages_per_gib), Status::Ok), "{key}: {:?}", m.reason);
    }
    // What needs a drive or a switch is skipped where there is none, but never wrong.
    for key in ["fault.thp.count", "fault.file_map.count", "load.mmap.faults", "load.mmap_random.major"] {
        let m = find(&report, key);
        assert!(m.status == Status::Ok || m.status == Status::Skipped, "{key}: {:?}", m.reason);
    }
    for key in ["rss", "pss", "uss"].map(|word| format!("cow.object_headers.{word}")) {
        assert_eq!(find(&report, &key).status, Status::Ok, "{key}");
    }
    assert_eq!(report.value("cow.one_header.uss"), report.value("topo.page"));
    assert!(report.value("cow.one_percent.uss") < report.value("cow.object_headers.uss"));
}

#[test]
fn files_in_memory_are_told_apart_from_a_drive() {
    let shm = Path::new("/dev/shm");
    if !shm.is_dir() {
        return;
    }
    let args = ["memory", "load", "--quick", "--json", "-", "--dir", "/dev/shm"];
    let output = drills(shm, &args).env("DRILLS_MEMORY_MIB", "512").output().unwrap();
    let report = report(&output);
    assert_eq!(code(&report, "load.read.cold"), "still-cached");
    assert!(find(&report, "load.read.cold").reason.as_ref().unwrap().text.contains("tmpfs"));
    assert!(report.value("load.read.warm").is_some_and(|rate| rate > 1e6));
    assert!(report.environment.warnings.iter().any(|warning| warning.contains("tmpfs")));
}

#[test]
fn a_folder_that_is_none_is_a_reason() {
    let folder = folder();
    let args = ["memory", "load", "--quick", "--json", "-", "--dir", "no/such/folder"];
    let report = report(&drills(folder.path(), &args).output().unwrap());
    assert_eq!(code(&report, "load.read.cold"), "no-file");
    assert!(find(&report, "load.read.cold").reason.as_ref().unwrap().fix.contains("--dir"));
}

#[test]
fn make_and_evict_leave_a_whole_file_that_is_out_of_the_cache() {
    let folder = folder();
    let made = drills(folder.path(), &["memory", "make", "ckpt.safetensors", "64MiB"]).output().unwrap();
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let content = std::fs::read(folder.path().join("ckpt.safetensors")).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&content).unwrap();
    assert_eq!((content.len(), tensors.len()), (64 << 20, 2));

    let evicted = drills(folder.path(), &["memory", "evict", "ckpt.safetensors"]).output().unwrap();
    let text = String::from_utf8_lossy(&evicted.stdout).into_owned();
    match evicted.status.code() {
        Some(0) => assert!(text.contains(", 0 are left ("), "{text}"),
        // The build lies on a file system that keeps its files.
        code => assert!(code == Some(3) && text.contains("On "), "{text}"),
    }
    let absent = drills(folder.path(), &["memory", "evict", "nothing"]).output().unwrap();
    assert_eq!(absent.status.code(), Some(1));
    let huge = drills(folder.path(), &["memory", "make", "huge", "--size", "500000"]).output().unwrap();
    assert_eq!(huge.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&huge.stderr).contains("a quarter of the free space"));
    assert!(!folder.path().join("huge").exists());
}

/// Starts a command and waits for a line of its progress.
fn started(folder: &Path, args: &[&str], line: &str) -> Child {
    let mut command = drills(folder, args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|l| l.contains(line)), "{line} never came");
    child
}

fn signal(child: &Child, signal: Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
}

#[test]
fn ctrl_c_and_worse_leave_no_file() {
    let folder = folder();
    let args = ["memory", "load", "-v", "--gpu", "none", "--json", "-"];
    let child = started(folder.path(), &args, "writing a checkpoint");
    signal(&child, Signal::INT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(find(&report(&output), "load.read.cold").status, Status::Interrupted);
    assert!(is_empty(folder.path()));

    let child = started(folder.path(), &args, "writing a checkpoint");
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal(&child, Signal::KILL);
    child.wait_with_output().unwrap();
    assert!(is_empty(folder.path()), "the file has no name, so nothing can be left");
}

#[test]
fn ctrl_c_ends_workers_as_well() {
    let folder = folder();
    let args = ["memory", "cow", "-v", "--json", "-"];
    let child = started(folder.path(), &args, "workers walk");
    let pid = child.id();
    signal(&child, Signal::INT);
    let output = child.wait_with_output().unwrap();
    assert!(matches!(output.status.code(), Some(130 | 0)), "it ended early, or just before");
    report(&output);
    let orphans = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let text = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        text.contains("drills\0memory\0cow") && entry.file_name() != *pid.to_string()
    });
    assert_eq!(orphans.count(), 0);
}

/// A folder with a libcuda whose GPU is the host's memory.
fn fake_driver() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("libcuda.so.1");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_driver/libcuda.c");
    let mut cc = Command::new("cc");
    let done = cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status().unwrap();
    assert!(done.success());
    let path = dir.path().to_owned();
    (dir, path)
}

fn beside_driver(drill: &str, mode: &str) -> (Report, bool) {
    let (folder, (_dir, driver)) = (folder(), fake_driver());
    let output = drills(folder.path(), &["memory", drill, "--quick", "--json", "-"])
        .env("LD_LIBRARY_PATH", driver)
        .env("FAKE_CUDA", mode)
        .output()
        .unwrap();
    (report(&output), is_empty(folder.path()))
}

#[test]
fn four_routes_bring_the_file_to_the_gpu() {
    let (report, empty) = beside_driver("to-gpu", "works");
    assert!(empty);
    for route in ["read_pageable", "read_pinned", "mmap_copy"] {
        let m = find(&report, &format!("to_gpu.{route}.warm"));
        assert_eq!(m.verified, Some(true), "{route}: {:?}", m.reason);
        assert!(m.value.is_some_and(|rate| rate > 1e6));
    }
    for route in ["read_pageable", "read_pinned", "mmap_copy", "direct_pinned"] {
        let m = find(&report, &format!("to_gpu.{route}.cold"));
        let reason = m.reason.as_ref().map_or("", |reason| &reason.code);
        let not_here = m.status == Status::Skipped && ["still-cached", "no-direct-io"].contains(&reason);
        assert!(not_here || m.verified == Some(true), "{route}: {:?}", m.reason);
        let cpu = report.value(&format!("to_gpu.{route}.cpu"));
        assert!(not_here || cpu.is_some_and(|ns| ns > 0.0), "{route}");
    }
}

#[test]
fn wrong_bytes_on_the_gpu_are_told_and_no_gpu_means_no_file() {
    let (report, _) = beside_driver("to-gpu", "corrupt");
    assert_eq!(find(&report, "to_gpu.read_pinned.warm").verified, Some(false));
    let (report, empty) = beside_driver("to-gpu", "no-device");
    assert_eq!(code(&report, "to_gpu.mmap_copy.cold"), "no-device");
    assert!(empty);
}

#[test]
fn attributes_are_numbers_and_imply_a_class() {
    let (report, _) = beside_driver("info", "works");
    for key in ["gpu.integrated", "gpu.pageable_access", "gpu.host_page_tables", "gpu.coherence"] {
        assert_eq!(report.value(key), Some(0.0), "{key}");
    }
    assert_eq!(report.value("gpu.vmm.granularity"), Some((2u64 << 20) as f64));
    assert_eq!(code(&report, "gpu.malloc_read"), "meaningless-here", "illegal here, so not tried");
    let (report, _) = beside_driver("info", "hmm");
    assert_eq!(report.value("gpu.coherence"), Some(2.0));
    assert_eq!(code(&report, "gpu.host_atomics"), "old-driver");
    // The fake compiles no kernels, so the class cannot be tested.
    assert_eq!(code(&report, "gpu.malloc_read"), "no-kernels");
}
