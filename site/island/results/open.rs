//! Reading the reader's files, with precise words for what is refused.

use drills_results::{MAX_FILE_BYTES, Report};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;

use super::Page;

/// Reads files one after the other, so that hundreds do not fill the memory at once.
pub(super) fn all(page: Page, files: Vec<File>) {
    if files.is_empty() {
        return;
    }
    spawn_local(async move {
        let mut complaints = Vec::new();
        for (i, file) in files.iter().enumerate() {
            page.show_reading(&format!("Reading {} of {} …", i + 1, files.len()));
            let read = read_file(file).await;
            let added = read.and_then(|(_, report)| page.state.borrow_mut().add(file.clone(), report));
            if let Err(message) = added {
                complaints.push((file.name(), message));
            }
        }
        page.show_complaints(&complaints);
        let opened = files.len() - complaints.len();
        page.show_reading(&match complaints.len() {
            0 => format!("{opened} opened. They stay in this page."),
            refused => format!("{opened} opened, {refused} refused and left out."),
        });
        if opened > 0 {
            page.show_columns();
        }
    });
}

/// The text of a file and what it says.
///
/// # Errors
/// Why it is no results file, for the reader.
pub(super) async fn read_file(file: &File) -> Result<(String, Report), String> {
    // Asked before the file is read, so that a huge one costs nothing.
    if file.size() > MAX_FILE_BYTES as f64 {
        return Err(format!(
            "the file has {} bytes; results files have at most {MAX_FILE_BYTES}",
            file.size()
        ));
    }
    let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
    let text = text.ok_or("the browser could not read it")?;
    let report = drills_results::parse(&text).map_err(|error| error.to_string())?;
    Ok((text, report))
}
