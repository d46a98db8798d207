//! The figure: controls and presets.

use leptos::prelude::*;

use super::field::AddressField;
use super::machine::{Level, Machine};
use super::picture::picture;
use super::space::Mapping;
use super::state::{EXAMPLE, PageWalk};
use super::walk::Access;
use crate::FigureProps;
use crate::kit::{Choice, Frame, Layout, Preset, Slider, Stepper, Switch};

type State = RwSignal<PageWalk>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(PageWalk::default());
    let machine = Memo::new(move |_| state.with(|m| m.machine));
    let draw = move |model: &PageWalk, layout: Layout| picture(model, layout, state);
    view! {
        <Frame id="page-walk" caption=props.caption state=state presets=presets() picture=draw>
            <AddressField
                address=Signal::derive(move || state.with(|m| m.address))
                on_address=move |address| state.update(|m| m.address = address)
            />
            <Stepper
                step=Signal::derive(move || state.with(PageWalk::step))
                count=Signal::derive(move || state.with(PageWalk::steps))
                on_step=move |to| state.update(|m| m.go(to))
            />
            <Choice
                label="Tables"
                name="page-walk-machine"
                options=Machine::ALL.map(|m| (m, m.name())).to_vec()
                value=machine
                on_choose=move |machine| state.update(|m| m.machine = machine)
            />
            {move || mapping(state, machine.get())}
            <Choice
                label="The program wants to"
                name="page-walk-access"
                options=Access::ALL.map(|a| (a, a.name())).to_vec()
                value=Signal::derive(move || state.with(|m| m.access))
                on_choose=move |access| state.update(|m| m.access = access)
            />
            <Switch
                label="Page-walk caches warm"
                value=Signal::derive(move || state.with(|m| m.warm))
                on_toggle=move |warm| state.update(|m| m.warm = warm)
            />
            {move || sliders(state, machine.get())}
        </Frame>
    }
    .into_any()
}

/// What is mapped: sizes depend on the tables.
fn mapping(state: State, machine: Machine) -> impl IntoView {
    let options = match machine {
        Machine::Arm16K => vec![(Mapping::Base, "16 KiB"), (Mapping::Large, "32 MiB")],
        Machine::Arm64K => vec![(Mapping::Base, "64 KiB"), (Mapping::Large, "512 MiB")],
        _ => vec![(Mapping::Base, "4 KiB"), (Mapping::Large, "2 MiB"), (Mapping::Largest, "1 GiB")],
    };
    let options = [(Mapping::Process, "one process")].into_iter().chain(options).collect();
    view! {
        <Choice
            label="Mapped: the regions of, or everything in pages of"
            name="page-walk-mapping"
            options=options
            value=Signal::derive(move || state.with(|m| m.mapping))
            on_choose=move |mapping| state.update(|m| m.mapping = mapping)
        />
    }
}

/// A slider for each index, one for the offset.
fn sliders(state: State, machine: Machine) -> impl IntoView {
    let index = move |level: Level| {
        let value = Signal::derive(move || level.index(state.with(|m| m.address)));
        view! {
            <Slider
                label=level.name
                min=0.0
                max=(level.entries() - 1) as f64
                value=Signal::derive(move || value.get() as f64)
                text=Signal::derive(move || value.get().to_string())
                on_input=move |v| state.update(|m| m.set_index(&level, v as u64))
            />
        }
    };
    let offset = Signal::derive(move || machine.offset(state.with(|m| m.address)));
    view! {
        {machine.levels().into_iter().map(index).collect_view()}
        <Slider
            label="Offset"
            min=0.0
            max=(machine.page_bytes() - 1) as f64
            value=Signal::derive(move || offset.get() as f64)
            text=Signal::derive(move || format!("{:#x}", offset.get()))
            on_input=move |v| state.update(|m| m.set_offset(v as u64))
        />
    }
}

fn presets() -> Vec<Preset<PageWalk>> {
    let at = |address: u64| PageWalk { address, ..PageWalk::default() };
    let preset = |name, state| Preset { name, state };
    vec![
        preset("the text's example", at(EXAMPLE)),
        preset("64 KiB pages", PageWalk { machine: Machine::Arm64K, ..at(EXAMPLE) }),
        preset("a huge page", at(0x7f20_1234_5678)),
        preset("mapped, never touched", PageWalk { access: Access::Write, ..at(0x7f3b_8000_0000) }),
        preset("null plus sixteen", at(0x10)),
        preset("shared since the fork", PageWalk { access: Access::Write, ..at(0x7f30_0000_1040) }),
        preset("write to a checkpoint", PageWalk { access: Access::Write, ..at(0x7f3c_6000_0008) }),
        preset("the kernel's half", at(0xffff_8880_4000_0000)),
        preset("one bit too many", at(EXAMPLE | 1 << 47)),
        preset("five levels", PageWalk { machine: Machine::X86Five, ..at(EXAMPLE) }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::FigureModel;

    #[test]
    fn each_story_ends_in_a_way_of_its_own() {
        let told: std::collections::HashSet<String> = presets().iter().map(|p| p.state.sentence()).collect();
        assert_eq!(told.len(), presets().len());
        assert!(presets()[0].state.to_query().is_empty());
    }
}
