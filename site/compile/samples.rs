//! `content/samples/*.json`: the result files that the text speaks of.

use std::path::Path;

use drills_results::Provenance;

use super::Sample;
use super::problem::Problems;

const FOLDER: &str = "content/samples";

/// Reads all samples, in order of their names.
pub(crate) fn read(root: &Path, problems: &mut Problems) -> Vec<Sample> {
    let Ok(entries) = std::fs::read_dir(root.join(FOLDER)) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    names.iter().filter_map(|name| read_one(root, name, problems)).collect()
}

fn read_one(root: &Path, name: &str, problems: &mut Problems) -> Option<Sample> {
    let file = format!("{FOLDER}/{name}");
    let text = std::fs::read_to_string(root.join(&file))
        .map_err(|e| problems.add(&file, 1, format!("cannot be read: {e}")))
        .ok()?;
    match drills_results::parse(&text) {
        Ok(report) => Some(Sample { name: name.trim_end_matches(".json").to_owned(), report }),
        Err(error) => {
            problems.add(&file, 1, format!("not a results file: {error}"));
            None
        }
    }
}

/// The word that readers see for a provenance.
pub(crate) fn provenance_word(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::Measured => "measured",
        Provenance::Reported => "reported",
        Provenance::Expected => "expected",
    }
}
