//! `drills rack fabric`: has the GPU joined, is IMEX there, and does a fabric handle work from here.

use drills_results::{Measurement, Reason};

use super::{fact, on_gpu, skip, unit_of, untold};
use crate::gpu::facts::{self, Fabric, GpuFacts};
use crate::gpu::job;
use crate::gpu::protocol::Step;
use crate::host::imex::{self, Imex};
use crate::measure::methods;
use crate::run::{self, Context, Sink};

const NVML_KEYS: [&str; 2] = ["fabric.state", "fabric.clique_gpus"];
/// State of a GPU that has registered.
const COMPLETED: u8 = 3;

/// What NVML says, what the host has, what the driver does.
pub fn run(ctx: &Context, sink: &Sink) {
    if !ctx.is_live() {
        NVML_KEYS.iter().for_each(|key| skip(sink, key, methods::NVML_READ, &run::recorded_root()));
    } else {
        match facts::chosen(ctx, sink) {
            Ok(gpus) => joined(&gpus, ctx.names, sink),
            Err(trouble) => {
                NVML_KEYS.iter().for_each(|key| untold(sink, key, methods::NVML_READ, &trouble));
            }
        }
    }
    imex(ctx, sink);
    if !sink.stopped() {
        on_gpu(ctx, sink, &[Step::Fabric], job::With::default());
    }
}

fn joined(gpus: &[GpuFacts], names: bool, sink: &Sink) {
    let told: Vec<&Fabric> = gpus.iter().filter_map(|gpu| gpu.fabric.as_ref().ok()).collect();
    // The GPU that is behind the others is the one to look at.
    let Some(worst) = told.iter().min_by_key(|fabric| fabric.state) else {
        let code = gpus.iter().find_map(|gpu| gpu.fabric.as_ref().err().copied()).unwrap_or(0);
        NVML_KEYS.iter().for_each(|key| sink.push(facts::unanswered(key, unit_of(key), code)));
        return;
    };
    let state = fact("fabric.state", f64::from(worst.state), methods::NVML_READ)
        .param("gpus", told.len() as u64)
        .param("state", words(worst));
    sink.push(with_health(state, worst));
    let (size, clique) = largest_clique(&told);
    let mut m = fact("fabric.clique_gpus", size as f64, methods::NVML_READ);
    if let Some(fabric) = clique {
        m = m.param("clique", u64::from(fabric.clique)).param("state", cluster(fabric));
        if names {
            m = m.param("cluster_uuid", uuid(&fabric.cluster));
        }
    }
    sink.push(m);
}

fn words(fabric: &Fabric) -> String {
    match fabric.state {
        0 => "this GPU is in no fabric".to_owned(),
        1 => "registration has not begun".to_owned(),
        2 => "registration goes on".to_owned(),
        COMPLETED if fabric.status == 0 => "completed, success".to_owned(),
        COMPLETED => format!("completed with NVML error {}", fabric.status),
        other => format!("state {other}, unknown to this program"),
    }
}

/// Conditions that are true, and the summary, as NVML words them.
fn with_health(m: Measurement, fabric: &Fabric) -> Measurement {
    const TRUE: u32 = 1;
    /// First bit of each condition's two.
    const CONDITIONS: [(u32, &str); 4] = [
        (0, "bandwidth degraded"),
        (2, "route recovery in progress"),
        (4, "route unhealthy"),
        (6, "access timeout recovery"),
    ];
    let bad: Vec<&str> = CONDITIONS
        .iter()
        .filter(|(shift, _)| fabric.health_mask >> shift & 0b11 == TRUE)
        .map(|(_, name)| *name)
        .collect();
    let m = if bad.is_empty() { m } else { m.param("conditions", bad.join(", ")) };
    match fabric.health {
        Some(1) => m.param("health", "healthy"),
        Some(2) => m.param("health", "unhealthy"),
        Some(3) => m.param("health", "limited capacity"),
        _ => m,
    }
}

/// Most GPUs that agree in cluster and clique, and one of them. Outside a fabric nobody agrees.
fn largest_clique<'f>(told: &[&'f Fabric]) -> (usize, Option<&'f Fabric>) {
    let in_one = |fabric: &&&Fabric| fabric.state == COMPLETED && fabric.status == 0;
    let members = |one: &Fabric| {
        told.iter().filter(in_one).filter(|f| f.cluster == one.cluster && f.clique == one.clique).count()
    };
    let sizes = told.iter().filter(in_one).map(|fabric| (members(fabric), Some(*fabric)));
    sizes.max_by_key(|(size, _)| *size).unwrap_or((0, None))
}

