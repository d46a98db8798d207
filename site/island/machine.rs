//! The reader's machine: one results file, shared by all islands of all pages.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use drills_results::Report;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::StorageEvent;

use super::listen;
use crate::keys::MACHINE;
use crate::storage::{self, Saved};

thread_local! {
    static REPORT: ArcRwSignal<Option<Arc<Report>>> = ArcRwSignal::new(load());
    static FOLLOWERS: RefCell<Vec<Rc<dyn Fn()>>> = const { RefCell::new(Vec::new()) };
}

/// A stored report that does not pass the importer is set aside.
fn load() -> Option<Arc<Report>> {
    let text = storage::read(MACHINE)?;
    match drills_results::parse(&text) {
        Ok(report) => Some(Arc::new(report)),
        Err(_) => {
            storage::set_aside(MACHINE);
            None
        }
    }
}

/// The machine as a signal, for Leptos.
pub(super) fn signal() -> ArcRwSignal<Option<Arc<Report>>> {
    REPORT.with(Clone::clone)
}

/// The machine now.
pub(super) fn current() -> Option<Arc<Report>> {
    signal().get_untracked()
}

/// Makes a results file the reader's machine. The text is kept as it came.
pub(super) fn choose(text: &str, report: Report) -> Saved {
    let saved = storage::write_text(MACHINE, text);
    set(Some(Arc::new(report)));
    saved
}

/// Forgets the reader's machine.
pub(super) fn forget() {
    storage::remove(MACHINE);
    set(None);
}

fn set(report: Option<Arc<Report>>) {
    signal().set(report);
    for follower in FOLLOWERS.with_borrow(Clone::clone) {
        follower();
    }
}

/// Calls `act` now and after each change.
pub(super) fn follow(act: impl Fn() + 'static) {
    act();
    FOLLOWERS.with_borrow_mut(|followers| followers.push(Rc::new(act)));
}

/// Another tab may choose a machine.
pub(super) fn follow_other_tabs() {
    let Some(window) = web_sys::window() else { return };
    listen(&window, "storage", |event| {
        let key = event.dyn_ref::<StorageEvent>().and_then(StorageEvent::key);
        // No key: that tab deleted everything.
        if key.is_none_or(|key| key == MACHINE) {
            set(load());
        }
    });
}
