//! How ranks find each other.
//!
//! Rank 0 listens; the others call. Where it listens is known beforehand ([`Meeting::Address`]), or it picks a
//! port and writes that into a file that all of them see ([`Meeting::File`]). Whoever calls says a magic word
//! and, with a file, the token that stands in it, so that no other program and no other run is taken for a rank.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::seat::{Meeting, Seat};
use super::team::{Line, Team, TeamError};

/// First word of every call. The number changes with the format of what is said.
const MAGIC: &str = "drills-allreduce-1";
/// Between two looks for a caller, a file or a listener.
const TICK: Duration = Duration::from_millis(50);
/// A caller has so long to say who it is, and a listener to answer.
const GREETING: Duration = Duration::from_secs(5);

/// What a caller says first.
#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    magic: String,
    token: String,
    rank: u32,
    ranks: u32,
}

/// What it hears.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Welcome { magic: String, token: String },
    Refused(String),
}

/// What stands in the file.
#[derive(Debug, Serialize, Deserialize)]
struct Notice {
    magic: String,
    token: String,
    addresses: Vec<String>,
}

/// Brings the ranks together. Each must say something every `patience` from then on.
///
/// # Errors
/// They do not find each other within `deadline`.
pub fn meet(seat: &Seat, deadline: Duration, patience: Duration) -> Result<Team, TeamError> {
    let until = Instant::now() + deadline;
    let team = match (&seat.meeting, seat.rank) {
        (Meeting::Address(address), 0) => Team::Lead(lead(seat, listen(address)?, "", deadline, until)?),
        (Meeting::File(path), 0) => {
            let listener = listen("any:0")?;
            let notice = Notice::of(&listener);
            let posted = Posted::write(path, &notice)?;
            let lines = lead(seat, listener, &notice.token, deadline, until)?;
            drop(posted);
            Team::Lead(lines)
        }
        _ => Team::Member(call_until(seat, deadline, until)?),
    };
    match &team {
        Team::Lead(lines) => lines.iter().for_each(|line| line.patience(patience)),
        Team::Member(line) => line.patience(patience),
        Team::Alone => {}
    }
    Ok(team)
}

/// Listens at the port of an address, on all interfaces: on rank 0 itself its own name often stands for the
/// loop, which others do not reach.
fn listen(address: &str) -> Result<TcpListener, TeamError> {
    let refused = |e: std::io::Error| TeamError::Place { place: address.into(), why: e.to_string() };
    let port = address.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
    let port = port.ok_or_else(|| refused(std::io::Error::other("HOST:PORT is wanted")))?;
    let all = (Ipv6Addr::UNSPECIFIED, port);
    let listener = TcpListener::bind(all).or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)));
    let listener = listener.map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    Ok(listener)
}

/// Rank 0: a line to each of the others.
fn lead(
    seat: &Seat,
    listener: TcpListener,
    token: &str,
    deadline: Duration,
    until: Instant,
) -> Result<Vec<Line>, TeamError> {
    let mut lines: Vec<Line> = Vec::new();
    while lines.len() + 1 < seat.ranks as usize {
        if Instant::now() > until {
            return Err(TeamError::Missing {
                came: lines.len() + 1,
                ranks: seat.ranks,
                place: place_of(&seat.meeting),
                seconds: deadline.as_secs(),
            });
        }
        match listener.accept() {
            Ok((stream, _)) => lines.extend(greet(stream, seat.ranks, token, &lines)),
            Err(_) => std::thread::sleep(TICK),
        }
    }
    lines.sort_by_key(|line| line.rank);
    Ok(lines)
}

/// A caller becomes a line if it is one of the ranks; anybody else is sent away.
fn greet(stream: TcpStream, ranks: u32, token: &str, known: &[Line]) -> Option<Line> {
    stream.set_nonblocking(false).ok()?;
    stream.set_nodelay(true).ok()?;
    let mut line = Line::new(0, stream);
    line.patience(GREETING);
    let hello: Hello = line.hear().ok()?;
    if hello.magic != MAGIC {
        return None;
    }
    let why = if hello.token != token {
        Some("it is of another run".to_owned())
    } else if hello.ranks != ranks {
        Some(format!("it counts {} ranks and rank 0 counts {ranks}", hello.ranks))
    } else if hello.rank == 0 || hello.rank >= ranks {
        Some(format!("there is no place for a rank {}", hello.rank))
    } else if known.iter().any(|line| line.rank == hello.rank) {
        Some(format!("rank {} is there already", hello.rank))
    } else {
        None
    };
    if let Some(why) = why {
        let _ = line.say(&Answer::Refused(why));
        return None;
    }
    line.say(&Answer::Welcome { magic: MAGIC.into(), token: token.into() }).ok()?;
    line.rank = hello.rank;
    Some(line)
}

