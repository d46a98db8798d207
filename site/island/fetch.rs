//! Fetching a file of this site.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Fetches a text file of this site.
///
/// # Errors
/// One sentence for the reader.
pub(super) async fn text(address: &str) -> Result<String, String> {
    let text = try_text(address).await;
    text.ok_or_else(|| "This part of the course could not be fetched. Is the network there?".to_owned())
}

async fn try_text(address: &str) -> Option<String> {
    let window = web_sys::window()?;
    let response: Response = JsFuture::from(window.fetch_with_str(address)).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}
