//! Output of other programs: whole, cut off and hostile.

use drills_results::MAX_FILE_BYTES;
use drills_results::foreign::{
    ForeignError, Program, nccl_tests, nccl_tests_json, nvbandwidth, nvbandwidth_json, program,
};

const H100: &str = include_str!("foreign/all_reduce_h100.txt");
const SRUN: &str = include_str!("foreign/all_reduce_srun.txt");
const JSON: &str = include_str!("foreign/all_reduce.json");
const TWO: &str = include_str!("foreign/nvbandwidth_two.txt");
const NVB_JSON: &str = include_str!("foreign/nvbandwidth.json");

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn a_whole_table_is_read_with_what_surrounds_it() {
    let run = nccl_tests(H100).expect("a table");
    assert_eq!(run.version.as_deref(), Some("2.17.6"));
    assert_eq!(run.nccl_version.as_deref(), Some("2.29.7"));
    assert_eq!(run.operation.as_deref(), Some("all_reduce"));
    assert_eq!((run.ranks, run.hosts), (Some(8), Some(1)));
    assert_eq!(run.gpu.as_deref(), Some("NVIDIA H100 80GB HBM3"));
    assert!(run.complete);
    assert_eq!(run.unknown_lines, 0);
    let last = run.points.last().expect("rows");
    assert_eq!((last.bytes, last.time_us), (8 << 30, 31280.0));
    assert_eq!((last.algbw_gb_per_s, last.busbw_gb_per_s), (274.61, 480.57));
    assert_eq!((last.wrong, run.points.len()), (Some(0.0), 4));
}

#[test]
fn launchers_messages_and_older_tables_do_not_disturb() {
    let run = nccl_tests(SRUN).expect("a table");
    assert_eq!((run.ranks, run.hosts, run.points.len()), (Some(4), Some(2), 2));
    assert_eq!(run.nccl_version.as_deref(), Some("2.14.3"));
    assert_eq!((run.operation, run.complete, run.unknown_lines), (None, false, 1));
    assert_eq!((run.points[1].bytes, run.points[1].busbw_gb_per_s), (4 << 20, 33.59));
    let mpirun = H100.lines().map(|line| format!("[1,0]<stdout>:{line}\n")).collect::<String>();
    assert_eq!(nccl_tests(&mpirun).expect("a table"), nccl_tests(H100).expect("a table"));
}

#[test]
fn rows_alone_are_read_as_the_usual_table() {
    let rows: String = H100.lines().filter(|line| !line.starts_with('#')).map(|l| format!("{l}\n")).collect();
    assert_eq!(nccl_tests(&rows).expect("rows").points, nccl_tests(H100).expect("a table").points);
}

#[test]
fn rows_with_the_half_in_place_alone_and_with_timestamps_are_read() {
    let row = "        1024           256     float     sum      -1     20.00    0.05    0.09       0";
    assert_eq!(nccl_tests(row).expect("a row").points[0].time_us, 20.0);
    let head = "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong timestamp\n";
    let row = "1024 256 float sum -1 20.00 0.05 0.09 0 21.00 0.05 0.09 0 2026-11-20 10:11:12";
    assert_eq!(nccl_tests(&format!("{head}{row}")).expect("a row").points[0].time_us, 20.0);
}

#[test]
fn a_row_that_is_cut_off_or_no_number_is_told_with_its_line() {
    let cut = &H100[..H100.find("480.57").expect("the last row")];
    let message = nccl_tests(cut).expect_err("cut off").to_string();
    assert_eq!(message, "line 22: 7 columns; a row of this table has 13");
    for wrong in ["nan", "inf", "-3", "1e99", "12,5"] {
        let text = replaced(H100, "274.61", wrong);
        let message = nccl_tests(&text).expect_err(wrong).to_string();
        assert_eq!(message, format!("line 22: algbw is \"{wrong}\"; a number from 0 up is wanted"));
    }
    let second = format!("{H100}# Collective test starting: all_gather_perf\n");
    assert!(nccl_tests(&second).expect_err("two tests").to_string().contains("line 27: a second test"));
    assert!(matches!(nccl_tests("hello\n"), Err(ForeignError::Nothing { .. })));
    let large = "#".repeat(MAX_FILE_BYTES + 1);
    assert!(matches!(nccl_tests(&large), Err(ForeignError::TooLarge { .. })));
}

