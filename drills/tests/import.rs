//! `drills import` and the ranks of `drills rack allreduce`, as a user starts them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use drills_results::{Provenance, Report, Status};

fn drills(args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("drills"));
    command.args(args).env_remove("DRILLS_RENDEZVOUS").envs(variables.iter().copied());
    command.output().expect("drills starts")
}

fn foreign(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/tests/foreign").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

fn report(output: &Output) -> Report {
    let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
    drills_results::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn imported(files: &[&str]) -> Report {
    let mut args: Vec<String> = vec!["import".into(), "--json".into(), "-".into()];
    args.extend(files.iter().map(|name| foreign(name)));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = drills(&args, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    report(&output)
}

fn refused(args: &[&str]) -> String {
    let output = drills(args, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_table_of_nccl_tests_becomes_a_results_file() {
    let report = imported(&["all_reduce_h100.txt"]);
    assert_eq!((report.tool.name.as_str(), report.tool.version.as_str()), ("nccl-tests", "2.17.6"));
    assert_eq!(report.provenance, Provenance::Reported);
    assert!(report.source.as_deref().is_some_and(|source| source.starts_with("output of nccl-tests 2.17.6")));
    assert_eq!(report.machine.class, "8 x NVIDIA H100 80GB HBM3");
    assert_eq!((report.value("allreduce.ranks"), report.value("allreduce.hosts")), (Some(8.0), Some(1.0)));
    assert_eq!(report.value("allreduce.rate"), Some(274.61e9));
    assert_eq!(report.value("allreduce.bus"), Some(480.57e9));
    assert_eq!(report.value("allreduce.small"), Some(28_400.0));
    let rate = report.find("allreduce.rate").expect("a rate");
    assert_eq!((rate.method.as_str(), rate.verified), ("import.nccl_tests", Some(true)));
    let points = &rate.series.as_ref().expect("a curve").points;
    // The table prints 0.00 GB/s for 8 bytes; size over time says more.
    assert!((points[0].y - 8.0 / 28.4e-6).abs() < 1.0, "{points:?}");
    assert_eq!(points.len(), 4);
    let text = serde_json::to_string(&report).expect("JSON");
    assert!(!text.contains("box-alpha"), "no host name: {text}");
}

#[test]
fn a_table_that_is_not_whole_is_marked_and_an_old_one_is_recognised() {
    let report = imported(&["all_reduce_srun.txt"]);
    let rate = report.find("allreduce.rate").expect("a rate");
    assert_eq!((rate.status, rate.value), (Status::Unstable, Some(22.39e9)));
    assert_eq!(rate.verified, None, "an old table has the largest difference, not the number of wrong sums");
    assert_eq!(report.find("allreduce.small").map(|m| m.status), Some(Status::Skipped));
}

#[test]
fn several_files_make_one_machine() {
    let report = imported(&["all_reduce.json", "nvbandwidth_two.txt"]);
    assert_eq!(report.tool.name, "nccl-tests + nvbandwidth");
    assert_eq!(report.value("allreduce.bus"), Some(786.0811e9));
    assert_eq!(report.value("copy.h2d.pinned"), Some(55e9));
    assert_eq!(report.value("copy.h2d.sm"), Some(51.1e9));
    assert_eq!(report.value("copy.d2d"), Some(4160e9), "read plus written");
    assert_eq!(report.machine.nvidia_driver.as_deref(), Some("580.95.05"));
    assert!(report.environment.warnings.iter().any(|w| w.contains("host_device_latency_sm")));
    assert_eq!(imported(&["nvbandwidth.json"]).value("copy.d2h.pinned"), Some(55.3012e9));
}

#[test]
fn other_operations_are_read_and_two_runs_are_not_mixed() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    // Two GPUs: the factor of an all-reduce is 1 then, as that of a broadcast is.
    let row = "1048576 262144 float sum -1 50.0 20.97 20.97 0 50.0 20.97 20.97 0\n";
    let bare = write("bare.txt", &format!("# busbw\n{row}"));
    let bare = bare.to_str().expect("UTF-8");
    assert!(refused(&["import", bare]).contains("--operation"));
    let output = drills(&["import", bare, "--operation", "all_gather", "--json", "-"], &[]);
    assert_eq!(report(&output).value("allgather.rate"), Some(20.97e9));
    let h100 = foreign("all_reduce_h100.txt");
    assert!(refused(&["import", &h100, &h100]).contains("allreduce.ranks is in an earlier file"));
    let cut = std::fs::read_to_string(&h100).expect("the file");
    let cut = write("cut.txt", &cut[..cut.find("480.57").expect("the last row")]);
    let cut = cut.to_str().expect("UTF-8");
    assert!(refused(&["import", cut]).contains("cut.txt: line 22: 7 columns"));
    let binary = folder.path().join("binary");
    std::fs::write(&binary, [0xff, 0xfe, 0, 1, 2]).expect("written");
    assert!(refused(&["import", binary.to_str().expect("UTF-8")]).contains("not the output of"));
}

#[test]
fn a_results_file_appears_whole_and_only_for_rank_0() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("all.json");
    let path = path.to_str().expect("UTF-8");
    let rank = |rank: &str| {
        let meet = folder.path().join("meet");
        let meet = meet.to_str().expect("UTF-8");
        let args = ["rack", "allreduce", "--gpu", "none", "--json", path, "--rendezvous", meet];
        drills(&args, &[("RANK", rank), ("WORLD_SIZE", "2")])
    };
    let follower = rank("1");
    assert_eq!(follower.status.code(), Some(3), "it could not take part");
    assert!(follower.stdout.is_empty() && !Path::new(path).exists());
    assert!(String::from_utf8_lossy(&follower.stderr).contains("left alone, as asked"));
    assert_eq!(rank("0").status.code(), Some(4), "nothing was measured");
    let text = std::fs::read_to_string(path).expect("rank 0 wrote");
    let report = drills_results::parse(&text).expect("a results file");
    for key in ["ranks", "hosts", "rate", "bus", "small"] {
        let key = format!("allreduce.{key}");
        let reason = report.find(&key).and_then(|m| m.reason.as_ref()).expect("a reason");
        assert_eq!(reason.code, "gpu-not-wanted");
    }
    // A host whose drills all run is measured by itself, whoever started them.
    let args = ["rack", "--quick", "--gpu", "none", "--json", "-"];
    let whole = drills(&args, &[("RANK", "1"), ("WORLD_SIZE", "2")]);
    assert!(report_has_warning(&self::report(&whole)));
}

fn report_has_warning(report: &Report) -> bool {
    report.environment.warnings.iter().any(|warning| warning.contains("one of 2 ranks"))
}
