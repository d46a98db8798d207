//! Which of how many ranks this process is, as its launcher says.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Most ranks: sums of more would not be exact, and nobody has tried.
pub const MOST_RANKS: u32 = 4096;

/// One process among several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// From 0.
    pub rank: u32,
    /// Ranks in all, two or more.
    pub ranks: u32,
    /// Rank among those of this host, where the launcher tells.
    pub local: Option<u32>,
    /// Who started it: `torchrun`, `mpirun` or `srun`.
    pub launcher: String,
    /// Where the ranks meet.
    pub meeting: Meeting,
}

/// Where rank 0 waits for the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meeting {
    /// At this address, "host:port".
    Address(String),
    /// At the address that rank 0 writes into this file, which all ranks see.
    File(PathBuf),
}

/// Why there is no seat although there are several ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatError {
    /// The launcher's numbers make no sense.
    #[error("{launcher} says rank {rank} of {ranks}; at most {MOST_RANKS} ranks, counted from 0, are taken")]
    Numbers {
        /// Who started it.
        launcher: &'static str,
        /// What it says.
        rank: u32,
        /// What it says.
        ranks: u32,
    },
    /// Nobody says where to meet.
    #[error("there are {ranks} ranks and no place for them to meet")]
    NoMeeting {
        /// Ranks in all.
        ranks: u32,
    },
}

/// Variables of one launcher: rank, ranks, rank on the host.
struct Launcher {
    name: &'static str,
    rank: &'static str,
    ranks: &'static str,
    local: &'static str,
}

/// The nearest launcher first: torchrun may run below mpirun or srun, mpirun below srun. Slurm sets the number
/// of a job's tasks in batch scripts as well, where only one process runs; that of a step only below srun.
const LAUNCHERS: [Launcher; 5] = [
    Launcher { name: "torchrun", rank: "RANK", ranks: "WORLD_SIZE", local: "LOCAL_RANK" },
    Launcher {
        name: "mpirun",
        rank: "OMPI_COMM_WORLD_RANK",
        ranks: "OMPI_COMM_WORLD_SIZE",
        local: "OMPI_COMM_WORLD_LOCAL_RANK",
    },
    Launcher { name: "mpirun", rank: "PMI_RANK", ranks: "PMI_SIZE", local: "MPI_LOCALRANKID" },
    Launcher { name: "srun", rank: "SLURM_PROCID", ranks: "SLURM_STEP_NUM_TASKS", local: "SLURM_LOCALID" },
    Launcher { name: "srun", rank: "SLURM_PROCID", ranks: "SLURM_NTASKS", local: "SLURM_LOCALID" },
];

/// Rank and number of ranks, if there are several.
pub fn ranks(variable: &dyn Fn(&str) -> Option<String>) -> Option<(u32, u32)> {
    launched(variable).map(|(_, rank, ranks)| (rank, ranks))
}

/// The seat of this process; `None` when it is alone. `rendezvous` is what the user gave: a path, which has a
/// slash, or "host:port".
///
/// # Errors
/// There are several ranks, but no seat can be had.
pub fn of(
    variable: &dyn Fn(&str) -> Option<String>,
    rendezvous: Option<&str>,
) -> Result<Option<Seat>, SeatError> {
    let Some((launcher, rank, ranks)) = launched(variable) else { return Ok(None) };
    if rank >= ranks || ranks > MOST_RANKS {
        return Err(SeatError::Numbers { launcher: launcher.name, rank, ranks });
    }
    let meeting = match rendezvous {
        Some(path) if path.contains('/') => Meeting::File(path.into()),
        Some(address) => Meeting::Address(address.into()),
        None => Meeting::Address(master(variable).ok_or(SeatError::NoMeeting { ranks })?),
    };
    let local = number(variable, launcher.local);
    Ok(Some(Seat { rank, ranks, local, launcher: launcher.name.into(), meeting }))
}

fn launched(variable: &dyn Fn(&str) -> Option<String>) -> Option<(&'static Launcher, u32, u32)> {
    let step = number(variable, "SLURM_STEP_ID").or_else(|| number(variable, "SLURM_STEPID"));
    LAUNCHERS.iter().find_map(|launcher| {
        let (rank, ranks) = (number(variable, launcher.rank)?, number(variable, launcher.ranks)?);
        let in_step = launcher.name != "srun" || step.is_some();
        (ranks > 1 && in_step).then_some((launcher, rank, ranks))
    })
}