#[test]
fn json_of_nccl_tests_is_read_and_its_environment_is_not() {
    let run = nccl_tests_json(JSON).expect("a file");
    assert_eq!((run.ranks, run.hosts, run.points.len()), (Some(8), Some(2), 1));
    assert_eq!(run.operation.as_deref(), Some("all_reduce"));
    assert_eq!(run.nccl_version.as_deref(), Some("2.29.7"));
    assert_eq!(run.points[0].busbw_gb_per_s, 786.0811);
    assert!(run.complete);
    assert!(!format!("{run:?}").contains("hush"));
    let message = |text: &str| nccl_tests_json(text).expect_err("refused").to_string();
    assert!(message(&JSON[..JSON.len() / 2]).starts_with("line 1: EOF"));
    let wrong = replaced(JSON, "\"time\":2390.400000", "\"time\":\"nan\"");
    assert_eq!(message(&wrong), "results[1].out_of_place.time: missing, or not a number from 0 up");
    assert!(message("{}").starts_with("results: missing"));
    assert!(message(&replaced(JSON, "\"size\":0", "\"size\":-8")).starts_with("results[0].size"));
}

#[test]
fn tables_of_nvbandwidth_are_read() {
    let run = nvbandwidth(TWO).expect("tables");
    assert_eq!((run.version.as_deref(), run.driver_version.as_deref()), (Some("v0.8"), Some("580.95.05")));
    assert_eq!((run.gpus, run.gpu.as_deref()), (2, Some("NVIDIA H200")));
    let rows = |name: &str| run.tests.iter().find(|test| test.name == name).map(|test| test.rows.clone());
    assert_eq!(rows("host_to_device_memcpy_ce"), Some(vec![vec![Some(55.1), Some(54.9)]]));
    let peers = vec![vec![None, Some(394.2)], vec![Some(394.0), None]];
    assert_eq!(rows("device_to_device_memcpy_read_ce"), Some(peers));
    assert_eq!(rows("device_to_device_latency_sm"), Some(vec![]), "waived");
    assert_eq!(run.unknown_lines, 2, "the host's name and the last line");
    assert!(!format!("{run:?}").contains("box-alpha"));
}

#[test]
fn tables_of_nvbandwidth_that_are_cut_off_or_wrong_are_told_with_their_line() {
    let message = |text: &str| nvbandwidth(text).expect_err("refused").to_string();
    let cut = &TWO[..TWO.find("2081.10").expect("a table")];
    assert_eq!(message(cut), "line 37: 1 cells under a head of 2");
    let cut = &TWO[..TWO.find("memcpy local").expect("a table")];
    assert_eq!(message(cut), "line 34: device_local_copy has no table; the output was cut off");
    let wrong = replaced(TWO, "54.90", "5?.90");
    assert_eq!(message(&wrong), "line 15: \"5?.90\" is neither a number from 0 up nor N/A");
    let wrong = replaced(TWO, " 1    394.00", " 7    394.00");
    assert!(message(&wrong).starts_with("line 23: row 1 of the table"));
    assert!(matches!(nvbandwidth("hello"), Err(ForeignError::Nothing { .. })));
}

#[test]
fn json_of_nvbandwidth_is_read_without_the_host() {
    let run = nvbandwidth_json(NVB_JSON).expect("a document");
    assert_eq!((run.gpus, run.gpu.as_deref()), (1, Some("NVIDIA H200")));
    assert_eq!(run.tests[0].rows, vec![vec![Some(55.3012)]]);
    assert_eq!((run.tests.len(), run.tests[1].rows.len()), (2, 0));
    let wrong = replaced(NVB_JSON, "\"55.3012\"", "\"fast\"");
    let message = nvbandwidth_json(&wrong).expect_err("refused").to_string();
    assert!(message.starts_with("nvbandwidth.testcases[0].bandwidth_matrix[0][0]: neither"), "{message}");
}

#[test]
fn programs_are_told_apart() {
    let found = [H100, SRUN, JSON, TWO, NVB_JSON, "{}", "hello"].map(program);
    use Program::*;
    let text = [Some(NcclTests), Some(NcclTests), Some(NcclTestsJson), Some(Nvbandwidth)];
    assert_eq!(found[..4], text);
    assert_eq!(found[4..], [Some(NvbandwidthJson), None, None]);
}

/// Every beginning of every file, and every file with one byte changed, ends in a value or an error.
#[test]
fn nothing_panics() {
    for text in [H100, SRUN, JSON, TWO, NVB_JSON] {
        for end in (0..text.len()).step_by(7) {
            let start = &text[..end];
            let _ = (nccl_tests(start), nccl_tests_json(start), nvbandwidth(start), nvbandwidth_json(start));
        }
        for at in (0..text.len()).step_by(11) {
            for odd in ["\u{1b}", "-", "9999999999999999999999", "é", "\n", "\t#"] {
                let text = format!("{}{odd}{}", &text[..at], &text[at + 1..]);
                let _ =
                    (nccl_tests(&text), nccl_tests_json(&text), nvbandwidth(&text), nvbandwidth_json(&text));
            }
        }
    }
}
