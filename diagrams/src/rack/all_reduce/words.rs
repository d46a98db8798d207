//! The state in words and numbers.

use super::choice::{Algorithm, View};
use super::cost::{Standing, bus_factor};
use super::model::{AllReduce, SIZES, bytes_of};
use crate::kit::units::{bytes, duration_ns, number, percent, rate};
use crate::kit::{Counter, DataTable};

const UNKNOWN: &str = "no public number";

/// A time in microseconds, for people.
pub fn time(us: f64) -> String {
    duration_ns(us * 1e3)
}

/// GB/s, for people.
pub fn gb(gb_per_s: f64) -> String {
    rate(gb_per_s * 1e9)
}

/// A value of the axis, for people.
pub fn value(state: &AllReduce, on_axis: f64) -> String {
    if state.view == View::Time { time(on_axis) } else { gb(on_axis) }
}

/// The GPUs: `8 GPUs of HGX H100`, `2 racks of 72 GPUs (GB200 NVL72)`.
pub fn who(state: &AllReduce) -> String {
    let machine = state.machine();
    if !machine.has_domain() {
        return "two DGX Sparks".into();
    }
    if state.domains == 1 {
        return format!("{} GPUs of {}", state.gpus, machine.name);
    }
    format!("{} {} of {} GPUs ({})", state.domains, machine.domain.1, state.gpus, machine.name)
}

/// How far the model lies from a published time: `3.1 % above`.
fn off(share: f64) -> String {
    let word = if share >= 0.0 { "above" } else { "below" };
    if share.abs() < 0.000_5 { "equal".into() } else { format!("{} {word}", percent(share.abs())) }
}

/// The chosen size and its time, and what that time is worth.
pub fn headline(state: &AllReduce) -> String {
    let size = bytes(state.bytes());
    let Some(us) = state.chosen_us() else { return format!("{size}: {UNKNOWN}") };
    let us = time(us);
    if state.algorithm != Algorithm::Fit {
        return format!("{size} in {us}, NCCL expects");
    }
    match (state.standing(), published_us(state)) {
        (Standing::Misfit, Some(took)) => format!("{size}: {us}, but it took {}", time(took)),
        (Standing::Misfit, None) => format!("{size}: {us}, which is too good"),
        (Standing::Expected, _) => format!("{size} in {us}, expected"),
        _ => format!("{size} in {us}"),
    }
}

/// Both bandwidths of the chosen size: by the model, or as published where the model does not fit.
pub fn rates(state: &AllReduce) -> String {
    let misfit = state.algorithm == Algorithm::Fit && state.standing() == Standing::Misfit;
    let took = published_us(state).filter(|_| misfit);
    let Some(us) = took.or(state.chosen_us()) else { return String::new() };
    let array = state.bytes() / us / 1e3;
    let (what, bus) = (gb(array), gb(array * bus_factor(state.ranks())));
    if took.is_some() {
        format!("it ran at {what}, bus {bus}")
    } else {
        format!("array {what}, bus bandwidth {bus}")
    }
}

/// The first published time of the chosen size.
fn published_us(state: &AllReduce) -> Option<f64> {
    let here = |m: &super::model::Miss| u32::from(m.exponent) == state.size_exponent;
    state.misses().into_iter().find(here).map(|m| m.time_us)
}

/// The sentence.
pub fn sentence(state: &AllReduce) -> String {
    let what = format!("All-reduce of {} over {}", bytes(state.bytes()), who(state));
    let Some(us) = state.chosen_us() else {
        return format!("{what}: {UNKNOWN}. {}", unknown(state));
    };
    let kind = match state.algorithm {
        Algorithm::Fit => "",
        _ => ", as NCCL itself expects it",
    };
    let mut text = format!("{what}: {}{kind}.", time(us));
    text.push_str(&pace(state, us));
    text.push_str(&published(state));
    text.push_str(&yours(state));
    text
}

fn unknown(state: &AllReduce) -> String {
    if state.algorithm != Algorithm::Fit {
        return "Nothing in these machines adds on the way: NVLS needs a switch that does.".into();
    }
    let from = bytes(state.from_bytes());
    let expected = state.time_us(Algorithm::Nvls, state.bytes());
    let expected =
        expected.map_or(String::new(), |us| format!(" NCCL's own tables say {} for NVLS.", time(us)));
    format!("The fit begins at {from}.{expected}")
}

/// What sets the pace: phases, or the two bandwidths.
fn pace(state: &AllReduce, us: f64) -> String {
    if state.algorithm == Algorithm::Fit
        && let Some(phases) = state.phases(state.bytes())
    {
        let (inside, across) = (time(phases.inside_us), time(phases.across_us));
        let word = state.machine().domain.0;
        if state.summed {
            return format!(" Added up: {inside} inside each {word}, then {across} across.");
        }
        let slower = if phases.inside_us >= phases.across_us { "the inside" } else { "the network" };
        return format!(
            " Inside each {word} {inside}, across {across}, both at once: {slower} sets the pace."
        );
    }
    let array = state.bytes() / us / 1e3;
    let factor = bus_factor(state.ranks());
    format!(
        " Your array moves at {}; times {} that is a bus bandwidth of {}.",
        gb(array),
        number(factor),
        gb(array * factor)
    )
}

