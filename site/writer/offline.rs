//! The copy for reading offline: its size, and the service worker that keeps it.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::output::{Output, short_hash};
use crate::page::Page;

/// Stands in pages where the size is shown.
const PLACEHOLDER: &str = "<!--offline-size-->";

/// Bytes of everything together, each file compressed as a host would.
pub(crate) fn size(output: &Output, pages: &[Page]) -> usize {
    let files = output.files().values().map(|bytes| compressed(bytes)).sum::<usize>();
    files + pages.iter().map(|page| compressed(page.html.as_bytes())).sum::<usize>()
}

fn compressed(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing into memory cannot fail; a wrong size would only be a wrong label.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_or(bytes.len(), |out| out.len())
}

/// Puts the size into a page.
pub(crate) fn with_size(html: &str, bytes: usize) -> String {
    html.replace(PLACEHOLDER, &format!("{:.1} MB", (bytes as f64 / 1e6).max(0.1)))
}

/// The service worker with the list of files and a version that changes with any of them.
pub(crate) fn service_worker(output: &Output) -> String {
    let listed = output.files().keys().filter(|path| !path.ends_with(".xml"));
    let names: Vec<String> = listed
        .map(|path| match path.strip_suffix("index.html") {
            Some(folder) => format!("./{folder}"),
            None => path.clone(),
        })
        .collect();
    let everything: Vec<u8> =
        output.files().iter().flat_map(|(path, bytes)| [path.as_bytes(), bytes].concat()).collect();
    let files = serde_json::to_string(&names).unwrap_or_else(|_| "[]".into());
    super::minify::script(include_str!("../static/sw.js"))
        .replace("__VERSION__", &short_hash(&everything))
        .replace("[\"__FILES__\"]", &files)
}
