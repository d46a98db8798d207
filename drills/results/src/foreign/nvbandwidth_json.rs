//! The document that nvbandwidth writes with `-j`.

use serde_json::Value;

use super::nvbandwidth::{BandwidthRun, BandwidthTest, cell_of, gpu_of};
use super::{ForeignError, at_field, at_line, check_size, name};

/// Reads what nvbandwidth writes with `-j`.
///
/// # Errors
/// Where it is no JSON or a field is not what it should be.
pub fn nvbandwidth_json(text: &str) -> Result<BandwidthRun, ForeignError> {
    check_size(text)?;
    let file: Value = serde_json::from_str(text).map_err(|e| at_line(e.line(), name(&e.to_string())))?;
    let run = &file["nvbandwidth"];
    let Some(cases) = run["testcases"].as_array() else {
        return Err(at_field("nvbandwidth.testcases", "missing; the program stopped before its first test"));
    };
    let mut tests = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        tests.push(test(&format!("nvbandwidth.testcases[{index}]"), case)?);
    }
    if tests.is_empty() {
        return Err(ForeignError::Nothing { expected: "test of nvbandwidth" });
    }
    // Versions differ in the name of the list, if they have one.
    let devices = run["GPU Device list"].as_array().map_or(&[][..], Vec::as_slice);
    let gpu = |device: &Value| device.as_str()?.split_once(':').map(|(_, gpu)| gpu_of(gpu));
    let text = |field: &str| run[field].as_str().map(name);
    Ok(BandwidthRun {
        version: text("version"),
        driver_version: text("Driver Version"),
        gpus: devices.len() as u32,
        gpu: devices.first().and_then(gpu),
        tests,
        unknown_lines: 0,
    })
}

fn test(path: &str, case: &Value) -> Result<BandwidthTest, ForeignError> {
    let Some(test) = case["name"].as_str() else {
        return Err(at_field(format!("{path}.name"), "missing"));
    };
    let mut rows = Vec::new();
    for (y, row) in case["bandwidth_matrix"].as_array().into_iter().flatten().enumerate() {
        let mut cells = Vec::new();
        for (x, cell) in row.as_array().into_iter().flatten().enumerate() {
            let read = cell.as_str().map_or_else(|| cell_of(&cell.to_string()), cell_of);
            cells.push(read.ok_or_else(|| {
                let path = format!("{path}.bandwidth_matrix[{y}][{x}]");
                at_field(path, "neither a number from 0 up nor N/A")
            })?);
        }
        rows.push(cells);
    }
    let description = case["bandwidth_description"].as_str().map(name).unwrap_or_default();
    Ok(BandwidthTest { name: name(test), description, rows })
}
