//! Fetching a file of this site.

use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Fetches and reads a JSON file of this site.
///
/// # Errors
/// One sentence for the reader.
pub(super) async fn json<T: DeserializeOwned>(address: &str) -> Result<T, String> {
    let text = text(address).await.ok_or("This part of the course could not be fetched. Is the network there?")?;
    serde_json::from_str(&text).map_err(|_| "This part of the course arrived damaged. Reload the page.".to_owned())
}

async fn text(address: &str) -> Option<String> {
    let window = web_sys::window()?;
    let response: Response = JsFuture::from(window.fetch_with_str(address)).await.ok()?.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.text().ok()?).await.ok()?.as_string()
}