/// Another rank: calls until rank 0 answers.
fn call_until(seat: &Seat, deadline: Duration, until: Instant) -> Result<Line, TeamError> {
    loop {
        let why = match call(seat) {
            Ok(line) => return Ok(line),
            // A file from a run before may still lead to that one.
            Err(TeamError::Refused(why)) if matches!(seat.meeting, Meeting::Address(_)) => {
                return Err(TeamError::Refused(why));
            }
            Err(error) => error.to_string(),
        };
        if Instant::now() > until {
            let place = place_of(&seat.meeting);
            return Err(TeamError::NoLead { place, seconds: deadline.as_secs(), why });
        }
        std::thread::sleep(TICK);
    }
}

fn call(seat: &Seat) -> Result<Line, TeamError> {
    let (addresses, token) = match &seat.meeting {
        Meeting::Address(address) => (vec![address.clone()], String::new()),
        Meeting::File(path) => {
            let notice = Notice::read(path)?;
            (notice.addresses, notice.token)
        }
    };
    let mut last = TeamError::Place { place: place_of(&seat.meeting), why: "no address".into() };
    for address in addresses {
        match call_at(&address, &token, seat) {
            Ok(line) => return Ok(line),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn call_at(address: &str, token: &str, seat: &Seat) -> Result<Line, TeamError> {
    let unreachable = |why: String| TeamError::Place { place: address.into(), why };
    let found: Vec<_> = address.to_socket_addrs().map_err(|e| unreachable(e.to_string()))?.collect();
    let mut last = "the name has no address".to_owned();
    for at in found {
        let stream = match TcpStream::connect_timeout(&at, GREETING) {
            Ok(stream) => stream,
            Err(error) => {
                last = error.to_string();
                continue;
            }
        };
        stream.set_nodelay(true).map_err(|e| unreachable(e.to_string()))?;
        let mut line = Line::new(0, stream);
        line.patience(GREETING);
        let (rank, ranks) = (seat.rank, seat.ranks);
        line.say(&Hello { magic: MAGIC.into(), token: token.into(), rank, ranks })?;
        return match line.hear()? {
            Answer::Welcome { magic, token: heard } if magic == MAGIC && heard == token => Ok(line),
            Answer::Welcome { .. } => Err(unreachable("somebody else answered".into())),
            Answer::Refused(why) => Err(TeamError::Refused(why)),
        };
    }
    Err(unreachable(last))
}

impl Notice {
    /// Where this host can be reached: its address towards other hosts, its name, and for ranks on the same
    /// host the loop.
    fn of(listener: &TcpListener) -> Self {
        let port = listener.local_addr().map_or(0, |address| address.port());
        let mut hosts = Vec::new();
        // Connecting a datagram socket sends nothing; it only shows which address would be used.
        let outward = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
            socket.connect("192.0.2.1:9")?;
            socket.local_addr()
        });
        hosts.extend(outward.ok().map(|address| address.ip().to_string()));
        hosts.extend(rustix::system::uname().nodename().to_str().ok().map(str::to_owned));
        hosts.push("127.0.0.1".into());
        // Seeds of the standard library's hash maps are random.
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let addresses = hosts.iter().map(|host| format!("{host}:{port}")).collect();
        Self { magic: MAGIC.into(), token, addresses }
    }

    fn read(path: &Path) -> Result<Self, TeamError> {
        let failed = |why: String| TeamError::Place { place: path.display().to_string(), why };
        let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
        let notice: Self = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
        if notice.magic == MAGIC { Ok(notice) } else { Err(failed("it is no meeting file of drills".into())) }
    }
}

/// The file, gone on drop.
struct Posted(PathBuf);

impl Posted {
    /// Puts the file there whole, so that nobody reads half of it, and readable for its owner only.
    fn write(path: &Path, notice: &Notice) -> Result<Self, TeamError> {
        let failed = |why: String| TeamError::Place { place: path.display().to_string(), why };
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let text = serde_json::to_string(notice).map_err(|e| failed(e.to_string()))?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| failed(e.to_string()))?;
        file.write_all(text.as_bytes()).map_err(|e| failed(e.to_string()))?;
        file.persist(path).map_err(|e| failed(e.to_string()))?;
        Ok(Self(path.to_owned()))
    }
}

impl Drop for Posted {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn place_of(meeting: &Meeting) -> String {
    match meeting {
        Meeting::Address(address) => address.clone(),
        Meeting::File(path) => path.display().to_string(),
    }
}

#[cfg(test)]
#[path = "meeting_tests.rs"]
mod tests;
