//! Writes the site: assets named by their content, then pages, then what needs to know them all.

mod assets;
mod error;
mod minify;
mod offline;
mod output;

use std::path::Path;

use crate::compile::Course;
use crate::page::{self, search_index};

pub use error::WriteError;
use output::Output;

/// Address of the site for `sitemap.xml`, which must not be relative. Set it when you publish.
const ADDRESS_VARIABLE: &str = "COURSE_URL";

/// Writes everything into `folder`, where Trunk has put the WebAssembly.
///
/// # Errors
/// A file cannot be read or written, or `with_wasm` is set and there is no WebAssembly.
pub fn write(folder: &Path, with_wasm: bool) -> Result<String, WriteError> {
    let course = page::course().map_err(WriteError::Course)?;
    let mut output = Output::open(folder)?;
    let web = if with_wasm { Some(assets::take_web(&mut output)?) } else { None };
    let samples = output.write_hashed("samples", "txt", samples(&course)?.as_bytes())?;
    let search = output.write_hashed("search", "json", search_index::json(&course).as_bytes())?;
    let data = page::Data { samples, search };
    let assets = assets::write(&mut output, web.as_ref(), data)?;
    output.write("favicon.svg", include_bytes!("../static/favicon.svg"))?;
    output.write("manifest.webmanifest", manifest(&course).as_bytes())?;

    let pages = page::all(&course, &assets);
    let size = offline::size(&output, &pages);
    for page in &pages {
        output.write(&page.path, offline::with_size(&page.html, size).as_bytes())?;
    }
    output.write("sitemap.xml", sitemap(&pages).as_bytes())?;
    output.write("sw.js", offline::service_worker(&output).as_bytes())?;
    Ok(format!("{} pages, {:.0} KB to read offline (compressed)", pages.len(), size as f64 / 1000.0))
}

/// A line with the name of each sample, then a line with its report. Not one JSON document: the
/// browser reads each report with the importer it needs anyway.
fn samples(course: &Course) -> Result<String, WriteError> {
    let mut text = String::new();
    for sample in &course.samples {
        let report = serde_json::to_string(&sample.report).map_err(WriteError::Course)?;
        text.push_str(&format!("{}\n{report}\n", sample.name));
    }
    Ok(text)
}

fn manifest(course: &Course) -> String {
    serde_json::json!({
        "name": course.title,
        "short_name": course.title,
        "description": course.description,
        "start_url": "./",
        "scope": "./",
        "display": "browser",
        "background_color": "#fcfcfa",
        "theme_color": "#fcfcfa",
        "icons": [{ "src": "favicon.svg", "sizes": "any", "type": "image/svg+xml" }],
    })
    .to_string()
}

fn sitemap(pages: &[page::Page]) -> String {
    let address = std::env::var(ADDRESS_VARIABLE).unwrap_or_default();
    let base = if address.is_empty() || address.ends_with('/') { address } else { format!("{address}/") };
    let entries: String = pages
        .iter()
        .filter_map(|page| page.path.strip_suffix("index.html"))
        .map(|path| format!("<url><loc>{base}{path}</loc></url>\n"))
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    )
}
