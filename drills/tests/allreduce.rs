//! `drills rack allreduce` beside a fake driver with two GPUs and a fake NCCL.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use drills_results::{Param, Report, Status};

/// Folder with both libraries, compiled once.
fn fakes() -> &'static Path {
    static FAKES: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, folder) = FAKES.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for (source, library) in [("libcuda.c", "libcuda.so.1"), ("libnccl.c", "libnccl.so.2")] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_driver").join(source);
            // Rust links with cc, so it is there.
            let mut cc = Command::new("cc");
            cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(dir.path().join(library)).arg(source);
            assert!(cc.status().expect("cc runs").success(), "the fake compiles");
        }
        let folder = dir.path().to_owned();
        (dir, folder)
    });
    folder
}

struct Rank<'a> {
    cuda: &'a str,
    nccl: &'a str,
    variables: Vec<(&'a str, &'a str)>,
    args: Vec<&'a str>,
}

impl Default for Rank<'_> {
    fn default() -> Self {
        Self { cuda: "gang", nccl: "", variables: Vec::new(), args: Vec::new() }
    }
}

impl Rank<'_> {
    fn start(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_drills"))
            .args(["rack", "allreduce", "--quick", "--json", "-"])
            .args(&self.args)
            .env("LD_LIBRARY_PATH", fakes())
            .env("FAKE_CUDA", self.cuda)
            .env("FAKE_NCCL", self.nccl)
            .env("DRILLS_GPU_DEADLINE_S", "30")
            .env_remove("NCCL_NVLS_ENABLE")
            .envs(self.variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("drills starts")
    }

    fn run(&self) -> Output {
        self.start().wait_with_output().expect("drills ends")
    }
}

fn report(output: &Output) -> Report {
    let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
    drills_results::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Status and reason that all five keys have.
fn reason(output: &Output) -> (Status, String, String) {
    let report = report(output);
    let mut found = ["ranks", "hosts", "rate", "bus", "small"].map(|key| {
        let m = report.find(&format!("allreduce.{key}")).expect("each key is there");
        let reason = m.reason.clone().expect("a reason");
        (m.status, reason.code, reason.text)
    });
    assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
    std::mem::replace(&mut found[0], (Status::Ok, String::new(), String::new()))
}

/// All five results are those of two GPUs of one host.
fn measured(report: &Report, launcher: &str) {
    assert_eq!((report.value("allreduce.ranks"), report.value("allreduce.hosts")), (Some(2.0), Some(1.0)));
    let rate = report.find("allreduce.rate").expect("a rate");
    assert!(rate.status.has_value(), "{rate:?}");
    assert_eq!(rate.verified, Some(true));
    assert_eq!(rate.value, report.value("allreduce.bus"), "the factor is 1 for two");
    let series = rate.series.as_ref().expect("a curve");
    let sizes: Vec<f64> = series.points.iter().map(|point| point.x).collect();
    assert_eq!(
        (sizes[0], sizes.last()),
        (8.0, Some(&f64::from(16 << 20))),
        "both buffers in a quarter of 160 MiB"
    );
    assert!(report.value("allreduce.small").is_some_and(|ns| ns > 0.0 && ns < 1e8));
    let text = |name: &str| rate.params.get(name).cloned();
    assert_eq!(text("nccl"), Some(Param::Text("2.27.7".into())));
    assert_eq!(text("nccl_nvls_enable"), Some(Param::Text("0".into())));
    assert_eq!(text("launcher"), Some(Param::Text(launcher.into())));
    assert!(report.environment.warnings.iter().any(|warning| warning.contains("NCCL_NVLS_ENABLE=2")));
}

#[test]
fn one_process_takes_all_gpus() {
    let output = Rank::default().run();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    measured(&report(&output), "one process");
}

/// Two ranks that meet at a file; rank 0 first.
fn two_ranks(local: [&str; 2], nccl: &str) -> [Output; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let meet = folder.path().join("meet");
    let meet = meet.to_str().expect("UTF-8");
    let rank = |rank, local| Rank {
        nccl,
        variables: vec![
            ("OMPI_COMM_WORLD_RANK", rank),
            ("OMPI_COMM_WORLD_SIZE", "2"),
            ("OMPI_COMM_WORLD_LOCAL_RANK", local),
        ],
        args: vec!["--rendezvous", meet],
        ..Rank::default()
    };
    let (second, first) = (rank("1", local[1]).start(), rank("0", local[0]).start());
    [first, second].map(|child| child.wait_with_output().expect("drills ends"))
}

#[test]
fn two_processes_are_two_ranks_and_the_first_writes() {
    let [first, second] = two_ranks(["0", "1"], "");
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    measured(&report(&first), "mpirun");
    assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
    assert!(second.stdout.is_empty() && second.stderr.is_empty());
}

#[test]
fn two_ranks_on_one_gpu_are_refused() {
    let [first, second] = two_ranks(["1", "1"], "");
    let (status, code, text) = reason(&first);
    assert_eq!((status, code.as_str()), (Status::Failed, "no-seat"));
    assert!(text.contains("rank 1 has the same GPU"), "{text}");
    assert_eq!(second.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&second.stderr).contains("the same GPU"));
}

#[test]
fn a_wrong_sum_is_found_on_whichever_rank() {
    let alone = Rank { nccl: "wrong", ..Rank::default() }.run();
    let [first, second] = two_ranks(["0", "1"], "wrong");
    for output in [&alone, &first] {
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(report(output).find("allreduce.rate").and_then(|m| m.verified), Some(false));
    }
    assert_eq!(second.status.code(), Some(0), "the first tells");
}

#[test]
fn what_is_missing_is_told_by_type() {
    let with = |cuda, nccl, args: &[&'static str]| {
        let output = Rank { cuda, nccl, args: args.to_vec(), ..Rank::default() }.run();
        (reason(&output), output.status.code())
    };
    let ((status, code, _), exit) = with("gang", "", &["--nccl", "/no/such/folder/libnccl.so.2"]);
    assert_eq!((status, code.as_str(), exit), (Status::Skipped, "no-nccl", Some(4)));
    let ((status, code, text), _) = with("gang", "old", &[]);
    assert_eq!((status, code.as_str()), (Status::Skipped, "old-nccl"));
    assert!(text.contains("2.8.4"), "{text}");
    let ((status, code, _), _) = with("", "", &[]);
    assert_eq!((status, code.as_str()), (Status::Skipped, "one-gpu"));
    let ((status, code, _), _) = with("gang", "", &["--gpu", "0"]);
    assert_eq!((status, code.as_str()), (Status::Skipped, "one-gpu"));
    let ((status, code, text), exit) = with("gang", "fails", &[]);
    assert_eq!((status, code.as_str(), exit), (Status::Failed, "nccl-error", Some(3)));
    assert_eq!(text, "ncclCommInitAll returned 2: unhandled system error; no space left in /dev/shm.");
}

#[test]
fn a_rank_that_nobody_joins_gives_up() {
    let variables = vec![
        ("RANK", "0"),
        ("WORLD_SIZE", "2"),
        ("LOCAL_RANK", "0"),
        ("MASTER_ADDR", "127.0.0.1"),
        ("MASTER_PORT", "47113"),
        ("DRILLS_GPU_DEADLINE_S", "2"),
    ];
    let (status, code, text) = reason(&Rank { variables, ..Rank::default() }.run());
    assert_eq!((status, code.as_str()), (Status::Failed, "gpu-hung"));
    assert!(text.contains("waiting for the other ranks"), "{text}");
}
