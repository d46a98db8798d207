//! Sums over all GPUs of a host or a job by NCCL, timed as nccl-tests does.

use std::collections::BTreeSet;
use std::time::Duration;

use drills_results::Measurement;
use serde::{Deserialize, Serialize};

use super::curves::Curves;
use super::gang::{self, Band, Player};
use super::nccl::{Nccl, UniqueId};
use super::{Outcome, library};
use crate::gpu::child;
use crate::gpu::protocol::Gang;
use crate::gpu::trouble::Trouble;
use crate::measure::clock::now_ns;
use crate::measure::noise::Watch;
use crate::rack::allreduce::plan::{self, Plan, Turn};
use crate::rack::allreduce::team::{Team, TeamError};
use crate::rack::allreduce::{NVLS_VARIABLE, meeting};

/// Ranks of a large job start minutes apart.
const MEET: Duration = Duration::from_secs(180);
/// Making communicators: seconds on one host, more over many.
const JOIN: Duration = Duration::from_secs(180);
/// One size: at most a few seconds of samples, and as much again for slower calls than expected.
const TURN: Duration = Duration::from_secs(90);
/// Calls before the samples of a size.
const WARM_UP: u32 = 3;
/// What is summed to bring the ranks in step.
const IN_STEP: u64 = plan::SMALLEST;

/// What rank 0 wants to know of each.
#[derive(Debug, Serialize, Deserialize)]
struct Introduction {
    /// The kernel's own name for this boot: the same for all ranks of a host, and never written anywhere.
    host: String,
    /// PCI address of the GPU, to find two ranks on one.
    gpu: String,
    /// Version of NCCL.
    nccl: String,
    /// Bytes that each buffer may take.
    room: u64,
}

/// What rank 0 says then.
#[derive(Debug, Serialize, Deserialize)]
enum Start {
    /// The communicator's name, in hexadecimal digits, and the size of the buffers.
    Go { id: String, room: u64 },
    /// Why nothing is measured.
    Stop(String),
}

/// What each rank has at the end of a turn.
#[derive(Debug, Serialize, Deserialize)]
struct Played {
    call_s: Vec<f64>,
    wrong: u64,
}

/// Takes part; at rank 0, or alone, hands the results to the parent.
pub(in crate::gpu) fn take(gang: &Gang) -> Outcome<()> {
    child::working("opening the GPUs", JOIN);
    let ordinals = gang::ordinals(gang)?;
    let nccl = Nccl::load(gang.library.as_deref())?;
    let players = ordinals.iter().map(|ordinal| Player::ready(*ordinal)).collect::<Outcome<Vec<_>>>()?;
    let players: &'static [Player] = players.leak();
    if let [only] = players
        && gang.seat.is_none()
        && only.is_integrated()
    {
        return Err(Trouble::OneGpu);
    }
    let (mut team, hosts, band, room) = match &gang.seat {
        None => alone(nccl, players)?,
        Some(_) => join(gang, nccl, players)?,
    };
    let outcome = play(gang, &mut team, hosts, &band, room);
    // Buffers too: a rank that gave up may still have a sum in flight.
    std::mem::forget(band);
    outcome
}

type Ready = (Team, usize, Band, u64);

fn alone(nccl: Nccl, players: &'static [Player]) -> Outcome<Ready> {
    let rooms = players.iter().map(Player::room).collect::<Outcome<Vec<_>>>()?;
    let room = largest_buffer(rooms.into_iter().min().unwrap_or(0))?;
    child::working("making communicators", JOIN);
    let mut band = Band::alone(nccl, players)?;
    band.fill(room)?;
    Ok((Team::Alone, 1, band, room))
}

fn join(gang: &Gang, nccl: Nccl, players: &'static [Player]) -> Outcome<Ready> {
    let (Some(seat), Some(player)) = (&gang.seat, players.first()) else { return Err(Trouble::OneGpu) };
    child::working("waiting for the other ranks", MEET + TURN);
    let mut team = meeting::meet(seat, MEET, MEET).map_err(apart)?;
    let own = Introduction {
        host: std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default(),
        gpu: library::address_of(player.ordinal)?,
        nccl: nccl.version.clone(),
        room: player.room()?,
    };
    let all = team.gather(own).map_err(apart)?;
    let id = if team.leads() { Some(nccl.unique_id()?) } else { None };
    let start = team.tell(|| start(&all, id)).map_err(apart)?;
    let (id, room) = match start {
        Start::Go { id, room } => (id_of(&id)?, room),
        Start::Stop(why) => return Err(Trouble::NoSeat(why)),
    };
    child::working("making a communicator", JOIN);
    let mut band = Band::joined(nccl, players, id, seat.rank, seat.ranks)?;
    band.fill(room)?;
    let hosts: BTreeSet<&str> = all.iter().map(|rank| rank.host.as_str()).collect();
    Ok((team, hosts.len(), band, room))
}

