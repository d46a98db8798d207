//! The controls: the pair, the settings, and the guess in a box to diagnose.

use leptos::prelude::*;

use super::chassis::{Cabling, GPUS, Kind};
use super::flows::SocketLink;
use super::model::NumaNode;
use super::policy::{GdrLevel, Others};
use crate::kit::Choice;

const DIGITS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];

fn digits(count: u8) -> Vec<(u8, &'static str)> {
    (0..count).zip(DIGITS).collect()
}

pub(super) fn pair_controls(state: RwSignal<NumaNode>) -> AnyView {
    let nics = Memo::new(move |_| state.with(NumaNode::chassis).count(Kind::Nic));
    let nic_choice = move || {
        view! {
            <Choice
                label="NIC" name="numa-node-nic" options=digits(nics.get())
                value=Signal::derive(move || state.with(|s| s.nic_in(&s.chassis())))
                on_choose=move |v| state.update(|s| s.nic = v)
            />
        }
    };
    view! {
        <Choice
            label="GPU" name="numa-node-gpu" options=digits(GPUS)
            value=Signal::derive(move || state.with(|s| s.gpu))
            on_choose=move |v| state.update(|s| s.gpu = v)
        />
        {nic_choice}
    }
    .into_any()
}

pub(super) fn setting_controls(state: RwSignal<NumaNode>) -> AnyView {
    let links: Vec<_> = SocketLink::ALL.into_iter().zip(["10", "22", "40", "102 GB/s"]).collect();
    view! {
        <Choice
            label="NCCL_NET_GDR_LEVEL" name="numa-node-level"
            options=GdrLevel::ALL.map(|l| (l, l.text())).to_vec()
            value=Signal::derive(move || state.with(|s| s.level))
            on_choose=move |v| state.update(|s| s.level = v)
        />
        <Choice
            label="The other seven ranks" name="numa-node-others"
            options=vec![
                (Others::Quiet, "are quiet"),
                (Others::OwnNic, "use their own NIC"),
                (Others::Nearest, "use the nearest"),
                (Others::PickedNic, "use the picked one"),
            ]
            value=Signal::derive(move || state.with(|s| s.others))
            on_choose=move |v| state.update(|s| s.others = v)
        />
        <Choice
            label="Link between the sockets" name="numa-node-sockets"
            options=links
            value=Signal::derive(move || state.with(|s| s.link))
            on_choose=move |v| state.update(|s| s.link = v)
        />
    }
    .into_any()
}

pub(super) fn puzzle_controls(state: RwSignal<NumaNode>) -> AnyView {
    let puzzle = move || state.with(|s| matches!(s.cabling, Cabling::Hidden(_)));
    let set_box = move |v| {
        state.update(|s| {
            s.cabling = Cabling::Hidden(v);
            s.accused = None;
        });
    };
    let which = move || match state.with(|s| s.cabling) {
        Cabling::Hidden(n) => n,
        _ => 0,
    };
    view! {
        <div class="control" hidden=move || !puzzle()>
            <Choice
                label="Box to diagnose" name="numa-node-box"
                options=vec![(0, "1"), (1, "2"), (2, "3"), (3, "4")]
                value=Signal::derive(which) on_choose=set_box
            />
        </div>
        <div class="control" hidden=move || !puzzle()>
            <Choice
                label="The NIC in the wrong place is" name="numa-node-accused" options=digits(4)
                value=Signal::derive(move || state.with(|s| s.accused.unwrap_or(u8::MAX)))
                on_choose=move |v| state.update(|s| s.accused = Some(v))
            />
        </div>
    }
    .into_any()
}
