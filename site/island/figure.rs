//! A figure: the same component as in the page, now alive.

use diagrams::FigureProps;
use diagrams::kit::Readings;
use leptos::mount::mount_to;
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::{Data, find, machine, recovery};

pub(super) fn mount(host: &HtmlElement) {
    let Some(figure) = host.data("figure").and_then(|id| diagrams::find(&id)) else { return };
    // As the page shows it now: a translator may have been there.
    let caption = find(host, "figcaption").and_then(|c| c.text_content()).unwrap_or_default();
    recovery::over_still_picture(host, || {
        let live = mount_to(host.clone(), move || {
            provide_context(Readings(machine::signal().into()));
            (figure.view)(FigureProps { caption })
        });
        live.forget();
    });
}
