//! The file that nccl-tests writes with `-J`. Its list of environment variables is never looked at.

use serde_json::Value;

use super::nccl_tests::{CollectivePoint, CollectiveRun, operation_of, version_of};
use super::{ForeignError, at_field, at_line, check_size, name, number};

/// Reads a file that nccl-tests wrote with `-J`.
///
/// # Errors
/// Where it is no JSON or a field is not what it should be.
pub fn nccl_tests_json(text: &str) -> Result<CollectiveRun, ForeignError> {
    check_size(text)?;
    let file: Value = serde_json::from_str(text).map_err(|e| at_line(e.line(), name(&e.to_string())))?;
    let Some(results) = file["results"].as_array() else {
        return Err(at_field("results", "missing; the file was cut off or is of another program"));
    };
    let mut points = Vec::new();
    for (index, row) in results.iter().enumerate() {
        points.extend(point(&format!("results[{index}]"), row)?);
    }
    if points.is_empty() {
        return Err(ForeignError::Nothing { expected: "result of nccl-tests" });
    }
    let config = &file["config"];
    let devices = config["devices"].as_array().map_or(&[][..], Vec::as_slice);
    let mut hosts: Vec<&str> = devices.iter().filter_map(|device| device["hostname"].as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    // One device is listed for each process, whatever its threads and GPUs.
    let each = |field: &str| config[field].as_u64().filter(|n| *n <= 1 << 16);
    let ranks = each("nthreads").zip(each("ngpus")).map(|(t, g)| t * g * devices.len() as u64);
    let code = file["nccl_version"].as_u64().and_then(|code| u32::try_from(code).ok());
    Ok(CollectiveRun {
        // The file has a version of its format, not of the program.
        version: None,
        nccl_version: code.map(version_of),
        operation: file["args"][0].as_str().map(operation_of),
        ranks: ranks.filter(|n| *n > 0).and_then(|n| u32::try_from(n).ok()),
        hosts: (!hosts.is_empty()).then_some(hosts.len() as u32),
        gpu: devices.first().and_then(|device| device["device_info"].as_str()).map(name),
        points,
        complete: file.get("average_bus_bandwidth").is_some(),
        unknown_lines: 0,
    })
}

/// `None` for sizes at which nothing is moved.
fn point(path: &str, row: &Value) -> Result<Option<CollectivePoint>, ForeignError> {
    let Some(bytes) = row["size"].as_u64() else {
        return Err(at_field(format!("{path}.size"), "a whole number is wanted"));
    };
    let half = if row["out_of_place"].is_object() { "out_of_place" } else { "in_place" };
    let value = |names: &[&str]| {
        let found = names.iter().find_map(|field| row[half].get(*field));
        found.and_then(positive).ok_or_else(|| {
            at_field(format!("{path}.{half}.{}", names[0]), "missing, or not a number from 0 up")
        })
    };
    let point = CollectivePoint {
        bytes,
        time_us: value(&["time", "cpu_time"])?,
        algbw_gb_per_s: value(&["alg_bw"])?,
        busbw_gb_per_s: value(&["bus_bw"])?,
        wrong: row[half]["nwrong"].as_f64(),
    };
    Ok((bytes > 0 && point.time_us > 0.0).then_some(point))
}

/// The number, under the same limits as one in text.
fn positive(value: &Value) -> Option<f64> {
    number(&value.as_f64()?.to_string())
}
