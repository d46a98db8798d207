//! `drills rack platform`: how coherent CPU and GPU are, and who hands out GPU memory.

use drills_results::{Measurement, Reason, Status};

use super::{fact, known, not_told, on_gpu, skip, topology, unit_of, untold};
use crate::gpu::facts::{self, Answer, GpuFacts};
use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::host::memory_mode::{self, Mode};
use crate::measure::methods;
use crate::memory::info;
use crate::run::{self, Context, Sink};

/// Attributes, their test, the class that follows; then what NVML and the kernel tell.
pub fn run(ctx: &Context, sink: &Sink) {
    info::base_page(ctx, sink);
    let unasked = |step: &Step| step.keys().iter().all(|(key, ..)| known(sink, key).is_none());
    let steps: Vec<Step> = [Step::Attributes, Step::DirectManaged].into_iter().filter(unasked).collect();
    on_gpu(ctx, sink, &steps, job::With::default());
    // Alone in its process: where it fails, nothing else can be done with that context.
    if unasked(&Step::MallocRead) && !sink.stopped() {
        on_gpu(ctx, sink, &[Step::MallocRead], job::With::default());
    }
    if sink.stopped() {
        return;
    }
    if let (Some(implied), Some(tested)) = (known(sink, "gpu.coherence"), known(sink, "gpu.malloc_read")) {
        sink.push(class(&implied, &tested));
    }
    memory_mode(ctx, sink);
    nvml(ctx, sink);
}

const CLASSES: [&str; 4] = [
    "a kernel reaches CUDA's memory only",
    "managed memory moves on demand",
    "HMM: any memory of the process, by faults",
    "ATS: any memory, through the CPU's page tables",
];

/// The class that attributes imply, unless the kernel that tried it says otherwise.
fn class(implied: &Measurement, tested: &Measurement) -> Measurement {
    const KEY: &str = "coherence.class";
    let Some(attributes) = implied.value else {
        let (unit, reason) = (unit_of(KEY), implied.reason.clone());
        let skipped = Measurement::skipped(KEY, unit, methods::COHERENCE_CLASS, not_told());
        return Measurement { status: implied.status, reason, ..skipped };
    };
    let by_attributes = (attributes as usize).min(3);
    let reads = tested.value.is_some_and(|value| value == 1.0) && tested.verified != Some(false);
    let (class, trouble) = match (by_attributes, reads, tested.status) {
        (0 | 1, ..) | (_, true, _) => (by_attributes, None),
        (_, _, Status::Skipped) => {
            let why = tested.reason.as_ref().map_or("", |reason| reason.text.as_str());
            (by_attributes, Some(("not-tested", format!("The attributes say so; no kernel tried it. {why}"))))
        }
        _ => {
            let text =
                format!("By its attributes this is \"{}\", but a kernel failed.", CLASSES[by_attributes]);
            (1, Some(("test-disagrees", text)))
        }
    };
    let m = fact(KEY, class as f64, methods::COHERENCE_CLASS).param("state", CLASSES[class]);
    match trouble {
        None => m,
        Some((code, text)) => {
            let reason = Reason::new(code, text.trim_end(), "Check the kernel log for Xid messages.");
            Measurement { status: Status::Unstable, reason: Some(reason), ..m }
        }
    }
}

fn memory_mode(ctx: &Context, sink: &Sink) {
    const KEY: &str = "coherence.memory_mode";
    let Some(mode) = memory_mode::read(&ctx.root, &topology(ctx, sink)) else {
        return skip(sink, KEY, methods::MEMORY_MODE, &not_told());
    };
    let value = match mode {
        Mode::NotCoherent | Mode::OneMemory => 0.0,
        Mode::Numa => 1.0,
        Mode::Driver => 2.0,
    };
    let mut m = fact(KEY, value, methods::MEMORY_MODE).param("state", mode.text());
    // What was asked for, which is not what there is: the default changed with driver R615.
    for (param, name) in
        [("asked_for", "CoherentGPUMemoryMode"), ("user_numa_management", "EnableUserNUMAManagement")]
    {
        if let Some(value) = memory_mode::parameter(&ctx.root, name) {
            m = m.param(param, if value.is_empty() { "nothing".to_owned() } else { value });
        }
    }
    sink.push(m);
}

const NVML_KEYS: [&str; 4] = ["c2c.links", "c2c.link_rate", "gpu.mig", "gpu.virtualisation"];

fn nvml(ctx: &Context, sink: &Sink) {
    if !ctx.is_live() {
        NVML_KEYS.iter().for_each(|key| skip(sink, key, methods::NVML_READ, &run::recorded_root()));
        return;
    }
    match facts::chosen(ctx, sink) {
        Ok(gpus) => NVML_KEYS.iter().for_each(|key| sink.push(of_gpus(key, &gpus))),
        Err(trouble) => {
            NVML_KEYS.iter().for_each(|key| untold(sink, key, methods::NVML_READ, &trouble));
        }
    }
}