/// One port above `MASTER_PORT`: torchrun's own store listens at that one.
fn master(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let host = variable("MASTER_ADDR").filter(|host| !host.is_empty())?;
    let port: u16 = variable("MASTER_PORT")?.trim().parse().ok()?;
    let port = port.checked_add(1).unwrap_or(port - 1);
    // Addresses of version 6 have colons of their own.
    Some(if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") })
}

fn number(variable: &dyn Fn(&str) -> Option<String>, name: &str) -> Option<u32> {
    variable(name)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(variables: &[(&str, &str)], rendezvous: Option<&str>) -> Result<Option<Seat>, SeatError> {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        of(&find, rendezvous)
    }

    fn met(variables: &[(&str, &str)]) -> Seat {
        seat(variables, Some("/shared/meet")).expect("sense").expect("several ranks")
    }

    #[test]
    fn torchrun_says_where_to_meet() {
        let torchrun = [
            ("RANK", "5"),
            ("WORLD_SIZE", "8"),
            ("LOCAL_RANK", "1"),
            ("MASTER_ADDR", "10.0.0.1"),
            ("MASTER_PORT", "29500"),
        ];
        let found = seat(&torchrun, None).expect("sense").expect("several ranks");
        assert_eq!((found.rank, found.ranks, found.local), (5, 8, Some(1)));
        assert_eq!(found.meeting, Meeting::Address("10.0.0.1:29501".into()));
        let six = [("RANK", "0"), ("WORLD_SIZE", "2"), ("MASTER_ADDR", "fe80::1"), ("MASTER_PORT", "65535")];
        let found = seat(&six, None).expect("sense").expect("several ranks");
        assert_eq!(found.meeting, Meeting::Address("[fe80::1]:65534".into()));
    }

    #[test]
    fn mpirun_and_srun_are_known() {
        let open = [
            ("OMPI_COMM_WORLD_RANK", "1"),
            ("OMPI_COMM_WORLD_SIZE", "2"),
            ("OMPI_COMM_WORLD_LOCAL_RANK", "1"),
        ];
        assert_eq!((met(&open).rank, met(&open).launcher.as_str()), (1, "mpirun"));
        assert_eq!(met(&[("PMI_RANK", "3"), ("PMI_SIZE", "4")]).local, None);
        let srun = [
            ("SLURM_PROCID", "71"),
            ("SLURM_STEP_NUM_TASKS", "72"),
            ("SLURM_NTASKS", "80"),
            ("SLURM_LOCALID", "3"),
            ("SLURM_STEP_ID", "0"),
        ];
        assert_eq!((met(&srun).rank, met(&srun).ranks, met(&srun).local), (71, 72, Some(3)));
        assert_eq!(met(&srun).meeting, Meeting::File("/shared/meet".into()));
    }

    #[test]
    fn the_nearest_launcher_counts() {
        let both = [("RANK", "1"), ("WORLD_SIZE", "2"), ("SLURM_PROCID", "0"), ("SLURM_NTASKS", "16")];
        assert_eq!((met(&both).rank, met(&both).ranks), (1, 2));
    }

    #[test]
    fn a_batch_script_and_a_single_rank_are_alone() {
        assert_eq!(seat(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "8")], None), Ok(None));
        assert_eq!(seat(&[("RANK", "0"), ("WORLD_SIZE", "1")], None), Ok(None));
        assert_eq!(seat(&[("RANK", "x"), ("WORLD_SIZE", "2")], None), Ok(None));
        assert_eq!(seat(&[], None), Ok(None));
    }

    #[test]
    fn nonsense_and_no_place_to_meet_are_told() {
        let seat = |rank: &str, ranks: &str| seat(&[("RANK", rank), ("WORLD_SIZE", ranks)], None);
        assert_eq!(seat("0", "2"), Err(SeatError::NoMeeting { ranks: 2 }));
        let wrong = SeatError::Numbers { launcher: "torchrun", rank: 2, ranks: 2 };
        assert_eq!(seat("2", "2"), Err(wrong));
        assert!(matches!(seat("0", "100000"), Err(SeatError::Numbers { .. })));
    }
}
