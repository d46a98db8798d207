//! The figure: picture, controls, presets, the reader's numbers.

use leptos::prelude::*;

use super::case::{Case, World};
use super::machine::Machine;
use super::model::PageFault;
use super::picture::picture;
use crate::FigureProps;
use crate::kit::{Choice, Frame, Readings, Stepper};

type State = RwSignal<PageFault>;

/// Builds the figure.
pub fn view(props: FigureProps) -> AnyView {
    let state = RwSignal::new(PageFault::default());
    follow_readings(state);
    view! {
        <Frame id="page-fault" caption=props.caption state=state presets=PageFault::presets() picture=picture>
            <Stepper
                step=Signal::derive(move || state.with(|m| m.at(&m.steps())))
                count=Signal::derive(move || state.with(|m| m.steps().len()))
                on_step=move |to| state.update(|m| m.step = to)
            />
            <Choice
                label="What is touched"
                name="page-fault-case"
                options=Case::ALL.map(|c| (c, c.name())).to_vec()
                value=Signal::derive(move || state.with(|m| m.case))
                on_choose=move |case| {
                    state.update(|m| {
                        m.case = case;
                        m.step = 0;
                    })
                }
            />
            <Choice
                label="Processor and base page"
                name="page-fault-world"
                options=World::ALL.map(|w| (w, w.name())).to_vec()
                value=Signal::derive(move || state.with(|m| m.world))
                on_choose=move |world| state.update(|m| m.world = world)
            />
        </Frame>
    }
    .into_any()
}

/// Takes over what was measured on the reader's machine, now and whenever they choose another one.
fn follow_readings(state: State) {
    let readings = Readings::of_page();
    Effect::new(move |_| {
        let yours = read_machine(readings);
        if state.with_untracked(|m| m.yours != yours) {
            state.update(|m| m.yours = yours);
        }
    });
}

fn read_machine(readings: Readings) -> Option<Machine> {
    let value = |key| readings.value(key).filter(|v| *v > 0.0);
    let (page, faults) = (value("topo.page")?, value("fault.anon_base.count")?);
    let (base, huge) = (value("fault.anon_base.time")?, value("fault.thp.time")?);
    let machine = Machine::measured(readings.label()?, page, faults, base, huge)?;
    let mapped = value("fault.file_map.time").zip(value("fault.file_map.count")).map(|(ns, n)| ns / n);
    Some(Machine { major_ns: value("fault.major"), cow_ns: value("fault.cow"), mapped_ns: mapped, ..machine })
}
