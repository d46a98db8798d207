//! What the text may refer to, and what it did refer to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Sample;
use super::module::Draft;
use super::problem::Problems;

/// Everything that can be referred to.
pub(crate) struct Known {
    /// Figure id to its folder.
    pub(crate) figures: BTreeMap<String, String>,
    /// Glossary id to the first sentence of its entry.
    pub(crate) terms: BTreeMap<String, String>,
    /// Anchors by file, relative to `content/`: `machine/module.md` to its ids.
    pub(crate) sections: BTreeMap<String, BTreeSet<String>>,
    /// Samples in order of their names.
    pub(crate) samples: Vec<Sample>,
    /// Number of completion criteria.
    pub(crate) criteria: usize,
}

impl Known {
    /// The sample with this name.
    pub(crate) fn sample(&self, name: &str) -> Option<&Sample> {
        self.samples.iter().find(|s| s.name == name)
    }

    /// Names of all samples, for messages.
    pub(crate) fn sample_names(&self) -> String {
        self.samples.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// What the text has referred to so far.
#[derive(Default)]
pub(crate) struct Used {
    /// Figure ids with the first place that shows them.
    pub(crate) figures: BTreeMap<String, String>,
}

impl Used {
    pub(crate) fn refuse_idle_figures(&self, known: &Known, problems: &mut Problems) {
        for (id, folder) in &known.figures {
            if !self.figures.contains_key(id) {
                let message = format!(
                    "no page uses the figure `{id}`; show it with ![caption](figure:{id}) or remove it"
                );
                problems.add(&format!("{folder}/mod.rs"), 1, message);
            }
        }
    }
}

/// Figure ids: the folders `diagrams/src/<word>/<figure>/` that hold a `mod.rs`.
pub(crate) fn figures(root: &Path) -> BTreeMap<String, String> {
    let source = root.join("diagrams/src");
    let mut found = BTreeMap::new();
    for word in folders(&source).into_iter().filter(|word| word != "kit") {
        for figure in folders(&source.join(&word)) {
            if source.join(&word).join(&figure).join("mod.rs").is_file() {
                found.insert(figure.replace('_', "-"), format!("diagrams/src/{word}/{figure}"));
            }
        }
    }
    found
}

fn folders(path: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Anchors of all modules that have text.
pub(crate) fn sections(drafts: &[Draft]) -> BTreeMap<String, BTreeSet<String>> {
    drafts.iter().flat_map(Draft::anchors).collect()
}
