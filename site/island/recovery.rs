//! Puts a still picture back when its island panics.
//!
//! The WebAssembly aborts on a panic, so nothing can be caught; the hook runs before that. It knows
//! whose fault it was from the last island that was mounted or touched.

use std::cell::RefCell;
use std::panic::PanicHookInfo;

use web_sys::{DocumentFragment, HtmlElement};

use super::{listen, say};

struct Live {
    host: HtmlElement,
    still: DocumentFragment,
}

thread_local! {
    static LIVE: RefCell<Vec<Live>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
    static SAID: RefCell<bool> = const { RefCell::new(false) };
}

/// Events after which an island is the one at work.
const TOUCHES: [&str; 5] = ["pointerdown", "keydown", "input", "change", "click"];

pub(super) fn install() {
    std::panic::set_hook(Box::new(recover));
}

/// Mounts over the still picture and takes it away only after success.
pub(super) fn over_still_picture(host: &HtmlElement, mount: impl FnOnce()) {
    at_work(host);
    let still: Vec<web_sys::Node> = std::iter::successors(host.first_child(), |n| n.next_sibling()).collect();
    mount();
    let Some(document) = web_sys::window().and_then(|w| w.document()) else { return };
    let fragment = document.create_document_fragment();
    for node in still {
        let _ = fragment.append_child(&node);
    }
    LIVE.with_borrow_mut(|live| live.push(Live { host: host.clone(), still: fragment }));
    for touch in TOUCHES {
        let watched = host.clone();
        listen(host, touch, move |_| at_work(&watched));
    }
}

fn at_work(host: &HtmlElement) {
    CURRENT.with(|current| {
        if let Ok(mut current) = current.try_borrow_mut() {
            *current = Some(host.clone());
        }
    });
}

fn recover(info: &PanicHookInfo<'_>) {
    web_sys::console::error_1(&info.to_string().into());
    let Some(host) = CURRENT.with(|current| current.try_borrow_mut().ok().and_then(|mut c| c.take())) else {
        return;
    };
    let live = LIVE.with(|live| {
        let mut live = live.try_borrow_mut().ok()?;
        let at = live.iter().position(|l| l.host == host)?;
        Some(live.swap_remove(at))
    });
    if let Some(live) = live {
        host.set_text_content(None);
        let _ = host.append_child(&live.still);
    }
    let _ = host.set_attribute("data-stopped", "");
    if !SAID.replace(true) {
        say("One interactive part stopped and shows its still picture again. The others go on.");
    }
}
