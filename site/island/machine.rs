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

/// Makes a report the reader's machine, or forgets it.
pub(super) fn choose(report: Option<Report>) -> Saved {
    let saved = match &report {
        Some(report) => storage::write(MACHINE, report),
        None => {
            storage::remove(MACHINE);
            Saved::Kept
        }
    };
    set(report);
    saved
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
