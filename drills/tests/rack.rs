//! `drills rack` as a user starts it: on recorded machines of each kind, and on this one.

mod support;

use std::process::{Command, Output};

use drills_results::keys::{self, KEYS};
use drills_results::{Param, Report, Status};
use support::Machine;

fn drills(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drills"));
    command.args(args).env_remove("NO_COLOR").env_remove("COLUMNS").env("DRILLS_MEMORY_MIB", "512");
    command.output().expect("drills starts")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8 on stdout")
}

fn report(output: &Output) -> Report {
    drills_results::parse(&text(output)).unwrap_or_else(|error| panic!("{error}\n{}", text(output)))
}

/// `drills rack`, all of it or one drill, on a recorded machine.
fn on(machine: &Machine, drill: &[&str]) -> Report {
    let root = machine.path();
    let root = root.to_str().expect("a path in UTF-8");
    let mut args = vec!["rack"];
    args.extend(drill);
    args.extend(["--json", "-", "--root", root]);
    report(&drills(&args))
}

fn state<'r>(report: &'r Report, key: &str) -> &'r str {
    match report.find(key).and_then(|m| m.params.get("state")) {
        Some(Param::Text(text)) => text,
        other => panic!("{key}: {other:?}"),
    }
}

/// Settings with a value.
fn lines(report: &Report, value: f64) -> Vec<&str> {
    let of_value = report.measurements.iter().filter(|m| m.value == Some(value));
    of_value.filter_map(|m| m.key.strip_prefix("tune.line.")).collect()
}

/// Every key of the rack's drills is there once, patterns aside.
fn is_whole(report: &Report) {
    for key in KEYS.iter().filter(|k| k.command.starts_with("drills rack ") && !k.key.ends_with('*')) {
        let found = report.measurements.iter().filter(|m| m.key == key.key).count();
        assert_eq!(found, 1, "{}", key.key);
    }
    for m in &report.measurements {
        let same = report.measurements.iter().filter(|other| other.key == m.key).count();
        assert_eq!(same, 1, "{}", m.key);
        let unit = keys::find(&m.key).map(|info| info.unit);
        assert_eq!(unit, Some(m.unit), "{}", m.key);
    }
}

#[test]
fn a_tray_in_numa_mode_shows_its_nodes_and_what_spilled() {
    let report = on(&Machine::load("gb200_tray"), &[]);
    is_whole(&report);
    for (key, value) in [
        ("coherence.memory_mode", 1.0),
        ("topo.page", 65536.0),
        ("topo.numa.cpu_nodes", 2.0),
        ("numa.gpu_nodes", 4.0),
        ("numa.gpu_bytes", 4.0 * 193_871_872.0 * 1024.0),
        ("numa.gpu_spill", 140_000_000.0 * 1024.0),
        ("numa.distance.cpu", 40.0),
        ("numa.distance.gpu", 80.0),
        ("fabric.imex_daemon", 1.0),
        ("fabric.imex_channels", 1.0),
    ] {
        assert_eq!(report.value(key), Some(value), "{key}");
    }
    assert_eq!(state(&report, "numa.gpu_nodes"), "nodes 2, 10, 18, 26");
    assert_eq!(state(&report, "numa.gpu_spill"), "preprocess 38.2 GiB", "the other's maps are not readable");
    for key in ["coherence.class", "fabric.create", "c2c.links", "gpu.malloc_read"] {
        let reason = report.find(key).and_then(|m| m.reason.clone()).expect("a reason");
        assert_eq!(reason.code, "recorded-root", "{key}");
    }
}

#[test]
fn nobody_tuned_the_tray_in_numa_mode() {
    let report = on(&Machine::load("gb200_tray"), &["tune"]);
    let expected = [
        "thp_512mib",
        "thp_2mib",
        "init_on_alloc",
        "numa_balancing",
        "memory_mode",
        "swap",
        "min_free_kbytes",
        "compaction_proactiveness",
        "governor",
        "perf_event_paranoid",
    ];
    assert_eq!(lines(&report, 0.0), expected);
    assert_eq!(lines(&report, 1.0), ["page_size", "thp_defrag"]);
    assert_eq!(report.value("tune.warnings"), Some(expected.len() as f64));
    assert_eq!(state(&report, "tune.line.init_on_alloc"), "on (default of this kernel)");
    for line in expected {
        let m = report.find(&format!("tune.line.{line}")).expect("the line");
        assert!(matches!(m.params.get("fix"), Some(Param::Text(fix)) if fix.len() > 20), "{line}");
    }
}

#[test]
fn the_same_tray_in_cdmm_has_no_gpu_nodes_and_no_warnings() {
    let report = on(&Machine::load("gb200_tray_cdmm"), &[]);
    is_whole(&report);
    for (key, value) in [
        ("coherence.memory_mode", 2.0),
        ("numa.gpu_nodes", 0.0),
        ("numa.gpu_spill", 0.0),
        ("numa.distance.cpu", 40.0),
        ("fabric.imex_daemon", 0.0),
        ("fabric.imex_channels", 0.0),
        ("tune.warnings", 0.0),
    ] {
        assert_eq!(report.value(key), Some(value), "{key}");
    }
    let asked = report.find("coherence.memory_mode").map(|m| m.params["asked_for"].clone());
    assert_eq!(asked, Some("nothing".into()), "nobody asked, and the driver's default decided");
    assert_eq!(report.find("numa.distance.gpu").map(|m| m.status), Some(Status::Skipped));
    let good = lines(&report, 1.0);
    for line in ["page_size", "thp_512mib", "thp_2mib", "memory_mode", "governor", "persistence"] {
        assert!(good.contains(&line), "{line} among {good:?}");
    }
}

