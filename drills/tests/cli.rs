//! The program as a user starts it.

#![allow(clippy::unwrap_used, reason = "tests may")]

mod support;

use std::process::{Command, Output};

use drills_results::{Report, Status};
use support::Machine;

fn drills(args: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("drills"));
    command.args(args).env_remove("NO_COLOR").env_remove("COLUMNS");
    command.output().expect("drills starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8 on stdout")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn on(machine: &Machine, args: &[&str]) -> Output {
    let root = machine.path();
    let mut all = args.to_vec();
    all.extend(["--root", root.to_str().unwrap()]);
    drills(&all)
}

fn report(output: &Output) -> Report {
    drills_results::parse(&stdout(output)).unwrap_or_else(|e| panic!("{e}\n{}", stdout(output)))
}

/// Every recorded machine of the repository.
fn all_fixtures() -> Vec<String> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    names
}

#[test]
fn every_recorded_machine_gives_a_valid_report_and_a_table_that_fits() {
    for name in all_fixtures() {
        let machine = Machine::load(&name);
        let json = on(&machine, &["machine", "topo", "--json", "-"]);
        assert_eq!(json.status.code(), Some(0), "{name}: {}", stderr(&json));
        let report = report(&json);
        let topology = report.machine.topology.as_ref().unwrap();
        assert_eq!(report.value("topo.cpu.count"), Some(topology.cpus as f64), "{name}");
        assert!(!report.machine.class.is_empty() && !report.label.is_empty(), "{name}");

        let table = on(&machine, &["machine", "topo"]);
        let text = stdout(&table);
        assert!(text.contains("CPUs"), "{name}: {text}");
        assert!(!text.contains('\u{1b}'), "{name}: no escapes in a pipe");
        for line in text.lines() {
            assert!(line.chars().count() <= 120, "{name}: too wide: {line}");
            assert_eq!(line, line.trim_end(), "{name}: blanks at the end: {line:?}");
        }
        assert_eq!(stderr(&table), "", "{name}: nothing on stderr without a terminal");
    }
}

#[test]
fn facts_of_the_hgx_machine_are_measurements_with_units() {
    let report = report(&on(&Machine::load("hgx_h200"), &["m1", "topo", "--json", "-"]));
    assert_eq!(report.machine.class, "2 sockets, 8 x NVIDIA H200");
    assert_eq!(report.label, "8 x NVIDIA H200");
    for (key, value) in [
        ("topo.cpu.count", 224.0),
        ("topo.cpu.cores", 112.0),
        ("topo.cpu.packages", 2.0),
        ("topo.cpu.kinds", 1.0),
        ("topo.cache.line", 64.0),
        ("topo.cache.l1d", 49_152.0),
        ("topo.cache.l2", 2_097_152.0),
        ("topo.cache.l3", 110_100_480.0),
        ("topo.page", 4096.0),
        ("topo.numa.cpu_nodes", 2.0),
        ("topo.numa.memory_only_nodes", 0.0),
        ("topo.gpu.count", 8.0),
        ("topo.gpu.link.speed_max", 32.0),
        ("topo.gpu.link.width_max", 8.0),
        ("topo.nic.count", 9.0),
    ] {
        assert_eq!(report.value(key), Some(value), "{key}");
    }
}

#[test]
fn what_a_machine_does_not_tell_is_skipped_with_a_reason() {
    let report = report(&on(&Machine::load("gvisor"), &["machine", "topo", "--json", "-"]));
    for key in ["topo.cpu.cores", "topo.cache.l3", "topo.numa.cpu_nodes"] {
        let m = report.find(key).unwrap();
        assert_eq!(
            (m.status, m.reason.as_ref().unwrap().code.as_str()),
            (Status::Skipped, "not-told"),
            "{key}"
        );
    }
    let code = |report: &Report, key: &str| report.find(key).unwrap().reason.clone().unwrap().code;
    assert_eq!(code(&report, "topo.gpu.link.speed_max"), "no-gpu");
    let no_l3 = self::report(&on(&Machine::load("no_l3"), &["machine", "topo", "--json", "-"]));
    assert_eq!(code(&no_l3, "topo.cache.l3"), "no-such-cache");
    let gb10 = self::report(&on(&Machine::load("gb10"), &["machine", "topo", "--json", "-"]));
    assert_eq!(code(&gb10, "topo.gpu.link.speed_max"), "coherent-gpu");
}

