//! The stories.

use super::choice::{Algorithm, View};
use super::model::AllReduce;
use crate::kit::Preset;

/// Index of HGX H100 among the machines.
pub const H100: usize = 1;

/// All of them, the first being the default state.
pub fn presets() -> Vec<Preset<AllReduce>> {
    let bus = |state: AllReduce| AllReduce { view: View::Bus, ..state };
    let array = |state: AllReduce| AllReduce { view: View::Array, ..state };
    let two = AllReduce::on(H100, 8, 2, 33);
    let named = |name, state| Preset { name, state };
    vec![
        named("Eight H100", AllReduce::default()),
        named("NVLS off", bus(AllReduce { algorithm: Algorithm::Ring, ..AllReduce::on(H100, 8, 1, 32) })),
        named("Two nodes", two.clone()),
        named("Two nodes, phases added", AllReduce { summed: true, ..two }),
        named("Eight nodes", AllReduce::on(H100, 8, 8, 33)),
        named("B300, two nodes", AllReduce::on(4, 8, 2, 33)),
        named("GB200, eight GPUs", array(AllReduce::on(5, 8, 1, 33))),
        named("GB200, one rack", array(AllReduce::on(5, 72, 1, 33))),
        named("A rack like eight GPUs", bus(AllReduce::on(5, 72, 1, 33))),
        named("Two racks", AllReduce::on(5, 72, 2, 33)),
        named("Twenty racks", AllReduce::on(5, 72, 20, 33)),
        named("Vera Rubin, expected", bus(AllReduce::on(7, 72, 1, 33))),
        named("DGX Spark pair", AllReduce::on(8, 1, 2, 14)),
    ]
}