#[test]
fn a_spark_has_one_memory_and_its_own_advice() {
    let report = on(&Machine::load("gb10"), &[]);
    is_whole(&report);
    assert_eq!(report.value("coherence.memory_mode"), Some(0.0));
    assert_eq!(state(&report, "coherence.memory_mode"), "CPU and GPU have one memory");
    assert_eq!(report.value("numa.gpu_nodes"), Some(0.0));
    assert_eq!(lines(&report, 0.0), ["page_size", "init_on_alloc", "perf_event_paranoid"]);
    let why = report.find("tune.line.memory_mode").and_then(|m| m.reason.clone()).expect("a reason");
    assert_eq!(why.code, "not-applicable");
}

#[test]
fn two_sockets_of_x86_get_the_lines_that_mean_something_there() {
    let report = on(&Machine::load("hgx_h200"), &[]);
    is_whole(&report);
    assert_eq!(report.value("coherence.memory_mode"), Some(0.0));
    assert_eq!((report.value("numa.gpu_nodes"), report.value("numa.distance.cpu")), (Some(0.0), Some(21.0)));
    let expected =
        ["thp_2mib", "numa_balancing", "iommu", "governor", "thp_defrag", "zone_reclaim_mode", "pcie_aspm"];
    assert_eq!(lines(&report, 0.0), expected);
    assert_eq!(state(&report, "tune.line.governor"), "powersave; intel_pstate");
    for line in ["page_size", "thp_512mib", "init_on_alloc", "swap", "compaction_proactiveness"] {
        let m = report.find(&format!("tune.line.{line}")).expect("the line");
        assert_eq!(m.status, Status::Skipped, "{line}");
    }
}

#[test]
fn every_recorded_machine_can_be_asked_and_fits_the_terminal() {
    for name in ["gvisor", "wsl2", "firecracker", "spr_hbm", "gh200", "offline", "gb200_tray", "hgx_h200"] {
        let machine = Machine::load(name);
        is_whole(&on(&machine, &[]));
        let root = machine.path();
        let table = text(&drills(&["m5", "tune", "--root", root.to_str().expect("UTF-8")]));
        assert!(table.contains("page_size"), "{name}: {table}");
        for line in table.lines() {
            assert!(line.chars().count() <= 120, "{name}: too wide: {line}");
        }
    }
    let hbm = on(&Machine::load("spr_hbm"), &["numa"]);
    assert_eq!(hbm.value("numa.gpu_nodes"), Some(0.0), "memory without CPUs is not a GPU's by itself");
    let gh200 = on(&Machine::load("gh200"), &["numa"]);
    assert_eq!((gh200.value("numa.gpu_nodes"), gh200.value("numa.distance.gpu")), (Some(1.0), Some(80.0)));
}

#[test]
fn a_container_without_the_drivers_files_finds_gpu_nodes_by_the_memory_map() {
    let machine = Machine::load("gb200_tray");
    std::fs::remove_dir_all(machine.path().join("proc/driver/nvidia/gpus")).expect("removed");
    let report = on(&machine, &["numa"]);
    assert_eq!(report.value("numa.gpu_nodes"), Some(4.0));
    // Without the map as well, memory without CPUs may be anything: no answer is better than a wrong one.
    std::fs::remove_file(machine.path().join("proc/iomem")).expect("removed");
    let report = on(&machine, &[]);
    assert_eq!(report.find("coherence.memory_mode").map(|m| m.status), Some(Status::Skipped));
    assert_eq!(report.value("numa.gpu_nodes"), Some(0.0));
}

#[test]
fn this_machine_answers_every_key_once() {
    let output = drills(&["rack", "--quick", "--gpu", "none", "--json", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = report(&output);
    is_whole(&report);
    for key in ["fabric.state", "gpu.direct_managed", "fabric.create"] {
        let reason = report.find(key).and_then(|m| m.reason.clone()).expect("a reason");
        assert_eq!(reason.code, "gpu-not-wanted", "{key}");
    }
    assert!(report.value("tune.warnings").is_some());
    assert!(report.measurements.iter().all(|m| m.status != Status::Failed), "{:?}", report.measurements);
}

#[test]
fn a_root_full_of_nonsense_is_read_without_a_panic() {
    let machine = Machine::of(
        "sys/devices/system/node/online = 0-1\n\
         sys/devices/system/node/node0/meminfo = Node 0 FilePages: 18446744073709551615 kB\n\
         sys/devices/system/node/node1/meminfo = Node\n\
         sys/devices/system/node/node1/distance = 10\n\
         proc/1/numa_maps = N0= N=1 N1=x kernelpagesize_kB=99999999999999999999\n\
         proc/1/comm = nvidia-imex-but-longer-than-any-name-can-be\n\
         proc/driver/nvidia/params = CoherentGPUMemoryMode\n\
         proc/net/tcp = 0: : : zz\n\
         proc/config.gz = not gzip at all\n\
         proc/cmdline = init_on_alloc init_on_alloc= iommu.passthrough=\n\
         proc/iomem = : System RAM (NVIDIA\n\
         proc/sys/vm/min_free_kbytes = -5\n\
         sys/kernel/mm/transparent_hugepage/enabled = [[]]\n\
         dev/nvidia-caps-imex-channels/channel99999999999/\n\
         dev/nvidia-caps-imex-channels/channel/\n",
    );
    let report = on(&machine, &[]);
    is_whole(&report);
    assert_eq!(report.value("fabric.imex_channels"), Some(0.0));
}
