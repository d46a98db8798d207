//! The reader's machine: one results file, shared by all islands of all pages.

use std::cell::RefCell;
use std::rc::Rc;

use drills_results::Report;
use leptos::prelude::*;

use super::listen;
use crate::keys::MACHINE;
use crate::storage::{self, Saved};

thread_local! {
    static REPORT: ArcRwSignal<Option<Report>> = ArcRwSignal::new(load());
    static FOLLOWERS: RefCell<Vec<Rc<dyn Fn()>>> = const { RefCell::new(Vec::new()) };
}

/// A stored report that does not pass the importer is set aside.
fn load() -> Option<Report> {
    let text = storage::read(MACHINE)?;
    match drills_results::parse(&text) {
        Ok(report) => Some(report),
        Err(_) => {
            storage::set_aside(MACHINE);
            None
        }
    }
}

/// The machine as a signal, for Leptos.
pub(super) fn signal() -> ArcRwSignal<Option<Report>> {
    REPORT.with(Clone::clone)
}

/// The machine now.
pub(super) fn current() -> Option<Report> {
    signal().get_untracked()
}

/// Makes a results file the reader's machine. The text is kept as it came.
pub(super) fn choose(text: &str, report: Report) -> Saved {
    let saved = storage::write_text(MACHINE, text);
    set(Some(report));
    saved
}

/// Forgets the reader's machine.
pub(super) fn forget() {
    storage::remove(MACHINE);
    set(None);
}

fn set(report: Option<Report>) {
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
    listen(&window, "storage", |_| {
        let now = load();
        if now != current() {
            set(now);
        }
    });
}
