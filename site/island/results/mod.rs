//! The results page: open files, set machines side by side, choose one as yours. Its markup is in the
//! static page; this brings it to life.

mod open;
mod state;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DragEvent, FileList, HtmlElement, HtmlInputElement};

use super::{Data, clicked, fetch, find, find_all, listen, machine, say};
use crate::compare::{Column, MIN_MACHINES, odd_ones};
use crate::results::{comparison_table, layout, odd_table};
use crate::storage::{NOT_SAVED, Saved};
use state::State;

const NOTHING_ODD: &str = "No machine stands out: every value is near the median of its class.";
const CHOSEN: &str = "From now on the tables and figures of the course show this machine too.";
const FORGOTTEN: &str = "Forgotten. The tables of the course show the samples alone.";

/// The page and what it knows.
#[derive(Clone)]
struct Page {
    host: HtmlElement,
    state: Rc<RefCell<State>>,
}

pub(super) fn mount(host: &HtmlElement) {
    let host = host.clone();
    spawn_local(async move {
        let address = host.data("samples").unwrap_or_default();
        let samples = match fetch::text(&address).await {
            Ok(text) => samples(&text),
            Err(message) => {
                // Files can be opened all the same.
                say(&message);
                Vec::new()
            }
        };
        let page = Page { host, state: Rc::new(RefCell::new(State::new(samples))) };
        if let Some(report) = machine::current() {
            page.state.borrow_mut().add_kept(report);
        }
        page.listen();
        page.show_columns();
        for input in find_all(&page.host, "input[type=file]") {
            let _ = input.remove_attribute("disabled");
            // Picked before this program was there.
            if let Some(input) = input.dyn_ref::<HtmlInputElement>().filter(|input| !input.value().is_empty())
            {
                page.open(input.files());
                input.set_value("");
            }
        }
        let _ = page.host.set_attribute("data-alive", "");
    });
}

/// Names and reports on alternate lines, as the page writer wrote them.
fn samples(text: &str) -> Vec<Column> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.chunks_exact(2);
    pairs.filter_map(|pair| Some(Column::sample(pair[0], drills_results::parse(pair[1]).ok()?))).collect()
}

impl Page {
    fn listen(&self) {
        let page = self.clone();
        listen(&self.host, "change", move |event| page.changed(&event));
        let page = self.clone();
        listen(&self.host, "click", move |event| page.clicked(&event));
        let Some(drop) = find(&self.host, ".drop") else { return };
        let over = |drop: &HtmlElement, on| _ = drop.class_list().toggle_with_force("over", on);
        let area = drop.clone();
        listen(&drop, "dragover", move |event| {
            event.prevent_default();
            over(&area, true);
        });
        let area = drop.clone();
        listen(&drop, "dragleave", move |_| over(&area, false));
        let (area, page) = (drop.clone(), self.clone());
        listen(&drop, "drop", move |event| {
            event.prevent_default();
            over(&area, false);
            let data = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
            page.open(data.and_then(|data| data.files()));
        });
    }

    fn changed(&self, event: &web_sys::Event) {
        let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) else { return };
        if let Some(id) = input.get_attribute("data-column") {
            self.state.borrow_mut().show(&id, input.checked());
            self.show_table();
        } else if input.type_() == "file" {
            self.open(input.files());
            // Lets the same file be picked again after it was closed.
            input.set_value("");
        }
    }

    fn clicked(&self, event: &web_sys::Event) {
        if let Some(id) = clicked(event, "data-show") {
            self.state.borrow_mut().show(&id, true);
            for input in find_all(&self.host, "[data-column]") {
                if input.get_attribute("data-column").as_deref() == Some(id.as_str())
                    && let Ok(input) = input.dyn_into::<HtmlInputElement>()
                {
                    input.set_checked(true);
                }
            }
            self.show_table();
        } else if let Some(id) = clicked(event, "data-close") {
            self.state.borrow_mut().close(&id);
            self.show_columns();
        } else if let Some(id) = clicked(event, "data-mine") {
            self.choose(id);
        }
    }

    fn open(&self, list: Option<FileList>) {
        let files =
            list.map(|list| (0..list.length()).filter_map(|i| list.get(i)).collect()).unwrap_or_default();
        open::all(self.clone(), files);
    }

    /// Makes a file the reader's machine, or forgets it if it is already.
    fn choose(&self, id: String) {
        if self.state.borrow().mine.as_deref() == Some(id.as_str()) {
            machine::forget();
            self.state.borrow_mut().mine = None;
            self.show_mine();
            return say(FORGOTTEN);
        }
        let Some(file) = self.state.borrow().file(&id) else { return };
        let page = self.clone();
        spawn_local(async move {
            // Read again rather than kept: hundreds of texts would fill a phone's memory.
            match open::read_file(&file).await {
                Ok((text, report)) => {
                    say(if machine::choose(&text, report) == Saved::Kept { CHOSEN } else { NOT_SAVED });
                    page.state.borrow_mut().mine = Some(id);
                    page.show_mine();
                }
                Err(message) => page.show_complaints(&[(file.name(), message)]),
            }
        });
    }

    /// After files came or went.
    fn show_columns(&self) {
        let (list, odd, fleet) = {
            let state = self.state.borrow();
            let odd = odd_table(&state.columns, &odd_ones(&state.columns));
            (layout::machines(&state.columns, |id| state.is_shown(id)), odd, state.files() >= MIN_MACHINES)
        };
        self.put(".machines", &list);
        self.put(".odd-ones", &odd.unwrap_or_else(|| NOTHING_ODD.to_owned()));
        if let Some(section) = find(&self.host, ".fleet") {
            section.set_hidden(!fleet);
        }
        self.show_mine();
        self.show_table();
    }

    fn show_table(&self) {
        let table = comparison_table(&self.state.borrow().shown_columns());
        self.put(".comparison", &table);
    }

    /// Changes words only, so that the button keeps its focus.
    fn show_mine(&self) {
        let state = self.state.borrow();
        for button in find_all(&self.host, "[data-mine]") {
            let id = button.get_attribute("data-mine");
            let mine = id.is_some() && id == state.mine;
            button.set_text_content(Some(if mine { "My machine: forget it" } else { "Make it my machine" }));
            let _ = button.class_list().toggle_with_force("mine", mine);
        }
    }

    fn show_complaints(&self, complaints: &[(String, String)]) {
        self.put(".complaints", &layout::complaints(complaints));
    }

    fn show_reading(&self, text: &str) {
        if let Some(line) = find(&self.host, ".reading") {
            line.set_text_content(Some(text));
        }
    }

    fn put(&self, selector: &str, html: &str) {
        if let Some(element) = find(&self.host, selector) {
            element.set_inner_html(html);
        }
    }
}
