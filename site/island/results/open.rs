//! Opening files: a button first, dropping second, precise words for what is refused.

use drills_results::{MAX_FILE_BYTES, Report};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, FileList};

use super::state::State;

pub(super) fn view(state: State) -> impl IntoView {
    let over = RwSignal::new(false);
    let reading = RwSignal::new(String::new());
    let read = move |list: Option<FileList>| {
        let files: Vec<File> =
            list.map(|list| (0..list.length()).filter_map(|i| list.get(i)).collect()).unwrap_or_default();
        if !files.is_empty() {
            spawn_local(read_all(state, files, reading));
        }
    };
    let drop = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        read(event.data_transfer().and_then(|data| data.files()));
    };
    let enter = move |event: DragEvent| {
        event.prevent_default();
        over.set(true);
    };
    let complaint = |(name, message): (String, String)| {
        view! { <li><b>{name}</b>": "{message}</li> }
    };
    view! {
        <section class="panel-block" aria-labelledby="site-open">
            <h2 id="site-open">"Open results files"</h2>
            <div
                class="drop"
                class:over=move || over.get()
                on:dragover=enter
                on:dragleave=move |_| over.set(false)
                on:drop=drop
            >
                <label for="site-files" class="visually-hidden">"Results files"</label>
                <input
                    id="site-files"
                    type="file"
                    multiple=true
                    accept=".json,application/json"
                    on:change:target=move |event| {
                        let input = event.target();
                        read(input.files());
                        // Lets the same file be picked again after it was closed.
                        input.set_value("");
                    }
                />
                <span class="muted">"or drop them here: one, or hundreds at once"</span>
            </div>
            <p class="muted" role="status">{move || reading.get()}</p>
            <ul class="complaints" aria-label="Files that were refused" role="alert">
                {move || state.complaints.get().into_iter().map(complaint).collect_view()}
            </ul>
        </section>
    }
}

async fn read_all(state: State, files: Vec<File>, reading: RwSignal<String>) {
    let (total, before) = (files.len(), state.files());
    state.complaints.set(Vec::new());
    for (i, file) in files.iter().enumerate() {
        reading.set(format!("Reading {} of {total} …", i + 1));
        match read_file(file).await {
            Ok((_, report)) => state.add(file.clone(), report),
            Err(message) => state.complain(file.name(), message),
        }
    }
    let opened = state.files().saturating_sub(before);
    let refused = total - opened.min(total);
    reading.set(match refused {
        0 => format!("{opened} opened. They stay in this page."),
        n => format!("{opened} opened, {n} refused and left out."),
    });
}

/// The text of a file and what it says.
///
/// # Errors
/// Why it is no results file, for the reader.
pub(super) async fn read_file(file: &File) -> Result<(String, Report), String> {
    // Asked before the file is read, so that a huge one costs nothing.
    if file.size() > MAX_FILE_BYTES as f64 {
        return Err(format!("the file has {} bytes; results files have at most {MAX_FILE_BYTES}", file.size()));
    }
    let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
    let text = text.ok_or("the browser could not read it")?;
    let report = drills_results::parse(&text).map_err(|error| error.to_string())?;
    Ok((text, report))
}
