//! The figure: picture, controls, presets.

use leptos::prelude::*;

use super::machine::{Deed, PAGES};
use super::model::AddressSpaces;
use super::picture::picture;
use crate::FigureProps;
use crate::kit::{Choice, Frame, Layout, Slider, Stepper};

type State = RwSignal<AddressSpaces>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(AddressSpaces::default());
    let picture = move |model: &AddressSpaces, layout: Layout| picture(model, layout, state);
    view! {
        <Frame id="address-spaces" caption=props.caption state=state presets=AddressSpaces::presets() picture=picture>
            <Choice
                label="Process"
                name="address-spaces-actor"
                options=vec![(0, "A"), (1, "B")]
                value=Signal::derive(move || state.with(|m| m.actor))
                on_choose=move |actor| state.update(|m| m.actor = actor)
            />
            {deeds(state)}
            <Slider
                label="Chosen page"
                min=0.0
                max=(PAGES - 1) as f64
                value=Signal::derive(move || state.with(|m| m.page as f64))
                text=Signal::derive(move || state.with(|m| m.page.to_string()))
                on_input=move |v| state.update(|m| m.page = v.round() as usize)
            />
            <Stepper
                step=Signal::derive(move || state.with(|m| m.step))
                count=Signal::derive(move || state.with(|m| m.ops.len() + 1))
                on_step=move |to| state.update(|m| m.step = to.min(m.ops.len()))
            />
        </Frame>
    }
    .into_any()
}

/// What the process can do: map first, then use the chosen page.
fn deeds(state: State) -> AnyView {
    let button = move |name: &'static str, deed: fn(usize) -> Deed| {
        let act = move |_| state.update(|m| m.act(deed(m.page)));
        view! { <button type="button" on:click=act>{name}</button> }
    };
    view! {
        <div class="control" role="group" aria-label="Change the map">
            <span class="control-label" aria-hidden="true">"Change the map"</span>
            <span class="deeds">
                {button("malloc 1 GiB", |_| Deed::Malloc)}
                {button("mmap file", |_| Deed::MapFile)}
                {button("mmap shared", |_| Deed::MapShared)}
                {button("munmap", Deed::Unmap)}
                {button("fork", |_| Deed::Fork)}
            </span>
        </div>
        <div class="control" role="group" aria-label="Use the chosen page">
            <span class="control-label" aria-hidden="true">"Use the chosen page"</span>
            <span class="deeds">
                {button("read", Deed::Read)}
                {button("write", Deed::Write)}
                {button("write all 4", Deed::WriteAll)}
            </span>
        </div>
    }
    .into_any()
}
