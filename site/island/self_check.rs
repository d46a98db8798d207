//! Which questions were answered.

use web_sys::HtmlElement;

use super::{Data, find_all, listen, say};
use crate::keys::ANSWERED;
use crate::storage::{self, NOT_SAVED, Saved};

pub(super) fn mount(host: &HtmlElement) {
    let Some(key) = host.data("key") else { return };
    show(host, &key);
    for button in find_all(host, "button") {
        let _ = button.remove_attribute("disabled");
        let (host, key) = (host.clone(), key.clone());
        let answered = button.data("verdict").as_deref() == Some("yes");
        listen(&button, "click", move |_| {
            if record(&key, answered) == Saved::InMemory {
                say(NOT_SAVED);
            }
            show(&host, &key);
            if !answered && let Ok(Some(details)) = host.closest("details") {
                // Asking again starts with the answer hidden.
                let _ = details.remove_attribute("open");
            }
        });
    }
}

fn record(key: &str, answered: bool) -> Saved {
    let mut list = storage::read_list(ANSWERED);
    list.retain(|known| known != key);
    if answered {
        list.push(key.to_owned());
    }
    storage::write_list(ANSWERED, &list)
}

fn show(host: &HtmlElement, key: &str) {
    let answered = storage::read_list(ANSWERED).iter().any(|known| known == key);
    for button in find_all(host, "[data-verdict=yes]") {
        let _ = button.set_attribute("aria-pressed", if answered { "true" } else { "false" });
    }
    if let Ok(Some(question)) = host.closest(".question") {
        let _ = question.class_list().toggle_with_force("answered", answered);
    }
}