#[test]
fn the_table_of_the_hgx_machine_flags_both_faults() {
    let text = stdout(&on(&Machine::load("hgx_h200"), &["machine", "topo"]));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("the hop at 0000:99:02.0 carries at most 32 GT/s x8"), "{text}");
    assert!(flat.contains("mlx5_7 at 0000:5a:00.0 is NODE from its nearest GPU, while 7 of 8"), "{text}");
    assert!(!flat.contains("eno1 at"), "the management port is meant to be elsewhere: {text}");
}

#[test]
fn a_recorded_machine_is_read_and_not_measured() {
    let output = on(&Machine::load("i9_13900k_rtx4090"), &["machine", "latency", "--json", "-"]);
    assert_eq!(output.status.code(), Some(4), "nothing of what was asked could be measured");
    let report = report(&output);
    assert!(!report.measurements.is_empty());
    for m in &report.measurements {
        assert_eq!(m.reason.as_ref().unwrap().code, "recorded-root", "{}", m.key);
    }
}

#[test]
fn a_report_holds_nothing_that_names_the_machine_unless_asked() {
    let secrets = [
        ("hgx_h200", ["hgx-rack7-node03", "A123456X7890123", "GPU-aaaaaaaa", "b8ce:f603"].as_slice()),
        ("gb10", &["spark-a1b2", "0f1e2d3c", "02:00:5e", "S3RIALN0"]),
        ("i9_13900k_rtx4090", &["alices-workstation", "02005e102030"]),
        ("cgroup_v1", &["0123456789ab"]),
        ("cgroup_v2", &["pod1.slice"]),
    ];
    for (name, words) in secrets {
        let machine = Machine::load(name);
        for args in [["machine", "topo", "--json", "-"].as_slice(), &["machine", "topo"]] {
            let text = stdout(&on(&machine, args)).to_lowercase();
            for word in words {
                assert!(!text.contains(&word.to_lowercase()), "{name}: {word} in {text}");
            }
        }
    }
    let open = on(&Machine::load("hgx_h200"), &["machine", "topo", "--json", "-", "--no-redact"]);
    let report = report(&open);
    assert_eq!(report.machine.host.as_deref(), Some("hgx-rack7-node03"));
    assert!(!stdout(&open).contains("A123456X7890123"), "a serial number is never read");
}

#[test]
fn a_report_of_this_machine_does_not_name_it() {
    let output = drills(&["machine", "topo", "--json", "-", "--gpu", "none"]);
    let text = stdout(&output);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if host.trim().len() > 3 {
        assert!(!text.contains(host.trim()), "host name in {text}");
    }
    for address in std::fs::read_dir("/sys/class/net").into_iter().flatten().flatten() {
        let mac = std::fs::read_to_string(address.path().join("address")).unwrap_or_default();
        let mac = mac.trim();
        if mac.len() == 17 && mac != "00:00:00:00:00:00" {
            assert!(!text.contains(mac), "MAC address in {text}");
        }
    }
    assert_eq!(report(&output).machine.host, None);
}

#[test]
fn a_file_gets_the_hosts_name_and_stays_redacted_inside() {
    let dir = tempfile::tempdir().unwrap();
    let pattern = dir.path().join("results-%h.json");
    let machine = Machine::load("hgx_h200");
    let output = on(&machine, &["machine", "topo", "--json", pattern.to_str().unwrap(), "-q"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""), "{}", stderr(&output));
    let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["results-hgx-rack7-node03.json"], "and no temporary file");
    let text = std::fs::read_to_string(dir.path().join("results-hgx-rack7-node03.json")).unwrap();
    assert!(!text.contains("hgx-rack7"), "{text}");

    let label = on(&machine, &["machine", "topo", "--json", "-", "--label", "rack 7, %h"]);
    assert_eq!(report(&label).label, "rack 7, hgx-rack7-node03", "the user asked for it");
}