/// A cluster without a UUID ends at this host: NCCL does not span hosts by it.
fn cluster(fabric: &Fabric) -> &'static str {
    if fabric.cluster == [0; 16] { "a fabric of this host alone" } else { "a multi-node fabric" }
}

fn uuid(bytes: &[u8; 16]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn imex(ctx: &Context, sink: &Sink) {
    let keys = ["fabric.imex_daemon", "fabric.imex_channels"];
    let has_driver = ["proc/driver/nvidia", "dev/nvidiactl"].iter().any(|path| ctx.root.exists(path));
    if !has_driver {
        let reason = Reason::new("no-driver", "This machine has no NVIDIA driver.", "");
        keys.iter().for_each(|key| skip(sink, key, methods::IMEX_PROBE, &reason));
        return;
    }
    let seen = imex::read(&ctx.root);
    let mut daemon = fact(keys[0], f64::from(u8::from(seen.daemon_runs())), methods::IMEX_PROBE)
        .param("state", evidence(&seen));
    if let Some(nodes) = seen.nodes {
        daemon = daemon.param("nodes", nodes as u64);
    }
    sink.push(daemon);
    // Of a recorded machine nobody can say who may open them.
    let usable = seen.channels.iter().filter(|channel| !ctx.is_live() || imex::may_open(**channel)).count();
    let there = seen.channels.len();
    let state = match (there, seen.class_known) {
        (0, true) => "none is made: see NVreg_CreateImexChannel0".to_owned(),
        (0, false) => "none; the kernel does not know the class of device".to_owned(),
        _ => format!("{usable} of {there} may be opened"),
    };
    sink.push(fact(keys[1], usable as f64, methods::IMEX_PROBE).param("state", state));
}

fn evidence(seen: &Imex) -> &'static str {
    match (seen.process, seen.listens, seen.nodes) {
        (true, true, _) => "its process runs and its port listens",
        (true, false, _) => "its process runs, no port of it is seen",
        (false, true, Some(_)) => "its port listens; its process is out of sight",
        (false, false, Some(_)) => "configured, but neither process nor port is seen",
        (false, _, None) => "not configured here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::progress::{Progress, Verbosity};

    fn gpu(state: u8, cluster: u8, clique: u32, health_mask: u32) -> GpuFacts {
        let fabric =
            Fabric { state, status: 0, clique, cluster: [cluster; 16], health_mask, health: Some(1) };
        GpuFacts {
            index: 0,
            address: String::new(),
            uuid: None,
            mig: Err(3),
            virtualisation: Err(3),
            persistent: Err(3),
            c2c: Err(3),
            fabric: Ok(fabric),
        }
    }

    fn pushed(gpus: &[GpuFacts], names: bool) -> Vec<Measurement> {
        let sink = Sink::new(Progress::new(Verbosity::Quiet), std::sync::Arc::default());
        joined(gpus, names, &sink);
        sink.collected().measurements
    }

    #[test]
    fn the_gpu_that_is_behind_gives_the_state_and_the_rest_the_clique() {
        let found =
            pushed(&[gpu(3, 7, 1, 0b10), gpu(3, 7, 1, 0b10), gpu(3, 7, 2, 0b10), gpu(2, 0, 0, 0)], false);
        assert_eq!((found[0].value, found[1].value), (Some(2.0), Some(2.0)));
        assert_eq!(found[1].params["state"], "a multi-node fabric".into());
        assert!(!found[1].params.contains_key("cluster_uuid"), "it names the rack");
        let named = pushed(&[gpu(3, 0xab, 1, 0)], true);
        assert_eq!(named[1].params["cluster_uuid"], "abababab-abab-abab-abab-abababababab".into());
    }

    #[test]
    fn trouble_of_the_fabric_is_named() {
        let found = pushed(&[gpu(3, 7, 1, 0b01_10_01)], false);
        assert_eq!(found[0].params["conditions"], "bandwidth degraded, route unhealthy".into());
        assert_eq!(
            pushed(&[gpu(3, 0, 0, 0)], false)[1].params["state"],
            "a fabric of this host alone".into()
        );
        let none = pushed(&[gpu(0, 0, 0, 0)], false);
        assert_eq!((none[0].value, none[1].value), (Some(0.0), Some(0.0)));
    }
}
