//! Two drawings of each picture: one for wide pages, one for phones.

use leptos::prelude::*;

/// Which drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// viewBox 720 units wide.
    Wide,
    /// viewBox 340 units wide; same text size on the screen of a phone.
    Narrow,
}

impl Layout {
    /// Width of the viewBox in units.
    pub fn width(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            Self::Narrow => 340.0,
        }
    }

    /// Picks by layout.
    pub fn pick<T>(self, wide: T, narrow: T) -> T {
        match self {
            Self::Wide => wide,
            Self::Narrow => narrow,
        }
    }
}

/// Pages below this width show the narrow drawing. The style sheet uses the same number.
const NARROW_BELOW: &str = "(max-width: 639.98px)";

/// The layouts to draw: both in a still page, where CSS shows one of them, and only the fitting one
/// in the browser.
pub(super) fn layouts() -> Signal<Vec<Layout>> {
    if super::STILL {
        return Signal::stored(vec![Layout::Wide, Layout::Narrow]);
    }
    let Some(query) = web_sys::window().and_then(|w| w.match_media(NARROW_BELOW).ok().flatten()) else {
        return Signal::stored(vec![Layout::Wide]);
    };
    let narrow = RwSignal::new(query.matches());
    on_change(&query, narrow);
    Signal::derive(move || vec![if narrow.get() { Layout::Narrow } else { Layout::Wide }])
}

fn on_change(query: &web_sys::MediaQueryList, narrow: RwSignal<bool>) {
    use wasm_bindgen::{JsCast, closure::Closure};
    let media = query.clone();
    let listener = Closure::<dyn Fn()>::new(move || {
        let _ = narrow.try_set(media.matches());
    });
    // The listener lives as long as the page: figures are never unmounted.
    let _ = query.add_event_listener_with_callback("change", listener.as_ref().unchecked_ref());
    listener.forget();
}

/// Whether the reader asked for less motion. Then nothing moves but by their own step.
pub fn reduced_motion() -> bool {
    web_sys::window()
        .and_then(|w| w.match_media("(prefers-reduced-motion: reduce)").ok().flatten())
        .is_some_and(|query| query.matches())
}
