//! How far the reader is in a module, on the first page.

use web_sys::HtmlElement;

use super::Data;
use crate::keys::{ANSWERED, READ};
use crate::storage;

pub(super) fn mount(host: &HtmlElement) {
    let word = host.data("word").unwrap_or_default();
    let total = |name| host.data(name).and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    let of_module = |key| {
        let prefix = format!("{word}#");
        storage::read_list(key).iter().filter(|item| item.starts_with(&prefix)).count()
    };
    let (sections, questions) = (total("sections"), total("questions"));
    let read = of_module(READ).min(sections);
    let answered = of_module(ANSWERED).min(questions);
    if read + answered > 0 {
        let text = format!("{read} of {sections} sections read, {answered} of {questions} answered");
        host.set_text_content(Some(&text));
    }
}
