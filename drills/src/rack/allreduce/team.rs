//! Ranks that talk to each other: a star of TCP connections with rank 0 in the middle, JSON in lines.
//!
//! Every rank runs the same steps in the same order. What rank 0 decides, it tells ([`Team::tell`]); what each
//! rank has, rank 0 gathers ([`Team::gather`]). That is all that a collective benchmark needs beside NCCL.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longest line that is read.
const MOST_BYTES: u64 = 64 << 10;

/// Why the ranks do not work together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    /// Not everybody came.
    #[error("{came} of {ranks} ranks came to {place} within {seconds} s")]
    Missing {
        /// Ranks that came, rank 0 among them.
        came: usize,
        /// Ranks in all.
        ranks: u32,
        /// Where.
        place: String,
        /// Deadline.
        seconds: u64,
    },
    /// Rank 0 was not found.
    #[error("rank 0 did not answer at {place} within {seconds} s: {why}")]
    NoLead {
        /// Where.
        place: String,
        /// Deadline.
        seconds: u64,
        /// What happened last.
        why: String,
    },
    /// The meeting place cannot be used.
    #[error("{place}: {why}")]
    Place {
        /// Where.
        place: String,
        /// What the system said.
        why: String,
    },
    /// Rank 0 does not want this process.
    #[error("rank 0 refused this process: {0}")]
    Refused(String),
    /// A rank has left.
    #[error("the connection to rank {rank} ended: {why}")]
    Left {
        /// Which.
        rank: u32,
        /// What the system said.
        why: String,
    },
}

/// One end of a connection.
#[derive(Debug)]
pub struct Line {
    /// Rank at the other end.
    pub rank: u32,
    stream: BufReader<TcpStream>,
}

impl Line {
    pub(super) fn new(rank: u32, stream: TcpStream) -> Self {
        Self { rank, stream: BufReader::new(stream) }
    }

    /// How long the other end may be silent.
    pub(super) fn patience(&self, time: Duration) {
        // A connection without a deadline still ends with the process at the other end.
        let _ = self.stream.get_ref().set_read_timeout(Some(time));
    }

    pub(super) fn say<T: Serialize>(&mut self, value: &T) -> Result<(), TeamError> {
        let rank = self.rank;
        let left = |why: String| TeamError::Left { rank, why };
        let mut text = serde_json::to_string(value).map_err(|e| left(e.to_string()))?;
        text.push('\n');
        self.stream.get_mut().write_all(text.as_bytes()).map_err(|e| left(e.to_string()))
    }

    pub(super) fn hear<T: DeserializeOwned>(&mut self) -> Result<T, TeamError> {
        let rank = self.rank;
        let left = |why: String| TeamError::Left { rank, why };
        let mut text = String::new();
        let read = self.stream.by_ref().take(MOST_BYTES).read_line(&mut text);
        read.map_err(|e| left(e.to_string()))?;
        if !text.ends_with('\n') {
            return Err(left("it said nothing more".into()));
        }
        serde_json::from_str(&text).map_err(|e| left(e.to_string()))
    }
}

/// All ranks, as one of them sees them.
#[derive(Debug)]
pub enum Team {
    /// One process.
    Alone,
    /// Rank 0 with a line to each of the others, in the order of ranks.
    Lead(Vec<Line>),
    /// Another rank with its line to rank 0.
    Member(Line),
}

impl Team {
    /// Whether this process decides.
    pub fn leads(&self) -> bool {
        !matches!(self, Self::Member(_))
    }

    /// What rank 0 decides, at every rank. `decide` is called at rank 0 only.
    ///
    /// # Errors
    /// A rank has left.
    pub fn tell<T: Serialize + DeserializeOwned>(
        &mut self,
        decide: impl FnOnce() -> T,
    ) -> Result<T, TeamError> {
        match self {
            Self::Alone => Ok(decide()),
            Self::Lead(lines) => {
                let value = decide();
                lines.iter_mut().try_for_each(|line| line.say(&value))?;
                Ok(value)
            }
            Self::Member(line) => line.hear(),
        }
    }

    /// What each rank has, at rank 0 and in the order of ranks; elsewhere nothing.
    ///
    /// # Errors
    /// A rank has left.
    pub fn gather<T: Serialize + DeserializeOwned>(&mut self, own: T) -> Result<Vec<T>, TeamError> {
        match self {
            Self::Alone => Ok(vec![own]),
            Self::Lead(lines) => {
                let mut all = vec![own];
                for line in lines {
                    all.push(line.hear()?);
                }
                Ok(all)
            }
            Self::Member(line) => line.say(&own).map(|()| Vec::new()),
        }
    }
}