fn published(state: &AllReduce) -> String {
    let here: Vec<_> =
        state.misses().into_iter().filter(|m| u32::from(m.exponent) == state.size_exponent).collect();
    let misfit = state.algorithm == Algorithm::Fit && state.standing() == Standing::Misfit;
    let mut text = String::new();
    for (index, miss) in here.iter().enumerate() {
        let verdict = if misfit {
            format!("{} times as long", number(miss.ratio.unwrap_or(1.0)))
        } else {
            format!("the model is {}", miss.off().map_or_else(String::new, off))
        };
        text.push_str(if index == 0 { " Published: " } else { "; " });
        text.push_str(&format!("{} ({}), {verdict}", time(miss.time_us), miss.source));
    }
    if !here.is_empty() {
        text.push('.');
    }
    if misfit {
        text.push_str(" The model does not fit here.");
    }
    text
}

fn yours(state: &AllReduce) -> String {
    let own = &state.yours;
    let Some((at, us)) = own.near(state.bytes()) else { return String::new() };
    let hosts = if own.hosts > 1.0 { format!(" on {} hosts", number(own.hosts)) } else { String::new() };
    format!(" {}, {} GPUs{hosts}: {} for {}.", own.label, number(own.ranks), time(us), bytes(at))
}

/// Where the curve comes from and what it is worth.
pub fn note(state: &AllReduce) -> String {
    let machine = state.machine();
    if state.algorithm != Algorithm::Fit {
        return "The latencies and rates are those with which NCCL 2.30.7 chooses an algorithm. They are constants of its authors, not measurements of your machine.".into();
    }
    let worth = match state.standing() {
        _ if state.summed && state.phases(1.0).is_some() => {
            "An older rule adds the phases, as if the network waited until the inside is done. NCCL works in chunks, and both go on at once."
        }
        Standing::Fitted if state.machine == 1 && state.view == View::Bus && state.gpus == 8 => {
            "Bus bandwidth above the 450 GB/s of a GPU's links is no error: each GPU sends its array once and the switch adds, while the formula still counts a ring."
        }
        Standing::Fitted => "",
        Standing::Checked => {
            "Over several domains the slower phase sets the pace, at 0.9 of its rate. That 0.9 was chosen on the published runs of 8 GiB: a fit, no prediction."
        }
        Standing::Expected => "Expected: nobody published such a run.",
        Standing::Misfit => {
            "Grey, because it is wrong: from 20 racks on, something limits the run that is in no phase here. Routes that collide, stragglers, another algorithm: the log does not say."
        }
    };
    format!("{} {worth}", machine.about).trim_end().to_owned()
}

/// The key numbers.
pub fn counters(state: &AllReduce) -> Vec<Counter> {
    let us = state.chosen_us();
    let array = us.map(|us| state.bytes() / us / 1e3);
    let factor = bus_factor(state.ranks());
    let told = |v: Option<f64>, say: fn(f64) -> String| v.map_or_else(|| UNKNOWN.to_owned(), say);
    vec![
        Counter::new("Time, by the model", told(us, time)),
        Counter::new("Array, size ÷ time", told(array, gb)),
        Counter::new("Bus bandwidth", told(array.map(|a| a * factor), gb)),
        Counter::new("Factor 2(n−1)/n", number(factor)),
        Counter::new("Median miss from 1 MiB", state.median_miss().map_or("–".into(), percent)),
    ]
}

/// All sizes, with what was published.
pub fn table(state: &AllReduce) -> DataTable {
    let mut table = DataTable::new(&[
        "size",
        "model",
        "array",
        "bus bandwidth",
        "ring, NCCL expects",
        "tree, NCCL expects",
        "NVLS, NCCL expects",
        "published",
        "by",
        "published ÷ model",
        "yours",
    ]);
    let misses = state.misses();
    let factor = bus_factor(state.ranks());
    let or_dash = |us: Option<f64>| us.map_or("–".to_owned(), time);
    for exponent in SIZES.0..=SIZES.1 {
        let size = bytes_of(exponent);
        let model = state.time_us(state.algorithm, size);
        let array = model.map(|us| size / us / 1e3);
        let here: Vec<_> = misses.iter().filter(|m| u32::from(m.exponent) == exponent).collect();
        let join = |say: fn(&&&super::model::Miss) -> String| {
            here.iter().map(|m| say(&m)).collect::<Vec<_>>().join("; ")
        };
        table.row([
            bytes(size),
            model.map_or_else(|| UNKNOWN.to_owned(), time),
            array.map_or("–".into(), gb),
            array.map_or("–".into(), |a| gb(a * factor)),
            or_dash(state.time_us(Algorithm::Ring, size)),
            or_dash(state.time_us(Algorithm::Tree, size)),
            or_dash(state.time_us(Algorithm::Nvls, size)),
            join(|m| time(m.time_us)),
            join(|m| m.source.to_owned()),
            join(|m| m.ratio.map_or("–".into(), number)),
            or_dash(state.yours.near(size).map(|(_, us)| us)),
        ]);
    }
    table
}