/// One value for all GPUs: of links the fewest and slowest, of states the highest; `state` has them all
/// where they differ.
fn of_gpus(key: &'static str, gpus: &[GpuFacts]) -> Measurement {
    let answers: Vec<Answer<f64>> = gpus.iter().map(|gpu| of_gpu(key, gpu)).collect();
    let values: Vec<f64> = answers.iter().filter_map(|answer| answer.ok()).collect();
    let least = matches!(key, "c2c.links" | "c2c.link_rate");
    let one = values.iter().copied().reduce(|a, b| if least { a.min(b) } else { a.max(b) });
    let Some(value) = one else {
        let code = answers.into_iter().find_map(Result::err).unwrap_or(0);
        return facts::unanswered(key, unit_of(key), code);
    };
    let mut m = fact(key, value, methods::NVML_READ).param("gpus", values.len() as u64);
    if values.iter().any(|other| *other != value) {
        let each: Vec<String> = values.iter().map(f64::to_string).collect();
        m = m.param("state", format!("GPUs differ: {}", each.join(", ")));
    } else if let (true, Ok(c2c)) = (key == "c2c.links", &gpus[0].c2c)
        && c2c.active < c2c.present
    {
        m = m.param("state", format!("{} of {} are up", c2c.active, c2c.present));
    }
    m
}

fn of_gpu(key: &str, gpu: &GpuFacts) -> Answer<f64> {
    match key {
        "c2c.links" => gpu.c2c.as_ref().map(|c2c| f64::from(c2c.active)).map_err(|code| *code),
        // NVML's code for what a GPU does not have.
        "c2c.link_rate" => gpu.c2c.as_ref().map_err(|code| *code)?.bytes_per_s.ok_or(3),
        "gpu.mig" => gpu.mig.map(f64::from),
        _ => gpu.virtualisation.map(f64::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::facts::C2c;
    use drills_results::Unit;

    fn measured(key: &str, value: f64) -> Measurement {
        Measurement::ok(key, Unit::Count, value, "m")
    }

    fn skipped(text: &str) -> Measurement {
        Measurement::skipped("gpu.malloc_read", Unit::Count, "m", Reason::new("meaningless-here", text, ""))
    }

    #[test]
    fn attributes_and_their_test_give_a_class() {
        let of = |attributes: f64, tested: Measurement| {
            let m = class(&measured("gpu.coherence", attributes), &tested);
            (m.value, m.status, m.reason.map(|reason| reason.code))
        };
        let read = || measured("gpu.malloc_read", 1.0);
        assert_eq!(of(3.0, read()), (Some(3.0), Status::Ok, None));
        assert_eq!(of(2.0, read()), (Some(2.0), Status::Ok, None));
        assert_eq!(of(1.0, skipped("no")), (Some(1.0), Status::Ok, None), "the H200 of the course");
        assert_eq!(of(0.0, skipped("no")), (Some(0.0), Status::Ok, None));
        let failed = measured("gpu.malloc_read", 0.0);
        assert_eq!(of(3.0, failed), (Some(1.0), Status::Unstable, Some("test-disagrees".into())));
        let untested = of(3.0, skipped("no kernels"));
        assert_eq!(untested, (Some(3.0), Status::Unstable, Some("not-tested".into())));
        let wrong = Measurement { verified: Some(false), ..read() };
        assert_eq!(of(3.0, wrong).0, Some(1.0), "wrong data is no success");
    }

    #[test]
    fn without_attributes_there_is_no_class_but_a_reason() {
        let m = class(&skipped("No driver."), &skipped("No driver."));
        assert_eq!((m.status, m.reason.map(|r| r.text)), (Status::Skipped, Some("No driver.".into())));
    }

    #[test]
    fn the_gpu_with_the_fewest_links_counts() {
        let gpu = |active| GpuFacts {
            index: 0,
            address: String::new(),
            uuid: None,
            mig: Ok(false),
            virtualisation: Err(3),
            persistent: Ok(true),
            c2c: Ok(C2c { present: 5, active, bytes_per_s: Some(44.712e9) }),
            fabric: Err(3),
        };
        let links = of_gpus("c2c.links", &[gpu(5), gpu(4), gpu(5)]);
        assert_eq!((links.value, links.params["state"].clone()), (Some(4.0), "GPUs differ: 5, 4, 5".into()));
        let one = of_gpus("c2c.links", &[gpu(4)]);
        assert_eq!(one.params["state"], "4 of 5 are up".into());
        assert_eq!(of_gpus("c2c.link_rate", &[gpu(5)]).value, Some(44.712e9));
        assert_eq!(of_gpus("gpu.virtualisation", &[gpu(5)]).status, Status::Skipped);
        assert_eq!(of_gpus("gpu.mig", &[gpu(5)]).value, Some(0.0));
    }
}