#[test]
fn a_folder_that_is_not_there_is_told_before_anything_is_measured() {
    let output = drills(&["machine", "--json", "/no/such/folder/results.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/no/such/folder/results.json: "), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
}

#[test]
fn bad_arguments_have_their_own_codes() {
    assert_eq!(drills(&["machine", "nonsense"]).status.code(), Some(2));
    assert_eq!(drills(&["compare", "one.json"]).status.code(), Some(2));
    let no_root = drills(&["machine", "topo", "--root", "/no/such/root"]);
    assert_eq!(no_root.status.code(), Some(1));
    assert!(stderr(&no_root).contains("no such directory"));
    let empty = tempfile::tempdir().unwrap();
    let output = drills(&["machine", "topo", "--root", empty.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("holds neither sys/ nor proc/"), "{}", stderr(&output));
}

#[test]
fn colour_only_where_it_is_wanted() {
    let machine = Machine::load("no_l3");
    assert!(!stdout(&on(&machine, &["machine", "topo"])).contains('\u{1b}'));
    assert!(stdout(&on(&machine, &["machine", "topo", "--color", "always"])).contains('\u{1b}'));
}

#[test]
fn help_documents_the_exit_codes_and_the_list_names_every_drill() {
    let help = stdout(&drills(&["--help"]));
    for code in ["0 ", "1 ", "2 ", "3 ", "4 ", "130 "] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(code)), "{code} in {help}");
    }
    let list = stdout(&drills(&["list"]));
    for drill in ["topo", "latency", "bw", "place"] {
        assert!(list.contains(&format!("drills machine {drill}")), "{list}");
    }
    let json: serde_json::Value = serde_json::from_str(&stdout(&drills(&["list", "--json", "-"]))).unwrap();
    assert!(json[0]["keys"].as_array().unwrap().iter().any(|key| key == "topo.cpu.count"));
}

#[test]
fn the_schema_is_the_committed_one() {
    let printed: serde_json::Value = serde_json::from_str(&stdout(&drills(&["schema"]))).unwrap();
    let committed: serde_json::Value = serde_json::from_str(drills_results::JSON_SCHEMA).unwrap();
    assert_eq!(printed, committed);
    assert_eq!(printed["title"], "Report");
}

#[test]
fn a_pipe_that_closes_early_is_no_error() {
    use std::process::Stdio;
    let machine = Machine::load("hgx_h200");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("drills"))
        .args(["machine", "topo", "--json", "-", "--root"])
        .arg(machine.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn ctrl_c_keeps_what_is_done_and_writes_a_valid_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("results.json");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("drills"))
        .args(["machine", "--gpu", "none", "-v", "--json"])
        .arg(&path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The topology is done once the next drill begins.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    lines.find(|line| line.as_deref().is_ok_and(|line| line == "drills machine latency")).unwrap().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let began = std::time::Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(began.elapsed().as_secs() < 20, "it ended {:?} after the signal", began.elapsed());

    let report = drills_results::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert!(report.value("topo.cpu.count").is_some(), "what was finished is kept");
    let wake = report.find("latency.wake").unwrap();
    assert_eq!(
        (wake.status, wake.reason.as_ref().unwrap().code.as_str()),
        (Status::Interrupted, "interrupted")
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file stays behind");
}

/// A report with one bandwidth, as a file.
fn machine_file(dir: &std::path::Path, name: &str, gb_per_s: f64) -> String {
    let machine = Machine::load("no_l3");
    let mut report = report(&on(&machine, &["machine", "topo", "--json", "-"]));
    report.measurements = vec![drills_results::Measurement::ok(
        "copy.h2d.pinned",
        drills_results::Unit::BytesPerS,
        gb_per_s * 1e9,
        "copy.events",
    )];
    let path = dir.join(format!("{name}.json"));
    std::fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn compare_marks_the_odd_machine() {
    let dir = tempfile::tempdir().unwrap();
    let mut files: Vec<String> = [54.7, 54.6, 54.8, 54.7, 54.5, 54.7]
        .iter()
        .enumerate()
        .map(|(i, gb)| machine_file(dir.path(), &format!("node{i}"), *gb))
        .collect();
    let args = |files: &[String]| -> Output {
        let mut args = vec!["compare"];
        args.extend(files.iter().map(String::as_str));
        drills(&args)
    };
    let equal = args(&files);
    assert_eq!(equal.status.code(), Some(0), "{}", stdout(&equal));
    assert!(stdout(&equal).contains("No machine stands out"));

    files.push(machine_file(dir.path(), "node6", 27.1));
    let odd = args(&files);
    assert_eq!(odd.status.code(), Some(3));
    let text = stdout(&odd);
    assert!(text.contains("node6: Host to device, pinned is 27.1 GB/s"), "{text}");
    assert!(text.contains("-50 %, worse"), "{text}");
    assert!(!text.contains("node0: "), "{text}");
}

#[test]
fn compare_names_the_file_that_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let good = machine_file(dir.path(), "good", 54.7);
    let bad = dir.path().join("bad.json");
    let text = std::fs::read_to_string(&good).unwrap();
    std::fs::write(&bad, text.replace("54700000000.0", "\"fast\"")).unwrap();
    let output = drills(&["compare", &good, bad.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(error.contains("bad.json: measurements[0].value: "), "{error}");
}
