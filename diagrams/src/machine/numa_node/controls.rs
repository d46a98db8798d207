//! The controls: the pair, the settings, and the guess in a box to diagnose.

use super::chassis::{Cabling, GPUS, Kind};
use super::flows::SocketLink;
use super::model::NumaNode;
use super::policy::{GdrLevel, Others};
use crate::kit::Control;

const DIGITS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];

fn digits(count: u8) -> Vec<(u8, &'static str)> {
    (0..count).zip(DIGITS).collect()
}

pub(super) fn controls(model: &NumaNode) -> Vec<Control<NumaNode>> {
    let chassis = model.chassis();
    let nics = digits(chassis.count(Kind::Nic));
    let levels = GdrLevel::ALL.map(|level| (level, level.text()));
    let others = [
        (Others::Quiet, "are quiet"),
        (Others::OwnNic, "use their own NIC"),
        (Others::Nearest, "use the nearest"),
        (Others::PickedNic, "use the picked one"),
    ];
    let links: Vec<_> = SocketLink::ALL.into_iter().zip(["10", "22", "40", "102 GB/s"]).collect();
    let mut all: Vec<Control<NumaNode>> = vec![
        Control::choice("GPU", &digits(GPUS), model.gpu, |s, v| s.gpu = v),
        Control::choice("NIC", &nics, model.nic_in(&chassis), |s, v| s.nic = v),
        Control::choice("NCCL_NET_GDR_LEVEL", &levels, model.level, |s, v| s.level = v),
        Control::choice("The other seven ranks", &others, model.others, |s, v| s.others = v),
        Control::choice("Link between the sockets", &links, model.link, |s, v| s.link = v),
    ];
    if let Cabling::Hidden(which) = model.cabling {
        all.extend(puzzle(model, which));
    }
    all
}

/// Which box, and which NIC the reader accuses.
fn puzzle(model: &NumaNode, which: u8) -> [Control<NumaNode>; 2] {
    let boxes = [(0, "1"), (1, "2"), (2, "3"), (3, "4")];
    let another: fn(&mut NumaNode, u8) = |s, which| {
        s.cabling = Cabling::Hidden(which);
        s.accused = None;
    };
    let accused = model.accused.unwrap_or(u8::MAX);
    [
        Control::choice("Box to diagnose", &boxes, which, another),
        Control::choice("The NIC in the wrong place is", &digits(4), accused, |s, v| s.accused = Some(v)),
    ]
}