/// Whether all ranks fit together, and with how large buffers.
fn start(all: &[Introduction], id: Option<UniqueId>) -> Start {
    let mut seen = BTreeSet::new();
    let twice = all.iter().position(|rank| !seen.insert((&rank.host, &rank.gpu)));
    let versions: BTreeSet<&str> = all.iter().map(|rank| rank.nccl.as_str()).collect();
    let room = largest_buffer(all.iter().map(|rank| rank.room).min().unwrap_or(0));
    match (twice, id, room) {
        (Some(rank), _, _) => Start::Stop(format!("rank {rank} has the same GPU as a lower rank")),
        _ if versions.len() > 1 => {
            let versions = versions.into_iter().collect::<Vec<_>>().join(" and ");
            Start::Stop(format!("the ranks have NCCL {versions}"))
        }
        (None, Some(id), Ok(room)) => {
            Start::Go { id: id.bytes.iter().map(|byte| format!("{byte:02x}")).collect(), room }
        }
        (None, _, _) => Start::Stop("a rank has too little free GPU memory".into()),
    }
}

fn id_of(text: &str) -> Outcome<UniqueId> {
    let mut id = UniqueId { bytes: [0; 128] };
    let digits = |at: usize| text.get(2 * at..2 * at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    for (at, byte) in id.bytes.iter_mut().enumerate() {
        *byte = digits(at).ok_or_else(|| Trouble::NoSeat("rank 0 sent no communicator".into()))?;
    }
    Ok(id)
}

/// A power of two, since sizes are.
fn largest_buffer(room: u64) -> Outcome<u64> {
    if room < 1 << 20 {
        return Err(Trouble::NoRoom { bytes: room });
    }
    Ok((1 << room.ilog2()).min(8 << 30))
}

/// All turns; then, at rank 0 or alone, the measurements.
fn play(gang: &Gang, team: &mut Team, hosts: usize, band: &Band, room: u64) -> Outcome<()> {
    let watch = Watch::start();
    let mut plan = Plan::new(gang.effort, room);
    let mut curves = Curves::of(band.ranks());
    while let Some(turn) = team.tell(|| plan.next_turn()).map_err(apart)? {
        child::working(&format!("all-reduce of {} bytes", turn.bytes), TURN);
        let own = one(band, turn)?;
        let all = team.gather(own).map_err(apart)?;
        if team.leads() {
            let wrong = all.iter().map(|rank| rank.wrong).sum();
            let slowest = plan::slowest(&all.into_iter().map(|rank| rank.call_s).collect::<Vec<_>>());
            plan.measured(turn, curves.add(turn, &slowest, wrong));
        }
    }
    if team.leads() {
        for m in curves.measurements(hosts) {
            child::measured(watch.judge(described(gang, band, hosts, m)));
        }
    }
    Ok(())
}

/// One turn on the GPUs of this process.
fn one(band: &Band, turn: Turn) -> Outcome<Played> {
    band.queue(turn.bytes, WARM_UP)?;
    band.idle()?;
    let mut call_s = Vec::new();
    for _ in 0..turn.samples {
        // No rank leaves this sum before the last one has come.
        band.queue(IN_STEP, 1)?;
        band.idle()?;
        let start = now_ns();
        band.queue(turn.bytes, turn.calls)?;
        band.idle()?;
        call_s.push((now_ns() - start) as f64 * 1e-9 / f64::from(turn.calls));
    }
    Ok(Played { call_s, wrong: band.wrong(turn.bytes)? })
}

/// The measurement with what every one of them says.
fn described(gang: &Gang, band: &Band, hosts: usize, m: Measurement) -> Measurement {
    let nvls = std::env::var(NVLS_VARIABLE).unwrap_or_default();
    let launcher = gang.seat.as_ref().map_or("one process", |seat| seat.launcher.as_str());
    m.param("ranks", u64::from(band.ranks()))
        .param("hosts", hosts as u64)
        .param("gpu", band.gpu())
        .param("nccl", band.version())
        .param("nccl_nvls_enable", nvls)
        .param("launcher", launcher)
}

fn apart(error: TeamError) -> Trouble {
    Trouble::NoTeam(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(host: &str, gpu: &str, nccl: &str, room: u64) -> Introduction {
        Introduction { host: host.into(), gpu: gpu.into(), nccl: nccl.into(), room }
    }

    fn stopped(all: &[Introduction]) -> Option<String> {
        match start(all, Some(UniqueId { bytes: [7; 128] })) {
            Start::Stop(why) => Some(why),
            Start::Go { .. } => None,
        }
    }

    #[test]
    fn the_smallest_room_counts_and_an_id_survives_the_way() {
        let all = [rank("a", "0", "2.27.7", 9 << 30), rank("b", "0", "2.27.7", 3 << 30)];
        let mut id = UniqueId { bytes: [0; 128] };
        id.bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte = at as u8 + 100);
        let Start::Go { id: text, room } = start(&all, Some(id)) else { panic!("they fit") };
        assert_eq!(room, 2 << 30);
        assert_eq!(id_of(&text).expect("an id").bytes, id.bytes);
        assert!(id_of("00ff").is_err() && id_of("").is_err());
    }

    #[test]
    fn ranks_that_do_not_fit_are_told_why() {
        let good = || rank("a", "0000:17:00.0", "2.27.7", 1 << 30);
        let twice = stopped(&[good(), rank("b", "0000:17:00.0", "2.27.7", 1 << 30), good()]);
        assert_eq!(twice.as_deref(), Some("rank 2 has the same GPU as a lower rank"));
        let versions = stopped(&[good(), rank("b", "0", "2.26.2", 1 << 30)]);
        assert_eq!(versions.as_deref(), Some("the ranks have NCCL 2.26.2 and 2.27.7"));
        assert!(stopped(&[good(), rank("b", "0", "2.27.7", 1000)]).is_some());
    }
}
